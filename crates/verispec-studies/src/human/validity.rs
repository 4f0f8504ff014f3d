//! Agreement between judges beside agreement with people: the first without the second is no
//! evidence that a ranking is right.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_stats::rank::tau_b;

use crate::Estimate;

/// One judge's mean score of every model.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeMeans {
    /// Judge.
    pub judge: String,
    /// Model to mean score, percent.
    pub means: BTreeMap<String, f64>,
    /// Share of yes among its verdicts, 0-1.
    pub yes_rate: Option<f64>,
}

/// How two judges rank the models.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgePair {
    /// The two judges.
    pub judges: [String; 2],
    /// Kendall's tau-b over models.
    pub tau: Estimate,
}

/// How one judge ranks the models against people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeValidity {
    /// Judge.
    pub judge: String,
    /// Kendall's tau-b with the human means, over models.
    pub tau: Estimate,
    /// Share of yes among its verdicts, 0-1.
    pub yes_rate: Option<f64>,
    /// Largest minus smallest mean, percent points.
    pub spread: Option<f64>,
}

/// Both side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Validity {
    /// All pairs of judges.
    pub pairs: Vec<JudgePair>,
    /// Every judge against people.
    pub judges: Vec<JudgeValidity>,
    /// Models that entered: those that all judges scored and people rated.
    pub models: usize,
    /// What to beware of, if the judges agree with each other better than with people.
    pub warning: Option<String>,
}

/// Compares rankings of the models that all judges scored and people rated.
#[must_use]
pub fn validity(judges: &[JudgeMeans], people: &BTreeMap<String, f64>) -> Validity {
    let in_all = |model: &&String| judges.iter().all(|j| j.means.contains_key(*model));
    let models: Vec<&String> = people.keys().filter(in_all).collect();
    let of = |means: &BTreeMap<String, f64>| -> Vec<f64> {
        models
            .iter()
            .filter_map(|m| means.get(*m).copied())
            .collect()
    };
    let human = of(people);
    let scores: Vec<Vec<f64>> = judges.iter().map(|j| of(&j.means)).collect();
    let mut pairs = vec![];
    for (i, first) in judges.iter().enumerate() {
        for (j, second) in judges.iter().enumerate().skip(i + 1) {
            pairs.push(JudgePair {
                judges: [first.judge.clone(), second.judge.clone()],
                tau: Estimate::of(tau_b(&scores[i], &scores[j])),
            });
        }
    }
    let judges: Vec<JudgeValidity> = judges
        .iter()
        .zip(&scores)
        .map(|(judge, scores)| JudgeValidity {
            judge: judge.judge.clone(),
            tau: Estimate::of(tau_b(scores, &human)),
            yes_rate: judge.yes_rate,
            spread: spread(scores),
        })
        .collect();
    Validity {
        warning: warning(&pairs, &judges, models.len()),
        pairs,
        judges,
        models: models.len(),
    }
}

fn spread(scores: &[f64]) -> Option<f64> {
    let high = scores.iter().copied().reduce(f64::max)?;
    Some(high - scores.iter().copied().reduce(f64::min)?)
}

/// Warns when the judges' worst agreement with each other is above their best with people.
fn warning(pairs: &[JudgePair], judges: &[JudgeValidity], models: usize) -> Option<String> {
    let list = |taus: &[f64]| {
        let texts: Vec<String> = taus.iter().map(|t| format!("{t:.1}")).collect();
        texts.join(" / ")
    };
    let of = |all: Vec<Option<f64>>| all.into_iter().collect::<Option<Vec<f64>>>();
    let between = of(pairs.iter().map(|p| p.tau.value).collect())?;
    let with_people = of(judges.iter().map(|j| j.tau.value).collect())?;
    let lowest = between.iter().copied().reduce(f64::min)?;
    let highest = with_people.iter().copied().reduce(f64::max)?;
    (lowest > highest).then(|| {
        format!(
            "agreement is not validity: judge pairs rank the {models} models with tau-b {}, but \
             with people each judge has only {}; a ranking that all judges share may still be \
             wrong",
            list(&between),
            list(&with_people)
        )
    })
}
