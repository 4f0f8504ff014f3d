//! A judge's scores against people's ratings of the same outputs.
//!
//! Inputs are plain: [`Cells`] (one output of one model, and the judge's score of it, if it has
//! one) and [`Ratings`] (what each person said about it). An output without a score enters no
//! number; whoever compares two ways of scoring compares them on the outputs that both score
//! ([`common`]).

mod ablation;
mod agreement;
mod by_category;
mod calibrated;
mod ceiling;
mod corrected;
mod graded;
mod levels;
mod missing;
pub mod sample;
mod validity;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use verispec_model::score::ScoreTable;

pub use ablation::{Ablation, SetDifference, SetLevel, ablation};
pub use agreement::{Agreed, agreement};
pub use by_category::{CategoryErrors, CategoryLevel, category_errors, category_levels};
pub use calibrated::{Calibrated, calibrated};
pub use ceiling::{RaterCeiling, ceiling};
pub use corrected::{Corrected, ErrorRate, HumanVerdict, Labelled, corrected};
pub use graded::{CorrectedGrades, HumanGrade, JudgedAnswer, corrected_grades};
pub use levels::{Averaged, Common, Correlations, Levels, common, correlations, levels};
pub use missing::{MissingCells, missing};
pub use validity::{JudgeMeans, JudgePair, JudgeValidity, Validity, validity};

/// One output of one model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Cell {
    /// Item or instance.
    pub item: String,
    /// Model under test.
    pub model: String,
}

/// A judge's score of every output; `None` where nothing is decided. Any scale, larger is better.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cells(BTreeMap<Cell, Option<f64>>);

impl Cells {
    /// Scores of all instances of a track, percent. Instance ids are unique inside it.
    #[must_use]
    pub fn of_track(table: &ScoreTable, track: &str) -> Self {
        let mut cells = Self::default();
        for model in &table.models {
            let track = model.track(track).into_iter();
            for (item, score) in track.flat_map(|t| &t.dimensions).flat_map(|d| &d.instances) {
                cells.set(item, &model.model, *score);
            }
        }
        cells
    }

    /// Sets the score of an output.
    pub fn set(&mut self, item: &str, model: &str, score: Option<f64>) {
        let cell = Cell {
            item: item.to_owned(),
            model: model.to_owned(),
        };
        self.0.insert(cell, score);
    }

    /// Score of an output; `None` also for one that is not there.
    #[must_use]
    pub fn get(&self, cell: &Cell) -> Option<f64> {
        self.0.get(cell).copied().flatten()
    }

    /// Outputs with a score, in order.
    pub fn defined(&self) -> impl Iterator<Item = (&Cell, f64)> {
        self.0.iter().filter_map(|(c, s)| Some((c, (*s)?)))
    }

    /// The outputs of `wanted` alone; one without a score gets `absent` (`Some(0.0)` is what
    /// DSG's released scorer does).
    #[must_use]
    pub fn over<'a>(&self, wanted: impl Iterator<Item = &'a Cell>, absent: Option<f64>) -> Self {
        Self(
            wanted
                .map(|c| (c.clone(), self.get(c).or(absent)))
                .collect(),
        )
    }

    /// Mean over each model's outputs with a score.
    #[must_use]
    pub fn model_means(&self) -> BTreeMap<String, f64> {
        means(self.defined())
    }
}

/// What people said about outputs. Any scale, larger is better.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ratings(BTreeMap<Cell, BTreeMap<String, f64>>);

impl Ratings {
    /// Sets what one person said about an output.
    pub fn set(&mut self, item: &str, model: &str, rater: &str, value: f64) {
        let cell = Cell {
            item: item.to_owned(),
            model: model.to_owned(),
        };
        self.0
            .entry(cell)
            .or_default()
            .insert(rater.to_owned(), value);
    }

    /// Rated outputs, in order.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.0.keys()
    }

    /// Whether somebody rated this output.
    #[must_use]
    pub fn has(&self, item: &str, model: &str) -> bool {
        let cell = Cell {
            item: item.to_owned(),
            model: model.to_owned(),
        };
        self.0.contains_key(&cell)
    }

    /// Mean over an output's raters; `None` if nobody rated it.
    #[must_use]
    pub fn mean(&self, cell: &Cell) -> Option<f64> {
        mean(self.0.get(cell)?.values().copied())
    }

    /// Every person who rated, sorted.
    #[must_use]
    pub fn raters(&self) -> BTreeSet<&str> {
        self.0
            .values()
            .flat_map(|r| r.keys().map(String::as_str))
            .collect()
    }

    /// Mean over all ratings of each model's outputs: an output with more raters counts more.
    #[must_use]
    pub fn model_means(&self) -> BTreeMap<String, f64> {
        means(
            self.0
                .iter()
                .flat_map(|(c, r)| r.values().map(move |v| (c, *v))),
        )
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut n) = (0.0, 0_u32);
    for value in values {
        sum += value;
        n += 1;
    }
    (n > 0).then(|| sum / f64::from(n))
}

fn means<'a>(values: impl Iterator<Item = (&'a Cell, f64)>) -> BTreeMap<String, f64> {
    let mut by_model: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (cell, value) in values {
        by_model.entry(&cell.model).or_default().push(value);
    }
    let of = |values: Vec<f64>| mean(values.into_iter());
    by_model
        .into_iter()
        .filter_map(|(model, values)| Some((model.to_owned(), of(values)?)))
        .collect()
}

#[cfg(test)]
mod tests;
