//! tau-b of all pairs of raters in a draw.

use super::{
    run::Statistic,
    scores::{MeanScratch, ScoreTable},
};
use crate::{Defined, rank::PairSigns, undefined::same_length};

/// Scores closer than this tie: sums of thirds in different orders differ by rounding, real scores
/// by more than a millionth.
const TIE: f64 = 1e-9;

/// A table whose columns are raters x items, rater by rater: column = rater * items + item. A rater
/// may be a judge, a protocol of a judge, a template, or people.
#[derive(Debug, Clone, PartialEq)]
pub struct TauTable {
    table: ScoreTable,
    raters: usize,
    items: usize,
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
        })
    }

    fn pairs(&self) -> usize {
        self.raters * self.raters.saturating_sub(1) / 2
    }
}

/// The statistic: for each table (track) in order, tau-b of the raters (0, 1), (0, 2) ... (1, 2) ...
/// Tables may differ in raters and items. An item without a score leaves the taus of the pairs that
/// it concerns undefined: only items scored by both sides may enter, and dropping one silently
/// would change what is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct PairwiseTau {
    tables: Vec<TauTable>,
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
    /// The statistic over these tables.
    #[must_use]
    pub fn new(tables: Vec<TauTable>) -> Self {
        Self { tables }
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
            table.evaluate(times, scratch, now);
            rest = later;
        }
    }
}

impl TauTable {
    fn evaluate(&self, times: &[u32], scratch: &mut TauScratch, out: &mut [Option<f64>]) {
        scratch.scores.clear();
        scratch.scores.resize(self.table.columns(), None);
        self.table
            .scores(times, &mut scratch.means, &mut scratch.scores);
        scratch
            .signs
            .resize_with(self.raters.max(scratch.signs.len()), PairSigns::new);
        for rater in 0..self.raters {
            scratch.row.clear();
            let scores = &scratch.scores[rater * self.items..][..self.items];
            scratch.row.extend(scores.iter().flatten());
            // Fewer scores than items: the lengths differ from the other raters', or both are
            // short, which `complete` tells.
            scratch.signs[rater].set_with_ties(&scratch.row, TIE);
        }
        let complete = |rater: usize| scratch.signs[rater].objects() == self.items;
        let mut slots = out.iter_mut();
        for first in 0..self.raters {
            for second in first + 1..self.raters {
                if let Some(slot) = slots.next() {
                    *slot = (complete(first) && complete(second))
                        .then(|| scratch.signs[first].tau_b(&scratch.signs[second]).ok())
                        .flatten();
                }
            }
        }
    }
}
