//! tau between true scores, the noise of the instances taken off.
//!
//! **What is estimated.** Each rater has a true mean score of each item (model): the mean over all
//! instances that might have been asked, in the same dimensions. The estimand is tau-b between two
//! raters' true scores of *these* items. The tau of the scores found is not that: noise turns pairs
//! of close items round, which lowers it, and drawing instances again adds the noise once more. So
//! a percentile interval of tau is of a number that is too low twice over.
//!
//! **How.** Found scores x (2 raters, centred over n items) are true scores of covariance T over the
//! items plus noise of covariance V, which the draws of the bootstrap give. Then true scores given x
//! are (1 - B) x + error of covariance (1 - B) V, with B = V (T + V)^-1 (C. Morris, "Parametric
//! Empirical Bayes Inference", JASA 1983; B. Efron and C. Morris 1972 for several columns). The error
//! is the draw's own deviation, rescaled, so that it keeps its shape, differs between items, and is
//! the same for all raters. So few items say little about T: (T + V)^-1 is drawn anew each time from
//! a Wishart distribution of n - 2 degrees of freedom and scale S^-1, S the sum of squares and
//! products of x, with B held below 1 (P. Everson and C. Morris, "Inference for Multivariate Normal
//! Hierarchical Models", JRSS B 2000, who keep the part with B < 1 instead of moving to the bound;
//! the density of T is here prior to the data |T + V|^-1). The interval is between quantiles of tau
//! over these draws.
//!
//! Raters are taken two by two, so that any number of them may meet few items. The Wishart draws of
//! all pairs inside a group of raters are one, so that a mean over pairs does not average their
//! uncertainty away; those of different groups are independent, so that a difference does not cancel
//! it. Both err to the side of width.

use super::{
    plan::{Plan, Variety},
    run::{Replicates, Statistic, bootstrap},
    scores::{MeanScratch, ScoreTable},
    shrinkage::{Lower, PairModel, Sym},
    taus::{PairwiseTau, TauTable},
};
use crate::{
    Defined,
    random::{Purpose, Stream},
    rank::PairSigns,
    undefined::at_least,
};
use rayon::prelude::*;

/// Fewer items say nothing of how true scores vary together.
pub const LEAST_ITEMS: usize = 4;

/// Draws from which the covariance of the noise is taken: with ten items its error is 1 %.
const NOISE_DRAWS: usize = 2_000;

/// For each table (track) the tau-b of the raters (0, 1), (0, 2) ... (1, 2) ..., as
/// [`PairwiseTau`] gives them: the estimate is tau of the scores found, the draws are of tau between
/// true scores (see the [module](self)). [`Sample::outer_percentile`](super::Sample::outer_percentile)
/// is the interval; [`Sample::bias`](super::Sample::bias) is what noise has taken from the estimate,
/// so mostly above 0. No value of a draw for fewer than [`LEAST_ITEMS`] items, or where a score is
/// undefined.
///
/// # Errors
/// [`Undefined::TooFew`](crate::Undefined::TooFew) without draws or without pairs.
pub fn true_taus(
    plan: &Plan,
    tables: Vec<TauTable>,
    draws: usize,
    seed: u64,
) -> Defined<Replicates> {
    let taus = PairwiseTau::new(tables);
    let outputs = taus.outputs();
    at_least("draws", draws, 1)?;
    at_least("outputs", outputs, 1)?;
    let mut estimate = vec![None; outputs];
    let ones = vec![1; plan.units()];
    taus.evaluate(&ones, &mut taus.scratch(), &mut estimate);
    let mut models = vec![];
    let mut rest = estimate.as_slice();
    for table in taus.tables() {
        let (now, later) = rest.split_at(table.pairs());
        models.push(TableModel::new(plan, table, now, draws, seed)?);
        rest = later;
    }
    let mut values = vec![None; draws * outputs];
    values.par_chunks_mut(outputs).enumerate().for_each_init(
        || (Vec::new(), Scratch::default()),
        |(times, scratch), (draw, mut out)| {
            plan.draw(seed, draw as u64, times);
            let mut stream = Stream::of(Purpose::TrueScores, seed, draw as u64);
            for model in &models {
                let (now, later) = out.split_at_mut(model.pairs.len());
                model.evaluate(times, &mut stream, scratch, now);
                out = later;
            }
        },
    );
    Ok(Replicates::of(plan.variety(), estimate, values))
}

