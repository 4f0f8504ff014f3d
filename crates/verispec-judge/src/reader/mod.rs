//! The reply reader: from what a judge wrote to one reading per item.
//!
//! ```text
//! text ─ scan ─> lists found, broken places ─ decide ─> ListReading
//!         │ json: one tolerant parser, says whether it had to edit
//!         │ shape: which values are answers at all
//! ```
//!
//! One rule governs every choice: **never accept a value that could be wrong**. What cannot be
//! read for certain is unjudged, with a reason, and can be asked again. Three stages are recorded
//! ([`ReadStage`](verispec_model::ReadStage)): the whole message was valid; a valid value was
//! found inside it; a value was found after an edit of this closed list:
//!
//! * trailing comma; missing comma between two complete objects of a list;
//! * Python's `True`, `False`, `None`; bare keys; single or smart quotes as delimiters;
//! * a bare answer word (`Yes`, `No`, `N/A`) as value, also one that lost its opening quote;
//! * `//` and `/* */` comments; white space that JSON does not know;
//! * raw control characters in strings;
//! * in free text only, never in an id or an answer: an unescaped quote that no structure
//!   follows, and a backslash that starts no escape (LaTeX).
//!
//! An edited string that holds what looks like an `id` or `answer` member is refused: it may have
//! swallowed one.
//!
//! Work is bounded by a multiple of the text's length, whatever the text holds.
//!
//! [`published`] reads as the released SpecV scripts do, corruptions included.

mod answer;
mod choice;
mod decide;
mod grade;
mod json;
mod list;
mod plain;
pub mod published;
mod scan;
mod shape;
mod single;

use std::collections::BTreeMap;

use serde_json::Value;
use verispec_model::{ReadStage, Reading, SpecId, Unjudged};

pub use answer::{AnswerWord, answer_word};
pub use choice::{MAX_OPTIONS, read_choice};
pub use grade::read_grade;
pub use list::read_list;
pub use scan::without_reasoning;
pub use single::read_single;

/// How to read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Keep the complete objects of a list that was cut off. The reading is then marked
    /// [`ReadStatus::PartialSalvaged`].
    pub lenient: bool,
}

/// What became of a reply as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadStatus {
    /// The reply has the asked form; single items may still be missing or unreadable.
    WellFormed,
    /// The reply was cut off and its complete objects were kept (lenient mode only).
    PartialSalvaged,
    /// The reply does not have the asked form: nothing in it is used.
    Unparsed,
}

/// What a reply says about one item.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemReading {
    /// The answer, or why there is none.
    pub reading: Reading,
    /// The answer as it stands in the reply; an array of them in a conflict; `None` if absent.
    pub raw: Option<Value>,
    /// The judge's own explanation, where it gave one.
    pub note: Option<String>,
}

impl ItemReading {
    pub(crate) fn unjudged(why: Unjudged) -> Self {
        Self {
            reading: Reading::Unjudged(why),
            raw: None,
            note: None,
        }
    }
}

/// What a reply says about the items that were asked.
#[derive(Debug, Clone, PartialEq)]
pub struct ListReading {
    /// Exactly one entry per asked id.
    pub items: BTreeMap<SpecId, ItemReading>,
    /// What became of the reply as a whole.
    pub status: ReadStatus,
    /// Stage that found the list; `None` if unparsed.
    pub stage: Option<ReadStage>,
    /// Ids that were answered but not asked, ascending.
    pub unknown_ids: Vec<SpecId>,
    /// Ids as written that are no id at all (`1.5`, `true`, `"first"`), in order.
    pub unmatched: Vec<Value>,
    /// Ids that were answered more than once, ascending.
    pub duplicates: Vec<SpecId>,
}

impl ListReading {
    /// A reply of which nothing is used.
    pub(crate) fn unparsed(asked: &[SpecId]) -> Self {
        let item = || ItemReading::unjudged(Unjudged::Unparsed);
        Self {
            items: asked.iter().map(|id| (*id, item())).collect(),
            status: ReadStatus::Unparsed,
            stage: None,
            unknown_ids: vec![],
            unmatched: vec![],
            duplicates: vec![],
        }
    }

    /// Asked ids that a well-formed reply lacks, ascending.
    #[must_use]
    pub fn missing(&self) -> Vec<SpecId> {
        let lacks = |i: &ItemReading| i.reading == Reading::Unjudged(Unjudged::MissingId);
        self.items
            .iter()
            .filter(|(_, i)| lacks(i))
            .map(|(id, _)| *id)
            .collect()
    }
}

/// What a reply to a single question says.
#[derive(Debug, Clone, PartialEq)]
pub struct SingleReading {
    /// The item.
    pub item: ItemReading,
    /// Stage that found the answer; `None` if unparsed.
    pub stage: Option<ReadStage>,
}
