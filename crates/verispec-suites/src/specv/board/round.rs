//! Numbers as Python makes them, in the rule behind published tables.

use verispec_model::score::SumRule;

/// Python's `round(x, 2)`: the nearest two decimals of the exact binary value, exact ties to even.
/// Rust's formatting rounds the same way.
pub(crate) fn round2(x: f64) -> f64 {
    format!("{x:.2}").parse().unwrap_or(x)
}

/// Python's `sum()` over doubles.
///
/// `Plain` is left to right (3.11 and older), `Compensated` is Neumaier's sum (3.12 and newer).
pub(crate) fn sum(values: &[f64], rule: SumRule) -> f64 {
    match rule {
        SumRule::Plain => values.iter().fold(0.0, |total, x| total + x),
        SumRule::Compensated => {
            let (mut total, mut lost) = (0.0_f64, 0.0_f64);
            for x in values {
                let next = total + x;
                lost += if total.abs() >= x.abs() {
                    (total - next) + x
                } else {
                    (x - next) + total
                };
                total = next;
            }
            total + lost
        }
    }
}

/// `round(sum / n, 2)`; `None` for no values.
pub(crate) fn mean2(values: &[f64], rule: SumRule) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    (!values.is_empty()).then(|| round2(sum(values, rule) / values.len() as f64))
}

/// Mean of numbers of two decimals, to two decimals, in decimal arithmetic and half up: the rule
/// behind the main board's averages (43.605 becomes 43.61, which binary rounding would miss).
///
/// Values have to be non-negative; `None` for no values.
#[must_use]
pub fn decimal_mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let hundredths: u64 = values.iter().map(|v| hundredths(*v)).sum();
    let n = values.len() as u64;
    let mean = (2 * hundredths + n) / (2 * n);
    format!("{}.{:02}", mean / 100, mean % 100).parse().ok()
}

fn hundredths(value: f64) -> u64 {
    format!("{value:.2}").replace('.', "").parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_even_and_binary_values_count() {
        assert_eq!(round2(3.125), 3.12);
        assert_eq!(round2(9.375), 9.38);
        assert_eq!(
            round2((100.0 + 14.29) / 2.0),
            57.14,
            "57.145 is a little less in binary"
        );
        assert_eq!(round2(100.0 / 3.0), 33.33);
    }

    #[test]
    fn sums_differ_as_the_two_pythons_do() {
        let values = [21.05, 100.0, 27.78, 5.26, 36.36, 31.58];
        assert_eq!(mean2(&values, SumRule::Plain), Some(37.0));
        assert_eq!(mean2(&values, SumRule::Compensated), Some(37.01));
        assert_eq!(mean2(&[], SumRule::Plain), None);
    }

    #[test]
    fn decimal_mean_is_half_up() {
        let bagel = [69.0, 26.39, 56.88, 45.96, 45.06, 18.34];
        assert_eq!(decimal_mean(&bagel), Some(43.61));
        assert_eq!(decimal_mean(&[0.01, 0.0]), Some(0.01));
        assert_eq!(decimal_mean(&[100.0]), Some(100.0));
        assert_eq!(decimal_mean(&[]), None);
    }

    proptest::proptest! {
        #[test]
        fn decimal_mean_is_within_half_a_hundredth(v in proptest::collection::vec(0_u32..=10_000, 1..9)) {
            let values: Vec<f64> = v.iter().map(|h| f64::from(*h) / 100.0).collect();
            let exact = v.iter().sum::<u32>() as f64 / v.len() as f64 / 100.0;
            let mean = decimal_mean(&values).unwrap();
            proptest::prop_assert!((mean - exact).abs() <= 0.005 + 1e-9);
        }
    }
}
