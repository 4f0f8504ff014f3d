//! The rate of one instance, whether one opinion on it is known or several.

use super::count::Counters;
use super::ratio::Ratio;
use super::rules::{CriticalRule, all, outcomes};
use super::table::{MissingRule, Policy, Scoring, UnjudgedRule};
use super::uniform::all_met_opinion;
use crate::reading::{Answer, Reading};
use crate::results::{InstanceState, SpecResult};

/// A rate with its bounds; the rate is `None` when nothing is decided.
pub(super) struct Rate {
    pub(super) value: Option<Ratio>,
    pub(super) low: Ratio,
    pub(super) high: Ratio,
}

/// Rate of an instance; `None` when it is left out.
pub(super) fn instance(state: &InstanceState, policy: Policy) -> Option<Rate> {
    match state {
        InstanceState::Unjudgeable(..) => None,
        InstanceState::OutputFailed(..) => match policy.missing {
            MissingRule::Exclude => None,
            MissingRule::Zero => Some(nothing()),
        },
        InstanceState::Generated(specs) => opinions(specs, policy),
    }
}

/// A rate of 0, whatever is undecided.
fn nothing() -> Rate {
    Rate {
        value: Some(Ratio::zero()),
        low: Ratio::zero(),
        high: Ratio::zero(),
    }
}

/// Each opinion on its own: the specifications of one judge in one repetition.
pub(super) fn each(specs: &[SpecResult]) -> impl Iterator<Item = &[SpecResult]> {
    specs.chunk_by(|a, b| {
        a.provenance.judge == b.provenance.judge && a.provenance.repeat == b.provenance.repeat
    })
}

/// Mean over judges of the mean over their repeats: a judge weighs the same however many of its
/// repeats failed.
fn opinions(specs: &[SpecResult], policy: Policy) -> Option<Rate> {
    let judges = specs.chunk_by(|a, b| a.provenance.judge == b.provenance.judge);
    let rates: Vec<Rate> = judges
        .filter_map(|of_one| {
            let repeats: Vec<Rate> = each(of_one).filter_map(|o| rate(o, policy)).collect();
            mean(repeats)
        })
        .collect();
    mean(rates)
}

pub(super) fn rate(specs: &[SpecResult], policy: Policy) -> Option<Rate> {
    if policy.scoring == Scoring::Uniform && !policy.rules.is_plain() {
        return ruled(specs, policy, |_| true);
    }
    let c = Counters::of_specs(specs);
    if policy.scoring == Scoring::Strict {
        return strict(&c, specs.len(), policy);
    }
    let open = match policy.unjudged {
        UnjudgedRule::Exclude => c.unjudged + c.pending + c.not_asked,
        UnjudgedRule::Na => c.pending + c.not_asked,
    };
    let k = specs.len();
    let points = match policy.scoring {
        Scoring::Holistic => specs.iter().filter_map(share).sum(),
        Scoring::Uniform | Scoring::Board | Scoring::Strict => Ratio::whole(c.met),
    };
    let over = |n: usize| Some(points.clone() * Ratio::new(1, n)?);
    Some(Rate {
        value: over(k - open),
        low: over(k)?,
        high: (points.clone() + Ratio::whole(open)) * Ratio::new(1, k)?,
    })
}

/// 1 or 0 as soon as it is decided, whatever else was asked; open until then. `None` without
/// specifications.
fn strict(c: &Counters, k: usize, policy: Policy) -> Option<Rate> {
    if k == 0 {
        return None;
    }
    Some(match all_met_opinion(c, k, policy) {
        Some(false) => nothing(),
        decided => Rate {
            value: decided.map(|_| Ratio::whole(1)),
            low: Ratio::whole(usize::from(decided.is_some())),
            high: Ratio::whole(1),
        },
    })
}

/// Rate of one opinion under dependencies, weights and critical specifications, over those of its
/// specifications that `counts` picks; all of them gate. Value = sum of weights met over sum of
/// weights decided. `None` when none is picked.
///
/// A critical specification that is unmet makes all of it 0; one that is undecided leaves the
/// value undefined, since 0 is possible. A picked specification without a weight, where weights
/// are asked for, leaves everything open.
pub(super) fn ruled(
    specs: &[SpecResult],
    policy: Policy,
    counts: impl Fn(&SpecResult) -> bool,
) -> Option<Rate> {
    let outcomes = outcomes(specs, policy);
    let (mut met, mut open, mut decided) = (Ratio::zero(), Ratio::zero(), Ratio::zero());
    let mut picked = specs.iter().zip(&outcomes).filter(|(s, _)| counts(s));
    let weighed = picked.try_fold(0, |n, (spec, outcome)| {
        let weight = policy.rules.weight(&spec.spec)?;
        match outcome {
            Some(true) => {
                met = met.clone() + weight.clone();
                decided = decided.clone() + weight;
            }
            Some(false) => decided = decided.clone() + weight,
            None => open = open.clone() + weight,
        }
        Some(n + 1)
    });
    let all = decided.clone() + open.clone();
    let rate = match weighed {
        Some(0) => return None,
        Some(_) => Rate {
            value: met.over(&decided),
            low: met.over(&all)?,
            high: (met + open).over(&all)?,
        },
        None => Rate {
            value: None,
            low: Ratio::zero(),
            high: Ratio::whole(1),
        },
    };
    Some(match gate(specs, &outcomes, policy) {
        Some(true) => rate,
        Some(false) => nothing(),
        None => Rate {
            value: None,
            low: Ratio::zero(),
            ..rate
        },
    })
}

/// Whether the critical specifications let an output count: `None` while that is open.
fn gate(specs: &[SpecResult], outcomes: &[Option<bool>], policy: Policy) -> Option<bool> {
    if policy.rules.critical == CriticalRule::Ignore {
        return Some(true);
    }
    let critical = specs
        .iter()
        .zip(outcomes)
        .filter(|(s, _)| s.spec.rules.critical);
    all(critical.map(|(_, outcome)| *outcome))
}

/// A grade as a share of its scale, 0-1, exact in the decimals that were written.
fn share(spec: &SpecResult) -> Option<Ratio> {
    match spec.reading {
        Some(Reading::Answer(Answer::Grade {
            value,
            range: (from, to),
        })) => Ratio::share_of(value, from, to),
        _ => None,
    }
}

/// Mean of rates; the value is over those that have one, the bounds are over all.
pub(super) fn mean(mut rates: Vec<Rate>) -> Option<Rate> {
    if rates.len() == 1 {
        return rates.pop();
    }
    let column =
        |f: fn(&Rate) -> &Ratio| -> Vec<Ratio> { rates.iter().map(|r| f(r).clone()).collect() };
    let values: Vec<Ratio> = rates.iter().filter_map(|r| r.value.clone()).collect();
    Some(Rate {
        value: Ratio::mean(&values),
        low: Ratio::mean(&column(|r| &r.low))?,
        high: Ratio::mean(&column(|r| &r.high))?,
    })
}

#[cfg(test)]
mod tests;
