//! What holds after some events: a pure fold.

use std::collections::{BTreeMap, HashMap};

use super::event::{Action, Decision, Event};
use super::item::Item;

/// A decision that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Number of its event.
    pub n: u64,
    /// When, in milliseconds since 1970 UTC; nothing depends on it.
    pub at: u64,
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

/// An action that can be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    n: u64,
    item: String,
    adjudicated: bool,
}

/// What was done about one item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct About {
    /// By name.
    voices: BTreeMap<String, Voice>,
    /// Adjudications, oldest first; the last one counts.
    settled: Vec<Made>,
    /// Last event of anybody, counted or undone.
    touched: u64,
}

/// What one person did about one item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Voice {
    /// Decisions, oldest first; the last one counts.
    made: Vec<Made>,
    /// Last event, counted or undone.
    touched: u64,
}

/// What one person did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Doer {
    /// What could be undone, oldest first.
    steps: Vec<Step>,
    kept: Vec<Made>,
}

/// What holds after all events of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    last: u64,
    items: HashMap<String, About>,
    doers: BTreeMap<String, Doer>,
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
        if let Action::Undo { of } = event.action {
            self.undo(event, of)?;
        }
        let doer = self.doers.entry(event.by.clone()).or_default();
        let made = |decision: &Decision| Made {
            n: event.n,
            at: event.at,
            by: event.by.clone(),
            version: event.version.clone(),
            decision: decision.clone(),
        };
        if let Action::Keep(decision) = &event.action {
            doer.kept.push(made(decision));
        } else {
            let about = self.items.entry(event.item.clone()).or_default();
            let voice = about.voices.entry(event.by.clone()).or_default();
            match &event.action {
                Action::Decide(decision) => voice.made.push(made(decision)),
                Action::Adjudicate(decision) => about.settled.push(made(decision)),
                Action::Undo { .. } | Action::Keep(_) => {}
            }
            voice.touched = event.n;
            about.touched = event.n;
        }
        if let Action::Decide(_) | Action::Adjudicate(_) = event.action {
            doer.steps.push(Step {
                n: event.n,
                item: event.item.clone(),
                adjudicated: matches!(event.action, Action::Adjudicate(_)),
            });
        }
        self.last = event.n;
        Ok(())
    }

    fn undo(&mut self, event: &Event, of: u64) -> Result<(), String> {
        let doer = self.doers.get_mut(&event.by);
        let step = doer.and_then(|d| d.steps.pop_if(|s| s.n == of && s.item == event.item));
        let step = step.ok_or_else(|| {
            format!(
                "event {of} is not the last of {:?} on {:?}",
                event.by, event.item
            )
        })?;
        let about = self.items.get_mut(&event.item);
        let list = about.and_then(|about| match step.adjudicated {
            true => Some(&mut about.settled),
            false => about.voices.get_mut(&event.by).map(|v| &mut v.made),
        });
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
        self.items.get(item)?.voices.get(by)?.made.last()
    }

    /// The adjudication of an item, on whatever version.
    #[must_use]
    pub fn settled(&self, item: &str) -> Option<&Made> {
        self.items.get(item)?.settled.last()
    }

    /// Everybody's decisions on an item, by name.
    pub fn decisions(&self, item: &str) -> impl Iterator<Item = &Made> + use<'_> {
        let voices = self.items.get(item).into_iter();
        let voices = voices.flat_map(|about| about.voices.values());
        voices.filter_map(|voice| voice.made.last())
    }

    /// Everybody who ever did something.
    pub fn people(&self) -> impl Iterator<Item = &str> {
        self.doers.keys().map(String::as_str)
    }

    /// What a page about a person's own decision on an item has to have seen.
    #[must_use]
    pub fn seen_own(&self, item: &str, by: &str) -> u64 {
        let about = self.items.get(item);
        about
            .and_then(|a| a.voices.get(by))
            .map_or(0, |v| v.touched)
    }

    /// What a page that settles a conflict has to have seen.
    #[must_use]
    pub fn seen_any(&self, item: &str) -> u64 {
        self.items.get(item).map_or(0, |a| a.touched)
    }

    /// The last action of a person that counts: its number and its item.
    #[must_use]
    pub fn undoable(&self, by: &str) -> Option<(u64, &str)> {
        let step = self.doers.get(by)?.steps.last()?;
        Some((step.n, &step.item))
    }

    /// Decisions of a person that came from pages that were not current.
    pub fn kept(&self, by: &str) -> impl Iterator<Item = &Made> {
        self.doers.get(by).into_iter().flat_map(|d| &d.kept)
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
