//! Does a ranking survive another judge (template, decoding, image policy, order, repeat)?
//!
//! For every two levels of the factor, in every track: Kendall's tau-b, weighted tau and Spearman's
//! rho between the scores of the models that both scored; averaged over pairs of a kind, then over
//! tracks (SpecV, ECCV 2026, tables of rank stability). Intervals come from a bootstrap over
//! instances, drawn within dimensions and by shared source image, the same draw for all models and
//! levels, so that differences between protocols are paired. Unless [`Intervals::Percentile`] is
//! asked for they are of the tau between *true* scores: the noise of the instances, which lowers
//! tau, is taken off.
//!
//! Stability alone is no merit: three judges that err alike agree perfectly. So the share of yes,
//! the spread of the scores and, where labels exist, the agreement with people stand beside it.

mod levels;
mod pairs;
mod ranks;
mod summary;
mod variance;

use std::collections::HashMap;

use serde::Serialize;
use verispec_stats::bootstrap::{LEAST_ITEMS, Sample};

use crate::draws;
use crate::estimate::Estimate;
use crate::matrix::{Matrix, TrackMatrix};
pub use levels::LevelRow;
pub use pairs::{Kind, Pair, Selection};
pub use ranks::RankRange;
pub use summary::{Difference, Summary};
pub use variance::Components;

/// What people think of each model, by track and model: any scale, larger is better.
pub type HumanScores = HashMap<(String, String), f64>;

/// How intervals of tau are made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Intervals {
    /// Of tau between the models' true scores: means over all instances of the kind. See
    /// [`true_taus`](verispec_stats::bootstrap::true_taus).
    #[default]
    TrueScores,
    /// Percentile interval of the bootstrap: of tau between scores as noisy as those of a draw,
    /// which noise lowers. It does not hold tau between true scores where models are close.
    Percentile,
}

impl Intervals {
    /// Adds the interval of this kind to a tau.
    pub(crate) fn add(self, tau: Estimate, sample: &Sample, level: f64) -> Estimate {
        match self {
            Self::TrueScores => tau.with_outer(sample, level),
            Self::Percentile => tau.with(sample, level),
        }
    }
}

/// How the study is made.
#[derive(Debug, Clone)]
pub struct Options {
    /// Draws of the bootstrap; 0 for none.
    pub draws: usize,
    /// Seed of the draws.
    pub seed: u64,
    /// Nominal coverage of intervals, in (0, 1).
    pub level: f64,
    /// Labels, where they exist.
    pub human: HumanScores,
    /// Kind of the intervals of tau.
    pub intervals: Intervals,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            draws: 10_000,
            seed: 0,
            level: 0.95,
            human: HumanScores::new(),
            intervals: Intervals::default(),
        }
    }
}

/// The study's result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stability {
    /// Each level on its own.
    pub levels: Vec<LevelRow>,
    /// Each track.
    pub tracks: Vec<TrackStability>,
    /// Means over tracks, for each group of levels and each selection of pairs that exists.
    pub overall: Vec<Summary>,
    /// One group of levels minus another: what a protocol gains.
    pub differences: Vec<Difference>,
    /// Draws of the bootstrap.
    pub draws: usize,
    /// Seed of the draws.
    pub seed: u64,
    /// Kind of the intervals of tau.
    pub intervals: Intervals,
    /// What a reader has to know.
    pub warnings: Vec<String>,
}

/// One track.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrackStability {
    /// Track.
    pub track: String,
    /// Models compared.
    pub models: Vec<String>,
    /// Models left out, with a level that lacks them.
    pub left_out: Vec<(String, String)>,
    /// Instances.
    pub instances: usize,
    /// Pairs of levels, within each group.
    pub pairs: Vec<Pair>,
    /// Means over pairs, for each group and selection that exists.
    pub summaries: Vec<Summary>,
    /// Where the scores vary, for each group.
    pub variance: Vec<Components>,
    /// Ranks that each model can have, for each level.
    pub ranks: Vec<RankRange>,
}

/// Makes the study.
#[must_use]
pub fn stability(matrix: &Matrix, options: &Options) -> Stability {
    let drawn = draws::taus(matrix, options.draws, options.seed, options.intervals);
    let mut tracks: Vec<TrackStability> = vec![];
    let mut at = 0;
    for track in &matrix.tracks {
        let pairs = pairs::of_track(matrix, track);
        tracks.push(TrackStability {
            track: track.name.clone(),
            models: track.models.clone(),
            left_out: track.left_out.clone(),
            instances: track.units.len(),
            summaries: summary::of_track(matrix, &pairs),
            variance: variance::of_track(matrix, track),
            ranks: ranks::of_track(matrix, track, options),
            pairs: pairs::with_intervals(pairs, matrix, drawn.as_ref(), at, options),
        });
        at += pairs::count(matrix.levels.len());
    }
    let overall = summary::overall(matrix, &tracks, drawn.as_ref(), options);
    let differences = summary::differences(matrix, &overall, drawn.as_ref(), options);
    let levels = levels::rows(matrix, options);
    let mut warnings = warnings(matrix, &levels, &overall);
    warnings.extend(
        tracks
            .iter()
            .filter_map(|t| few_models(t, options.intervals)),
    );
    Stability {
        levels,
        tracks,
        overall,
        differences,
        draws: drawn.map_or(0, |d| d.draws()),
        seed: options.seed,
        intervals: options.intervals,
        warnings,
    }
}

/// A tau over fewer models takes few values.
const FEW_MODELS: usize = 5;

fn few_models(track: &TrackStability, intervals: Intervals) -> Option<String> {
    let n = track.models.len();
    let no_interval = if intervals == Intervals::TrueScores && n < LEAST_ITEMS {
        ", and has no interval here, nor does a mean over tracks"
    } else {
        ""
    };
    (n < FEW_MODELS).then(|| {
        format!(
            "{}: {n} models are common to all levels; a rank correlation over so few takes {} \
             values at most{no_interval}",
            track.track,
            n * n.saturating_sub(1) / 2 + 1
        )
    })
}

/// How much closer judges may be to one another than to people before that is said.
const VALIDITY_GAP: f64 = 0.3;

fn warnings(matrix: &Matrix, levels: &[LevelRow], overall: &[Summary]) -> Vec<String> {
    let mut warnings = vec![];
    for (group, members) in matrix.groups() {
        let human: Vec<f64> = members
            .iter()
            .filter_map(|l| levels[*l].human_tau.as_ref()?.value)
            .collect();
        let of_all = |s: &&Summary| s.group == group && s.selection == Selection::All;
        let between = overall.iter().find(of_all).and_then(|s| s.tau_b.value);
        let (Some(between), false) = (between, human.is_empty()) else {
            continue;
        };
        let with_people = human.iter().sum::<f64>() / human.len() as f64;
        if between - with_people >= VALIDITY_GAP {
            warnings.push(format!(
                "{group}: the judges agree with one another (tau-b {between:.3}) far more than \
                 with people ({with_people:.3}): this ranking is stable, not shown to be valid"
            ));
        }
    }
    warnings
}

/// Scores of a level's models when all are defined.
fn complete(track: &TrackMatrix, level: usize) -> Option<Vec<f64>> {
    track.scores(level).into_iter().collect()
}

#[cfg(test)]
mod tests;
