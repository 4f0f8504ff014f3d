//! Does a judge read the answer key? The same outputs judged once with the keys as they are and
//! once with the keys of a random half turned round.
//!
//! A judge that looks at the output alone says the same both times but for its own noise, which
//! does not know the key. So the share of verdicts that equal the *turned* key, with the turned key
//! minus without it, is 0 but for chance; what is left is how often the key moves the verdict.

use std::collections::HashMap;

use serde::Serialize;
use verispec_stats::Undefined;
use verispec_stats::bootstrap::Plan;

use crate::compare::Options;
use crate::draws;
use crate::estimate::Estimate;
use crate::matrix::{Cell, Mark, Matrix};

/// The study's result, for all models together and for each.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Leak {
    /// All models first.
    pub rows: Vec<LeakRow>,
    /// Specifications that only one of the runs has.
    pub unpaired: usize,
}

/// One model, or all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LeakRow {
    /// Model; `None` for all.
    pub model: Option<String>,
    /// Specifications whose key was turned round.
    pub turned: Followed,
    /// The others, as a control: their own key, which both runs have.
    pub kept: Followed,
    /// Verdicts that change at all on the turned ones, where the unflipped run has a repeat.
    pub changes: Option<Changes>,
}

/// How often verdicts equal a key.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Followed {
    /// Specifications, over models, with a verdict in both runs.
    pub verdicts: usize,
    /// Share that equals the flipped run's key in the run without turned keys, 0-1.
    pub before: Option<f64>,
    /// The same in the run with them.
    pub after: Option<f64>,
    /// After minus before, -1 to 1; interval over instances.
    pub difference: Estimate,
}

/// Shares of verdicts that differ from those of the unflipped run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Changes {
    /// Specifications with a verdict in all three runs.
    pub verdicts: usize,
    /// Share that the flipped run changes, 0-1.
    pub flipped: Option<f64>,
    /// Share that the unflipped repeat changes: the judge's own noise, 0-1.
    pub repeat: Option<f64>,
    /// Flipped minus repeat; interval over instances.
    pub difference: Estimate,
}

/// Sums of one instance: a numerator each, and the pairs.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    before: usize,
    after: usize,
    pairs: usize,
}

impl Sums {
    fn add(&mut self, before: bool, after: bool) {
        self.before += usize::from(before);
        self.after += usize::from(after);
        self.pairs += 1;
    }
}

/// Sums by unit.
#[derive(Clone)]
struct Table {
    turned: Vec<Sums>,
    kept: Vec<Sums>,
    changes: Vec<Sums>,
}

impl Table {
    fn new(units: usize) -> Self {
        let none = vec![Sums::default(); units];
        Self {
            turned: none.clone(),
            kept: none.clone(),
            changes: none,
        }
    }
}

/// Makes the study from a matrix of two or three levels: the run with the keys as they are, the
/// run with turned keys, and a repeat of the first. `None` where no key is turned round.
///
/// Specifications are paired by label and question. Intervals draw instances within dimensions, all
/// of one source image together.
#[must_use]
pub fn leak(matrix: &Matrix, options: Options) -> Option<Leak> {
    let units: usize = matrix.tracks.iter().map(|t| t.units.len()).sum();
    let mut all = Table::new(units);
    let mut models: Vec<(String, Table)> = vec![];
    let (mut unpaired, mut turned) = (0, false);
    let mut start = 0;
    for track in &matrix.tracks {
        for (m, name) in track.models.iter().enumerate() {
            if !models.iter().any(|(n, _)| n == name) {
                models.push((name.clone(), Table::new(units)));
            }
            let of_model = models.iter_mut().find(|(n, _)| n == name).map(|(_, t)| t);
            let Some(of_model) = of_model else { continue };
            for unit in 0..track.units.len() {
                let repeat = (matrix.levels.len() > 2).then(|| track.cell(2, m, unit));
                let cells = (track.cell(0, m, unit), track.cell(1, m, unit), repeat);
                let mut tables = [&mut all, &mut *of_model];
                let found = instance(matrix, cells, start + unit, &mut tables);
                unpaired += found.unpaired;
                turned |= found.turned;
            }
        }
        start += track.units.len();
    }
    let plan = draws::plan(&matrix.tracks).ok();
    let repeated = matrix.levels.len() > 2;
    let row = |model: Option<String>, table: &Table| LeakRow {
        model,
        turned: followed(&table.turned, plan.as_ref(), options),
        kept: followed(&table.kept, plan.as_ref(), options),
        changes: repeated.then(|| changes(&table.changes, plan.as_ref(), options)),
    };
    turned.then(|| {
        let each = models.iter().map(|(name, t)| row(Some(name.clone()), t));
        let rows = std::iter::once(row(None, &all)).chain(each).collect();
        Leak { rows, unpaired }
    })
}

