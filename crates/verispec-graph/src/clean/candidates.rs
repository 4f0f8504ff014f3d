//! Which triples are worth asking about.

use serde::{Deserialize, Serialize};

use crate::scene::RawRelations;

/// Thresholds on the scores of the relation model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Thresholds {
    /// A pair whose "no relation" reaches this is dropped.
    pub no_relation: f64,
    /// A predicate that reaches this is a candidate.
    pub predicate: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            no_relation: 0.5,
            predicate: 0.4,
        }
    }
}

/// A triple to be verified.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// Position of its pair in the raw scores.
    pub pair: usize,
    /// Position of the subject in the boxes.
    pub subject: usize,
    /// Position of the object in the boxes.
    pub object: usize,
    /// The predicate.
    pub predicate: String,
    /// Its score, 0..1.
    pub score: f64,
    /// Score of "no relation" of the pair, 0..1.
    pub no_relation: f64,
}

/// Candidates and what was dropped before them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Candidates {
    /// In the order of the pairs, then of the predicates.
    pub candidates: Vec<Candidate>,
    /// Pairs dropped for their "no relation".
    pub unrelated_pairs: usize,
    /// Pairs in which no predicate reached the threshold.
    pub weak_pairs: usize,
}

/// Scores that do not fit the predicates or the image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CleanError {
    /// A row has not one score for "no relation" and one for each predicate.
    #[error("image {image}: row {pair} of the relation scores has {found} numbers, not {expected}")]
    Columns {
        /// Number of the image.
        image: u64,
        /// Row from 0.
        pair: usize,
        /// Numbers found.
        found: usize,
        /// Numbers needed.
        expected: usize,
    },
    /// There is not one row a pair.
    #[error("image {image}: {rows} rows of relation scores for {pairs} pairs")]
    Rows {
        /// Number of the image.
        image: u64,
        /// Rows.
        rows: usize,
        /// Pairs.
        pairs: usize,
    },
    /// There is not one verdict a candidate.
    #[error("image {image}: {verdicts} verdicts for {candidates} candidates")]
    Verdicts {
        /// Number of the image.
        image: u64,
        /// Verdicts.
        verdicts: usize,
        /// Candidates.
        candidates: usize,
    },
    /// The scores are of another image than the segments.
    #[error("image {image}: the segments are those of image {other}")]
    OtherImage {
        /// Number of the image of the scores.
        image: u64,
        /// Number of the image of the segments.
        other: u64,
    },
    /// The image has not one segment for each box.
    #[error("image {image}: {segments} segments for {boxes} boxes")]
    Segments {
        /// Number of the image.
        image: u64,
        /// Segments.
        segments: usize,
        /// Boxes.
        boxes: usize,
    },
    /// A box has a category without label.
    #[error("image {image}: box {position} has category {category}, which has no label")]
    Category {
        /// Number of the image.
        image: u64,
        /// Box from 0.
        position: usize,
        /// Its category.
        category: u32,
    },
}

/// Candidates of an image. Several predicates of a pair may be candidates: the scores are
/// independent.
///
/// # Errors
/// A row has another number of columns than `predicates` and "no relation" need.
pub fn candidates(
    raw: &RawRelations,
    predicates: &[String],
    thresholds: Thresholds,
) -> Result<Candidates, CleanError> {
    if raw.scores.len() != raw.pairs.len() {
        return Err(CleanError::Rows {
            image: raw.image_id,
            rows: raw.scores.len(),
            pairs: raw.pairs.len(),
        });
    }
    let mut all = Candidates::default();
    for (pair, (&(subject, object), row)) in raw.pairs.iter().zip(&raw.scores).enumerate() {
        let (no_relation, scores) = match row.split_first() {
            Some((no, scores)) if scores.len() == predicates.len() => (*no, scores),
            _ => {
                return Err(CleanError::Columns {
                    image: raw.image_id,
                    pair,
                    found: row.len(),
                    expected: predicates.len() + 1,
                });
            }
        };
        if no_relation >= thresholds.no_relation {
            all.unrelated_pairs += 1;
            continue;
        }
        let before = all.candidates.len();
        let strong = predicates
            .iter()
            .zip(scores)
            .filter(|(_, s)| **s >= thresholds.predicate);
        all.candidates
            .extend(strong.map(|(predicate, &score)| Candidate {
                pair,
                subject,
                object,
                predicate: predicate.clone(),
                score,
                no_relation,
            }));
        all.weak_pairs += usize::from(all.candidates.len() == before);
    }
    Ok(all)
}
