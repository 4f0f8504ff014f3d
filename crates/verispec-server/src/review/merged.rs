//! A set together with what everybody said about it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::ReviewError;
use super::event::Decision;
use super::item::Item;
use super::journal::Journal;
use super::set::ReviewSet;
use super::state::{Made, State};

/// What is known of an item. Decisions on another version of it do not count.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<'a> {
    /// Nobody has decided.
    Open,
    /// All who decided came to the same.
    Agreed(&'a Decision),
    /// Grades, which are not made one.
    Graded,
    /// People differ and nobody has settled it.
    Conflict,
    /// Somebody settled it.
    Adjudicated(&'a Made),
}

impl Outcome<'_> {
    /// Its name in files and on pages.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Agreed(_) => "agreed",
            Self::Graded => "graded",
            Self::Conflict => "conflict",
            Self::Adjudicated(_) => "adjudicated",
        }
    }

    /// The decision that holds, if there is one.
    #[must_use]
    pub const fn decision(&self) -> Option<&Decision> {
        match self {
            Self::Agreed(d) => Some(d),
            Self::Adjudicated(made) => Some(&made.decision),
            Self::Open | Self::Graded | Self::Conflict => None,
        }
    }
}

/// How far a review is, over the items of the set as they are now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally<'a> {
    /// Everybody who decided something, with the number of items.
    pub people: BTreeMap<&'a str, usize>,
    /// Items by the name of their outcome; one without items is absent.
    pub outcomes: BTreeMap<&'static str, usize>,
}

/// A set and the states of all events files: the one that is written, and those of others.
#[derive(Debug, Clone)]
pub struct Review {
    /// The set.
    pub set: ReviewSet,
    /// What this process's events say.
    pub own: State,
    others: Vec<State>,
}

impl Review {
    /// Puts together a set, the own state and others' events files, which are only read.
    ///
    /// # Errors
    /// As [`Journal::read`]; [`ReviewError::TwoFiles`] for a person with events in two files.
    pub fn new(
        set: ReviewSet,
        own: State,
        also: &[impl AsRef<Path>],
        here: &[&str],
    ) -> Result<Self, ReviewError> {
        let mut people: BTreeSet<String> = own.people().map(str::to_owned).collect();
        people.extend(here.iter().map(|n| (*n).to_owned()));
        let mut others = vec![];
        for path in also {
            let path = path.as_ref();
            let state = Journal::read(path)?;
            let names: BTreeSet<String> = state.people().map(str::to_owned).collect();
            for name in names {
                if !people.insert(name.clone()) {
                    let path = path.to_owned();
                    return Err(ReviewError::TwoFiles { path, name });
                }
            }
            others.push(state);
        }
        Ok(Self { set, own, others })
    }

    fn states(&self) -> impl Iterator<Item = &State> {
        std::iter::once(&self.own).chain(&self.others)
    }

    /// Everybody's decisions on the item as it is now, by name.
    #[must_use]
    pub fn decisions(&self, item: &Item) -> Vec<&Made> {
        let all = self.states().flat_map(|s| s.decisions(&item.row.id));
        let mut made: Vec<&Made> = all.filter(|m| m.version == item.version).collect();
        made.sort_by(|a, b| a.by.cmp(&b.by));
        made
    }

    /// The adjudication of the item as it is now: the own file's, else the first of the others.
    #[must_use]
    pub fn settled(&self, item: &Item) -> Option<&Made> {
        let mut all = self.states().filter_map(|s| s.settled(&item.row.id));
        all.find(|m| m.version == item.version)
    }

    /// What is known of an item.
    #[must_use]
    pub fn outcome(&self, item: &Item) -> Outcome<'_> {
        self.outcome_of(item, &self.decisions(item))
    }

    fn outcome_of<'a>(&'a self, item: &Item, made: &[&'a Made]) -> Outcome<'a> {
        if let Some(made) = self.settled(item) {
            return Outcome::Adjudicated(made);
        }
        match made {
            [] => Outcome::Open,
            _ if item.row.kind.is_graded() => Outcome::Graded,
            [first, rest @ ..] if rest.iter().all(|m| m.decision.same(&first.decision)) => {
                Outcome::Agreed(&first.decision)
            }
            _ => Outcome::Conflict,
        }
    }

    /// A person's decision on the item as it is now.
    #[must_use]
    pub fn by(&self, item: &Item, name: &str) -> Option<&Made> {
        let made = self.own.own(&item.row.id, name);
        made.filter(|m| m.version == item.version)
    }

    /// How far everybody is.
    #[must_use]
    pub fn tally(&self) -> Tally<'_> {
        let mut tally = Tally::default();
        for item in self.set.items() {
            let made = self.decisions(item);
            for made in &made {
                *tally.people.entry(&made.by).or_insert(0) += 1;
            }
            let outcome = self.outcome_of(item, &made).name();
            *tally.outcomes.entry(outcome).or_insert(0) += 1;
        }
        tally
    }

    /// Places of items about which people differ, in order.
    pub fn conflicts(&self) -> impl Iterator<Item = usize> {
        let items = self.set.items().iter().enumerate();
        let differ = items.filter(|(_, item)| self.outcome(item) == Outcome::Conflict);
        differ.map(|(place, _)| place)
    }

    /// The first item after a place, round the end, that a person has not decided.
    #[must_use]
    pub fn next_open(&self, name: &str, after: Option<usize>) -> Option<usize> {
        let n = self.set.items().len();
        let start = after.map_or(0, |p| p + 1);
        let mut places = (0..n).map(|i| (start + i) % n);
        places.find(|p| {
            let item = self.set.items().get(*p);
            item.is_some_and(|item| self.by(item, name).is_none())
        })
    }
}

#[cfg(test)]
mod tests;
