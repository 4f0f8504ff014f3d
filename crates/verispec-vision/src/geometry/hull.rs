//! Convex hulls of pixel sets and what can be measured on them.

/// A point in pixels.
pub(crate) type Point = (f64, f64);

/// Leftmost and rightmost pixel of each row of a region, top to bottom.
pub(crate) type RowSpans = Vec<(usize, usize)>;

/// Convex hull through the pixel centres, counter-clockwise in image coordinates or not: only
/// its area and distances are used. Andrew's monotone chain.
pub(crate) fn of_centres(spans: &RowSpans, top: usize) -> Vec<Point> {
    let points = spans.iter().enumerate().flat_map(|(row, &(x0, x1))| {
        let y = (top + row) as f64;
        [(x0 as f64, y), (x1 as f64, y)]
    });
    convex(points.collect())
}

/// Convex hull through the pixel corners; holds every pixel whole.
pub(crate) fn of_corners(spans: &RowSpans, top: usize) -> Vec<Point> {
    let points = spans.iter().enumerate().flat_map(|(row, &(x0, x1))| {
        let (y0, y1) = ((top + row) as f64 - 0.5, (top + row) as f64 + 0.5);
        let (x0, x1) = (x0 as f64 - 0.5, x1 as f64 + 0.5);
        [(x0, y0), (x1, y0), (x0, y1), (x1, y1)]
    });
    convex(points.collect())
}

fn convex(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let lower = chain(points.iter().copied());
    let upper = chain(points.iter().rev().copied());
    lower.into_iter().chain(upper).collect()
}

fn chain(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut out: Vec<Point> = Vec::new();
    for p in points {
        while out.len() >= 2 && cross(out[out.len() - 2], out[out.len() - 1], p) <= 0.0 {
            out.pop();
        }
        out.push(p);
    }
    out.pop();
    out
}

/// Twice the signed area of the triangle `o`, `a`, `b`.
pub(crate) fn cross(o: Point, a: Point, b: Point) -> f64 {
    (a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0)
}

/// Area of a polygon (shoelace).
pub(crate) fn area(poly: &[Point]) -> f64 {
    edges(poly)
        .map(|(a, b)| a.0 * b.1 - b.0 * a.1)
        .sum::<f64>()
        .abs()
        / 2.0
}

/// Centroid of a polygon's area; the mean of its points if it has none.
pub(crate) fn centroid(poly: &[Point]) -> Point {
    let (mut x, mut y, mut twice) = (0.0, 0.0, 0.0);
    for (a, b) in edges(poly) {
        let w = a.0 * b.1 - b.0 * a.1;
        (x, y, twice) = (x + (a.0 + b.0) * w, y + (a.1 + b.1) * w, twice + w);
    }
    if twice.abs() < 1e-9 {
        let n = poly.len().max(1) as f64;
        let sum = poly.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
        return (sum.0 / n, sum.1 / n);
    }
    (x / (3.0 * twice), y / (3.0 * twice))
}

fn edges(poly: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    (0..poly.len()).map(|i| (poly[i], poly[(i + 1) % poly.len()]))
}

/// A rectangle at any angle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TurnedRect {
    /// Its middle.
    pub(crate) centre: Point,
    /// Unit vector along one pair of sides.
    pub(crate) axis: Point,
    /// Extent along `axis`.
    pub(crate) along: f64,
    /// Extent across `axis`.
    pub(crate) across: f64,
}

/// The smallest enclosing rectangle; one of its sides lies on a hull edge. `None` for a hull
/// without an edge.
pub(crate) fn min_rect(poly: &[Point]) -> Option<TurnedRect> {
    let mut best: Option<TurnedRect> = None;
    for (a, b) in edges(poly) {
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        if length < 1e-9 {
            continue;
        }
        let (ux, uy) = ((b.0 - a.0) / length, (b.1 - a.1) / length);
        let ((u0, u1), (v0, v1)) = (spread(poly, ux, uy), spread(poly, -uy, ux));
        let (u, v) = (f64::midpoint(u0, u1), f64::midpoint(v0, v1));
        let rect = TurnedRect {
            centre: (u * ux - v * uy, u * uy + v * ux),
            axis: (ux, uy),
            along: u1 - u0,
            across: v1 - v0,
        };
        if best.is_none_or(|b| rect.along * rect.across < b.along * b.across) {
            best = Some(rect);
        }
    }
    best
}

/// Least and greatest coordinate along a unit vector.
fn spread(poly: &[Point], ux: f64, uy: f64) -> (f64, f64) {
    let dots = poly.iter().map(|p| p.0 * ux + p.1 * uy);
    dots.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), d| {
        (lo.min(d), hi.max(d))
    })
}

/// Area of the largest triangle with corners on the hull.
pub(crate) fn max_triangle(poly: &[Point]) -> f64 {
    let poly = thinned(poly);
    let mut best = 0.0f64;
    for i in 0..poly.len() {
        for j in i + 1..poly.len() {
            for k in j + 1..poly.len() {
                best = best.max(cross(poly[i], poly[j], poly[k]).abs() / 2.0);
            }
        }
    }
    best
}