struct Found {
    unpaired: usize,
    turned: bool,
}

fn instance(
    matrix: &Matrix,
    (plain, flipped, repeat): (&Cell, &Cell, Option<&Cell>),
    unit: usize,
    tables: &mut [&mut Table; 2],
) -> Found {
    let mut found = Found {
        unpaired: 0,
        turned: false,
    };
    if plain.marks.is_empty() || flipped.marks.is_empty() {
        return found;
    }
    let text = |mark: &Mark| matrix.specs.get(&mark.content).map(|s| s.question.as_str());
    let by_label: HashMap<(u32, Option<&str>), &Mark> = flipped
        .marks
        .iter()
        .map(|mark| ((mark.id, text(mark)), mark))
        .collect();
    for mark in &plain.marks {
        let Some(twin) = by_label.get(&(mark.id, text(mark))) else {
            found.unpaired += 1;
            continue;
        };
        let is_turned = twin.expected != mark.expected;
        found.turned |= is_turned;
        let Some((was, is)) = mark.verdict.zip(twin.verdict) else {
            continue;
        };
        let key = twin.expected;
        for table in tables.iter_mut() {
            let half = if is_turned {
                &mut table.turned
            } else {
                &mut table.kept
            };
            half[unit].add(was == key, is == key);
        }
        let again = repeat.and_then(|c| c.marks.iter().find(|m| m.content == mark.content));
        if let Some(again) = again.and_then(|m| m.verdict).filter(|_| is_turned) {
            for table in tables.iter_mut() {
                table.changes[unit].add(again != was, is != was);
            }
        }
    }
    found
}

struct Shares {
    pairs: usize,
    before: Option<f64>,
    after: Option<f64>,
    difference: Estimate,
}

fn shares(units: &[Sums], plan: Option<&Plan>, options: Options) -> Shares {
    let sum = |of: fn(&Sums) -> usize| units.iter().map(of).sum::<usize>();
    let (before, after, pairs) = (sum(|s| s.before), sum(|s| s.after), sum(|s| s.pairs));
    let share = |n: usize| (pairs > 0).then(|| n as f64 / pairs as f64);
    let parts: Vec<(f64, f64)> = units
        .iter()
        .map(|s| (s.after as f64 - s.before as f64, s.pairs as f64))
        .collect();
    let sample = plan
        .filter(|_| pairs > 0)
        .and_then(|p| draws::ratio(p, &parts, options.draws, options.seed));
    let missing = Undefined::TooFew {
        what: "specifications with a verdict in every run",
        found: 0,
        need: 1,
    };
    Shares {
        pairs,
        before: share(before),
        after: share(after),
        difference: Estimate::sampled_or(sample.as_ref(), options.level, missing),
    }
}

fn followed(units: &[Sums], plan: Option<&Plan>, options: Options) -> Followed {
    let Shares {
        pairs,
        before,
        after,
        difference,
    } = shares(units, plan, options);
    Followed {
        verdicts: pairs,
        before,
        after,
        difference,
    }
}

fn changes(units: &[Sums], plan: Option<&Plan>, options: Options) -> Changes {
    let Shares {
        pairs,
        before,
        after,
        difference,
    } = shares(units, plan, options);
    Changes {
        verdicts: pairs,
        flipped: after,
        repeat: before,
        difference,
    }
}

#[cfg(test)]
mod tests;
