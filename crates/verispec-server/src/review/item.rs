//! What is put to a person: one item a line of a review set.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use verispec_model::YesNo;

/// What a person is asked about an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Is this a good specification? Accept, edit, reject or split it.
    Specification,
    /// Does this output meet the specification? Yes, no or cannot tell.
    Verdict,
    /// How good is this output, on a scale?
    Rating,
    /// Does the image show this fact of its scene graph? Yes, no or cannot tell.
    Graph,
    /// How right is this answer, 0-5, against the gold answer?
    Answer,
}

impl Kind {
    /// All kinds, in the order of pages.
    pub const ALL: [Self; 5] = [
        Self::Specification,
        Self::Verdict,
        Self::Rating,
        Self::Graph,
        Self::Answer,
    ];

    /// Its name in files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Specification => "specification",
            Self::Verdict => "verdict",
            Self::Rating => "rating",
            Self::Graph => "graph",
            Self::Answer => "answer",
        }
    }

    /// Name of the file of its results.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::Specification => "reviewed.jsonl",
            Self::Verdict => "human.jsonl",
            Self::Rating => "ratings.jsonl",
            Self::Graph => "audit-graph.jsonl",
            Self::Answer => "audit-answers.jsonl",
        }
    }

    /// Answered by yes, no or cannot tell.
    #[must_use]
    pub const fn is_yes_no(self) -> bool {
        matches!(self, Self::Verdict | Self::Graph)
    }

    /// Answered by a number.
    #[must_use]
    pub const fn is_graded(self) -> bool {
        matches!(self, Self::Rating | Self::Answer)
    }
}

/// One line of a review set; `docs/review.md` says which kind needs which field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemRow {
    /// Name inside the set, unique.
    pub id: String,
    /// What is asked.
    pub kind: Kind,
    /// Track.
    pub track: String,
    /// Dimension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<String>,
    /// Instance.
    pub instance: String,
    /// Model under test; absent for specifications.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Label of the specification inside its instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec: Option<u32>,
    /// Prompt that the model under test is given.
    pub prompt: String,
    /// Reference images.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<PathBuf>,
    /// What the model under test made, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<OutputRow>,
    /// The specification, the fact, or the question.
    pub question: String,
    /// The answer that counts as met. Shown for specifications alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<YesNo>,
    /// Category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<String>,
    /// What models said of the specification's quality.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<RaterRow>,
    /// Remarks shown beside it, for instance of a lint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The right answer, for [`Kind::Answer`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold: Option<String>,
    /// The answer to grade, for [`Kind::Answer`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The scale, for [`Kind::Rating`]; 1-5 unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<ScaleRow>,
    /// What the judge said; never shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<YesNo>,
    /// Stratum of the sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stratum: Option<String>,
    /// Probability with which it was drawn, in (0, 1].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inclusion: Option<f64>,
}

/// A piece of an output: one of the two fields.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputRow {
    /// Text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Image file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<PathBuf>,
}

/// What one rater said of a specification, 0-10 each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaterRow {
    /// Who.
    pub rater: String,
    /// Relevance to the prompt.
    #[serde(default)]
    pub relevance: Option<f64>,
    /// Clarity.
    #[serde(default)]
    pub clarity: Option<f64>,
    /// Whether it can be verified.
    #[serde(default)]
    pub verifiability: Option<f64>,
}

/// A scale of whole numbers with words for its ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScaleRow {
    /// Lowest value.
    pub low: u8,
    /// Highest value, at most 9: a key each.
    pub high: u8,
    /// What the lowest means.
    #[serde(default)]
    pub low_label: String,
    /// What the highest means.
    #[serde(default)]
    pub high_label: String,
}

/// A piece of an output as the page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// Text.
    Text(String),
    /// Number of an image in the set.
    Image(usize),
}

/// An item of a [`crate::ReviewSet`]: its line, checked, with its images found.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its line.
    pub row: ItemRow,
    /// Hash of all that a person sees: 16 hexadecimal digits. Decisions on another version do not
    /// count.
    pub version: String,
    /// Numbers of its reference images.
    pub references: Vec<usize>,
    /// Its output.
    pub output: Vec<Shown>,
}

impl Item {
    /// Lowest and highest grade of a graded kind.
    #[must_use]
    pub fn grades(&self) -> Option<(u8, u8)> {
        match self.row.kind {
            Kind::Answer => Some((0, 5)),
            Kind::Rating => Some(self.row.scale.as_ref().map_or((1, 5), |s| (s.low, s.high))),
            _ => None,
        }
    }
}

impl ItemRow {
    /// An item of a kind with nothing but what every kind needs.
    #[must_use]
    pub fn new(kind: Kind, id: &str, track: &str, instance: &str, question: &str) -> Self {
        Self {
            id: id.to_owned(),
            kind,
            track: track.to_owned(),
            dimension: None,
            instance: instance.to_owned(),
            model: None,
            spec: None,
            prompt: String::new(),
            references: vec![],
            output: vec![],
            question: question.to_owned(),
            expected: None,
            category: None,
            source: vec![],
            ratings: vec![],
            notes: vec![],
            gold: None,
            answer: None,
            scale: None,
            verdict: None,
            stratum: None,
            inclusion: None,
        }
    }

    /// The first thing that is wrong with it, and what to do.
    pub(crate) fn fault(&self) -> Option<String> {
        let empty = |name: &str| Some(format!("{name} is empty"));
        for (name, text) in [
            ("id", &self.id),
            ("track", &self.track),
            ("instance", &self.instance),
            ("question", &self.question),
        ] {
            if text.trim().is_empty() {
                return empty(name);
            }
        }
        let kind = self.kind.as_str();
        let need = |there: bool, name: &str| {
            (!there).then(|| format!("a {kind} needs the field {name:?}"))
        };
        let needed = match self.kind {
            Kind::Specification => need(self.expected.is_some(), "expected"),
            Kind::Verdict => {
                need(self.model.is_some(), "model").or_else(|| need(self.spec.is_some(), "spec"))
            }
            Kind::Rating | Kind::Graph => need(self.model.is_some(), "model"),
            Kind::Answer => need(self.model.is_some(), "model")
                .or_else(|| need(self.gold.is_some(), "gold"))
                .or_else(|| need(self.answer.is_some(), "answer")),
        };
        needed.or_else(|| self.bad_number()).or_else(|| {
            let both = |o: &OutputRow| o.text.is_some() == o.image.is_some();
            self.output.iter().any(both).then(|| {
                "each piece of the output is {\"text\": ...} or {\"image\": ...}".to_owned()
            })
        })
    }

    fn bad_number(&self) -> Option<String> {
        if let Some(p) = self.inclusion
            && !(p > 0.0 && p <= 1.0)
        {
            return Some(format!("inclusion {p} is no probability above 0"));
        }
        let scale = self.scale.as_ref()?;
        (scale.low >= scale.high || scale.high > 9).then(|| {
            format!(
                "scale {}-{}: low must be below high, and high at most 9",
                scale.low, scale.high
            )
        })
    }
}
