//! Accuracy per task, subtask and axis, and the total, in exact fractions.
//!
//! UEG counts an item only if every question is answered as wanted (strict), beside the mean share
//! of its questions; GEU counts the right option. The release divides by 100 a task whatever there
//! is ([`Denominator::Fixed100`]); the default divides by what is there and decided.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_model::score::Ratio;
use verispec_model::{OutputFailure, Warning};

use super::layout::{Axis, Split};
use super::state::{ItemResult, Outcome};

/// Items of a task in the release.
pub const TASK_ITEMS: usize = 100;

/// What a dash stands for: a stage that a model lacks, or a number that nothing determines.
pub const DASH: &str = "-";

/// What accuracies are divided by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Denominator {
    /// The items with an outcome, failures of the model included.
    #[default]
    Actual,
    /// As the release: 100 a task, 600 for UEG, 100 for each task of GEU that occurs. Items that
    /// are missing or unjudged lower the score.
    Fixed100,
}

/// What became of some items.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Items.
    pub items: usize,
    /// Right.
    pub correct: usize,
    /// Wrong, without those that the model failed on.
    pub wrong: usize,
    /// Those that the model failed on, undecidable responses included.
    pub failed: usize,
    /// Of those, responses that name no option, or several.
    pub undecidable: usize,
    /// The judge failed.
    pub unjudged: usize,
    /// The item is broken.
    pub unjudgeable: usize,
    /// No settled reply yet.
    pub pending: usize,
}

impl Tally {
    fn add(&mut self, outcome: Outcome) {
        self.items += 1;
        match outcome {
            Outcome::Correct => self.correct += 1,
            Outcome::Wrong => self.wrong += 1,
            Outcome::Failed(why) => {
                self.failed += 1;
                self.undecidable += usize::from(why == OutputFailure::Undecidable);
            }
            Outcome::Unjudged(_) => self.unjudged += 1,
            Outcome::Unjudgeable => self.unjudgeable += 1,
            Outcome::Pending => self.pending += 1,
        }
    }

    /// Items with an outcome.
    #[must_use]
    pub const fn decided(&self) -> usize {
        self.correct + self.wrong + self.failed
    }

    /// Items that are neither right nor wrong but may become so.
    #[must_use]
    pub const fn open(&self) -> usize {
        self.unjudged + self.pending
    }
}

/// Accuracy of some items; every number is a share, 0-1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Accuracy {
    /// Counters.
    pub tally: Tally,
    /// What [`value`](Self::value) is divided by.
    pub of: usize,
    /// Strict accuracy; `None` where nothing is decided.
    pub value: Option<Ratio>,
    /// Accuracy if everything open were wrong; `None` without items.
    pub low: Option<Ratio>,
    /// Accuracy if everything open were right.
    pub high: Option<Ratio>,
    /// Mean share of the questions answered as wanted, over items where it is known (UEG); `None`
    /// where it is known of none.
    pub mean: Option<Ratio>,
}

impl Accuracy {
    fn of(results: &[&ItemResult], fixed: Option<usize>) -> Self {
        let mut tally = Tally::default();
        results.iter().for_each(|r| tally.add(r.outcome));
        let of = fixed.unwrap_or_else(|| tally.decided());
        let possible = fixed.unwrap_or(tally.decided() + tally.open());
        let shares: Vec<Ratio> = results.iter().filter_map(|r| r.share.clone()).collect();
        let known = tally.items > 0;
        Self {
            value: Ratio::new(tally.correct, of).filter(|_| known),
            low: Ratio::new(tally.correct, possible).filter(|_| known),
            high: Ratio::new(tally.correct + tally.open(), possible).filter(|_| known),
            mean: Ratio::mean(&shares),
            of,
            tally,
        }
    }

    /// The value in percent as published tables print it: half up, one decimal; a dash for none.
    #[must_use]
    pub fn published(&self) -> String {
        published(self.value.as_ref())
    }
}

/// A share in percent as published tables print it: half up, one decimal; a dash for none.
#[must_use]
pub fn published(share: Option<&Ratio>) -> String {
    share.map_or_else(|| DASH.to_owned(), |s| s.percent_half_up(1))
}

/// Scores of one task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskScore {
    /// Task.
    pub task: String,
    /// All its items.
    pub accuracy: Accuracy,
    /// By subtask, over the items that are there; empty where no field names one.
    pub subtasks: BTreeMap<String, Accuracy>,
}

