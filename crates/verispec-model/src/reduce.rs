//! From several opinions on an instance to the results that are scored, without a call.
//!
//! Nothing is pooled unless a rule names how. Two stages: the repeats of each judge, then the
//! judges. Under a mean there is no common verdict: all opinions stay side by side and a score
//! takes the mean of their rates. Under a majority or unanimity there is one verdict for each
//! specification, which keeps the votes it was made from.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::reading::{Answer, Reading, Unjudged, YesNo};
use crate::results::SpecResult;
use crate::vote::{Ballot, Reduce, RepeatReduce, Vote};

/// How opinions are reduced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rule {
    /// Repeats of one judge. Majority and unanimity of a panel need one verdict a member, so
    /// they take the majority of its repeats whatever stands here.
    pub repeats: RepeatReduce,
    /// Members of a panel; `None` when one judge was asked.
    pub panel: Option<Reduce>,
    /// Valid verdicts that a specification needs: judges of a panel, or repeats where one judge
    /// was asked. `None` is more than half of those asked, and one for a mean of repeats. A single
    /// member of a panel is read as if it were alone, without it.
    pub min_valid: Option<usize>,
}

impl Rule {
    /// Every opinion on its own, whoever gave it: what a run counts while it is made.
    #[must_use]
    pub const fn every_opinion(panel: bool) -> Self {
        Self {
            repeats: RepeatReduce::Mean,
            panel: if panel { Some(Reduce::Mean) } else { None },
            min_valid: Some(1),
        }
    }

    /// How many opinions on each specification the rule leaves side by side, of so many judges
    /// that were asked so many times.
    #[must_use]
    pub fn opinions(&self, judges: usize, repeats: usize) -> usize {
        let of_one = if self.one_verdict_a_member() {
            1
        } else {
            repeats
        };
        match self.panel {
            Some(Reduce::Mean) => judges * of_one,
            _ => of_one,
        }
    }

    fn one_verdict_a_member(&self) -> bool {
        self.repeats == RepeatReduce::Majority
            || matches!(self.panel, Some(Reduce::Majority | Reduce::Unanimous))
    }
}

/// Results of an instance from its ballots, which come judge by judge and, inside a judge, repeat
/// by repeat, with the specifications in the same order in each.
///
/// Pending opinions leave a common verdict pending. A specification with fewer valid verdicts
/// than the rule wants is unjudged: for the reason all its opinions share, else
/// [`Unjudged::TooFewVotes`]. A tie, or members that differ under unanimity, is
/// [`Unjudged::Conflict`].
///
/// ```
/// use verispec_model::{Ballot, Rule, reduce};
/// assert!(reduce(Vec::<Ballot>::new(), &Rule::default()).is_empty());
/// ```
#[must_use]
pub fn reduce(mut ballots: Vec<Ballot>, rule: &Rule) -> Vec<SpecResult> {
    if let Some(Reduce::Member(name)) = &rule.panel {
        ballots.retain(|b| b.judge.as_deref() == Some(name.as_str()));
    }
    let several = |b: &&mut Ballot| b.judge.is_some() || b.repeat > 0;
    for ballot in ballots.iter_mut().filter(several) {
        for spec in &mut ballot.specs {
            spec.provenance.judge.clone_from(&ballot.judge);
            spec.provenance.repeat = ballot.repeat;
        }
    }
    let of_repeats = rule.min_valid.filter(|_| rule.panel.is_none());
    if rule.one_verdict_a_member() {
        ballots = ballots
            .chunk_by(|a, b| a.judge == b.judge)
            .map(|of_one| one_of_repeats(of_one, of_repeats))
            .collect();
    }
    match &rule.panel {
        Some(Reduce::Majority) => combine(&ballots, None, rule.min_valid, majority),
        Some(Reduce::Unanimous) => combine(&ballots, None, rule.min_valid, unanimous),
        Some(Reduce::Mean) => side_by_side(ballots, rule.min_valid),
        Some(Reduce::Member(_)) | None => match of_repeats {
            Some(wanted) if !rule.one_verdict_a_member() => side_by_side(ballots, Some(wanted)),
            _ => ballots.into_iter().flat_map(|b| b.specs).collect(),
        },
    }
}

/// The repeats of one judge as one ballot.
fn one_of_repeats(ballots: &[Ballot], min_valid: Option<usize>) -> Ballot {
    if let [only] = ballots {
        return only.clone();
    }
    let judge = ballots.first().and_then(|b| b.judge.clone());
    Ballot {
        specs: combine(ballots, judge.clone(), min_valid, majority),
        judge,
        repeat: 0,
    }
}

/// More than half.
const fn most_of(n: usize) -> usize {
    n / 2 + 1
}

