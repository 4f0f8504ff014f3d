//! Which plane figure a region is, measured on its convex hull.
//!
//! Thresholds leave a gap between "is" and "is not"; inside the gap nothing is claimed. A figure
//! that is not convex may be one that another covers, or two that touch, so it counts as "maybe"
//! for every kind.

use crate::geometry::hull::{self, Point, RowSpans};
use crate::tri::Tri;

/// A kind of figure that questions may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Circle,
    Ellipse,
    Triangle,
    Square,
    Rectangle,
    Diamond,
    Pentagon,
    Hexagon,
    Star,
}

impl Kind {
    /// All kinds, narrow ones before those that include them.
    pub(crate) const ALL: [Self; 9] = [
        Self::Circle,
        Self::Triangle,
        Self::Diamond,
        Self::Square,
        Self::Rectangle,
        Self::Star,
        Self::Ellipse,
        Self::Pentagon,
        Self::Hexagon,
    ];

    /// The kind of a singular noun, for instance `oval`.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "circle" | "disc" | "disk" => Self::Circle,
            "ellipse" | "oval" => Self::Ellipse,
            "triangle" => Self::Triangle,
            "square" => Self::Square,
            "rectangle" => Self::Rectangle,
            "diamond" | "rhombus" => Self::Diamond,
            "pentagon" => Self::Pentagon,
            "hexagon" => Self::Hexagon,
            "star" => Self::Star,
            _ => return None,
        })
    }

    /// The English noun.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Ellipse => "ellipse",
            Self::Triangle => "triangle",
            Self::Square => "square",
            Self::Rectangle => "rectangle",
            Self::Diamond => "diamond",
            Self::Pentagon => "pentagon",
            Self::Hexagon => "hexagon",
            Self::Star => "star",
        }
    }

    const fn index(self) -> usize {
        self as usize
    }
}

/// What a region was measured to be, for each [`Kind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form([Tri; 9]);

impl Form {
    /// Nothing can be said.
    pub(crate) const UNKNOWN: Self = Self([Tri::Maybe; 9]);
    /// None of the kinds.
    pub(crate) const NOTHING: Self = Self([Tri::No; 9]);

    /// Whether the region is of this kind, in the sense of counting: a square is not also counted
    /// as a rectangle, though it may have been meant.
    pub(crate) const fn is(&self, kind: Kind) -> Tri {
        self.0[kind.index()]
    }

    /// Whether the region is of this kind in the broad sense: a square is a rectangle, a circle
    /// is no other ellipse.
    pub(crate) fn is_broadly(&self, kind: Kind) -> Tri {
        match kind {
            Kind::Rectangle => self.is(Kind::Rectangle).max(self.is(Kind::Square)),
            _ => self.is(kind),
        }
    }

    /// The kind, if exactly known.
    pub(crate) fn sure(&self) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&k| self.is(k) == Tri::Yes)
    }

    fn with(mut self, kind: Kind, value: Tri) -> Self {
        self.0[kind.index()] = value;
        self
    }
}

/// Least area over hull area of a figure that counts as convex.
const CONVEX: f64 = 0.93;

/// Measures a region from its row spans and its area with holes filled, both in pixels.
pub(crate) fn measure(spans: &RowSpans, top: usize, filled: usize) -> Form {
    let (centres, corners) = (hull::of_centres(spans, top), hull::of_corners(spans, top));
    let area = hull::area(&centres);
    let Some(rect) = hull::min_rect(&centres) else {
        return Form::UNKNOWN;
    };
    let (long, short) = (rect.along.max(rect.across), rect.along.min(rect.across));
    if centres.len() < 3 || short < 2.0 {
        return Form::UNKNOWN;
    }
    // Hulls through centres and through corners err to opposite sides by half a pixel.
    let solidity = filled as f64 / f64::midpoint(area, hull::area(&corners));
    if solidity < CONVEX {
        return Form::UNKNOWN;
    }
    let triangle = hull::max_triangle(&centres) / area;
    let triangle = Tri::of(triangle >= 0.86, triangle >= 0.74);
    if triangle != Tri::No {
        return hesitant(Form::NOTHING.with(Kind::Triangle, triangle), triangle);
    }
    let extent = area / (long * short);
    let boxed = Tri::of(extent >= 0.93, extent >= 0.87);
    if boxed != Tri::No {
        return quadrilateral(&centres, boxed, (long + 1.0, short + 1.0));
    }
    if hull::max_quad(&centres) / area >= 0.94 {
        return Form::NOTHING.with(Kind::Diamond, stands_on_corner(&centres));
    }
    round_or_polygon(&corners, extent)
}

/// A figure that is only perhaps of one kind may be of any.
fn hesitant(form: Form, certainty: Tri) -> Form {
    if certainty == Tri::Yes {
        form
    } else {
        Form::UNKNOWN
    }
}

