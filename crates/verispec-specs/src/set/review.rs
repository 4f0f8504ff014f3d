//! What a reviewer did.

use serde::{Deserialize, Serialize};
use verispec_model::YesNo;

/// A specification as a reviewer writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wording {
    /// The question.
    pub question: String,
    /// Category.
    pub category: String,
    /// Subcategory.
    pub subcategory: String,
    /// The answer that meets it.
    pub expected: YesNo,
}

/// What becomes of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Act {
    /// It is part of the set, whatever the filter or a hold says.
    Accept,
    /// It is not.
    Reject,
    /// It is, in these words.
    Edit(Wording),
    /// These stand in its place.
    Split(Vec<Wording>),
}

/// One action; of several about a group the last one counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewAction {
    /// Group.
    pub group: u32,
    /// What becomes of it.
    pub act: Act,
    /// Why.
    pub reason: String,
    /// Who.
    pub by: String,
    /// When (RFC 3339).
    pub at: String,
}
