//! Does a unified model gain from being unified? Direct, stepwise, oracle and mixed runs of
//! RealUnify side by side.
//!
//! ```text
//! items ──┐
//! results ┴─> scores per task, subtask, axis, total
//!         └─> step minus direct, oracle and mixed minus step ─> what is the bottleneck
//!         └─> judge minus people, where people judged too
//! ```

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_model::Warning;
use verispec_model::score::Ratio;
use verispec_suites::published::PublishedTable;
pub use verispec_suites::realunify::{
    Accuracy, Axis, Denominator, JudgeMinusHuman, MainRow, Paired, Readout, Split, SplitScore,
    Stage, TASK_ITEMS, TaskScore, Way, published_percent,
};
use verispec_suites::realunify::{
    ItemResult, Loaded, MixedRun, Pairing, Runs, judge_minus_human, main_row, pair, readout, score,
    total,
};

/// Results by split.
pub type BySplit = BTreeMap<Split, Vec<ItemResult>>;

/// An ability that a stage needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ability {
    /// Reading: the first stage of UEG, the last of GEU.
    Understanding,
    /// Making images: the first stage of GEU, the last of UEG.
    Generation,
}

impl Ability {
    /// The stage of an axis that needs it.
    #[must_use]
    pub fn stage(self, axis: Axis) -> Stage {
        match (self, axis) {
            (Self::Understanding, Axis::Ueg) | (Self::Generation, Axis::Geu) => Stage::First,
            (Self::Generation, Axis::Ueg) | (Self::Understanding, Axis::Geu) => Stage::Last,
        }
    }
}

/// A stepwise run in which a specialist did the stages of one ability.
#[derive(Debug, Clone)]
pub struct Mixed {
    /// Name of the specialist.
    pub specialist: String,
    /// What it did.
    pub ability: Ability,
    /// What became of the items.
    pub results: BySplit,
}

/// All that is known about one model.
#[derive(Debug, Clone, Default)]
pub struct ModelRuns {
    /// Model.
    pub model: String,
    /// Direct and stepwise runs.
    pub own: BySplit,
    /// Stepwise runs with the true middle step.
    pub oracle: BySplit,
    /// Stepwise runs with a specialist.
    pub mixed: Vec<Mixed>,
    /// What people said of the outputs in `own`.
    pub human: BySplit,
}

/// Scores of one run on one axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunScore {
    /// `direct`, `step`, `oracle`, or `with <specialist>`.
    pub run: String,
    /// Its scores.
    pub score: SplitScore,
}

/// A judge beside people in one way of asking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HumanRows {
    /// Split.
    pub split: Split,
    /// People's own accuracy over all their items.
    pub human: SplitScore,
    /// All items, then task by task.
    pub rows: Vec<JudgeMinusHuman>,
}

/// One model on one axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AxisStudy {
    /// Axis.
    pub axis: Axis,
    /// Runs side by side: direct, step, oracle, mixed; those that there are.
    pub runs: Vec<RunScore>,
    /// Differences and what follows from them.
    pub readout: Readout,
    /// Items without a partner in the other way of asking.
    pub unpaired: usize,
    /// Judge minus people; empty where no human verdicts were given.
    pub human: Vec<HumanRows>,
}

/// One model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelStudy {
    /// Model.
    pub model: String,
    /// Its row of the main table, rounded as published.
    pub main: MainRow,
    /// Direct and stepwise total, exact shares; `None` unless both axes have a value.
    pub totals: [Option<Ratio>; 2],
    /// Axes with at least one run.
    pub axes: Vec<AxisStudy>,
}

/// The study.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RealUnifyStudy {
    /// What accuracies are divided by.
    pub denominator: Denominator,
    /// Models in the order given.
    pub models: Vec<ModelStudy>,
    /// Published tables to stand beside; empty unless asked for.
    pub published: Vec<PublishedTable>,
    /// Items without a partner, tasks with other than 100 items.
    pub warnings: Vec<Warning>,
}

