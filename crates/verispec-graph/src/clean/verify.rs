//! Yes or no to each triple.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::candidates::{Candidate, CleanError};
use super::exclusive::{enforce, is_exclusive};
use crate::scene::{
    CleanedBox, CleanedGraph, CleanedRelation, Image, RawRelations, ScoredPredicate,
};

/// How a verifier is asked about one triple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strictness {
    /// Yes only if the image shows it.
    Strict,
    /// Yes if it is plausible, no only if it is impossible.
    Lenient,
}

/// Rule for all triples of a graph. Both sides of a comparison should use the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verification {
    /// Strict throughout; the released way for ground truth, and the default for both sides.
    #[default]
    Strict,
    /// Lenient but for exclusive predicates; the released way for generated images, which makes
    /// their graphs richer than the ground truth's.
    Lenient,
}

impl Verification {
    /// How to ask about this predicate.
    #[must_use]
    pub fn strictness(self, predicate: &str) -> Strictness {
        match self {
            Self::Lenient if !is_exclusive(predicate) => Strictness::Lenient,
            _ => Strictness::Strict,
        }
    }
}

/// What the verifier said of a triple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds.
    Yes,
    /// It does not.
    No,
    /// No verdict: no reply, or one that says neither.
    Unread,
}

/// Reads `{"answer": "Yes"}` or a reply that begins with yes or no, in any case. Anything else is
/// no verdict, rather than a no.
#[must_use]
pub fn read_verdict(reply: &str) -> Verdict {
    let said = |text: &str| match text.trim().to_lowercase().as_str() {
        "yes" => Verdict::Yes,
        "no" => Verdict::No,
        _ => Verdict::Unread,
    };
    if let Ok(value) = serde_json::from_str::<Value>(reply.trim()) {
        return match value.get("answer").unwrap_or(&value) {
            Value::String(text) => said(text),
            _ => Verdict::Unread,
        };
    }
    let first = reply
        .trim_start()
        .split(|c: char| !c.is_alphabetic())
        .next();
    said(first.unwrap_or_default())
}

/// What became of the candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct CleanReport {
    /// The graph of verified relations.
    pub graph: CleanedGraph,
    /// Triples that the verifier denied.
    pub denied: usize,
    /// Verified triples that gave way to a better one of the same object.
    pub exclusive: usize,
    /// Triples without a verdict: they are not in the graph, and not denied. Ask again, or report
    /// the graph as incomplete.
    pub unread: Vec<Candidate>,
}

/// Builds the graph of an image from its candidates and one verdict each. Box `k` is segment `k` of
/// `image`; labels are by category id.
///
/// # Errors
/// Not one verdict a candidate, segments of another image or number, or a box without label.
pub fn apply(
    raw: &RawRelations,
    image: &Image,
    labels: &[String],
    candidates: &[Candidate],
    verdicts: &[Verdict],
) -> Result<CleanReport, CleanError> {
    if verdicts.len() != candidates.len() {
        return Err(CleanError::Verdicts {
            image: raw.image_id,
            verdicts: verdicts.len(),
            candidates: candidates.len(),
        });
    }
    if raw.image_id != image.image_id {
        return Err(CleanError::OtherImage {
            image: raw.image_id,
            other: image.image_id,
        });
    }
    let boxes = boxes(raw, image, labels)?;
    let mut relations: Vec<(usize, CleanedRelation)> = Vec::new();
    let (mut denied, mut unread) = (0, Vec::new());
    for (candidate, verdict) in candidates.iter().zip(verdicts) {
        match verdict {
            Verdict::Yes => add(&mut relations, candidate),
            Verdict::No => denied += 1,
            Verdict::Unread => unread.push(candidate.clone()),
        }
    }
    let mut relations: Vec<CleanedRelation> = relations.into_iter().map(|(_, r)| r).collect();
    for relation in &mut relations {
        relation
            .predicates
            .sort_by(|a, b| b.score.total_cmp(&a.score));
    }
    let exclusive = enforce(&mut relations);
    Ok(CleanReport {
        graph: CleanedGraph {
            image_id: image.image_id,
            file_name: image.file_name.clone(),
            boxes,
            relations,
        },
        denied,
        exclusive,
        unread,
    })
}

fn boxes(
    raw: &RawRelations,
    image: &Image,
    labels: &[String],
) -> Result<Vec<CleanedBox>, CleanError> {
    if raw.boxes.len() != image.segments.len() {
        return Err(CleanError::Segments {
            image: raw.image_id,
            segments: image.segments.len(),
            boxes: raw.boxes.len(),
        });
    }
    let one = |(position, (bbox, &category)): (usize, (&crate::scene::Bbox, &u32))| {
        let known = usize::try_from(category).ok().and_then(|c| labels.get(c));
        let label = known.ok_or(CleanError::Category {
            image: raw.image_id,
            position,
            category,
        })?;
        Ok(CleanedBox {
            label: label.clone(),
            bbox: *bbox,
            segment: image.segments.get(position).map(|s| s.id),
        })
    };
    raw.boxes
        .iter()
        .zip(&raw.categories)
        .enumerate()
        .map(one)
        .collect()
}

/// Puts a verified triple under its pair, in the order in which pairs first appear.
fn add(relations: &mut Vec<(usize, CleanedRelation)>, candidate: &Candidate) {
    let scored = ScoredPredicate {
        predicate: candidate.predicate.clone(),
        score: candidate.score,
    };
    match relations
        .iter_mut()
        .find(|(pair, _)| *pair == candidate.pair)
    {
        Some((_, relation)) => relation.predicates.push(scored),
        None => relations.push((
            candidate.pair,
            CleanedRelation {
                subject: candidate.subject,
                object: candidate.object,
                no_relation: candidate.no_relation,
                predicates: vec![scored],
            },
        )),
    }
}