/// Area of the largest quadrilateral with corners on the hull: for each diagonal the farthest
/// corner on either side.
pub(crate) fn max_quad(poly: &[Point]) -> f64 {
    let poly = thinned(poly);
    let mut best = 0.0f64;
    for i in 0..poly.len() {
        for j in i + 1..poly.len() {
            let (mut left, mut right) = (0.0f64, 0.0f64);
            for &p in &poly {
                let c = cross(poly[i], poly[j], p) / 2.0;
                (left, right) = (left.max(c), right.max(-c));
            }
            best = best.max(left + right);
        }
    }
    best
}

/// At most 48 corners: those that span the largest triangles with their neighbours.
fn thinned(poly: &[Point]) -> Vec<Point> {
    let mut out = poly.to_vec();
    while out.len() > 48 {
        let n = out.len();
        let weight = |i: usize| cross(out[(i + n - 1) % n], out[i], out[(i + 1) % n]).abs();
        let least = (0..n).min_by(|&a, &b| weight(a).total_cmp(&weight(b)));
        match least {
            Some(i) => out.remove(i),
            None => break,
        };
    }
    out
}

/// Semi-axes of the ellipse with the polygon's second moments, longer first, and the standard
/// deviation over the mean of the outline's distance from the centre once those axes are scaled to
/// 1. That is 0 for an ellipse, 0.042 for a regular hexagon, 0.11 for a square.
pub(crate) fn ellipse_fit(poly: &[Point]) -> (f64, f64, f64) {
    let c = centroid(poly);
    let (mut xx, mut yy, mut xy, mut total) = (0.0, 0.0, 0.0, 0.0);
    for (a, b) in edges(poly) {
        let (a, b) = ((a.0 - c.0, a.1 - c.1), (b.0 - c.0, b.1 - c.1));
        let w = a.0 * b.1 - b.0 * a.1;
        xx += w * (a.0 * a.0 + a.0 * b.0 + b.0 * b.0) / 12.0;
        yy += w * (a.1 * a.1 + a.1 * b.1 + b.1 * b.1) / 12.0;
        xy += w * (2.0 * (a.0 * a.1 + b.0 * b.1) + a.0 * b.1 + b.0 * a.1) / 24.0;
        total += w / 2.0;
    }
    let (xx, yy, xy) = (xx / total, yy / total, xy / total);
    let mid = f64::midpoint(xx, yy);
    let gap = ((xx - yy) / 2.0).hypot(xy);
    let (major, minor) = (
        2.0 * (mid + gap).max(0.0).sqrt(),
        2.0 * (mid - gap).max(0.0).sqrt(),
    );
    let tilt = if gap < 1e-12 {
        0.0
    } else {
        0.5 * (2.0 * xy).atan2(xx - yy)
    };
    (major, minor, ripple(poly, c, (major, minor), tilt))
}

/// Relative standard deviation of the outline's distance in the ellipse's own scale.
fn ripple(poly: &[Point], c: Point, axes: (f64, f64), tilt: f64) -> f64 {
    let scaled: Vec<Point> = poly
        .iter()
        .map(|p| {
            let (dx, dy) = (p.0 - c.0, p.1 - c.1);
            let (u, v) = (
                dx * tilt.cos() + dy * tilt.sin(),
                dy * tilt.cos() - dx * tilt.sin(),
            );
            (u / axes.0.max(1e-9), v / axes.1.max(1e-9))
        })
        .collect();
    let radii: Vec<f64> = (0..72)
        .filter_map(|k| ray(&scaled, f64::from(k) * 5.0))
        .collect();
    let n = radii.len().max(1) as f64;
    let mean = radii.iter().sum::<f64>() / n;
    let var = radii.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / n;
    var.sqrt() / mean.max(1e-9)
}

/// Distance from the origin to the outline in a direction in degrees.
fn ray(poly: &[Point], degrees: f64) -> Option<f64> {
    let (dx, dy) = (degrees.to_radians().cos(), degrees.to_radians().sin());
    edges(poly)
        .filter_map(|(a, b)| {
            let (ex, ey) = (b.0 - a.0, b.1 - a.1);
            let det = dx * ey - dy * ex;
            if det.abs() < 1e-12 {
                return None;
            }
            let t = (a.0 * ey - a.1 * ex) / det;
            let s = (a.0 * dy - a.1 * dx) / det;
            (t > 0.0 && (-1e-9..=1.0 + 1e-9).contains(&s)).then_some(t)
        })
        .max_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regular(n: u32, r: f64) -> Vec<Point> {
        (0..n)
            .map(|k| {
                let a = f64::from(k) * std::f64::consts::TAU / f64::from(n);
                (50.0 + r * a.cos(), 40.0 + r * a.sin())
            })
            .collect()
    }

    #[test]
    fn known_figures() {
        let square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];
        assert_eq!(area(&square), 100.0);
        let rect = min_rect(&square).unwrap();
        assert_eq!(
            (rect.along, rect.across, rect.centre),
            (10.0, 10.0, (5.0, 5.0))
        );
        assert_eq!(max_triangle(&square), 50.0);
        assert_eq!(max_quad(&square), 100.0);
        assert_eq!(centroid(&square), (5.0, 5.0));
        let circle = regular(180, 30.0);
        let (a, b, ripple) = ellipse_fit(&circle);
        assert!((a - 30.0).abs() < 0.1 && (b - 30.0).abs() < 0.1 && ripple < 0.001);
        assert!((0.39..0.43).contains(&(max_triangle(&circle) / area(&circle))));
        let hexagon = ellipse_fit(&regular(6, 30.0)).2;
        assert!((0.040..0.046).contains(&hexagon), "{hexagon}");
    }
}
