//! Rank correlation of all pairs of raters in a draw.

use super::{
    run::Statistic,
    scores::{MeanScratch, ScoreTable},
};
use crate::{
    Defined,
    rank::{PairSigns, merge_ties, spearman, weighted_tau},
    undefined::same_length,
};
use serde::Serialize;

/// Scores closer than this tie: sums of thirds in different orders differ by rounding, real scores
/// by more than a millionth.
pub const SCORE_TIE: f64 = 1e-9;

/// How two orders are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Coefficient {
    /// Kendall's tau-b, the default; by far the fastest here.
    TauB,
    /// Weighted tau; see [`weighted_tau`].
    WeightedTau,
    /// Spearman's rho.
    Spearman,
}

/// A table whose columns are raters x items, rater by rater: column = rater * items + item. A rater
/// may be a judge, a protocol of a judge, a template, or people.
#[derive(Debug, Clone, PartialEq)]
pub struct TauTable {
    pub(super) table: ScoreTable,
    pub(super) raters: usize,
    pub(super) items: usize,
    /// Of each rater; see [`TauTable::in_groups`].
    pub(super) groups: Vec<u32>,
}

impl TauTable {
    /// Takes the columns of `table` as `raters` x `items`.
    ///
    /// # Errors
    /// [`Undefined::Lengths`](crate::Undefined::Lengths) if the table has another number of columns.
    pub fn new(table: ScoreTable, raters: usize, items: usize) -> Defined<Self> {
        same_length(table.columns(), raters * items)?;
        Ok(Self {
            table,
            raters,
            items,
            groups: vec![0; raters],
        })
    }

    /// Raters by group (protocol), one label a rater; without this all are of one. Only
    /// [`true_taus`](super::true_taus) looks at it: means are taken inside a group, differences
    /// between groups.
    ///
    /// # Errors
    /// [`Undefined::Lengths`](crate::Undefined::Lengths).
    pub fn in_groups(mut self, groups: &[u32]) -> Defined<Self> {
        same_length(groups.len(), self.raters)?;
        self.groups = groups.to_vec();
        Ok(self)
    }

    pub(super) fn pairs(&self) -> usize {
        self.raters * self.raters.saturating_sub(1) / 2
    }
}

/// The statistic: for each table (track) in order, the coefficient of the raters (0, 1), (0, 2) ...
/// (1, 2) ... Tables may differ in raters and items. Scores within [`SCORE_TIE`] tie. An item
/// without a score leaves the pairs that it concerns undefined: only items scored by both sides may
/// enter, and dropping one silently would change what is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct PairwiseTau {
    tables: Vec<TauTable>,
    coefficient: Coefficient,
}

/// Memory of [`PairwiseTau`].
#[derive(Debug, Clone, Default)]
pub struct TauScratch {
    means: MeanScratch,
    scores: Vec<Option<f64>>,
    row: Vec<f64>,
    signs: Vec<PairSigns>,
}

impl PairwiseTau {
    /// tau-b over these tables.
    #[must_use]
    pub fn new(tables: Vec<TauTable>) -> Self {
        Self {
            tables,
            coefficient: Coefficient::TauB,
        }
    }

    pub(super) fn tables(&self) -> &[TauTable] {
        &self.tables
    }

    /// The same with another coefficient in the place of tau-b.
    #[must_use]
    pub fn with(mut self, coefficient: Coefficient) -> Self {
        self.coefficient = coefficient;
        self
    }
}

impl Statistic for PairwiseTau {
    type Scratch = TauScratch;

    fn outputs(&self) -> usize {
        self.tables.iter().map(TauTable::pairs).sum()
    }

    fn scratch(&self) -> TauScratch {
        TauScratch::default()
    }

    fn evaluate(&self, times: &[u32], scratch: &mut TauScratch, out: &mut [Option<f64>]) {
        let mut rest = out;
        for table in &self.tables {
            let (now, later) = rest.split_at_mut(table.pairs());
            scratch.scores.clear();
            scratch.scores.resize(table.table.columns(), None);
            table
                .table
                .scores(times, &mut scratch.means, &mut scratch.scores);
            match self.coefficient {
                Coefficient::TauB => table.taus(scratch, now),
                Coefficient::WeightedTau => table.each(scratch, now, weighted_tau),
                Coefficient::Spearman => table.each(scratch, now, |x, y| Ok(spearman(x, y)?.value)),
            }
            rest = later;
        }
    }
}

impl TauTable {
    /// Pairs of raters in the order of the outputs.
    pub(super) fn rater_pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let raters = self.raters;
        (0..raters).flat_map(move |first| (first + 1..raters).map(move |second| (first, second)))
    }

    /// tau-b of all pairs, each order taken once.
    fn taus(&self, scratch: &mut TauScratch, out: &mut [Option<f64>]) {
        scratch
            .signs
            .resize_with(self.raters.max(scratch.signs.len()), PairSigns::new);
        for rater in 0..self.raters {
            scratch.row.clear();
            let scores = &scratch.scores[rater * self.items..][..self.items];
            scratch.row.extend(scores.iter().flatten());
            scratch.signs[rater].set_with_ties(&scratch.row, SCORE_TIE);
        }
        let complete = |rater: usize| scratch.signs[rater].objects() == self.items;
        for ((first, second), slot) in self.rater_pairs().zip(out) {
            *slot = (complete(first) && complete(second))
                .then(|| scratch.signs[first].tau_b(&scratch.signs[second]).ok())
                .flatten();
        }
    }

    /// Any coefficient of all pairs.
    fn each(
        &self,
        scratch: &TauScratch,
        out: &mut [Option<f64>],
        coefficient: impl Fn(&[f64], &[f64]) -> Defined<f64>,
    ) {
        let scores = |rater: usize| -> Option<Vec<f64>> {
            let scores = &scratch.scores[rater * self.items..][..self.items];
            let mut scores: Vec<f64> = scores.iter().copied().collect::<Option<_>>()?;
            merge_ties(&mut scores, SCORE_TIE);
            Some(scores)
        };
        let rows: Vec<Option<Vec<f64>>> = (0..self.raters).map(scores).collect();
        for ((first, second), slot) in self.rater_pairs().zip(out) {
            *slot = match (&rows[first], &rows[second]) {
                (Some(x), Some(y)) => coefficient(x, y).ok(),
                _ => None,
            };
        }
    }
}