/// What is known of a pair of raters before any draw.
#[derive(Debug)]
enum PairState {
    /// No tau, or too few items for an interval.
    Undefined,
    /// No draw changes a score: tau is what it is.
    Exact(f64),
    /// With noise.
    Noisy(PairModel),
}

#[derive(Debug)]
struct Pair {
    raters: (usize, usize),
    /// Which Wishart draw of the table is this pair's.
    block: usize,
    state: PairState,
}

/// A table with its pairs.
#[derive(Debug)]
struct TableModel<'a> {
    table: &'a ScoreTable,
    raters: usize,
    items: usize,
    /// Scores found, rater by rater.
    found: Vec<Option<f64>>,
    pairs: Vec<Pair>,
    /// Wishart draws that the pairs share.
    blocks: usize,
    /// What a draw's deviations must be multiplied by.
    widen: f64,
}

#[derive(Debug, Default)]
struct Scratch {
    means: MeanScratch,
    scores: Vec<Option<f64>>,
    /// Deviations of a draw from the scores found, centred, rater by rater.
    errors: Vec<f64>,
    complete: Vec<bool>,
    wisharts: Vec<Lower>,
    drawn: [Vec<f64>; 2],
    signs: [PairSigns; 2],
}

/// A draw of C clusters in S strata varies too little by the root of (C - S) / C.
fn widen(variety: Variety) -> f64 {
    let (clusters, strata) = (variety.clusters as f64, variety.strata as f64);
    if clusters > strata {
        (clusters / (clusters - strata)).sqrt()
    } else {
        1.0
    }
}

impl<'a> TableModel<'a> {
    fn new(
        plan: &Plan,
        table: &'a TauTable,
        taus: &[Option<f64>],
        draws: usize,
        seed: u64,
    ) -> Defined<Self> {
        let mut found = vec![None; table.table.columns()];
        let ones = vec![1; plan.units()];
        let mut memory = MeanScratch::default();
        table.table.scores(&ones, &mut memory, &mut found);
        let mut model = Self {
            table: &table.table,
            raters: table.raters,
            items: table.items,
            found,
            pairs: vec![],
            blocks: 0,
            widen: widen(plan.variety()),
        };
        if model.raters < 2 {
            return Ok(model);
        }
        let noise = model.noise(plan, draws.min(NOISE_DRAWS), seed)?;
        let mut blocks: Vec<(u32, u32)> = vec![];
        for ((a, b), tau) in table.rater_pairs().zip(taus) {
            let groups = (table.groups[a], table.groups[b]);
            let block = blocks.iter().position(|known| *known == groups);
            let block = block.unwrap_or_else(|| {
                blocks.push(groups);
                blocks.len() - 1
            });
            let state = model.state((a, b), *tau, &noise);
            model.pairs.push(Pair {
                raters: (a, b),
                block,
                state,
            });
        }
        model.blocks = blocks.len();
        Ok(model)
    }

    fn state(&self, (a, b): (usize, usize), tau: Option<f64>, noise: &[f64]) -> PairState {
        let centred = |rater: usize| -> Option<Vec<f64>> {
            let scores = &self.found[rater * self.items..][..self.items];
            let mut scores: Vec<f64> = scores.iter().copied().collect::<Option<_>>()?;
            centre(&mut scores);
            Some(scores)
        };
        let (Some(tau), true) = (tau, self.items >= LEAST_ITEMS) else {
            return PairState::Undefined;
        };
        let Some((x, y)) = centred(a).zip(centred(b)) else {
            return PairState::Undefined;
        };
        let scores: Vec<[f64; 2]> = x.into_iter().zip(y).map(|(x, y)| [x, y]).collect();
        let at = |a: usize, b: usize| noise[a * self.raters + b];
        let noise = Sym {
            a: at(a, a),
            b: at(a, b),
            c: at(b, b),
        };
        PairModel::new(&scores, noise).map_or(PairState::Exact(tau), PairState::Noisy)
    }

