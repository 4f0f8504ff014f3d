//! Direct, stepwise, oracle and mixed runs of one axis side by side, and what they say about where
//! a model fails.
//!
//! A stepwise run that beats the direct one says that the model cannot put its two abilities
//! together by itself. That an ability is *missing* follows from a run alone in which the other
//! part is known to be good: an oracle run (the true middle step is injected) or one in which a
//! specialist does one of the stages.

use serde::Serialize;
use verispec_stats::hypothesis::mcnemar;

use super::layout::Axis;
use super::pair::Pairing;
use super::paired::{Paired, paired, same_ids};
use super::state::ItemResult;

/// Which stage of a mixed run another model did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The first: understanding in UEG, generation in GEU.
    First,
    /// The last.
    Last,
}

/// A stepwise run in which another model did one of the stages.
#[derive(Debug, Clone, Copy)]
pub struct MixedRun<'a> {
    /// Name of the other model.
    pub specialist: &'a str,
    /// Stage that it did.
    pub stage: Stage,
    /// What became of the items.
    pub results: &'a [ItemResult],
}

/// All runs of one model on one axis.
#[derive(Debug, Clone, Copy, Default)]
pub struct Runs<'a> {
    /// At once.
    pub direct: Option<&'a [ItemResult]>,
    /// One stage after the other.
    pub step: Option<&'a [ItemResult]>,
    /// Stepwise with the true middle step.
    pub oracle: Option<&'a [ItemResult]>,
    /// Stepwise with another model in one of the stages.
    pub mixed: &'a [MixedRun<'a>],
}

/// What follows from the runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Finding {
    /// Steps help: the abilities are there, putting them together is not.
    NotIntegrated,
    /// Steps harm: what the first stage makes misleads the last.
    StepsHarm,
    /// No difference between the ways can be shown.
    NoDifference,
    /// An ability is missing.
    AbilityMissing {
        /// `understanding` or `generation`.
        ability: &'static str,
        /// Run that shows it: `oracle`, or the specialist's name.
        by: String,
        /// Items that fail stepwise and are right in that run.
        mended: u64,
        /// Items that fail in both.
        left: u64,
    },
}

/// The read-out of one axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Readout {
    /// Axis.
    pub axis: Axis,
    /// Step minus direct, over checked pairs.
    pub step_minus_direct: Option<Paired>,
    /// Oracle minus step.
    pub oracle_minus_step: Option<Paired>,
    /// Mixed minus step, by specialist.
    pub mixed_minus_step: Vec<(String, Stage, Paired)>,
    /// What follows, in the order of the runs.
    pub findings: Vec<Finding>,
    /// The same in plain language, one sentence a finding.
    pub sentences: Vec<String>,
}

/// Reads the runs of a model on an axis.
#[must_use]
pub fn readout(axis: Axis, runs: &Runs<'_>, pairing: &Pairing) -> Readout {
    let both = runs.direct.zip(runs.step);
    let step_minus_direct = both.map(|(direct, step)| paired(direct, step, &pairing.pairs));
    let against_step = |other: &[ItemResult]| {
        let step = runs.step?;
        Some(paired(step, other, &same_ids(step, other)))
    };
    let oracle_minus_step = runs.oracle.and_then(against_step);
    let mixed_minus_step: Vec<(String, Stage, Paired)> = runs
        .mixed
        .iter()
        .filter_map(|run| {
            let paired = against_step(run.results)?;
            Some((run.specialist.to_owned(), run.stage, paired))
        })
        .collect();
    let mut findings = vec![];
    findings.extend(step_minus_direct.as_ref().and_then(ways));
    if let Some(oracle) = &oracle_minus_step {
        findings.extend(by_oracle(axis, oracle));
    }
    for (name, stage, paired) in &mixed_minus_step {
        findings.extend(by_specialist(axis, name, *stage, paired));
    }
    let sentences = findings.iter().map(|f| sentence(axis, f)).collect();
    Readout {
        axis,
        step_minus_direct,
        oracle_minus_step,
        mixed_minus_step,
        findings,
        sentences,
    }
}

fn ways(paired: &Paired) -> Option<Finding> {
    let difference = paired.difference?;
    Some(match (paired.is_clear(), difference > 0.0) {
        (false, _) => Finding::NoDifference,
        (true, true) => Finding::NotIntegrated,
        (true, false) => Finding::StepsHarm,
    })
}

/// Items that fail stepwise: those that the true middle step mends are for want of the first
/// ability, those that it leaves are for want of the last one. The larger part names the
/// bottleneck if it is clearly larger (exact binomial test), else both do.
fn by_oracle(axis: Axis, paired: &Paired) -> Vec<Finding> {
    let (mended, left) = (paired.quadrants.only_second, paired.quadrants.neither);
    if mended + left == 0 {
        return vec![];
    }
    let clear = mcnemar(mended, left).exact < 0.05;
    let missing = |ability| Finding::AbilityMissing {
        ability,
        by: "oracle".to_owned(),
        mended,
        left,
    };
    let first = missing(axis.first_ability());
    let last = missing(axis.last_ability());
    match (clear, mended > left) {
        (true, true) => vec![first],
        (true, false) => vec![last],
        (false, _) => vec![first, last],
    }
}

/// A specialist who clearly does better shows that the model lacks the ability of that stage.
fn by_specialist(axis: Axis, name: &str, stage: Stage, paired: &Paired) -> Option<Finding> {
    let better = paired.is_clear() && paired.difference? > 0.0;
    better.then(|| Finding::AbilityMissing {
        ability: match stage {
            Stage::First => axis.first_ability(),
            Stage::Last => axis.last_ability(),
        },
        by: name.to_owned(),
        mended: paired.quadrants.only_second,
        left: paired.quadrants.neither,
    })
}

fn sentence(axis: Axis, finding: &Finding) -> String {
    match finding {
        Finding::NotIntegrated => format!(
            "{axis}: stepwise is better than direct: the abilities are there, but the model does \
             not put them together by itself"
        ),
        Finding::StepsHarm => format!(
            "{axis}: stepwise is worse than direct: what {} makes in between misleads {}",
            axis.first_ability(),
            axis.last_ability()
        ),
        Finding::NoDifference => format!(
            "{axis}: no difference between stepwise and direct can be shown; which ability is \
             missing, if any, only an oracle run or a specialist can tell"
        ),
        Finding::AbilityMissing {
            ability,
            by,
            mended,
            left,
        } => {
            let how = match by.as_str() {
                "oracle" => "with the true middle step".to_owned(),
                name => format!("with {name} in that stage"),
            };
            format!(
                "{axis}: {ability} is missing: of {} items that fail stepwise, {mended} are right \
                 {how}, {left} stay wrong",
                mended + left
            )
        }
    }
}
