//! The rate of one instance, whether one opinion on it is known or several.

use super::count::Counters;
use super::ratio::Ratio;
use super::table::{MissingRule, Policy, Scoring, UnjudgedRule};
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
            MissingRule::Zero => Some(Rate {
                value: Some(Ratio::zero()),
                low: Ratio::zero(),
                high: Ratio::zero(),
            }),
        },
        InstanceState::Generated(specs) => opinions(specs, policy),
    }
}

/// Each opinion on its own: the specifications of one judge in one repetition.
pub(super) fn each(specs: &[SpecResult]) -> impl Iterator<Item = &[SpecResult]> {
    specs.chunk_by(|a, b| a.judge == b.judge && a.repeat == b.repeat)
}

/// Mean over judges of the mean over their repeats: a judge weighs the same however many of its
/// repeats failed.
fn opinions(specs: &[SpecResult], policy: Policy) -> Option<Rate> {
    let judges = specs.chunk_by(|a, b| a.judge == b.judge);
    let rates: Vec<Rate> = judges
        .filter_map(|of_one| {
            let repeats: Vec<Rate> = each(of_one).filter_map(|o| rate(o, policy)).collect();
            mean(repeats)
        })
        .collect();
    mean(rates)
}

fn rate(specs: &[SpecResult], policy: Policy) -> Option<Rate> {
    let c = Counters::of_specs(specs);
    let open = match policy.unjudged {
        UnjudgedRule::Exclude => c.unjudged + c.pending,
        UnjudgedRule::Na => c.pending,
    };
    let k = specs.len();
    let points = match policy.scoring {
        Scoring::Holistic => specs.iter().filter_map(share).sum(),
        Scoring::Uniform | Scoring::Board => Ratio::whole(c.met),
    };
    let over = |n: usize| Some(points.clone() * Ratio::new(1, n)?);
    Some(Rate {
        value: over(k - open),
        low: over(k)?,
        high: (points.clone() + Ratio::whole(open)) * Ratio::new(1, k)?,
    })
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
