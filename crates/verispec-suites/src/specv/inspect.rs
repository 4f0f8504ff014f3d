//! Counts and baselines of a suite: what it holds, and what a judge that never looks would give.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_model::score::{Policy, ScoreTable, Scoring, uniform};
use verispec_model::{Dimension, Instance, Suite, Warning, YesNo};

use super::board::board;
use super::load::Loaded;
use super::synthetic::{always, answered_by};

/// Counts over some instances.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Instances.
    pub tasks: usize,
    /// Specifications.
    pub specs: usize,
    /// Fewest specifications of an instance.
    pub k_min: usize,
    /// Most specifications of an instance.
    pub k_max: usize,
    /// Specifications whose expected answer is No.
    pub expected_no: usize,
    /// Specifications rated below 8, the bound of the paper's filter.
    pub rating_below_8: usize,
    /// Instances with input images.
    pub tasks_with_images: usize,
    /// Input images, an image counted once per instance that uses it.
    pub images: usize,
}

impl Counts {
    /// Counts of these.
    pub fn of<'a>(instances: impl Iterator<Item = &'a Instance>) -> Self {
        let mut counts = Self::default();
        for instance in instances {
            let k = instance.specifications.len();
            counts.k_min = if counts.tasks == 0 {
                k
            } else {
                counts.k_min.min(k)
            };
            counts.k_max = counts.k_max.max(k);
            counts.tasks += 1;
            counts.specs += k;
            counts.images += instance.references.len();
            counts.tasks_with_images += usize::from(!instance.references.is_empty());
            for spec in &instance.specifications {
                counts.expected_no += usize::from(spec.expected == YesNo::No);
                counts.rating_below_8 += usize::from(spec.rating.is_some_and(|r| r < 8.0));
            }
        }
        counts
    }

    /// Specifications per instance; `None` for no instances.
    #[must_use]
    pub fn mean_k(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        (self.tasks > 0).then(|| self.specs as f64 / self.tasks as f64)
    }
}

/// Scores, in percent, of a judge that gives the same answer to everything.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Baseline {
    /// Always Yes, scoring `uniform`.
    pub yes_uniform: Option<f64>,
    /// Always Yes, scoring `board`.
    pub yes_board: Option<f64>,
    /// Always No, scoring `uniform`.
    pub no_uniform: Option<f64>,
    /// Always No, scoring `board`.
    pub no_board: Option<f64>,
}

/// One dimension.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DimensionInspection {
    /// Name.
    pub name: String,
    /// Counts.
    pub counts: Counts,
}

/// One track.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrackInspection {
    /// Name.
    pub name: String,
    /// Counts over its dimensions.
    pub counts: Counts,
    /// Dimensions in suite order.
    pub dimensions: Vec<DimensionInspection>,
    /// What judges that never look would give.
    pub baseline: Baseline,
}

/// A suite in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inspection {
    /// Suite name.
    pub suite: String,
    /// Content version.
    pub revision: String,
    /// Counts over everything.
    pub counts: Counts,
    /// Tracks in board order.
    pub tracks: Vec<TrackInspection>,
    /// Number of warnings by kind.
    pub warnings_by_kind: BTreeMap<String, usize>,
    /// All warnings, in the order of the loader.
    pub warnings: Vec<Warning>,
}

/// Counts a loaded suite and scores the two judges that never look.
#[must_use]
pub fn inspect(loaded: &Loaded) -> Inspection {
    let suite = &loaded.suite;
    let baselines = baselines(suite);
    let tracks = suite
        .tracks
        .iter()
        .zip(baselines)
        .map(|(track, baseline)| TrackInspection {
            name: track.name.clone(),
            counts: Counts::of(track.dimensions.iter().flat_map(members)),
            dimensions: track
                .dimensions
                .iter()
                .map(|d| DimensionInspection {
                    name: d.name.clone(),
                    counts: Counts::of(members(d)),
                })
                .collect(),
            baseline,
        });
    let mut warnings_by_kind = BTreeMap::new();
    for warning in &loaded.warnings {
        *warnings_by_kind.entry(warning.kind.clone()).or_default() += 1;
    }
    Inspection {
        suite: suite.name.clone(),
        revision: suite.revision.clone(),
        counts: Counts::of(suite.instances().map(AsRef::as_ref)),
        tracks: tracks.collect(),
        warnings_by_kind,
        warnings: loaded.warnings.clone(),
    }
}

fn members(dimension: &Dimension) -> impl Iterator<Item = &Instance> {
    dimension.instances.iter().map(AsRef::as_ref)
}

/// Baselines per track, in suite order.
fn baselines(suite: &Suite) -> Vec<Baseline> {
    let (yes, no) = (always(YesNo::Yes), always(YesNo::No));
    // Models are sorted by name: "no" is the first.
    let results = answered_by(suite, &[("no", &no), ("yes", &yes)]);
    let board = board(
        &results,
        Policy {
            scoring: Scoring::Board,
            ..Policy::default()
        },
    );
    let uniform = uniform(&results, Policy::default());
    let cell = |table: &ScoreTable, model: usize, track: usize| {
        table.models[model].tracks[track]
            .score
            .as_ref()
            .map(|s| s.value)
    };
    (0..suite.tracks.len())
        .map(|track| Baseline {
            yes_uniform: cell(&uniform, 1, track),
            yes_board: cell(&board, 1, track),
            no_uniform: cell(&uniform, 0, track),
            no_board: cell(&board, 0, track),
        })
        .collect()
}
