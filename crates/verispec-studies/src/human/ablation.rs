//! Which set of specifications agrees best with people.

use std::collections::HashMap;

use serde::Serialize;
use verispec_stats::Defined;
use verispec_stats::bootstrap::{Function, Plan, Replicates, bootstrap};
use verispec_stats::rank::{spearman, tau_b};

use super::{Cell, Cells, Ratings};
use crate::Estimate;

/// One set of specifications.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetLevel {
    /// Name of the set.
    pub set: String,
    /// Spearman's rho, pooled over the common outputs, with a percentile interval.
    pub rho: Estimate,
    /// Kendall's tau-b, likewise.
    pub tau: Estimate,
}

/// One set minus another, with intervals from the same draws.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetDifference {
    /// The set.
    pub set: String,
    /// The one that is taken away.
    pub minus: String,
    /// Difference in rho.
    pub rho: Estimate,
    /// Difference in tau-b.
    pub tau: Estimate,
}

/// Sets of specifications on the outputs that all of them score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ablation {
    /// Outputs that every set scores and people rated.
    pub n: usize,
    /// Prompts among them, which are drawn with all their outputs.
    pub prompts: usize,
    /// Draws of the bootstrap.
    pub draws: usize,
    /// Its seed.
    pub seed: u64,
    /// Sets, in the order given.
    pub sets: Vec<SetLevel>,
    /// All pairs.
    pub differences: Vec<SetDifference>,
}

/// Compares sets of specifications by their correlation with people, pooled over outputs. Prompts
/// are drawn with replacement, each with all its outputs; all sets see the same draws.
///
/// # Errors
/// [`verispec_stats::Undefined::TooFew`] when no output is scored by every set.
pub fn ablation(
    sets: &[(&str, &Cells)],
    ratings: &Ratings,
    draws: usize,
    seed: u64,
    level: f64,
) -> Defined<Ablation> {
    let in_all = |c: &&Cell| sets.iter().all(|(_, cells)| cells.get(c).is_some());
    let common: Vec<&Cell> = ratings.cells().filter(in_all).collect();
    let human: Vec<f64> = common.iter().filter_map(|c| ratings.mean(c)).collect();
    let scores: Vec<Vec<f64>> = sets
        .iter()
        .map(|(_, cells)| common.iter().filter_map(|c| cells.get(c)).collect())
        .collect();
    let (clusters, prompts) = by_prompt(&common);
    let plan = Plan::clustered(&clusters)?;
    let statistic = Function::new(2 * sets.len(), |times: &[u32], out: &mut [Option<f64>]| {
        let y = drawn(&human, times);
        for (i, scores) in scores.iter().enumerate() {
            let x = drawn(scores, times);
            out[2 * i] = spearman(&x, &y).ok().map(|c| c.value);
            out[2 * i + 1] = tau_b(&x, &y).ok();
        }
    });
    let drawn = bootstrap(&plan, &statistic, draws, seed)?;
    Ok(Ablation {
        n: common.len(),
        prompts,
        draws,
        seed,
        sets: set_levels(sets, &drawn, level),
        differences: differences(sets, &drawn, level),
    })
}

/// Number of each output's prompt, and how many prompts there are.
fn by_prompt(common: &[&Cell]) -> (Vec<u32>, usize) {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut clusters = vec![];
    for cell in common {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        clusters.push(*numbers.entry(&cell.item).or_insert(next));
    }
    let prompts = numbers.len();
    (clusters, prompts)
}

/// Each value as often as it was drawn.
fn drawn(values: &[f64], times: &[u32]) -> Vec<f64> {
    let mut out = Vec::with_capacity(values.len());
    for (value, n) in values.iter().zip(times) {
        out.extend(std::iter::repeat_n(*value, *n as usize));
    }
    out
}

fn set_levels(sets: &[(&str, &Cells)], drawn: &Replicates, level: f64) -> Vec<SetLevel> {
    let one = |(i, (name, _)): (usize, &(&str, &Cells))| SetLevel {
        set: (*name).to_owned(),
        rho: Estimate::sampled(&drawn.output(2 * i), level),
        tau: Estimate::sampled(&drawn.output(2 * i + 1), level),
    };
    sets.iter().enumerate().map(one).collect()
}

fn differences(sets: &[(&str, &Cells)], drawn: &Replicates, level: f64) -> Vec<SetDifference> {
    let mut out = vec![];
    for (i, (set, _)) in sets.iter().enumerate() {
        for (j, (minus, _)) in sets.iter().enumerate().skip(i + 1) {
            let of = |offset: usize| {
                let minus = move |o: &[Option<f64>]| Some(o[2 * i + offset]? - o[2 * j + offset]?);
                Estimate::sampled(&drawn.derived(minus), level)
            };
            out.push(SetDifference {
                set: (*set).to_owned(),
                minus: (*minus).to_owned(),
                rho: of(0),
                tau: of(1),
            });
        }
    }
    out
}
