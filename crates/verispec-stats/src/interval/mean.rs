//! The mean of independent or clustered values.

use super::Interval;
use crate::{
    Defined, Undefined,
    special::t_quantile,
    undefined::{at_least, finite, open_unit, same_length},
};
use serde::Serialize;
use std::collections::BTreeMap;

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The mean, in the units of the values.
    pub value: f64,
    /// Its standard error, same units. 0 only if all values (all cluster sums) are level.
    pub se: f64,
    /// Values.
    pub n: usize,
    /// Independent groups: clusters, or the values themselves.
    pub groups: usize,
    /// The factor by which the variance was enlarged for few groups.
    pub factor: f64,
}

impl Mean {
    /// mean -+ t se, with t of `groups` - 1 degrees of freedom.
    ///
    /// # Errors
    /// [`Undefined::OutOfRange`] unless `level` is in (0, 1).
    pub fn interval(&self, level: f64) -> Defined<Interval> {
        open_unit("level", level)?;
        let half = t_quantile(0.5 * (1.0 + level), self.groups as f64 - 1.0)? * self.se;
        Ok(Interval {
            low: self.value - half,
            high: self.value + half,
            level,
        })
    }
}

/// Mean of independent values, se = s / sqrt n with s^2 = sum (x - mean)^2 / (n - 1). For a paired
/// comparison pass the differences.
///
/// # Errors
/// [`Undefined::NotFinite`]; [`Undefined::TooFew`] below two values.
pub fn mean(values: &[f64]) -> Defined<Mean> {
    finite("values", values)?;
    at_least("values", values.len(), 2)?;
    let n = values.len() as f64;
    let value = average(values);
    let square: f64 = values.iter().map(|x| (x - value).powi(2)).sum();
    let factor = n / (n - 1.0);
    let se = (factor * square).sqrt() / n;
    Ok(Mean {
        value,
        se,
        n: values.len(),
        groups: values.len(),
        factor,
    })
}

/// Mean, by way of the deviations from the first value so that level values give it exactly.
fn average(values: &[f64]) -> f64 {
    let first = values[0];
    first + values.iter().map(|x| x - first).sum::<f64>() / values.len() as f64
}

/// The enlargement of a clustered variance for few clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SmallSample {
    /// None (E. Miller, "Adding Error Bars to Evals", 2024, equation 4). Too small for few clusters.
    None,
    /// G / (G - 1) for G clusters (CR1; statsmodels `cov_cluster`, Stata), the default to take.
    Clusters,
}

/// Mean of values that are independent only between clusters (instances of one source image,
/// specifications of one instance): se^2 = factor / n^2 * sum over clusters of (sum of deviations)^2
/// (Liang and Zeger 1986). `clusters` labels each value.
///
/// # Errors
/// [`Undefined::NotFinite`]; [`Undefined::Lengths`]; [`Undefined::TooFew`] below two clusters.
pub fn clustered_mean(
    values: &[f64],
    clusters: &[u32],
    small_sample: SmallSample,
) -> Defined<Mean> {
    same_length(values.len(), clusters.len())?;
    finite("values", values)?;
    at_least("values", values.len(), 1)?;
    let value = average(values);
    let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
    for (x, cluster) in values.iter().zip(clusters) {
        *sums.entry(*cluster).or_default() += x - value;
    }
    at_least("clusters", sums.len(), 2)?;
    let groups = sums.len() as f64;
    let factor = match small_sample {
        SmallSample::None => 1.0,
        SmallSample::Clusters => groups / (groups - 1.0),
    };
    let square: f64 = sums.values().map(|sum| sum * sum).sum();
    let se = (factor * square).sqrt() / values.len() as f64;
    if !se.is_finite() {
        return Err(Undefined::OutOfRange {
            input: "values",
            found: value,
            range: "f64 squared",
        });
    }
    Ok(Mean {
        value,
        se,
        n: values.len(),
        groups: sums.len(),
        factor,
    })
}
