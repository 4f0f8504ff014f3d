//! One bootstrap for all tracks and levels.

use verispec_stats::Defined;
use verispec_stats::bootstrap::{
    PairwiseTau, Plan, Replicates, ScoreTable, TauTable, bootstrap, merged_strata,
};

use super::Options;
use crate::matrix::{Matrix, TrackMatrix};

/// tau-b of all pairs of levels in all tracks, for every draw; `None` without draws or pairs.
pub(super) fn taus(matrix: &Matrix, options: &Options) -> Option<Replicates> {
    if options.draws == 0 || matrix.levels.len() < 2 {
        return None;
    }
    let plan = plan(&matrix.tracks).ok()?;
    let mut start = 0;
    let mut tables = vec![];
    for track in &matrix.tracks {
        let levels: Vec<usize> = (0..matrix.levels.len()).collect();
        let table = table(track, &levels, start).ok()?;
        tables.push(TauTable::new(table, levels.len(), track.models.len()).ok()?);
        start += track.units.len();
    }
    bootstrap(
        &plan,
        &PairwiseTau::new(tables),
        options.draws,
        options.seed,
    )
    .ok()
}

/// How instances are drawn: within dimensions of a track, all of a cluster together.
pub(super) fn plan(tracks: &[TrackMatrix]) -> Defined<Plan> {
    let (mut strata, mut clusters) = (vec![], vec![]);
    let mut dimensions = 0;
    let mut before = 0;
    for track in tracks {
        let stratum = |d: usize| u32::try_from(dimensions + d).unwrap_or(u32::MAX);
        strata.extend(track.units.iter().map(|u| stratum(u.dimension)));
        // Cluster numbers are unique inside a track only.
        let numbers = track.units.iter().map(|u| u.cluster);
        let most = numbers.clone().max().map_or(0, |m| m + 1);
        clusters.extend(numbers.map(|c| c + before));
        before += most;
        dimensions += track.dimensions.len();
    }
    Plan::new(&merged_strata(&strata, &clusters)?, &clusters)
}

/// Scores of some levels: columns are levels x models, rows are the track's units, which are the
/// plan's units from `start`.
pub(super) fn table(track: &TrackMatrix, levels: &[usize], start: usize) -> Defined<ScoreTable> {
    let models = track.models.len();
    let mut table = ScoreTable::new(levels.len() * models, track.dimensions.len());
    let mut row = vec![];
    for (i, unit) in track.units.iter().enumerate() {
        row.clear();
        for level in levels {
            row.extend((0..models).map(|m| track.cell(*level, m, i).score));
        }
        table.push(start + i, unit.dimension, &row)?;
    }
    Ok(table)
}