/// One result for each specification out of one in each ballot.
fn combine(
    ballots: &[Ballot],
    judge: Option<Arc<str>>,
    min_valid: Option<usize>,
    decide: fn(&[YesNo]) -> Option<YesNo>,
) -> Vec<SpecResult> {
    let wanted = min_valid.unwrap_or(most_of(ballots.len())).max(1);
    let count = ballots.first().map_or(0, |b| b.specs.len());
    let column = |i: usize| ballots.iter().filter_map(move |b| b.specs.get(i));
    (0..count)
        .filter_map(|i| {
            let opinions: Vec<&SpecResult> = column(i).collect();
            let mut result = SpecResult::pending(opinions.first()?.spec.clone());
            result.provenance.judge.clone_from(&judge);
            result.reading = verdict(&opinions, wanted, decide);
            result.provenance.asked_with = shared(opinions.iter().map(|o| o.provenance.asked_with));
            result.provenance.votes = opinions.iter().flat_map(|o| votes(o)).collect();
            Some(result)
        })
        .collect()
}

/// What an opinion rests on: itself, or the repeats it was made from.
fn votes(opinion: &SpecResult) -> Vec<Vote> {
    if opinion.provenance.votes.is_empty() {
        vec![Vote::of(opinion)]
    } else {
        opinion.provenance.votes.clone()
    }
}

fn verdict(
    opinions: &[&SpecResult],
    wanted: usize,
    decide: fn(&[YesNo]) -> Option<YesNo>,
) -> Option<Reading> {
    if opinions.iter().any(|o| o.reading.is_none()) {
        return None;
    }
    let valid: Vec<YesNo> = opinions.iter().filter_map(|o| o.verdict()).collect();
    if valid.len() < wanted {
        return Some(Reading::Unjudged(why_too_few(opinions)));
    }
    let reading = decide(&valid).map_or(Reading::Unjudged(Unjudged::Conflict), Reading::yes_no);
    Some(reading)
}

/// The reason that all opinions share, if there is one.
fn why_too_few(opinions: &[&SpecResult]) -> Unjudged {
    let reasons = opinions.iter().map(|o| match &o.reading {
        Some(Reading::Unjudged(why)) => Some(*why),
        _ => None,
    });
    shared(reasons).unwrap_or(Unjudged::TooFewVotes)
}

/// The value that all have.
fn shared<T: PartialEq>(mut values: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = values.next()??;
    values.all(|v| v.as_ref() == Some(&first)).then_some(first)
}

fn majority(valid: &[YesNo]) -> Option<YesNo> {
    let yes = valid.iter().filter(|v| **v == YesNo::Yes).count();
    match yes.cmp(&(valid.len() - yes)) {
        std::cmp::Ordering::Greater => Some(YesNo::Yes),
        std::cmp::Ordering::Less => Some(YesNo::No),
        std::cmp::Ordering::Equal => None,
    }
}

fn unanimous(valid: &[YesNo]) -> Option<YesNo> {
    shared(valid.iter().map(|v| Some(*v)))
}

/// All opinions one after the other. Those on a specification that too few gave a valid answer to
/// are set aside, and kept as its votes.
fn side_by_side(mut ballots: Vec<Ballot>, min_valid: Option<usize>) -> Vec<SpecResult> {
    let judges: BTreeSet<Option<Arc<str>>> = ballots.iter().map(|b| b.judge.clone()).collect();
    let panel = judges.len() > 1 || judges.iter().any(Option::is_some);
    let asked = if panel { judges.len() } else { ballots.len() };
    let wanted = min_valid.unwrap_or(most_of(asked)).max(1);
    let count = ballots.first().map_or(0, |b| b.specs.len());
    for i in 0..count {
        let column: Vec<&SpecResult> = ballots.iter().filter_map(|b| b.specs.get(i)).collect();
        let answered = column.iter().filter(|s| is_answer(s));
        let valid = if panel {
            let who: BTreeSet<_> = answered.map(|s| s.provenance.judge.clone()).collect();
            who.len()
        } else {
            answered.count()
        };
        if valid >= wanted || column.iter().any(|s| s.reading.is_none()) {
            continue;
        }
        for spec in ballots.iter_mut().filter_map(|b| b.specs.get_mut(i)) {
            if is_answer(spec) {
                spec.provenance.votes = vec![Vote::of(spec)];
                spec.reading = Some(Reading::Unjudged(Unjudged::TooFewVotes));
            }
        }
    }
    ballots.into_iter().flat_map(|b| b.specs).collect()
}

const fn is_answer(spec: &SpecResult) -> bool {
    matches!(
        spec.reading,
        Some(Reading::Answer(Answer::YesNo(_) | Answer::Grade { .. }))
    )
}

#[cfg(test)]
mod tests;
