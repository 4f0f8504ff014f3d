//! How much of what two raters' scores show is the items, and how much is noise.

use crate::random::Stream;
use crate::special::normal_quantile;

/// A symmetric 2 x 2 matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sym {
    pub(super) a: f64,
    /// Off the diagonal.
    pub(super) b: f64,
    pub(super) c: f64,
}

impl Sym {
    /// Applied to a vector.
    pub(super) fn times(self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.a * x + self.b * y, self.b * x + self.c * y]
    }

    /// The same eigenvectors, every eigenvalue through `of`.
    pub(super) fn map(self, of: impl Fn(f64) -> f64) -> Self {
        let half = 0.5 * (self.a - self.c);
        let radius = half.hypot(self.b);
        let middle = 0.5 * (self.a + self.c);
        let (large, small) = (of(middle + radius), of(middle - radius));
        let (mean, spread) = (0.5 * (large + small), 0.5 * (large - small));
        let (cos, sin) = if radius > 0.0 {
            (half / radius, self.b / radius)
        } else {
            (1.0, 0.0)
        };
        Self {
            a: mean + spread * cos,
            b: spread * sin,
            c: mean - spread * cos,
        }
    }

    /// Plus `by` times the unit matrix.
    fn raised(self, by: f64) -> Self {
        Self {
            a: self.a + by,
            b: self.b,
            c: self.c + by,
        }
    }
}

/// A lower triangular 2 x 2 matrix: [[a, 0], [b, c]].
#[derive(Debug, Clone, Copy)]
pub(super) struct Lower {
    a: f64,
    b: f64,
    c: f64,
}

impl Lower {
    /// Bartlett's factor of a Wishart matrix of `freedom` >= 2 degrees of freedom and unit scale (M.
    /// Bartlett 1933).
    pub(super) fn bartlett(stream: &mut Stream, freedom: usize) -> Self {
        Self {
            a: chi_square(stream, freedom).sqrt(),
            b: normal(stream),
            c: chi_square(stream, freedom - 1).sqrt(),
        }
    }
}

fn normal(stream: &mut Stream) -> f64 {
    // A unit number can be 0, which has no quantile.
    normal_quantile(stream.unit().max(1e-300)).unwrap_or(0.0)
}

/// Sum of `freedom` squared normal numbers: two of them are -2 ln of a unit number.
fn chi_square(stream: &mut Stream, freedom: usize) -> f64 {
    let mut sum = 0.0;
    for _ in 0..freedom / 2 {
        sum -= 2.0 * libm::log(1.0 - stream.unit());
    }
    if freedom % 2 == 1 {
        sum += normal(stream).powi(2);
    }
    sum
}

/// Share of the trace by which a singular matrix is lifted: two raters who never differ have no
/// noise in their difference, and may not divide by it.
const LIFT: f64 = 1e-9;

/// Least share of signal in any direction: with 0 all items would tie.
const LEAST: f64 = 1e-12;

/// Two raters' scores x = true score + noise, centred over the items, with noise of covariance V and
/// true scores of covariance T over the items.
#[derive(Debug, Clone)]
pub(super) struct PairModel {
    /// V^1/2.
    root: Sym,
    /// V^-1/2.
    inverse: Sym,
    /// V^1/2 S^-1/2, S the sum of squares and products of the scores.
    factor: [[f64; 2]; 2],
    /// V^-1/2 x, item by item.
    scores: Vec<[f64; 2]>,
}

impl PairModel {
    /// `scores` item by item, centred; `noise` per item. `None` if nothing varies.
    pub(super) fn new(scores: &[[f64; 2]], noise: Sym) -> Option<Self> {
        let trace = noise.a + noise.c;
        if trace <= 0.0 || scores.len() < 2 {
            return None;
        }
        let lift = LIFT * trace;
        let noise = noise.raised(lift);
        let root = noise.map(|e| e.max(0.0).sqrt());
        let inverse = noise.map(|e| 1.0 / e.max(0.5 * lift).sqrt());
        let mut squares = Sym {
            a: 0.0,
            b: 0.0,
            c: 0.0,
        };
        for [x, y] in scores {
            squares.a += x * x;
            squares.b += x * y;
            squares.c += y * y;
        }
        let lift = lift * (scores.len() - 1) as f64;
        let precision = squares.raised(lift).map(|e| 1.0 / e.max(0.5 * lift).sqrt());
        let top = root.times([precision.a, precision.b]);
        let bottom = root.times([precision.b, precision.c]);
        Some(Self {
            root,
            inverse,
            factor: [[top[0], bottom[0]], [top[1], bottom[1]]],
            scores: scores.iter().map(|s| inverse.times(*s)).collect(),
        })
    }

