//! Joining imported judged answers of both sides.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fact::{FactScore, GenScore, Grade, UndScore};
use super::matched::{IdMatch, is_matched};
use crate::answers::NodeMap;
use crate::facts::FactKind;
use crate::import::{MatchedImage, ScoredRecord};
use crate::scene::ImageId;

/// Judged answers of one model on one data set, as imported.
#[derive(Debug, Clone, Copy)]
pub struct Released<'a> {
    /// Name of the data set.
    pub dataset: &'a str,
    /// `ige_scored_*`.
    pub generation: &'a [ScoredRecord],
    /// `scored_*`.
    pub understanding: &'a [ScoredRecord],
    /// `scene_graphs_matched.json`; `None` for an image whose matching failed. An image that is not
    /// in it was not generated, so that nothing of it is matched.
    pub matched: &'a BTreeMap<ImageId, Option<MatchedImage>>,
}

/// Facts with both scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    /// One for each question on the generation side.
    pub facts: Vec<FactScore>,
    /// Questions on the understanding side alone: nothing says which image they are of.
    pub understanding_only: usize,
    /// Records that a later one of the same number replaced.
    pub replaced: usize,
    /// Counting questions of early releases, left out.
    pub counting: usize,
}

/// Files that do not belong together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// The same number stands for two questions.
    #[error(
        "{dataset}: question {id} is {generation:?} on the generation side and {understanding:?} \
         on the understanding side: the numbers of the released merge shift after every \
         unanswered question; merge the chunks again"
    )]
    Question {
        /// Name of the data set.
        dataset: String,
        /// Number of the question.
        id: u64,
        /// One wording.
        generation: String,
        /// The other.
        understanding: String,
    },
    /// A generation record does not say what it is about.
    #[error("{dataset}: question {id}: the generation record has no {field}")]
    Unplaced {
        /// Name of the data set.
        dataset: String,
        /// Number of the question.
        id: u64,
        /// The missing field.
        field: &'static str,
    },
}

/// Joins both sides by the number of the question, and makes sure that both mean the same question.
/// Number 0 is a number.
///
/// # Errors
/// See [`JoinError`].
pub fn join(released: Released<'_>, rule: IdMatch) -> Result<Joined, JoinError> {
    let (generation, replaced_g) = by_id(released.generation);
    let (mut understanding, replaced_u) = by_id(released.understanding);
    let maps: BTreeMap<ImageId, Option<NodeMap>> = released
        .matched
        .iter()
        .map(|(id, image)| {
            (
                *id,
                image.as_ref().map(|i| i.pairs.iter().copied().collect()),
            )
        })
        .collect();
    let dataset: Arc<str> = released.dataset.into();
    let mut joined = Joined {
        facts: Vec::with_capacity(generation.len()),
        understanding_only: 0,
        replaced: replaced_g + replaced_u,
        counting: 0,
    };
    for (id, record) in generation {
        let other = understanding.remove(&id);
        check(&dataset, record, other)?;
        match record.kind {
            None => joined.counting += 1,
            Some(kind) => joined
                .facts
                .push(fact(&dataset, record, other, kind, &maps, rule)?),
        }
    }
    let counting = understanding.values().filter(|r| r.kind.is_none()).count();
    joined.understanding_only = understanding.len() - counting;
    Ok(joined)
}

/// The last record of each number, and how many it replaced.
fn by_id(records: &[ScoredRecord]) -> (BTreeMap<u64, &ScoredRecord>, usize) {
    let all: BTreeMap<u64, &ScoredRecord> = records.iter().map(|r| (r.id, r)).collect();
    let replaced = records.len() - all.len();
    (all, replaced)
}

fn check(
    dataset: &str,
    generation: &ScoredRecord,
    understanding: Option<&ScoredRecord>,
) -> Result<(), JoinError> {
    let Some(other) = understanding else {
        return Ok(());
    };
    let same = generation.question == other.question
        && generation.gold == other.gold
        && generation.kind == other.kind;
    if same {
        return Ok(());
    }
    Err(JoinError::Question {
        dataset: dataset.to_owned(),
        id: generation.id,
        generation: generation.question.clone(),
        understanding: other.question.clone(),
    })
}

fn fact(
    dataset: &Arc<str>,
    record: &ScoredRecord,
    other: Option<&ScoredRecord>,
    kind: FactKind,
    maps: &BTreeMap<ImageId, Option<NodeMap>>,
    rule: IdMatch,
) -> Result<FactScore, JoinError> {
    let unplaced = |field| JoinError::Unplaced {
        dataset: dataset.to_string(),
        id: record.id,
        field,
    };
    let image_id = record.image_id.ok_or_else(|| unplaced("image_id"))?;
    let target = record
        .target
        .as_ref()
        .ok_or_else(|| unplaced("reference"))?;
    let matched = match maps.get(&image_id) {
        None => Some(false),
        Some(None) => None,
        Some(Some(map)) => Some(is_matched(target, map, rule)),
    };
    Ok(FactScore {
        id: record.id.to_string(),
        dataset: dataset.clone(),
        image_id,
        kind,
        matched,
        generation: match record.grade.and_then(Grade::new) {
            Some(grade) => GenScore::Graded { grade },
            None => GenScore::Unjudged,
        },
        understanding: other.map_or(UndScore::Absent, |r| {
            UndScore::of(&r.answer, r.grade.and_then(Grade::new))
        }),
    })
}
