//! Ranks that the instances at hand do not rule out.

use serde::Serialize;
use verispec_stats::bootstrap::bootstrap;
use verispec_stats::rank_sets::{Scope, rank_sets};

use super::Options;
use crate::draws;
use crate::matrix::{Matrix, TrackMatrix};

/// The ranks that a model can have under a level: a simultaneous confidence set over the models of
/// the track.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankRange {
    /// Level.
    pub level: String,
    /// Group of the level.
    pub group: String,
    /// Model.
    pub model: String,
    /// Score, percent.
    pub score: f64,
    /// Best rank, from 1.
    pub best: usize,
    /// Worst rank.
    pub worst: usize,
}

/// Draws for rank sets: their quantiles need fewer than intervals of tau.
const DRAWS: usize = 2_000;

/// Ranges of all levels; none for a level where a model has no score.
pub(super) fn of_track(matrix: &Matrix, track: &TrackMatrix, options: &Options) -> Vec<RankRange> {
    let draws = options.draws.min(DRAWS);
    let levels: Vec<usize> = (0..matrix.levels.len()).collect();
    let table = draws::table(track, &levels, 0);
    let (Ok(plan), Ok(table)) = (draws::plan(std::slice::from_ref(track)), table) else {
        return vec![];
    };
    let Ok(drawn) = bootstrap(&plan, &table, draws, options.seed) else {
        return vec![];
    };
    let m = track.models.len();
    let mut ranges = vec![];
    for level in levels {
        let columns: Vec<usize> = (level * m..(level + 1) * m).collect();
        let Ok(sets) = rank_sets(&drawn, &columns, options.level, Scope::Simultaneous) else {
            continue;
        };
        let info = &matrix.levels[level];
        ranges.extend(sets.sets.iter().enumerate().filter_map(|(i, set)| {
            Some(RankRange {
                level: info.name.clone(),
                group: info.group.clone(),
                model: track.models[i].clone(),
                score: drawn.estimate()[level * m + i]?,
                best: set.best,
                worst: set.worst,
            })
        }));
    }
    ranges
}
