//! Running a statistic over many draws.

use super::{
    interval::Sample,
    plan::{Plan, Variety},
};
use crate::{Defined, undefined::at_least};
use rayon::prelude::*;

/// Numbers computed from how often each unit counts.
pub trait Statistic: Sync {
    /// Memory that one thread uses again from draw to draw.
    type Scratch: Send;

    /// How many numbers there are.
    fn outputs(&self) -> usize;

    /// Fresh memory.
    fn scratch(&self) -> Self::Scratch;

    /// Writes the numbers for units that count `times` each into `out`, which has
    /// [`Statistic::outputs`] places; `None` is undefined for this draw.
    fn evaluate(&self, times: &[u32], scratch: &mut Self::Scratch, out: &mut [Option<f64>]);
}

/// A statistic from a function that needs no memory.
#[derive(Debug, Clone)]
pub struct Function<F> {
    outputs: usize,
    function: F,
}

impl<F: Fn(&[u32], &mut [Option<f64>]) + Sync> Function<F> {
    /// A statistic of `outputs` numbers; `function` gets the multiplicities and the places to fill.
    pub fn new(outputs: usize, function: F) -> Self {
        Self { outputs, function }
    }
}

impl<F: Fn(&[u32], &mut [Option<f64>]) + Sync> Statistic for Function<F> {
    type Scratch = ();

    fn outputs(&self) -> usize {
        self.outputs
    }

    fn scratch(&self) {}

    fn evaluate(&self, times: &[u32], (): &mut (), out: &mut [Option<f64>]) {
        (self.function)(times, out);
    }
}

/// The numbers of a statistic for the data and for every draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Replicates {
    outputs: usize,
    variety: Variety,
    estimate: Vec<Option<f64>>,
    /// Draws x outputs.
    values: Vec<Option<f64>>,
}

/// Evaluates `statistic` for the data as they are and for `draws` draws of `plan` under `seed`.
///
/// # Errors
/// [`Undefined::TooFew`](crate::Undefined::TooFew) without draws or without outputs.
pub fn bootstrap<S: Statistic>(
    plan: &Plan,
    statistic: &S,
    draws: usize,
    seed: u64,
) -> Defined<Replicates> {
    let outputs = statistic.outputs();
    at_least("draws", draws, 1)?;
    at_least("outputs", outputs, 1)?;
    let mut estimate = vec![None; outputs];
    statistic.evaluate(
        &vec![1; plan.units()],
        &mut statistic.scratch(),
        &mut estimate,
    );
    let mut values = vec![None; draws * outputs];
    values.par_chunks_mut(outputs).enumerate().for_each_init(
        || (Vec::new(), statistic.scratch()),
        |(times, scratch), (draw, out)| {
            plan.draw(seed, draw as u64, times);
            statistic.evaluate(times, scratch, out);
        },
    );
    Ok(Replicates {
        outputs,
        variety: plan.variety(),
        estimate,
        values,
    })
}

impl Replicates {
    /// Numbers that were made otherwise than by [`bootstrap`]; `values` is draws x outputs.
    pub(super) fn of(
        variety: Variety,
        estimate: Vec<Option<f64>>,
        values: Vec<Option<f64>>,
    ) -> Self {
        Self {
            outputs: estimate.len(),
            variety,
            estimate,
            values,
        }
    }

    /// Numbers of draws.
    #[must_use]
    pub fn draws(&self) -> usize {
        self.values.len() / self.outputs
    }

    /// How much independent data the draws rest on.
    #[must_use]
    pub fn variety(&self) -> Variety {
        self.variety
    }

    /// The numbers of the data themselves.
    #[must_use]
    pub fn estimate(&self) -> &[Option<f64>] {
        &self.estimate
    }

    /// The numbers of each draw, in order.
    pub fn rows(&self) -> impl Iterator<Item = &[Option<f64>]> {
        self.values.chunks_exact(self.outputs)
    }

    /// One number over the draws.
    #[must_use]
    pub fn output(&self, index: usize) -> Sample {
        self.derived(|row| row.get(index).copied().flatten())
    }

    /// A number computed from all numbers of a draw, over the draws: a mean over pairs, a
    /// difference of two protocols (paired, because both saw the same draw).
    pub fn derived(&self, number: impl Fn(&[Option<f64>]) -> Option<f64>) -> Sample {
        let values: Vec<f64> = self.rows().filter_map(&number).collect();
        Sample {
            estimate: number(&self.estimate),
            undefined: self.draws() - values.len(),
            values,
            variety: self.variety,
        }
    }
}