/// Makes the study.
#[must_use]
pub fn study(data: &Loaded, models: &[ModelRuns], denominator: Denominator) -> RealUnifyStudy {
    let mut warnings = vec![];
    let pairings: Vec<(Axis, Pairing)> = Axis::ALL
        .into_iter()
        .map(|axis| {
            let items = |way| data.items(Split::new(axis, way));
            (axis, pair(items(Way::Direct), items(Way::Step)))
        })
        .collect();
    for (axis, pairing) in &pairings {
        let both = Way::ALL.map(|way| Split::new(*axis, way));
        let run_in_both = |m: &ModelRuns| both.iter().all(|split| m.own.contains_key(split));
        if models.iter().any(run_in_both) {
            warnings.extend(pairing.warnings.iter().cloned());
        }
    }
    let models: Vec<ModelStudy> = models
        .iter()
        .map(|model| of_model(model, &pairings, denominator))
        .collect();
    let scores = models.iter().flat_map(|m| &m.axes).flat_map(|a| &a.runs);
    for warning in scores.flat_map(|r| &r.score.warnings) {
        if !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }
    RealUnifyStudy {
        denominator,
        models,
        published: vec![],
        warnings,
    }
}

fn of_model(
    model: &ModelRuns,
    pairings: &[(Axis, Pairing)],
    denominator: Denominator,
) -> ModelStudy {
    let scores: BTreeMap<Split, SplitScore> = model
        .own
        .iter()
        .map(|(split, results)| (*split, score(*split, results, denominator)))
        .collect();
    let sum = |way| {
        let ueg = scores.get(&Split::new(Axis::Ueg, way))?;
        total(ueg, scores.get(&Split::new(Axis::Geu, way))?)
    };
    let axes = pairings
        .iter()
        .map(|(axis, pairing)| of_axis(model, *axis, pairing, denominator));
    ModelStudy {
        model: model.model.clone(),
        main: main_row(&model.model, &scores),
        totals: Way::ALL.map(sum),
        axes: axes.filter(|a| !a.runs.is_empty()).collect(),
    }
}

fn of_axis(
    model: &ModelRuns,
    axis: Axis,
    pairing: &Pairing,
    denominator: Denominator,
) -> AxisStudy {
    let (direct, step) = (Split::new(axis, Way::Direct), Split::new(axis, Way::Step));
    let mixed: Vec<MixedRun<'_>> = model
        .mixed
        .iter()
        .filter_map(|run| {
            Some(MixedRun {
                specialist: &run.specialist,
                stage: run.ability.stage(axis),
                results: run.results.get(&step)?,
            })
        })
        .collect();
    let runs = Runs {
        direct: model.own.get(&direct).map(Vec::as_slice),
        step: model.own.get(&step).map(Vec::as_slice),
        oracle: model.oracle.get(&step).map(Vec::as_slice),
        mixed: &mixed,
    };
    let named = [
        ("direct".to_owned(), direct, runs.direct),
        ("step".to_owned(), step, runs.step),
        ("oracle".to_owned(), step, runs.oracle),
    ];
    let with = mixed
        .iter()
        .map(|run| (format!("with {}", run.specialist), step, Some(run.results)));
    let scored = named
        .into_iter()
        .chain(with)
        .filter_map(|(run, split, results)| {
            Some(RunScore {
                run,
                score: score(split, results?, denominator),
            })
        });
    let both = runs.direct.is_some() && runs.step.is_some();
    AxisStudy {
        axis,
        runs: scored.collect(),
        readout: readout(axis, &runs, pairing),
        unpaired: if both {
            pairing.only_direct.len() + pairing.only_step.len()
        } else {
            0
        },
        human: [direct, step]
            .into_iter()
            .filter_map(|split| {
                let (judge, human) = (model.own.get(&split)?, model.human.get(&split)?);
                Some(HumanRows {
                    split,
                    human: score(split, human, denominator),
                    rows: judge_minus_human(judge, human),
                })
            })
            .collect(),
    }
}
