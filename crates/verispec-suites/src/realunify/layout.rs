//! Names of RealUnify's axes, protocols, files and tasks.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// What is to help what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Axis {
    /// Understanding helps generation: images are polled by yes/no questions.
    Ueg,
    /// Generation helps understanding: multiple choice.
    Geu,
}

impl Axis {
    /// Both, in the order of tables.
    pub const ALL: [Self; 2] = [Self::Ueg, Self::Geu];

    /// Tasks in the order of the release.
    #[must_use]
    pub const fn tasks(self) -> &'static [&'static str] {
        match self {
            Self::Ueg => &[
                "world_knowledge",
                "commonsense_reasoning",
                "logical_reasoning",
                "mathematical_reasoning",
                "scientific_reasoning",
                "code_to_image",
            ],
            Self::Geu => &[
                "mental_reconstruction",
                "mental_tracking",
                "attentional_focusing",
                "cognitive_navigation",
            ],
        }
    }

    /// Name as in tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ueg => "UEG",
            Self::Geu => "GEU",
        }
    }

    /// The ability that the first stage of a stepwise run needs.
    #[must_use]
    pub const fn first_ability(self) -> &'static str {
        match self {
            Self::Ueg => "understanding",
            Self::Geu => "generation",
        }
    }

    /// The ability that the last stage of a stepwise run needs.
    #[must_use]
    pub const fn last_ability(self) -> &'static str {
        match self {
            Self::Ueg => "generation",
            Self::Geu => "understanding",
        }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How the model under test is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// At once.
    Direct,
    /// One ability after the other.
    Step,
}

impl Way {
    /// Both, in the order of tables.
    pub const ALL: [Self; 2] = [Self::Direct, Self::Step];

    /// Name as in files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Step => "step",
        }
    }
}

/// One of the four files: an axis asked in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "String")]
pub struct Split {
    /// Axis.
    pub axis: Axis,
    /// Way.
    pub way: Way,
}

impl Split {
    /// All four, in the order of tables.
    pub const ALL: [Self; 4] = [
        Self::new(Axis::Ueg, Way::Direct),
        Self::new(Axis::Ueg, Way::Step),
        Self::new(Axis::Geu, Way::Direct),
        Self::new(Axis::Geu, Way::Step),
    ];

    /// The split of an axis and a way.
    #[must_use]
    pub const fn new(axis: Axis, way: Way) -> Self {
        Self { axis, way }
    }

    /// Name of the file without extension: `UEG_direct`.
    #[must_use]
    pub fn stem(self) -> String {
        format!("{}_{}", self.axis.as_str(), self.way.as_str())
    }

    /// Name of the track: `ueg_direct`.
    #[must_use]
    pub fn track(self) -> String {
        self.stem().to_lowercase()
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.track())
    }
}

impl From<Split> for String {
    fn from(split: Split) -> Self {
        split.track()
    }
}

/// The text names no split.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is none of ueg_direct, ueg_step, geu_direct, geu_step")]
pub struct ParseSplitError(String);

impl FromStr for Split {
    type Err = ParseSplitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.to_lowercase();
        let named = Self::ALL.into_iter().find(|s| s.track() == lower);
        named.ok_or_else(|| ParseSplitError(text.to_owned()))
    }
}