fn quadrilateral(centres: &[Point], boxed: Tri, (long, short): (f64, f64)) -> Form {
    let aspect = long / short;
    let equal = aspect <= 1.06 || long - short <= 1.5;
    let square = Tri::of(equal, aspect <= 1.22);
    let form = if equal && stands_on_corner(centres) == Tri::Yes {
        let form = Form::NOTHING.with(Kind::Diamond, Tri::Yes);
        form.with(Kind::Square, Tri::Maybe)
            .with(Kind::Rectangle, Tri::Maybe)
    } else {
        let rectangle = if equal { Tri::Maybe } else { Tri::Yes };
        Form::NOTHING
            .with(Kind::Square, square)
            .with(Kind::Rectangle, rectangle)
    };
    hesitant(form, boxed)
}

/// Whether the four extreme points lie near the middles of the bounding box's sides.
fn stands_on_corner(hull: &[Point]) -> Tri {
    let xs = hull.iter().map(|p| p.0);
    let ys = hull.iter().map(|p| p.1);
    let (x0, x1) = (
        xs.clone().fold(f64::MAX, f64::min),
        xs.fold(f64::MIN, f64::max),
    );
    let (y0, y1) = (
        ys.clone().fold(f64::MAX, f64::min),
        ys.fold(f64::MIN, f64::max),
    );
    let (w, h) = ((x1 - x0).max(1.0), (y1 - y0).max(1.0));
    let off = |p: &Point| {
        let mut worst = 0.0f64;
        if p.0 <= x0 || p.0 >= x1 {
            worst = worst.max((p.1 - f64::midpoint(y0, y1)).abs() / h);
        }
        if p.1 <= y0 || p.1 >= y1 {
            worst = worst.max((p.0 - f64::midpoint(x0, x1)).abs() / w);
        }
        worst
    };
    let worst = hull.iter().map(off).fold(0.0, f64::max);
    Tri::of(worst <= 0.1, worst <= 0.2)
}

/// Least smaller semi-axis, in pixels, of a figure whose corners are counted.
const MIN_CORNERED: f64 = 8.0;

fn round_or_polygon(corners: &[Point], extent: f64) -> Form {
    let (a, b, ripple) = hull::ellipse_fit(corners);
    // Half a pixel of staircase on the outline, relative to the smaller semi-axis.
    let tolerance = 0.018 + 0.16 / b.max(1.0);
    let fits = (0.73..0.87).contains(&extent);
    let round = Tri::of(fits && ripple <= tolerance, ripple <= tolerance + 0.012);
    match round {
        Tri::Yes => {
            let near = a / b <= 1.07 || 2.0 * (a - b) <= 1.5;
            let circle = Tri::of(near, a / b <= 1.2);
            let ellipse = Tri::of(a / b > 1.2, !near);
            Form::NOTHING
                .with(Kind::Circle, circle)
                .with(Kind::Ellipse, ellipse)
        }
        Tri::Maybe => Form::UNKNOWN,
        // On a few pixels, corners cannot be told from steps.
        Tri::No if b < MIN_CORNERED => Form::UNKNOWN,
        Tri::No => match corner_count(corners) {
            5 => Form::NOTHING.with(Kind::Pentagon, Tri::Yes),
            6 => Form::NOTHING.with(Kind::Hexagon, Tri::Yes),
            _ => Form::UNKNOWN,
        },
    }
}

/// Corners left after removing those that cost less than 4 % of the area each.
fn corner_count(poly: &[Point]) -> usize {
    let mut poly = poly.to_vec();
    let limit = 0.04 * 2.0 * hull::area(&poly);
    while poly.len() > 3 {
        let n = poly.len();
        let cost = |i: usize| hull::cross(poly[(i + n - 1) % n], poly[i], poly[(i + 1) % n]).abs();
        match (0..n).min_by(|&a, &b| cost(a).total_cmp(&cost(b))) {
            Some(i) if cost(i) < limit => poly.remove(i),
            _ => break,
        };
    }
    poly.len()
}

/// Whether an outline's distance from its centre, sampled around the circle, has five to eight
/// equal points and equal notches: a star. Distances in any unit.
pub(crate) fn star_profile(radii: &[f64]) -> bool {
    let n = radii.len();
    let max = radii.iter().copied().fold(0.0, f64::max);
    if n < 36 || max <= 0.0 {
        return false;
    }
    let at = |i: usize| radii[i % n];
    let half = n / 24;
    let extreme = |i: usize, sign: f64| {
        (i + n - half..=i + n + half).all(|j| sign * at(j) <= sign * at(i))
            && sign * at(i) > sign * at(i + n - half - 1)
    };
    let peaks: Vec<f64> = (0..n).filter(|&i| extreme(i, 1.0)).map(at).collect();
    let notches: Vec<f64> = (0..n).filter(|&i| extreme(i, -1.0)).map(at).collect();
    let even = |v: &[f64]| {
        let (lo, hi) = v
            .iter()
            .fold((f64::MAX, 0.0f64), |(l, h), &x| (l.min(x), h.max(x)));
        lo / hi > 0.82
    };
    (5..=8).contains(&peaks.len())
        && peaks.len() == notches.len()
        && even(&peaks)
        && even(&notches)
        && (0.3..0.72).contains(&(notches[0] / peaks[0]))
}

