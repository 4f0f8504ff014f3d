//! What holds after some events: a pure fold.

use std::collections::BTreeMap;

use super::event::{Action, Decision, Event};
use super::item::Item;

/// A decision that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Number of its event.
    pub n: u64,
    /// Who made it.
    pub by: String,
    /// Version of the item that it was made on.
    pub version: String,
    /// What.
    pub decision: Decision,
}

/// Why an action was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The page was not current: there is a later event, or the item has another version now.
    Stale,
    /// The decision does not fit the item, in words.
    Fault(String),
    /// There is nothing of this person to undo.
    NothingToUndo,
}

/// Whose decision on what.
type Slot = (String, String);

/// An action that can be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    n: u64,
    item: String,
    adjudicated: bool,
}

/// What holds after all events of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    last: u64,
    /// By item and person, oldest first; the last one counts.
    own: BTreeMap<Slot, Vec<Made>>,
    /// By item, oldest first; the last one counts.
    settled: BTreeMap<String, Vec<Made>>,
    /// Last event of a person on an item, counted or undone.
    touched: BTreeMap<Slot, u64>,
    /// Last event of anybody on an item.
    touched_by_any: BTreeMap<String, u64>,
    /// What each person could undo, oldest first.
    steps: BTreeMap<String, Vec<Step>>,
    kept: BTreeMap<String, Vec<Made>>,
}

impl State {
    /// The state after one more event.
    ///
    /// # Errors
    /// An event that cannot follow, in words: the file was changed by something else.
    pub fn apply(&mut self, event: &Event) -> Result<(), String> {
        if event.n != self.last + 1 {
            let want = self.last + 1;
            return Err(format!("event {} stands where {want} should", event.n));
        }
        let made = |decision: &Decision| Made {
            n: event.n,
            by: event.by.clone(),
            version: event.version.clone(),
            decision: decision.clone(),
        };
        let slot = (event.item.clone(), event.by.clone());
        let step = |adjudicated| Step {
            n: event.n,
            item: event.item.clone(),
            adjudicated,
        };
        match &event.action {
            Action::Decide(d) => {
                self.own.entry(slot.clone()).or_default().push(made(d));
                self.steps
                    .entry(event.by.clone())
                    .or_default()
                    .push(step(false));
            }
            Action::Adjudicate(d) => {
                self.settled
                    .entry(event.item.clone())
                    .or_default()
                    .push(made(d));
                self.steps
                    .entry(event.by.clone())
                    .or_default()
                    .push(step(true));
            }
            Action::Undo { of } => self.undo(event, *of)?,
            Action::Keep(d) => self.kept.entry(event.by.clone()).or_default().push(made(d)),
        }
        if !matches!(event.action, Action::Keep(_)) {
            self.touched.insert(slot, event.n);
            self.touched_by_any.insert(event.item.clone(), event.n);
        }
        self.last = event.n;
        Ok(())
    }

    fn undo(&mut self, event: &Event, of: u64) -> Result<(), String> {
        let steps = self.steps.get_mut(&event.by);
        let step = steps.and_then(|s| s.pop_if(|s| s.n == of && s.item == event.item));
        let step = step.ok_or_else(|| {
            format!(
                "event {of} is not the last of {:?} on {:?}",
                event.by, event.item
            )
        })?;
        let list = if step.adjudicated {
            self.settled.get_mut(&event.item)
        } else {
            self.own.get_mut(&(event.item.clone(), event.by.clone()))
        };
        // Somebody else may have adjudicated since.
        list.into_iter().for_each(|l| l.retain(|m| m.n != of));
        Ok(())
    }

    /// Number of the last event; 0 for none.
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// A person's decision on an item, on whatever version.
    #[must_use]
    pub fn own(&self, item: &str, by: &str) -> Option<&Made> {
        self.own.get(&(item.to_owned(), by.to_owned()))?.last()
    }

    /// The adjudication of an item, on whatever version.
    #[must_use]
    pub fn settled(&self, item: &str) -> Option<&Made> {
        self.settled.get(item)?.last()
    }

    /// Everybody's decisions on an item, by name.
    pub fn decisions<'a>(&'a self, item: &str) -> impl Iterator<Item = &'a Made> + use<'a> {
        let item = item.to_owned();
        self.own
            .range((item.clone(), String::new())..)
            .take_while(move |((i, _), _)| *i == item)
            .filter_map(|(_, made)| made.last())
    }

    /// Everybody who ever did something.
    pub fn people(&self) -> impl Iterator<Item = &str> {
        self.steps
            .keys()
            .chain(self.kept.keys())
            .map(String::as_str)
    }

    /// What a page about a person's own decision on an item has to have seen.
    #[must_use]
    pub fn seen_own(&self, item: &str, by: &str) -> u64 {
        let slot = (item.to_owned(), by.to_owned());
        self.touched.get(&slot).copied().unwrap_or(0)
    }

    /// What a page that settles a conflict has to have seen.
    #[must_use]
    pub fn seen_any(&self, item: &str) -> u64 {
        self.touched_by_any.get(item).copied().unwrap_or(0)
    }

    /// The last action of a person that counts: its number and its item.
    #[must_use]
    pub fn undoable(&self, by: &str) -> Option<(u64, &str)> {
        let step = self.steps.get(by)?.last()?;
        Some((step.n, &step.item))
    }

    /// Decisions of a person that came from pages that were not current.
    pub fn kept(&self, by: &str) -> impl Iterator<Item = &Made> {
        self.kept.get(by).into_iter().flatten()
    }

    /// Whether an event may follow, seen from the item as it is now.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn check(&self, item: &Item, event: &Event) -> Result<(), Refusal> {
        let id = &item.row.id;
        let seen = match &event.action {
            Action::Decide(_) => self.seen_own(id, &event.by),
            Action::Adjudicate(_) => self.seen_any(id),
            Action::Undo { of } => {
                return match self.undoable(&event.by) {
                    None => Err(Refusal::NothingToUndo),
                    Some((n, on)) if n == *of && on == id => Ok(()),
                    Some(_) => Err(Refusal::Stale),
                };
            }
            Action::Keep(_) => return Ok(()),
        };
        if let Some(fault) = event.action.decision().and_then(|d| d.fault(item)) {
            return Err(Refusal::Fault(fault));
        }
        if event.seen != seen || event.version != item.version {
            return Err(Refusal::Stale);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
