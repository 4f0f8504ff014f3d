//! What the specifications of one instance mean to each other: dependencies, weights, critical
//! ones. Pure, and three-valued throughout: met, unmet, or undecided.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::ratio::Ratio;
use super::table::{Policy, UnjudgedRule};
use crate::reading::Reading;
use crate::results::SpecResult;
use crate::suite::{SpecId, Specification};

/// When an unmet specification takes others with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DependencyRule {
    /// Never.
    #[default]
    Ignore,
    /// As DSG's released scorer does it: as [`Direct`](Self::Direct), but one dependency that
    /// cannot be read drops all dependencies of its instance.
    Published,
    /// A specification counts as unmet when one that it names is unmet by its own verdict.
    Direct,
    /// A specification counts as unmet when any that it presupposes, over any number of steps, is
    /// unmet: an attribute of a part of an absent thing is not there either.
    Transitive,
}

/// What a specification weighs inside its instance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WeightRule {
    /// All alike.
    #[default]
    Equal,
    /// The weight that the suite gives it ([`SpecRules::weight`](crate::SpecRules)).
    Weight,
    /// Its quality rating (SpecV's `score`).
    Rating,
}

/// What an unmet critical specification does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CriticalRule {
    /// Nothing beyond its own weight.
    #[default]
    Ignore,
    /// The instance is worth 0.
    Gate,
}

/// The three together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rules {
    /// Dependencies.
    pub dependencies: DependencyRule,
    /// Weights.
    pub weights: WeightRule,
    /// Critical specifications.
    pub critical: CriticalRule,
}

impl Rules {
    /// Every specification for itself, all alike.
    pub const PLAIN: Self = Self {
        dependencies: DependencyRule::Ignore,
        weights: WeightRule::Equal,
        critical: CriticalRule::Ignore,
    };

    /// Whether these change nothing.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::PLAIN
    }

    /// Weight of a specification, above 0; `None` where the data give none that can be used.
    pub(super) fn weight(self, spec: &Specification) -> Option<Ratio> {
        match self.weights {
            WeightRule::Equal => Some(Ratio::whole(1)),
            WeightRule::Weight => spec.rules.weight.and_then(Ratio::positive),
            WeightRule::Rating => spec.rating.and_then(Ratio::positive),
        }
    }
}

/// What the rules add to the name of a policy; nothing for plain ones.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dependencies {
            DependencyRule::Ignore => {}
            DependencyRule::Published => f.write_str(" dependencies=published")?,
            DependencyRule::Direct => f.write_str(" dependencies=direct")?,
            DependencyRule::Transitive => f.write_str(" dependencies=transitive")?,
        }
        match self.weights {
            WeightRule::Equal => {}
            WeightRule::Weight => f.write_str(" weights=weight")?,
            WeightRule::Rating => f.write_str(" weights=rating")?,
        }
        match self.critical {
            CriticalRule::Ignore => Ok(()),
            CriticalRule::Gate => f.write_str(" critical=gate"),
        }
    }
}

/// All of them: one that is unmet decides, else one that is undecided leaves it open.
pub(super) fn all(outcomes: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut open = false;
    for outcome in outcomes {
        match outcome {
            Some(false) => return Some(false),
            Some(true) => {}
            None => open = true,
        }
    }
    (!open).then_some(true)
}

/// What becomes of each specification of one opinion under the dependencies of a policy:
/// `Some(true)` met, `Some(false)` unmet, `None` undecided. A specification that another one
/// presupposes and that is undecided leaves that other one undecided, unless it is unmet itself.
///
/// A label that the instance does not have gates nothing. A circle of dependencies gates each of
/// its members by all the others.
#[must_use]
pub fn outcomes(specs: &[SpecResult], policy: Policy) -> Vec<Option<bool>> {
    let own: Vec<Option<bool>> = specs.iter().map(|s| verdict(s, policy)).collect();
    let rule = policy.rules.dependencies;
    let unreadable = || specs.iter().any(|s| s.spec.rules.unreadable_dependency);
    let free = match rule {
        DependencyRule::Ignore => true,
        DependencyRule::Published => unreadable(),
        DependencyRule::Direct | DependencyRule::Transitive => false,
    };
    if free {
        return own;
    }
    let place: HashMap<SpecId, usize> = specs.iter().zip(0..).map(|(s, i)| (s.id(), i)).collect();
    let named = |i: usize| {
        let labels = specs[i].spec.rules.depends_on.iter();
        labels.filter_map(|label| place.get(label).copied())
    };
    (0..specs.len())
        .map(|i| {
            let gates: Vec<usize> = if rule == DependencyRule::Transitive {
                reachable(i, named)
            } else {
                named(i).collect()
            };
            all(gates.into_iter().chain([i]).map(|gate| own[gate]))
        })
        .collect()
}

/// A specification by itself.
fn verdict(spec: &SpecResult, policy: Policy) -> Option<bool> {
    let failed = matches!(spec.reading, Some(Reading::Unjudged(_)));
    let unmet = failed && policy.unjudged == UnjudgedRule::Na;
    spec.met().or(unmet.then_some(false))
}

/// All that `start` leads to over any number of steps.
fn reachable<I: Iterator<Item = usize>>(start: usize, named: impl Fn(usize) -> I) -> Vec<usize> {
    let mut found = vec![];
    let mut seen = HashSet::from([start]);
    let mut open = vec![start];
    while let Some(next) = open.pop() {
        for parent in named(next) {
            if seen.insert(parent) {
                found.push(parent);
                open.push(parent);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
