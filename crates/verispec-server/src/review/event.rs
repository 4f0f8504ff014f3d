//! What people did, one line of the events file each.

use serde::{Deserialize, Serialize};
use verispec_model::YesNo;

use super::item::{Item, Kind};

/// Longest reason or question that is taken, in characters.
const LONGEST: usize = 4_000;
/// Most parts of a split.
const PARTS: usize = 8;

/// One action of one person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Number, from 1, without gaps.
    pub n: u64,
    /// When, in milliseconds since 1970 UTC; nothing depends on it.
    pub at: u64,
    /// Who.
    pub by: String,
    /// Name of the item.
    pub item: String,
    /// Version of the item that the person saw.
    pub version: String,
    /// Number of the last event on the item that the person had seen; 0 for none.
    pub seen: u64,
    /// What.
    pub action: Action,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// A person's own decision.
    Decide(Decision),
    /// The decision that settles a conflict.
    Adjudicate(Decision),
    /// Takes back the person's own last action that still counts.
    Undo {
        /// Its number.
        of: u64,
    },
    /// A decision sent from a page that was no longer current: kept, does not count.
    Keep(Decision),
}

/// A decision on an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Decision {
    /// The specification is good.
    Accept {
        /// Why; may be empty.
        reason: String,
    },
    /// It is good as changed.
    Edit {
        /// New statement.
        question: String,
        /// New answer that counts as met.
        expected: YesNo,
        /// Why.
        reason: String,
    },
    /// It is not to be used.
    Reject {
        /// Why.
        reason: String,
    },
    /// It says several things.
    Split {
        /// What it says, at least two.
        parts: Vec<Part>,
        /// Why.
        reason: String,
    },
    /// A person's own verdict.
    Answer {
        /// What.
        said: Said,
        /// A remark; may be empty.
        reason: String,
    },
    /// A place on the item's scale.
    Grade {
        /// Which.
        grade: u8,
        /// A remark; may be empty.
        reason: String,
    },
}

/// One of several specifications that a split makes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Statement.
    pub question: String,
    /// Answer that counts as met.
    pub expected: YesNo,
}

/// A person's verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// It holds.
    Yes,
    /// It does not hold.
    No,
    /// The output does not tell.
    CannotTell,
}

impl Action {
    /// The decision in it.
    #[must_use]
    pub const fn decision(&self) -> Option<&Decision> {
        match self {
            Self::Decide(d) | Self::Adjudicate(d) | Self::Keep(d) => Some(d),
            Self::Undo { .. } => None,
        }
    }
}

impl Decision {
    /// Number of its category among those of its kind, for agreement.
    #[must_use]
    pub const fn category(&self, item: &Item) -> usize {
        match self {
            Self::Accept { .. } => 0,
            Self::Edit { .. } => 1,
            Self::Reject { .. } => 2,
            Self::Split { .. } => 3,
            Self::Answer { said, .. } => *said as usize,
            Self::Grade { grade, .. } => match item.row.kind {
                Kind::Rating => match &item.row.scale {
                    Some(scale) => grade.saturating_sub(scale.low) as usize,
                    None => grade.saturating_sub(1) as usize,
                },
                _ => *grade as usize,
            },
        }
    }

    /// Its name, for people.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Accept { .. } => "accept".to_owned(),
            Self::Edit { .. } => "edit".to_owned(),
            Self::Reject { .. } => "reject".to_owned(),
            Self::Split { .. } => "split".to_owned(),
            Self::Answer { said, .. } => said.as_str().to_owned(),
            Self::Grade { grade, .. } => grade.to_string(),
        }
    }

    /// Why; may be empty.
    #[must_use]
    pub fn reason(&self) -> &str {
        match self {
            Self::Accept { reason }
            | Self::Edit { reason, .. }
            | Self::Reject { reason }
            | Self::Split { reason, .. }
            | Self::Answer { reason, .. }
            | Self::Grade { reason, .. } => reason,
        }
    }

    /// Whether both come to the same; reasons may differ.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Accept { .. }, Self::Accept { .. })
            | (Self::Reject { .. }, Self::Reject { .. }) => true,
            (
                Self::Edit {
                    question, expected, ..
                },
                Self::Edit {
                    question: q,
                    expected: e,
                    ..
                },
            ) => question == q && expected == e,
            (Self::Split { parts, .. }, Self::Split { parts: other, .. }) => parts == other,
            (Self::Answer { said, .. }, Self::Answer { said: other, .. }) => said == other,
            (Self::Grade { grade, .. }, Self::Grade { grade: other, .. }) => grade == other,
            _ => false,
        }
    }

    /// The first thing that is wrong with it for this item, and what to do.
    #[must_use]
    pub fn fault(&self, item: &Item) -> Option<String> {
        let kind = item.row.kind;
        let fits = match self {
            Self::Answer { .. } => kind.is_yes_no(),
            Self::Grade { .. } => kind.is_graded(),
            _ => kind == Kind::Specification,
        };
        if !fits {
            return Some(format!(
                "{} is no decision on a {}",
                self.name(),
                kind.as_str()
            ));
        }
        let long = |text: &str| text.chars().count() > LONGEST;
        if long(self.reason()) {
            return Some(format!("the reason is longer than {LONGEST} characters"));
        }
        let unreasoned = self.reason().trim().is_empty();
        let bad = |q: &str| q.trim().is_empty() || long(q);
        match self {
            Self::Edit { .. } | Self::Reject { .. } | Self::Split { .. } if unreasoned => {
                Some(format!("say why: {} needs a reason", self.name()))
            }
            Self::Edit { question, .. } if bad(question) => Some(format!(
                "the question is empty or longer than {LONGEST} characters"
            )),
            Self::Edit {
                question, expected, ..
            } if *question == item.row.question && Some(*expected) == item.row.expected => {
                Some("nothing was changed: accept it instead".to_owned())
            }
            Self::Split { parts, .. } if parts.len() < 2 || parts.len() > PARTS => {
                Some(format!("a split has 2 to {PARTS} parts"))
            }
            Self::Split { parts, .. } if parts.iter().any(|p| bad(&p.question)) => Some(format!(
                "a part is empty or longer than {LONGEST} characters"
            )),
            Self::Grade { grade, .. } => {
                let (low, high) = item.grades()?;
                (*grade < low || *grade > high).then(|| format!("a grade is {low} to {high}"))
            }
            _ => None,
        }
    }
}

impl Said {
    /// `yes`, `no` or `cannot tell`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::CannotTell => "cannot tell",
        }
    }
}

#[cfg(test)]
mod tests;
