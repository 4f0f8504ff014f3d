//! Leaving one cluster out, for the acceleration of BCa.

use super::{plan::Plan, run::Statistic};
use crate::{Defined, Undefined};
use rayon::prelude::*;

/// A statistic without each cluster in turn, stratum by stratum.
#[derive(Debug, Clone, PartialEq)]
pub struct Jackknife {
    outputs: usize,
    /// For each stratum: clusters x outputs.
    strata: Vec<Vec<Option<f64>>>,
}

/// Evaluates `statistic` without each cluster of `plan`. Strata of one cluster are left whole: a
/// draw never lacks it.
pub fn jackknife<S: Statistic>(plan: &Plan, statistic: &S) -> Jackknife {
    let outputs = statistic.outputs();
    let without = |(times, scratch): &mut (Vec<u32>, S::Scratch), cluster: &[u32]| {
        for &unit in cluster {
            times[unit as usize] = 0;
        }
        let mut out = vec![None; outputs];
        statistic.evaluate(times, scratch, &mut out);
        for &unit in cluster {
            times[unit as usize] = 1;
        }
        out
    };
    let strata = plan
        .by_stratum()
        .map(|clusters| clusters.collect::<Vec<_>>())
        .filter(|clusters| clusters.len() > 1)
        .map(|clusters| {
            let fresh = || (vec![1; plan.units()], statistic.scratch());
            clusters
                .par_iter()
                .map_init(fresh, |memory, c| without(memory, c))
                .flatten()
                .collect()
        })
        .collect();
    Jackknife { outputs, strata }
}

impl Jackknife {
    /// The acceleration of one number; see [`Jackknife::acceleration_of`].
    ///
    /// # Errors
    /// As [`Jackknife::acceleration_of`].
    pub fn acceleration(&self, index: usize) -> Defined<f64> {
        self.acceleration_of(|row| row.get(index).copied().flatten())
    }

    /// The acceleration a of a number derived from all numbers of a row (as
    /// [`Replicates::derived`](super::Replicates::derived)). With l the mean of the stratum's n
    /// values, less the value without the cluster, times n - 1:
    /// a = S3 / (6 S2^1.5), S3 = sum over strata of (sum l^3) / n^3, S2 of (sum l^2) / n^2 (Davison
    /// and Hinkley, "Bootstrap Methods and their Application", 1997, section 5.3; for one stratum
    /// Efron's).
    ///
    /// # Errors
    /// [`Undefined::Degenerate`] if the number is undefined without some cluster;
    /// [`Undefined::Constant`] if leaving any cluster out changes nothing.
    pub fn acceleration_of(&self, number: impl Fn(&[Option<f64>]) -> Option<f64>) -> Defined<f64> {
        let (mut cubes, mut squares) = (0.0, 0.0);
        for stratum in &self.strata {
            let values: Option<Vec<f64>> =
                stratum.chunks_exact(self.outputs).map(&number).collect();
            let values = values.ok_or(Undefined::Degenerate {
                what: "the statistic without one of the clusters",
            })?;
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            for value in values {
                let influence = (n - 1.0) * (mean - value) / n;
                squares += influence.powi(2);
                cubes += influence.powi(3);
            }
        }
        if squares <= 0.0 {
            return Err(Undefined::Constant {
                input: "the jackknife",
            });
        }
        Ok(cubes / (6.0 * squares.powf(1.5)))
    }
}
