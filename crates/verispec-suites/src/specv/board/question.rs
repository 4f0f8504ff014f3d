//! The score of one instance under the rule behind SpecV's published tables.
//!
//! | track | rule (`c/t` = met over all of a group) |
//! |---|---|
//! | t2i, edit, many2one, interleave, unknown | `100 c/t` |
//! | think_with_img | groups by prefix of `subcategory`, weights 0.7, 0.1, 0.1, 0.1; an absent group gives 0 |
//! | understanding | items whose `category` starts with `Final Answer Correctness`; without one 0 |
//!
//! Each is rounded to two decimals. Source: behaviour of the released `score_and_rank.py`.

use verispec_model::score::{MissingRule, Policy, UnjudgedRule};
use verispec_model::{InstanceState, SpecResult, Specification};

use super::round::round2;

/// Prefix of `category` of the items that decide `understanding`.
pub(crate) const FINAL_ANSWER_CATEGORY: &str = "Final Answer Correctness";

/// Groups of `think_with_img`: prefix of `subcategory`, weight.
const THINK_GROUPS: [(&str, f64); 4] = [
    ("Final Answer", 0.7),
    ("Reasoning Quality", 0.1),
    ("Image Quality", 0.1),
    ("Image-Text Alignment", 0.1),
];

/// An instance's score as the released scripts write it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuestionScore {
    /// Percent, two decimals; `None` where too little is judged for the rule to give a number.
    pub score: Option<f64>,
    /// Percent if every undecided specification were unmet.
    pub low: f64,
    /// Percent if every undecided specification were met.
    pub high: f64,
    /// Specifications met.
    pub correct: usize,
    /// Specifications that count.
    pub total: usize,
}

/// Scores one instance; `None` when it is left out: unjudgeable, or an output failure under
/// `missing = exclude`.
#[must_use]
pub fn question_score(track: &str, state: &InstanceState, policy: Policy) -> Option<QuestionScore> {
    match state {
        InstanceState::Unjudgeable(..) => None,
        InstanceState::OutputFailed(_, total) => match policy.missing {
            MissingRule::Exclude => None,
            MissingRule::Zero => {
                let zero = QuestionScore {
                    score: Some(0.0),
                    low: 0.0,
                    high: 0.0,
                    correct: 0,
                    total: *total,
                };
                Some(zero)
            }
        },
        InstanceState::Generated(specs) => Some(generated(track, specs, policy)),
    }
}

fn generated(track: &str, specs: &[SpecResult], policy: Policy) -> QuestionScore {
    let verdict = |spec: &SpecResult| -> Option<bool> {
        let na = spec.reading.is_some() && policy.unjudged == UnjudgedRule::Na;
        spec.met().or(na.then_some(false))
    };
    let items: Vec<(&Specification, Option<bool>)> =
        specs.iter().map(|s| (&*s.spec, verdict(s))).collect();
    if specs.is_empty() {
        // The release scores an empty list as 0; by default nothing is known about it.
        let na = policy.unjudged == UnjudgedRule::Na;
        let (score, high) = if na { (Some(0.0), 0.0) } else { (None, 100.0) };
        return QuestionScore {
            score,
            low: 0.0,
            high,
            correct: 0,
            total: 0,
        };
    }
    let score = value(track, &items).map(round2);
    let decided = items.iter().all(|(_, met)| met.is_some());
    let bound = |undecided| match score {
        Some(score) if decided => score,
        _ => bound(track, &items, undecided),
    };
    QuestionScore {
        score,
        low: bound(false),
        high: bound(true),
        correct: items.iter().filter(|(_, met)| *met == Some(true)).count(),
        total: items.iter().filter(|(_, met)| met.is_some()).count(),
    }
}

fn bound(track: &str, items: &[(&Specification, Option<bool>)], undecided: bool) -> f64 {
    let decided: Vec<_> = items
        .iter()
        .map(|(spec, met)| (*spec, Some(met.unwrap_or(undecided))))
        .collect();
    value(track, &decided).map_or(0.0, round2)
}

/// The track's formula over decided items, unrounded; `None` if a group that counts has items
/// but none of them is decided.
fn value(track: &str, items: &[(&Specification, Option<bool>)]) -> Option<f64> {
    match track {
        "think_with_img" => weighted(items),
        "understanding" => match ratio(items, |s| s.category.starts_with(FINAL_ANSWER_CATEGORY)) {
            Group::Absent => Some(0.0),
            Group::Undecided => None,
            Group::Ratio(ratio) => Some(ratio * 100.0),
        },
        _ => match ratio(items, |_| true) {
            Group::Ratio(ratio) => Some(ratio * 100.0),
            Group::Absent | Group::Undecided => None,
        },
    }
}

fn weighted(items: &[(&Specification, Option<bool>)]) -> Option<f64> {
    let (mut score, mut weights) = (0.0, 0.0);
    for (prefix, weight) in THINK_GROUPS {
        weights += weight;
        match ratio(items, |s| s.subcategory.starts_with(prefix)) {
            Group::Absent => {}
            Group::Undecided => return None,
            Group::Ratio(ratio) => score += weight * ratio,
        }
    }
    Some(score / weights * 100.0)
}

enum Group {
    Absent,
    Undecided,
    /// Met over decided, 0-1.
    Ratio(f64),
}

fn ratio(
    items: &[(&Specification, Option<bool>)],
    member: impl Fn(&Specification) -> bool,
) -> Group {
    let (mut all, mut decided, mut met) = (0_u32, 0_u32, 0_u32);
    for (_, verdict) in items.iter().filter(|(spec, _)| member(spec)) {
        all += 1;
        decided += u32::from(verdict.is_some());
        met += u32::from(*verdict == Some(true));
    }
    match (all, decided) {
        (0, _) => Group::Absent,
        (_, 0) => Group::Undecided,
        _ => Group::Ratio(f64::from(met) / f64::from(decided)),
    }
}

#[cfg(test)]
mod tests;
