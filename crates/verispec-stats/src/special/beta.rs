//! The regularised incomplete beta function.

use std::f64::consts::PI;

/// I_x(a, b) for a, b > 0 and x + y = 1, in 0..=1. `y` is passed beside `x` because 1 - x loses
/// the digits of a small tail.
///
/// Continued fraction of Algorithm 708; the factor in front by Loader's saddle-point
/// form (C. Loader, "Fast and Accurate Computation of Binomial Probabilities", 2000), whose error
/// does not grow with a + b as differences of log-gamma do.
pub(crate) fn regularised_beta(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    if x <= (a + 1.0) / (a + b + 2.0) {
        front(a, b, x, y) * fraction(a, b, x, y)
    } else {
        1.0 - front(b, a, y, x) * fraction(b, a, y, x)
    }
}

/// x^a y^b / (a B(a, b)).
fn front(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let exponent = stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, n * x)
        - deviance(b, n * y);
    let density = exponent.exp() * (n / (2.0 * PI * a * b)).sqrt();
    density * b / n
}

/// The error of Stirling's formula: ln Gamma(z + 1) - [(z + 1/2) ln z - z + ln(2 pi) / 2].
fn stirling_error(z: f64) -> f64 {
    if z < 16.0 {
        let stirling = (z + 0.5) * z.ln() - z + 0.5 * (2.0 * PI).ln();
        return libm::lgamma(z + 1.0) - stirling;
    }
    // DLMF 5.11.1; the first dropped term is below 1e-17 from z = 16 on.
    let s = 1.0 / (z * z);
    let series = 1.0 / 12.0
        - s * (1.0 / 360.0
            - s * (1.0 / 1260.0
                - s * (1.0 / 1680.0 - s * (1.0 / 1188.0 - s * (691.0 / 360_360.0)))));
    series / z
}

/// Loader's deviance x ln(x / m) + m - x, without cancellation for x near m.
fn deviance(x: f64, m: f64) -> f64 {
    let difference = x - m;
    if difference.abs() >= 0.1 * (x + m) {
        return x * (x / m).ln() + m - x;
    }
    let v = difference / (x + m);
    let mut sum = difference * v;
    let mut power = 2.0 * x * v;
    for j in 1..1000 {
        power *= v * v;
        let next = sum + power / f64::from(2 * j + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// The continued fraction of I_x(a, b), contracted by half (Didonato and Morris, "Algorithm 708",
/// ACM TOMS 1992, equation 9): unlike DLMF 8.17.22 its terms do not cancel for x near 1. Settles in
/// about sqrt(max(a, b)) steps on the side of the mean that [`regularised_beta`] chooses.
fn fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let offset = (a + b) * y - b + 1.0;
    let denominator = |m: f64| {
        let middle = m * (b - m) * x / (a + 2.0 * m - 1.0);
        m + if m > 0.0 { middle } else { 0.0 }
            + (a + m) * (offset + m * (1.0 + y)) / (a + 2.0 * m + 1.0)
    };
    // Lentz's method.
    let mut h = denominator(0.0);
    let (mut c, mut d) = (h, 0.0);
    for m in 1..100_000 {
        let m = f64::from(m);
        let square = x / (a + 2.0 * m - 1.0);
        let numerator = (a + m - 1.0) * (a + b + m - 1.0) * m * (b - m) * square * square;
        let term = denominator(m);
        d = 1.0 / (term + numerator * d);
        c = term + numerator / c;
        h *= c * d;
        if (c * d - 1.0).abs() < 1e-16 {
            break;
        }
    }
    a / h
}
