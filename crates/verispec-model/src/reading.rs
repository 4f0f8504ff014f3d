//! What a reply says, once read.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A binary answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum YesNo {
    /// The statement holds.
    Yes,
    /// The statement does not hold.
    No,
}

impl YesNo {
    /// `Yes` or `No`, as released files write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "Yes",
            Self::No => "No",
        }
    }
}

impl fmt::Display for YesNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An answer that a reply gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Answer {
    /// Yes or no.
    YesNo(YesNo),
    /// A letter of a multiple choice.
    Choice(char),
    /// A number on a stated scale.
    Grade {
        /// The number, inside `range`.
        value: f64,
        /// Smallest and largest value of the scale.
        range: (f64, f64),
    },
    /// Free text.
    Text(String),
}

/// Why a judge gave no usable answer. Never a "No", never a 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Unjudged {
    /// The judge or its provider declined (safety block, content filter, refusal field).
    Refused,
    /// The reply was cut by a length limit, also after the one repetition.
    Truncated,
    /// The reply, or the value given for this item, is not one the reader accepts.
    Unparsed,
    /// The reply gives this item contradicting answers.
    Conflict,
    /// A well-formed reply that lacks this item, also after it was asked again.
    MissingId,
    /// The judge said that it cannot tell.
    Abstained,
    /// No reply within the allowed time and attempts.
    Timeout,
    /// The provider failed in a way that further attempts will not mend.
    ProviderError,
    /// Too few of several judges or repeats gave a valid verdict.
    TooFewVotes,
    /// Not asked, because an earlier answer had decided the instance already (protocols that stop
    /// at the first miss, as RealUnify's release does).
    NotAsked,
}

impl Unjudged {
    /// Kebab-case name, as in files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Truncated => "truncated",
            Self::Unparsed => "unparsed",
            Self::Conflict => "conflict",
            Self::MissingId => "missing-id",
            Self::Abstained => "abstained",
            Self::Timeout => "timeout",
            Self::ProviderError => "provider-error",
            Self::TooFewVotes => "too-few-votes",
            Self::NotAsked => "not-asked",
        }
    }
}

impl fmt::Display for Unjudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What one reply says about one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// A usable answer.
    Answer(Answer),
    /// No usable answer, and why.
    Unjudged(Unjudged),
}

impl Reading {
    /// A yes/no reading.
    #[must_use]
    pub const fn yes_no(answer: YesNo) -> Self {
        Self::Answer(Answer::YesNo(answer))
    }

    /// The verdict, if this is a yes/no reading.
    #[must_use]
    pub const fn verdict(&self) -> Option<YesNo> {
        match self {
            Self::Answer(Answer::YesNo(v)) => Some(*v),
            _ => None,
        }
    }
}

/// Which stage of the reply reader produced a reading; recorded with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadStage {
    /// The whole message was valid as it stood.
    Strict,
    /// A valid value was found inside the message (fences, reasoning tags, prose around it).
    Extracted,
    /// A value was found after edits from the closed list of safe edits.
    Repaired,
}
