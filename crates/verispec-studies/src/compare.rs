//! Is one model better than another? The paired difference on the instances that both have.

use serde::Serialize;
use verispec_stats::Undefined;
use verispec_stats::hypothesis::{SignFlip, cluster_sums, holm, sign_flip};

use crate::draws;
use crate::estimate::Estimate;
use crate::matrix::{Cell, Matrix, TrackMatrix, mean_of_dimensions};
pub use gate::{Check, Gate, GateOptions, Lacking, Require, Shown, gate};

/// How a comparison is made.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Draws of the bootstrap and of the sign-flip test.
    pub draws: usize,
    /// Seed of both.
    pub seed: u64,
    /// Nominal coverage of intervals, in (0, 1).
    pub level: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            draws: 10_000,
            seed: 0,
            level: 0.95,
        }
    }
}

/// Second minus first, track by track.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Tracks that both entered.
    pub tracks: Vec<TrackComparison>,
    /// Mean of the tracks' differences; `None` with one track or fewer.
    pub average: Option<Estimate>,
}

/// Second minus first in one track.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrackComparison {
    /// Track.
    pub track: String,
    /// Score of the first on the common instances, percent.
    pub first: Option<f64>,
    /// Score of the second on the same instances.
    pub second: Option<f64>,
    /// Difference in percent points: mean over dimensions of the mean over common instances, with
    /// an interval from a bootstrap within dimensions and by shared source image.
    pub difference: Estimate,
    /// Sign-flip test on instances (on sums over instances that share a source image).
    pub test: Option<SignFlip>,
    /// The test's p after Holm's correction over the tracks.
    pub p_holm: Option<f64>,
    /// Common instances.
    pub n: usize,
    /// Instances that one side lacks.
    pub dropped: Vec<Dropped>,
    /// Dimensions without a common instance: they are in neither score.
    pub dropped_dimensions: Vec<String>,
}

/// An instance left out of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dropped {
    /// Instance.
    pub id: String,
    /// Which side has no score on it: `first`, `second` or `both`.
    pub missing: &'static str,
}

/// Compares the only model of a matrix between its two levels. Build the matrix with both models
/// under one name.
#[must_use]
pub fn compare(matrix: &Matrix, options: Options) -> Comparison {
    let parts: Vec<Common> = matrix.tracks.iter().map(Common::of).collect();
    let mut tracks: Vec<TrackComparison> = matrix
        .tracks
        .iter()
        .zip(&parts)
        .map(|(whole, common)| track(whole, common, options))
        .collect();
    let tested: Vec<f64> = tracks.iter().filter_map(|t| Some(t.test?.p)).collect();
    let adjusted = holm(&tested).unwrap_or_default();
    let with_test = tracks.iter_mut().filter(|t| t.test.is_some());
    for (track, p) in with_test.zip(adjusted) {
        track.p_holm = Some(p);
    }
    Comparison {
        average: (tracks.len() > 1)
            .then(|| average(&parts, options))
            .flatten(),
        tracks,
    }
}

fn difference((first, second): (&Cell, &Cell)) -> Option<f64> {
    Some(second.score? - first.score?)
}

fn track(track: &TrackMatrix, common: &Common, options: Options) -> TrackComparison {
    let (first, second) = (track.row(0, 0), track.row(1, 0));
    let each: Vec<f64> = common.values.iter().filter_map(|(_, v)| *v).collect();
    let clusters: Vec<u32> = common.track.units.iter().map(|u| u.cluster).collect();
    let sums = cluster_sums(&each, &clusters).ok();
    let dropped = track.units.iter().zip(first.iter().zip(second));
    let (first, second) = common.scores(track);
    TrackComparison {
        track: track.name.clone(),
        first,
        second,
        difference: common.difference(options),
        test: sums.and_then(|s| sign_flip(&s, options.draws as u64, options.seed).ok()),
        p_holm: None,
        n: each.len(),
        dropped: dropped
            .filter_map(|(unit, (a, b))| {
                let missing = match (a.score, b.score) {
                    (Some(_), Some(_)) => return None,
                    (None, Some(_)) => "first",
                    (Some(_), None) => "second",
                    (None, None) => "both",
                };
                let id = unit.id.clone();
                Some(Dropped { id, missing })
            })
            .collect(),
        dropped_dimensions: common.dropped.clone(),
    }
}