    /// True scores as they may be: the scores shrunk, plus `errors` (centred, item by item) scaled
    /// to what shrinking leaves open. `wishart` stands for how little so few items say about T.
    pub(super) fn draw(
        &self,
        wishart: Lower,
        errors: impl Iterator<Item = [f64; 2]>,
        out: &mut [Vec<f64>; 2],
    ) {
        // B = V (T + V)^-1 in the metric of V; (T + V)^-1 is Wishart with scale S^-1.
        let [[a, b], [c, d]] = self.factor;
        let row = |x: f64, y: f64| [x * wishart.a + y * wishart.b, y * wishart.c];
        let (top, bottom) = (row(a, b), row(c, d));
        let lost = Sym {
            a: top[0] * top[0] + top[1] * top[1],
            b: top[0] * bottom[0] + top[1] * bottom[1],
            c: bottom[0] * bottom[0] + bottom[1] * bottom[1],
        };
        let kept = lost.map(|e| (1.0 - e).max(LEAST));
        let open = kept.map(f64::sqrt);
        out[0].clear();
        out[1].clear();
        for (score, error) in self.scores.iter().zip(errors) {
            let (shrunk, error) = (kept.times(*score), open.times(self.inverse.times(error)));
            let [x, y] = self
                .root
                .times([shrunk[0] + error[0], shrunk[1] + error[1]]);
            out[0].push(x);
            out[1].push(y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_are_mapped() {
        let m = Sym {
            a: 5.0,
            b: 2.0,
            c: 2.0,
        };
        // Eigenvalues 6 and 1 with (2, 1) and (1, -2).
        let root = m.map(f64::sqrt);
        let [x, y] = root.times([2.0, 1.0]);
        assert!((x - 2.0 * 6_f64.sqrt()).abs() < 1e-12 && (y - 6_f64.sqrt()).abs() < 1e-12);
        let [x, y] = root.times([1.0, -2.0]);
        assert!((x - 1.0).abs() < 1e-12 && (y + 2.0).abs() < 1e-12);
        assert_eq!(m.map(|e| e).times([1.0, 0.0]), [5.0, 2.0]);
    }

    /// Mean n and variance 2 n, even and odd.
    #[test]
    fn chi_squares() {
        for freedom in [1, 2, 5, 8] {
            let mut stream = Stream::new(3, freedom as u64);
            let values: Vec<f64> = (0..40_000)
                .map(|_| chi_square(&mut stream, freedom))
                .collect();
            let mean = values.iter().sum::<f64>() / 4e4;
            let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 4e4;
            let n = freedom as f64;
            assert!((mean - n).abs() < 0.03 * n, "{freedom}: {mean}");
            assert!(
                (variance - 2.0 * n).abs() < 0.2 * n,
                "{freedom}: {variance}"
            );
        }
    }

    /// The expected loss of the Wishart is freedom x V^1/2 S^-1 V^1/2: with little noise, nearly the
    /// scores themselves come back.
    #[test]
    fn little_noise_shrinks_little() {
        let scores: Vec<[f64; 2]> = (0..9)
            .map(|i| [f64::from(i) - 4.0, 2.0 * (f64::from((i * 5) % 9) - 4.0)])
            .collect();
        let noise = Sym {
            a: 1e-6,
            b: 5e-7,
            c: 1e-6,
        };
        let model = PairModel::new(&scores, noise).unwrap();
        let wishart = Lower::bartlett(&mut Stream::new(1, 1), 7);
        let mut out = [vec![], vec![]];
        model.draw(wishart, scores.iter().map(|_| [0.0; 2]), &mut out);
        for (i, score) in scores.iter().enumerate() {
            assert!((out[0][i] - score[0]).abs() < 1e-4);
            assert!((out[1][i] - score[1]).abs() < 1e-4);
        }
        assert!(
            PairModel::new(
                &scores,
                Sym {
                    a: 0.0,
                    b: 0.0,
                    c: 0.0
                }
            )
            .is_none()
        );
    }
}
