//! Scores of many columns (model x judge) under the multiplicities of a draw.

use super::run::Statistic;
use crate::{Defined, Undefined, undefined::same_length};

/// Values of units in columns, in groups of units (dimensions). The score of a column is the
/// unweighted mean over groups of the weighted mean over the group's units: mean of instances, then
/// of dimensions. Missing values do not count, and a column with an empty group has no score.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreTable {
    columns: usize,
    groups: usize,
    rows: Vec<Row>,
    /// Rows x columns, 0 where missing.
    values: Vec<f64>,
    /// Rows x columns, 1 or 0; empty when nothing is missing, which is twice as fast.
    present: Vec<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    unit: usize,
    group: usize,
}

/// Memory of [`ScoreTable::scores`].
#[derive(Debug, Clone, Default)]
pub struct MeanScratch {
    sums: Vec<f64>,
    weights: Vec<f64>,
}

impl ScoreTable {
    /// An empty table of `columns` columns and `groups` groups.
    #[must_use]
    pub fn new(columns: usize, groups: usize) -> Self {
        Self {
            columns,
            groups,
            rows: Vec::new(),
            values: Vec::new(),
            present: Vec::new(),
        }
    }

    /// Adds the values of unit `unit` of the plan, which belongs to `group`, one place a column.
    ///
    /// # Errors
    /// [`Undefined::Lengths`]; [`Undefined::NotFinite`]; [`Undefined::OutOfRange`] for a group that
    /// the table does not have.
    pub fn push(&mut self, unit: usize, group: usize, values: &[Option<f64>]) -> Defined<()> {
        same_length(values.len(), self.columns)?;
        if group >= self.groups {
            let range = "the groups of the table";
            return Err(Undefined::OutOfRange {
                input: "group",
                found: group as f64,
                range,
            });
        }
        if let Some(position) = values
            .iter()
            .position(|v| v.is_some_and(|v| !v.is_finite()))
        {
            return Err(Undefined::NotFinite {
                input: "values of a unit",
                position,
            });
        }
        if self.present.is_empty() && values.iter().any(Option::is_none) {
            self.present = vec![1.0; self.values.len()];
        }
        if !self.present.is_empty() || values.iter().any(Option::is_none) {
            self.present
                .extend(values.iter().map(|v| f64::from(u8::from(v.is_some()))));
        }
        self.values.extend(values.iter().map(|v| v.unwrap_or(0.0)));
        self.rows.push(Row { unit, group });
        Ok(())
    }

    /// Columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Writes the score of each column into `out` for units that count `times` each. Units beyond
    /// `times` count as not drawn. Sums run in the order of the rows, so that a score is the same on
    /// any thread.
    pub fn scores(&self, times: &[u32], scratch: &mut MeanScratch, out: &mut [Option<f64>]) {
        let complete = self.present.is_empty();
        let width = if complete { 1 } else { self.columns };
        self.accumulate(times, scratch, width);
        for (column, slot) in out.iter_mut().enumerate().take(self.columns) {
            let mut total = 0.0;
            let mut empty = self.groups == 0;
            for group in 0..self.groups {
                let weight = scratch.weights[group * width + column.min(width - 1)];
                empty |= weight == 0.0;
                total += scratch.sums[group * self.columns + column] / weight;
            }
            *slot = (!empty).then(|| total / self.groups as f64);
        }
    }

    /// Weighted sums and weights by group.
    fn accumulate(&self, times: &[u32], scratch: &mut MeanScratch, width: usize) {
        let columns = self.columns;
        scratch.sums.clear();
        scratch.sums.resize(self.groups * columns, 0.0);
        scratch.weights.clear();
        scratch.weights.resize(self.groups * width, 0.0);
        for (index, row) in self.rows.iter().enumerate() {
            let weight = times.get(row.unit).map_or(0.0, |&count| f64::from(count));
            if weight == 0.0 {
                continue;
            }
            let sums = &mut scratch.sums[row.group * columns..][..columns];
            for (sum, value) in sums.iter_mut().zip(&self.values[index * columns..]) {
                *sum += weight * value;
            }
            if self.present.is_empty() {
                scratch.weights[row.group] += weight;
                continue;
            }
            let weights = &mut scratch.weights[row.group * columns..][..columns];
            for (sum, present) in weights.iter_mut().zip(&self.present[index * columns..]) {
                *sum += weight * present;
            }
        }
    }
}

/// The scores themselves, one number a column: for their intervals, differences and rank sets.
impl Statistic for ScoreTable {
    type Scratch = MeanScratch;

    fn outputs(&self) -> usize {
        self.columns
    }

    fn scratch(&self) -> MeanScratch {
        MeanScratch::default()
    }

    fn evaluate(&self, times: &[u32], scratch: &mut MeanScratch, out: &mut [Option<f64>]) {
        self.scores(times, scratch, out);
    }
}
