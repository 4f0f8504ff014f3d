//! A fact with what both sides scored.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::answers::{GenAnswer, UndAnswer};
use crate::facts::FactKind;
use crate::scene::ImageId;

/// A grade of the judge, 0 (wrong) to 5 (right). A score is a fifth of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Grade(u8);

impl Grade {
    /// Number of grades.
    pub const COUNT: usize = 6;

    /// 5: right.
    pub const BEST: Self = Self(5);

    /// 0: wrong, or nothing there to judge.
    pub const WORST: Self = Self(0);

    /// `None` outside 0..=5.
    #[must_use]
    pub fn new(grade: u8) -> Option<Self> {
        (grade <= 5).then_some(Self(grade))
    }

    /// 0..=5.
    #[must_use]
    pub fn get(self) -> u8 {
        self.0
    }

    /// 0..=1.
    #[must_use]
    pub fn score(self) -> f64 {
        f64::from(self.0) / 5.0
    }
}

/// What the generation side of a fact scored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum GenScore {
    /// The judge graded the answer.
    Graded {
        /// The grade.
        grade: Grade,
    },
    /// The generated image shows nothing of the fact, so that there is nothing to judge: counts as
    /// grade 0 without a call.
    NoAnswer {
        /// What was found instead.
        answer: GenAnswer,
    },
    /// The judge was asked and gave no grade.
    Unjudged,
    /// There is no record.
    Absent,
}

/// What the understanding side of a fact scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum UndScore {
    /// The judge graded the answer.
    Graded {
        /// The grade.
        grade: Grade,
    },
    /// The model under test failed or said nothing.
    ModelError,
    /// There was no image to ask about.
    NoImage,
    /// The judge was asked and gave no grade.
    Unjudged,
    /// There is no record.
    Absent,
}

impl GenScore {
    /// From an answer and its grade, if the judge gave one. A node that the graph of the image does
    /// not hold is a fault of the files: there is no record then.
    #[must_use]
    pub fn of(answer: GenAnswer, grade: Option<Grade>) -> Self {
        match (answer, grade) {
            (GenAnswer::Found { .. }, Some(grade)) => Self::Graded { grade },
            (GenAnswer::Found { .. }, None) => Self::Unjudged,
            (GenAnswer::LostNode { .. }, _) => Self::Absent,
            (answer, _) => Self::NoAnswer { answer },
        }
    }

    /// The grade that counts: 0 where the image shows nothing; `None` where nothing is known.
    #[must_use]
    pub const fn grade(&self) -> Option<Grade> {
        match self {
            Self::Graded { grade } => Some(*grade),
            Self::NoAnswer { .. } => Some(Grade::WORST),
            Self::Unjudged | Self::Absent => None,
        }
    }
}

impl UndScore {
    /// From an answer and its grade, if the judge gave one. A failure stays a failure even if its
    /// message was graded as if it were an answer.
    #[must_use]
    pub fn of(answer: &UndAnswer, grade: Option<Grade>) -> Self {
        match (answer, grade) {
            (UndAnswer::ModelError { .. }, _) => Self::ModelError,
            (UndAnswer::NoImage, _) => Self::NoImage,
            (UndAnswer::NotAsked, _) => Self::Absent,
            (UndAnswer::Answered { .. }, Some(grade)) => Self::Graded { grade },
            (UndAnswer::Answered { .. }, None) => Self::Unjudged,
        }
    }

    /// The grade of the judge, if there is one.
    #[must_use]
    pub const fn grade(self) -> Option<Grade> {
        match self {
            Self::Graded { grade } => Some(grade),
            _ => None,
        }
    }
}

/// A fact with its two scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FactScore {
    /// Its name, unique in the data set.
    pub id: String,
    /// Data set.
    pub dataset: Arc<str>,
    /// Number of the image in it.
    pub image_id: ImageId,
    /// Kind.
    pub kind: FactKind,
    /// Whether all of its nodes have a counterpart; `None` if the matching of its image failed.
    pub matched: Option<bool>,
    /// Generation.
    pub generation: GenScore,
    /// Understanding.
    pub understanding: UndScore,
}

/// Which facts count, and with which generation score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// V1: all, with the grade of the judge.
    Raw,
    /// V2: those whose nodes are matched.
    MatchedOnly,
    /// V3, the headline: all; a fact whose nodes are not matched has generation 0.
    ZeroUnmatched,
}

impl Variant {
    /// V1, V2, V3.
    pub const ALL: [Self; 3] = [Self::Raw, Self::MatchedOnly, Self::ZeroUnmatched];
}

/// What a failure of the model under test counts as on the understanding side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingU {
    /// The fact is left out and counted.
    #[default]
    Drop,
    /// The failure scores 0. Facts without an image, a record or a grade are left out all the same:
    /// these are no failures of the model.
    Zero,
}

/// How facts become numbers. Print it with every table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MetricPolicy {
    /// What a failure of the model counts as.
    pub missing_u: MissingU,
    /// Score from which a side counts as right in the quadrants, 0..=1, inclusive.
    pub tau: f64,
}

impl Default for MetricPolicy {
    fn default() -> Self {
        Self {
            missing_u: MissingU::Drop,
            tau: 0.6,
        }
    }
}

/// Why a fact is in no statistic. The first reason that applies, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Dropped {
    /// No record on the generation side.
    GenerationAbsent,
    /// The judge gave the generation answer no grade.
    GenerationUnjudged,
    /// No record on the understanding side.
    UnderstandingAbsent,
    /// No image to ask about.
    UnderstandingNoImage,
    /// The model failed, and the policy leaves failures out.
    UnderstandingFailed,
    /// The judge gave the understanding answer no grade.
    UnderstandingUnjudged,
    /// The matching of the image failed, and the variant needs it.
    MatchUnknown,
    /// Its nodes are not matched, and the variant counts matched facts only.
    Unmatched,
}

/// The grades (generation, understanding) with which a fact counts.
///
/// # Errors
/// Why it does not.
pub fn graded(
    fact: &FactScore,
    variant: Variant,
    policy: MetricPolicy,
) -> Result<(Grade, Grade), Dropped> {
    let generation = match &fact.generation {
        GenScore::Graded { grade } => *grade,
        GenScore::NoAnswer { .. } => Grade::WORST,
        GenScore::Unjudged => return Err(Dropped::GenerationUnjudged),
        GenScore::Absent => return Err(Dropped::GenerationAbsent),
    };
    let understanding = match (fact.understanding, policy.missing_u) {
        (UndScore::Graded { grade }, _) => grade,
        (UndScore::ModelError, MissingU::Zero) => Grade::WORST,
        (UndScore::ModelError, MissingU::Drop) => return Err(Dropped::UnderstandingFailed),
        (UndScore::NoImage, _) => return Err(Dropped::UnderstandingNoImage),
        (UndScore::Unjudged, _) => return Err(Dropped::UnderstandingUnjudged),
        (UndScore::Absent, _) => return Err(Dropped::UnderstandingAbsent),
    };
    match (variant, fact.matched) {
        (Variant::Raw, _) | (_, Some(true)) => Ok((generation, understanding)),
        (_, None) => Err(Dropped::MatchUnknown),
        (Variant::MatchedOnly, Some(false)) => Err(Dropped::Unmatched),
        (Variant::ZeroUnmatched, Some(false)) => Ok((Grade::WORST, understanding)),
    }
}