/// The part of a track that both sides have.
struct Common {
    /// The track with the common units and without empty dimensions; its cells are not used.
    track: TrackMatrix,
    /// Dimension and difference of each common unit.
    values: Vec<(usize, Option<f64>)>,
    /// Places of the common units in the whole track.
    places: Vec<usize>,
    dropped: Vec<String>,
}

impl Common {
    fn of(track: &TrackMatrix) -> Self {
        let pairs = track.row(0, 0).iter().zip(track.row(1, 0));
        let differences: Vec<Option<f64>> = pairs.map(difference).collect();
        let places: Vec<usize> = (0..differences.len())
            .filter(|i| differences[*i].is_some())
            .collect();
        let used = |d: usize| places.iter().any(|p| track.units[*p].dimension == d);
        let kept: Vec<usize> = (0..track.dimensions.len()).filter(|d| used(*d)).collect();
        let new = |d: usize| kept.iter().position(|k| *k == d).unwrap_or(0);
        let mut part = track.without_cells();
        part.dimensions = kept.iter().map(|d| track.dimensions[*d].clone()).collect();
        part.units = places.iter().map(|p| track.units[*p].clone()).collect();
        for unit in &mut part.units {
            unit.dimension = new(unit.dimension);
        }
        let dropped = (0..track.dimensions.len()).filter(|d| !kept.contains(d));
        Self {
            values: places
                .iter()
                .zip(&part.units)
                .map(|(p, u)| (u.dimension, differences[*p]))
                .collect(),
            dropped: dropped.map(|d| track.dimensions[d].clone()).collect(),
            places,
            track: part,
        }
    }

    /// Scores of both sides on the common units.
    fn scores(&self, track: &TrackMatrix) -> (Option<f64>, Option<f64>) {
        let side = |level| {
            let row = track.row(level, 0);
            self.mean(|u| row[u].score)
        };
        (side(0), side(1))
    }

    /// Second minus first with its interval.
    fn difference(&self, options: Options) -> Estimate {
        let plan = draws::plan(std::slice::from_ref(&self.track)).ok();
        let groups = self.track.dimensions.len();
        let Options { draws, seed, level } = options;
        let sample = plan.and_then(|p| draws::score(&p, groups, &self.values, draws, seed));
        Estimate::sampled_or(sample.as_ref(), level, too_few_common(self.values.len()))
    }

    /// Mean over dimensions of the mean over common units.
    fn mean(&self, value: impl Fn(usize) -> Option<f64> + Copy) -> Option<f64> {
        let units = self.places.iter().zip(&self.track.units);
        mean_of_dimensions(
            self.track.dimensions.len(),
            units.map(|(p, u)| (u.dimension, value(*p))),
        )
    }
}

/// Mean over tracks, drawn for all tracks at once. Every dimension weighs one over the dimensions
/// of its track times the tracks.
fn average(parts: &[Common], options: Options) -> Option<Estimate> {
    let parts: Vec<&Common> = parts.iter().filter(|p| !p.values.is_empty()).collect();
    let tracks: Vec<TrackMatrix> = parts.iter().map(|p| p.track.clone()).collect();
    let plan = draws::plan(&tracks).ok()?;
    let mut tables = vec![];
    let mut start = 0;
    for part in &parts {
        let dimensions = part.track.dimensions.len();
        let mut table = verispec_stats::bootstrap::ScoreTable::new(1, dimensions);
        for (i, (dimension, value)) in part.values.iter().enumerate() {
            table.push(start + i, *dimension, &[*value]).ok()?;
        }
        start += part.values.len();
        tables.push(table);
    }
    let sample = draws::mean_of_tables(&plan, tables, options.draws, options.seed)?;
    Some(Estimate::sampled(&sample, options.level))
}

/// Why there is no difference of so few common instances.
fn too_few_common(found: usize) -> Undefined {
    Undefined::TooFew {
        what: "common instances",
        found,
        need: 1,
    }
}

mod gate;
#[cfg(test)]
mod tests;