/// Scores of one model in one split.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SplitScore {
    /// Split.
    pub split: Split,
    /// What accuracies are divided by.
    pub denominator: Denominator,
    /// Tasks that occur, in the order of the release.
    pub tasks: Vec<TaskScore>,
    /// The axis.
    pub axis: Accuracy,
    /// Tasks with other than 100 items.
    #[serde(skip)]
    pub warnings: Vec<Warning>,
}

/// Scores what is known about the items of a split.
#[must_use]
pub fn score(split: Split, results: &[ItemResult], denominator: Denominator) -> SplitScore {
    let mut tasks: BTreeMap<(usize, &str), Vec<&ItemResult>> = BTreeMap::new();
    let order = split.axis.tasks();
    for result in results {
        let place = order.iter().position(|t| *t == result.task);
        let key = (place.unwrap_or(order.len()), result.task.as_str());
        tasks.entry(key).or_default().push(result);
    }
    let fixed = |items: usize| (denominator == Denominator::Fixed100).then_some(items);
    let warnings = tasks
        .iter()
        .filter_map(|((_, task), r)| odd(split, task, r.len()));
    let warnings = warnings.collect();
    let seen = match split.axis {
        Axis::Ueg => order.len(),
        Axis::Geu => tasks.len(),
    };
    let all: Vec<&ItemResult> = results.iter().collect();
    SplitScore {
        split,
        denominator,
        tasks: tasks
            .into_iter()
            .map(|((_, task), results)| TaskScore {
                task: task.to_owned(),
                subtasks: subtasks(&results),
                accuracy: Accuracy::of(&results, fixed(TASK_ITEMS)),
            })
            .collect(),
        axis: Accuracy::of(&all, fixed(seen * TASK_ITEMS)),
        warnings,
    }
}

fn odd(split: Split, task: &str, n: usize) -> Option<Warning> {
    (n != TASK_ITEMS).then(|| Warning {
        kind: "item-count".to_owned(),
        place: format!("{split}/{task}"),
        message: format!("{n} items, the release has {TASK_ITEMS}: not comparable as it stands"),
    })
}

fn subtasks(results: &[&ItemResult]) -> BTreeMap<String, Accuracy> {
    let mut by: BTreeMap<&str, Vec<&ItemResult>> = BTreeMap::new();
    for result in results {
        if let Some(subtask) = &result.subtask {
            by.entry(subtask).or_default().push(result);
        }
    }
    by.into_iter()
        .map(|(name, results)| (name.to_owned(), Accuracy::of(&results, None)))
        .collect()
}

/// Total of both axes in one way: all right items over all items, as published totals are
/// ((UEG + GEU)/1000 with fixed denominators). `None` unless both axes have a value.
#[must_use]
pub fn total(ueg: &SplitScore, geu: &SplitScore) -> Option<Ratio> {
    ueg.axis.value.as_ref()?;
    geu.axis.value.as_ref()?;
    let correct = ueg.axis.tally.correct + geu.axis.tally.correct;
    Ratio::new(correct, ueg.axis.of + geu.axis.of)
}

/// One row of the main table: a model's cells as published ones are printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MainRow {
    /// Model.
    pub model: String,
    /// UEG direct and step, GEU direct and step, total direct and step.
    pub cells: [String; 6],
}

/// The main table's row of a model; a dash for a split that it did not enter.
#[must_use]
pub fn main_row(model: &str, scores: &BTreeMap<Split, SplitScore>) -> MainRow {
    use super::layout::Way::{Direct, Step};
    let cell = |axis, way| {
        let score = scores.get(&Split::new(axis, way));
        score.map_or_else(|| DASH.to_owned(), |s| s.axis.published())
    };
    let sum = |way| {
        let ueg = scores.get(&Split::new(Axis::Ueg, way));
        let geu = scores.get(&Split::new(Axis::Geu, way));
        let both = ueg.zip(geu).and_then(|(ueg, geu)| total(ueg, geu));
        published(both.as_ref())
    };
    MainRow {
        model: model.to_owned(),
        cells: [
            cell(Axis::Ueg, Direct),
            cell(Axis::Ueg, Step),
            cell(Axis::Geu, Direct),
            cell(Axis::Geu, Step),
            sum(Direct),
            sum(Step),
        ],
    }
}