    /// Covariance of the noise between raters, mean over items: raters x raters, upper triangle.
    fn noise(&self, plan: &Plan, draws: usize, seed: u64) -> Defined<Vec<f64>> {
        let drawn = bootstrap(plan, self.table, draws, seed)?;
        let raters = self.raters;
        let mut sums = vec![0.0; raters * raters];
        let mut counts = vec![0_u32; raters * raters];
        let mut scratch = Scratch::default();
        for row in drawn.rows() {
            self.deviations(row, &mut scratch.errors, &mut scratch.complete);
            for a in 0..raters {
                for b in a..raters {
                    if !(scratch.complete[a] && scratch.complete[b]) {
                        continue;
                    }
                    let of = |rater: usize| &scratch.errors[rater * self.items..][..self.items];
                    let products = of(a).iter().zip(of(b)).map(|(x, y)| x * y);
                    sums[a * raters + b] += products.sum::<f64>();
                    counts[a * raters + b] += 1;
                }
            }
        }
        let freedom = (self.items.max(2) - 1) as f64;
        let mean = |(sum, count): (&f64, &u32)| match count {
            0 => 0.0,
            _ => sum / (f64::from(*count) * freedom),
        };
        Ok(sums.iter().zip(&counts).map(mean).collect())
    }

    /// Deviations of a draw's scores, widened, centred over the items; a rater with a missing score
    /// is not complete.
    fn deviations(&self, scores: &[Option<f64>], errors: &mut Vec<f64>, complete: &mut Vec<bool>) {
        errors.clear();
        complete.clear();
        for rater in 0..self.raters {
            let range = rater * self.items..(rater + 1) * self.items;
            let both = scores[range.clone()].iter().zip(&self.found[range]);
            let start = errors.len();
            let mut all = true;
            for (drawn, found) in both {
                let deviation = drawn.zip(*found).map(|(d, f)| self.widen * (d - f));
                all &= deviation.is_some();
                errors.push(deviation.unwrap_or(0.0));
            }
            centre(&mut errors[start..]);
            complete.push(all);
        }
    }

    fn evaluate(
        &self,
        times: &[u32],
        stream: &mut Stream,
        scratch: &mut Scratch,
        out: &mut [Option<f64>],
    ) {
        scratch.scores.clear();
        scratch.scores.resize(self.table.columns(), None);
        self.table
            .scores(times, &mut scratch.means, &mut scratch.scores);
        self.deviations(&scratch.scores, &mut scratch.errors, &mut scratch.complete);
        scratch.wisharts.clear();
        if self.items >= LEAST_ITEMS {
            let fresh = (0..self.blocks).map(|_| Lower::bartlett(stream, self.items - 2));
            scratch.wisharts.extend(fresh);
        }
        for (pair, slot) in self.pairs.iter().zip(out) {
            *slot = match &pair.state {
                PairState::Undefined => None,
                PairState::Exact(tau) => Some(*tau),
                PairState::Noisy(model) => self.tau(pair, model, scratch),
            };
        }
    }

    /// tau of one draw of true scores. They have no ties but between items that are alike in all.
    fn tau(&self, pair: &Pair, model: &PairModel, scratch: &mut Scratch) -> Option<f64> {
        let (a, b) = pair.raters;
        if !(scratch.complete[a] && scratch.complete[b]) {
            return None;
        }
        let of = |rater: usize| scratch.errors[rater * self.items..][..self.items].iter();
        let errors = of(a).zip(of(b)).map(|(x, y)| [*x, *y]);
        model.draw(scratch.wisharts[pair.block], errors, &mut scratch.drawn);
        let [first, second] = &mut scratch.signs;
        first.set(&scratch.drawn[0]);
        second.set(&scratch.drawn[1]);
        first.tau_b(second).ok()
    }
}

fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter_mut().for_each(|v| *v -= mean);
}
