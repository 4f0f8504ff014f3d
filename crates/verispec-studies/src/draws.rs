//! One bootstrap for all tracks and levels.

use verispec_stats::Defined;
use verispec_stats::bootstrap::{
    Function, MeanScratch, PairwiseTau, Plan, Replicates, Sample, ScoreTable, Statistic, TauTable,
    bootstrap, merged_strata, true_taus,
};

use crate::matrix::{Matrix, TrackMatrix};
use crate::stability::Intervals;

/// tau-b of all pairs of levels in all tracks, for every draw; `None` without draws or pairs.
pub(crate) fn taus(
    matrix: &Matrix,
    draws: usize,
    seed: u64,
    intervals: Intervals,
) -> Option<Replicates> {
    if draws == 0 || matrix.levels.len() < 2 {
        return None;
    }
    let plan = plan(&matrix.tracks).ok()?;
    let mut groups = vec![0; matrix.levels.len()];
    for (label, (_, members)) in (0..).zip(matrix.groups()) {
        members.into_iter().for_each(|level| groups[level] = label);
    }
    let mut start = 0;
    let mut tables = vec![];
    for track in &matrix.tracks {
        let levels: Vec<usize> = (0..matrix.levels.len()).collect();
        let table = table(track, &levels, start).ok()?;
        let table = TauTable::new(table, levels.len(), track.models.len()).ok()?;
        tables.push(table.in_groups(&groups).ok()?);
        start += track.units.len();
    }
    match intervals {
        Intervals::TrueScores => true_taus(&plan, tables, draws, seed).ok(),
        Intervals::Percentile => bootstrap(&plan, &PairwiseTau::new(tables), draws, seed).ok(),
    }
}

/// How instances are drawn: within dimensions of a track, all of a cluster together.
pub(crate) fn plan(tracks: &[TrackMatrix]) -> Defined<Plan> {
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
pub(crate) fn table(track: &TrackMatrix, levels: &[usize], start: usize) -> Defined<ScoreTable> {
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

/// A ratio of sums over units, and the same in every draw: a share of things that come in
/// clusters. `parts` holds a numerator and a denominator for each unit of the plan.
pub(crate) fn ratio(plan: &Plan, parts: &[(f64, f64)], draws: usize, seed: u64) -> Option<Sample> {
    let share = Function::new(1, |times: &[u32], out: &mut [Option<f64>]| {
        let (mut top, mut bottom) = (0.0, 0.0);
        for (n, (numerator, denominator)) in times.iter().zip(parts) {
            top += f64::from(*n) * numerator;
            bottom += f64::from(*n) * denominator;
        }
        out[0] = (bottom > 0.0).then(|| top / bottom);
    });
    let drawn = bootstrap(plan, &share, draws, seed).ok()?;
    Some(drawn.output(0))
}

/// Means over groups of the means of these values, and the same in every draw: the score of one
/// column. `values` holds each unit's group and value.
pub(crate) fn score(
    plan: &Plan,
    groups: usize,
    values: &[(usize, Option<f64>)],
    draws: usize,
    seed: u64,
) -> Option<Sample> {
    let mut table = ScoreTable::new(1, groups);
    for (unit, (group, value)) in values.iter().enumerate() {
        table.push(unit, *group, &[*value]).ok()?;
    }
    let drawn = bootstrap(plan, &table, draws, seed).ok()?;
    Some(drawn.output(0))
}

/// The mean of the scores of several tables of one column each, and the same in every draw.
pub(crate) fn mean_of_tables(
    plan: &Plan,
    tables: Vec<ScoreTable>,
    draws: usize,
    seed: u64,
) -> Option<Sample> {
    let all = Side(tables);
    let drawn = bootstrap(plan, &all, draws, seed).ok()?;
    Some(drawn.derived(crate::Estimate::mean))
}

/// The scores of several tables of one column each, side by side.
struct Side(Vec<ScoreTable>);

impl Statistic for Side {
    type Scratch = MeanScratch;

    fn outputs(&self) -> usize {
        self.0.len()
    }

    fn scratch(&self) -> MeanScratch {
        MeanScratch::default()
    }

    fn evaluate(&self, times: &[u32], scratch: &mut MeanScratch, out: &mut [Option<f64>]) {
        for (table, slot) in self.0.iter().zip(out.chunks_mut(1)) {
            table.scores(times, scratch, slot);
        }
    }
}