impl Form {
    /// A star and nothing else.
    pub(crate) fn star() -> Self {
        Self::NOTHING.with(Kind::Star, Tri::Yes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row spans of the pixels whose centres satisfy `inside`, on a 200 by 200 grid.
    fn draw(inside: impl Fn(f64, f64) -> bool) -> Form {
        let (mut spans, mut top, mut area) = (vec![], None, 0);
        for y in 0..200 {
            let row: Vec<usize> = (0..200).filter(|&x| inside(x as f64, y as f64)).collect();
            if let (Some(&a), Some(&b)) = (row.first(), row.last()) {
                top.get_or_insert(y);
                spans.push((a, b));
                area += row.len();
            }
        }
        measure(&spans, top.unwrap(), area)
    }

    fn polygon(n: u32, r: f64, turn: f64) -> Form {
        let corner = |k: u32| {
            let a = (f64::from(k) * 360.0 / f64::from(n) + turn).to_radians();
            (100.0 + r * a.cos(), 100.0 + r * a.sin())
        };
        draw(|x, y| (0..n).all(|k| hull::cross(corner(k), corner(k + 1), (x, y)) >= 0.0))
    }

    #[test]
    fn circles_of_many_sizes() {
        for r in [5.0, 6.5, 8.0, 11.3, 20.0, 45.0, 90.0] {
            let form = draw(|x, y| (x - 100.2).hypot(y - 99.7) <= r);
            assert_eq!(form.sure(), Some(Kind::Circle), "r {r}");
            assert_eq!(form.is(Kind::Square), Tri::No);
        }
    }

    #[test]
    fn rectangles_squares_and_the_border_between() {
        let rect = |w: f64, h: f64| draw(move |x, y| x < w && y < h);
        assert_eq!(rect(60.0, 60.0).sure(), Some(Kind::Square));
        assert_eq!(rect(60.0, 60.0).is_broadly(Kind::Rectangle), Tri::Yes);
        assert_eq!(rect(60.0, 60.0).is(Kind::Rectangle), Tri::Maybe);
        assert_eq!(rect(90.0, 60.0).sure(), Some(Kind::Rectangle));
        assert_eq!(rect(90.0, 60.0).is(Kind::Square), Tri::No);
        assert_eq!(rect(68.0, 60.0).is(Kind::Square), Tri::Maybe);
        assert_eq!(rect(150.0, 4.0).sure(), Some(Kind::Rectangle));
    }

    #[test]
    fn turned_figures() {
        for turn in [0.0, 11.0, 17.0, 30.0, 45.0, 60.0] {
            assert_eq!(
                polygon(3, 60.0, turn).sure(),
                Some(Kind::Triangle),
                "{turn}"
            );
            assert_eq!(
                polygon(5, 60.0, turn).sure(),
                Some(Kind::Pentagon),
                "{turn}"
            );
            assert_eq!(polygon(6, 60.0, turn).sure(), Some(Kind::Hexagon), "{turn}");
        }
        assert_eq!(polygon(4, 60.0, 45.0).sure(), Some(Kind::Square));
        assert_eq!(polygon(4, 60.0, 15.0).sure(), Some(Kind::Square));
        assert_eq!(polygon(4, 60.0, 0.0).sure(), Some(Kind::Diamond));
        assert_eq!(polygon(4, 60.0, 0.0).is(Kind::Square), Tri::Maybe);
    }

    #[test]
    fn ellipses_and_half_covered_circles() {
        let form = draw(|x, y| ((x - 100.0) / 70.0).hypot((y - 100.0) / 40.0) <= 1.0);
        assert_eq!(form.sure(), Some(Kind::Ellipse));
        assert_eq!(form.is(Kind::Circle), Tri::No);
        let bitten = draw(|x, y| {
            (x - 100.0).hypot(y - 100.0) <= 60.0 && (x - 160.0).hypot(y - 100.0) > 40.0
        });
        assert_eq!(bitten, Form::UNKNOWN);
    }

    #[test]
    fn stars_by_profile() {
        let star: Vec<f64> = (0..120)
            .map(|k| {
                let t = (k % 24) as f64 / 12.0 - 1.0;
                40.0 + 60.0 * t.abs()
            })
            .collect();
        assert!(star_profile(&star));
        assert!(!star_profile(&[50.0; 120]));
    }
}
