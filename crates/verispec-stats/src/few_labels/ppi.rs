//! Prediction-powered inference for a mean.

use crate::{
    Defined, Undefined,
    interval::Interval,
    special::normal_quantile,
    undefined::{at_least, finite, open_unit, same_length},
};
use serde::Serialize;

/// How far the judge is trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lambda {
    /// 1: PPI (A. Angelopoulos et al., "Prediction-Powered Inference", Science 2023).
    One,
    /// The value with the smallest estimated variance, kept in 0..=1: PPI++ (A. Angelopoulos, J.
    /// Duchi, T. Zrnic, arXiv 2311.01453). Towards 0 when the judge says nothing about the labels.
    Tuned,
    /// A value chosen beforehand; 0 uses the labels alone.
    Fixed(f64),
}

/// A corrected mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ppi {
    /// The estimate, in the units of the labels. Not confined to their range.
    pub value: f64,
    /// Its standard error, same units.
    pub se: f64,
    /// The weight that the judge got.
    pub lambda: f64,
    /// Labelled items.
    pub labelled: usize,
    /// Items with the judge's answer that the estimate rests on besides (for
    /// [`sampled_mean`](super::sampled_mean): all items).
    pub judged: usize,
}

impl Ppi {
    /// value -+ z se: the normal interval of the papers.
    ///
    /// # Errors
    /// [`Undefined::OutOfRange`] unless `level` is in (0, 1).
    pub fn interval(&self, level: f64) -> Defined<Interval> {
        open_unit("level", level)?;
        let half = normal_quantile(0.5 * (1.0 + level))? * self.se;
        Ok(Interval {
            low: self.value - half,
            high: self.value + half,
            level,
        })
    }
}

fn average(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0.0), |(sum, n), v| (sum + v, n + 1.0));
    sum / n
}

/// Mean square of the deviations from the mean.
fn spread(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let mean = average(values.clone());
    average(values.map(|v| (v - mean).powi(2)))
}

/// Mean of the labels over a population of which n items carry a label `y` and a judge's answer
/// `f`, and N *other* items the judge's answer alone, both drawn at random from it:
/// lambda mean(f_N) + mean(y - lambda f_n), se^2 = lambda^2 var(f_N) / N + var(y - lambda f_n) / n.
/// The tuned lambda is cov(y, f) / ((1 + n / N) var(f of all)). As in the package `ppi-python`:
/// variances over n and N, the variance of all in lambda over n + N - 1.
///
/// If the labelled items are a sample *of the judged ones* drawn with known probabilities, take
/// [`sampled_mean`](super::sampled_mean).
///
/// # Errors
/// [`Undefined::Lengths`]; [`Undefined::NotFinite`]; [`Undefined::TooFew`] below two labels or two
/// other items; [`Undefined::Constant`] when a tuned lambda has a level judge to tune on.
pub fn ppi_mean(y: &[f64], f: &[f64], others: &[f64], lambda: Lambda) -> Defined<Ppi> {
    same_length(y.len(), f.len())?;
    finite("y", y)?;
    finite("f", f)?;
    finite("others", others)?;
    at_least("labelled items", y.len(), 2)?;
    at_least("other items", others.len(), 2)?;
    let (n, many) = (y.len() as f64, others.len() as f64);
    let lambda = match lambda {
        Lambda::One => 1.0,
        Lambda::Fixed(value) => value,
        Lambda::Tuned => {
            let all = f.iter().chain(others).copied();
            let variance = spread(all) * (n + many) / (n + many - 1.0);
            if variance <= 0.0 {
                return Err(Undefined::Constant {
                    input: "the judge's answers",
                });
            }
            let (mean_y, mean_f) = (average(y.iter().copied()), average(f.iter().copied()));
            let products = y.iter().zip(f).map(|(a, b)| (a - mean_y) * (b - mean_f));
            (average(products) / ((1.0 + n / many) * variance)).clamp(0.0, 1.0)
        }
    };
    finite("lambda", &[lambda])?;
    let rest = y.iter().zip(f).map(|(a, b)| a - lambda * b);
    let value = lambda * average(others.iter().copied()) + average(rest.clone());
    let variance = lambda * lambda * spread(others.iter().copied()) / many + spread(rest) / n;
    Ok(Ppi {
        value,
        se: variance.sqrt(),
        lambda,
        labelled: y.len(),
        judged: others.len(),
    })
}
