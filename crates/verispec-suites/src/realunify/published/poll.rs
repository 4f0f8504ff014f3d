//! The release's poll of one item as a state machine without any network.
//!
//! Questions are asked in order. A reply that is empty or absent is asked again, 15 times in all
//! and without delay; an exception ends the item, which then has no score. The first reply that is
//! not the wanted answer ends it with 0. An item without questions scores 1.

use super::read::matches;

/// Most attempts at one question.
pub const ATTEMPTS: u32 = 15;

/// What one call gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// A text, possibly empty.
    Text(String),
    /// A reply without any text (`None` in the release).
    Nothing,
    /// An exception.
    Error,
}

/// Where a poll stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollStep {
    /// A question, by its place, is to be asked; `attempt` counts from 0.
    Ask {
        /// Place of the question, from 0.
        question: usize,
        /// Attempts at it that were in vain.
        attempt: u32,
    },
    /// The item's score; `None` is the release's null.
    Done(Option<bool>),
}

/// A poll under way.
#[derive(Debug, Clone)]
pub struct Poll<'a> {
    wanted: Vec<&'a str>,
    question: usize,
    attempt: u32,
    score: Option<Option<bool>>,
    /// Question after question: whether it was answered as wanted.
    answered: Vec<bool>,
}

impl<'a> Poll<'a> {
    /// A poll with these wanted answers, as they stand in the file.
    pub fn new(wanted: impl IntoIterator<Item = &'a str>) -> Self {
        let wanted: Vec<&str> = wanted.into_iter().collect();
        let score = wanted.is_empty().then_some(Some(true));
        Self {
            wanted,
            question: 0,
            attempt: 0,
            score,
            answered: vec![],
        }
    }

    /// What is next.
    #[must_use]
    pub fn step(&self) -> PollStep {
        self.score.map_or(
            PollStep::Ask {
                question: self.question,
                attempt: self.attempt,
            },
            PollStep::Done,
        )
    }

    /// Questions that were answered, in order, and whether as wanted.
    #[must_use]
    pub fn answered(&self) -> &[bool] {
        &self.answered
    }

    /// Takes what the call that [`step`](Self::step) asked for gave. Nothing happens to a poll
    /// that is done.
    pub fn take(&mut self, given: &Attempt) {
        if self.score.is_some() {
            return;
        }
        let last = self.attempt + 1 == ATTEMPTS;
        match given {
            Attempt::Error => self.score = Some(None),
            // The release calls a method of `None` then, which ends the item.
            Attempt::Nothing if last => self.score = Some(None),
            Attempt::Text(text) if !text.is_empty() || last => self.answer(text),
            Attempt::Text(_) | Attempt::Nothing => self.attempt += 1,
        }
    }

    fn answer(&mut self, text: &str) {
        let met = matches(text, self.wanted[self.question]);
        self.answered.push(met);
        self.question += 1;
        self.attempt = 0;
        if !met || self.question == self.wanted.len() {
            self.score = Some(Some(met));
        }
    }
}
