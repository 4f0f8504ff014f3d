//! Ranks that admit what is not known.

use serde::Serialize;

use super::table::{ModelScore, Score};

/// A model's place. `first..=last` is a range when bounds overlap or scores tie.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankEntry {
    /// Model.
    pub model: String,
    /// The score that was ranked.
    pub score: Score,
    /// Best place it may have, from 1.
    pub first: usize,
    /// Worst place it may have.
    pub last: usize,
}

/// Ranks models by a score; models without one are left out. Sorted by value, best first, equal
/// values by name.
///
/// A model may stand above another when its upper bound reaches the other's lower bound.
pub fn rank_by<'a>(
    models: &'a [ModelScore],
    score: impl Fn(&'a ModelScore) -> Option<&'a Score>,
) -> Vec<RankEntry> {
    let scored: Vec<(&ModelScore, &Score)> = models
        .iter()
        .filter_map(|m| score(m).map(|s| (m, s)))
        .collect();
    let mut entries: Vec<RankEntry> = scored
        .iter()
        .map(|(model, own)| RankEntry {
            model: model.model.clone(),
            score: (*own).clone(),
            first: 1 + scored.iter().filter(|(_, s)| s.low > own.high).count(),
            last: scored.len() - scored.iter().filter(|(_, s)| s.high < own.low).count(),
        })
        .collect();
    entries.sort_by(|a, b| {
        b.score
            .value
            .total_cmp(&a.score.value)
            .then_with(|| a.model.cmp(&b.model))
    });
    entries
}
