//! The statistics that a report shows, computed from its columns.

use verispec_model::Suite;
use verispec_report::{Interval, MissingnessTest, Place, ScoreInterval, Stability, Statistics};
use verispec_studies::Estimate;
use verispec_studies::intervals::{self, ModelIntervals, intervals};
use verispec_studies::matrix::{Clusters, Level, Matrix, Source};
use verispec_studies::missingness::{self, missingness};
use verispec_studies::stability::{self, Options, Selection, stability};

use crate::levels;
use crate::side_by_side::Column;

/// Coverage of all intervals.
const COVERAGE: f64 = 0.95;

/// Draws of a report; a study has more.
const DRAWS: usize = 2000;

/// Intervals of every score, agreement of the columns, tests of missingness.
pub(crate) fn of(columns: &[Column], suite: Option<&Suite>) -> Statistics {
    let clusters = suite.map(levels::clusters).unwrap_or_default();
    let each = columns.iter();
    Statistics {
        intervals: each
            .clone()
            .flat_map(|c| column_intervals(c, &clusters))
            .collect(),
        stability: agreement(columns, &clusters),
        missingness: each
            .filter_map(|c| {
                let test = missingness(&c.results, DRAWS as u64, 0).ok()?;
                Some(MissingnessTest {
                    judge: c.name.clone(),
                    method: missingness::METHOD.to_owned(),
                    p: test.p,
                })
            })
            .collect(),
    }
}

fn matrix(columns: &[&Column], clusters: &Clusters) -> Matrix {
    let sources: Vec<Source<'_>> = columns
        .iter()
        .map(|c| Source {
            level: Level {
                name: c.name.clone(),
                family: None,
                group: "report".to_owned(),
            },
            results: &c.results,
            scores: &c.scores,
        })
        .collect();
    Matrix::new(&sources, clusters)
}

fn column_intervals(column: &Column, clusters: &Clusters) -> Vec<ScoreInterval> {
    let matrix = matrix(&[column], clusters);
    let all_tracks = column.results.all_tracks.len();
    let mut all = vec![];
    for model in intervals(&matrix, COVERAGE) {
        let ModelIntervals {
            model: name,
            tracks,
            average,
            ..
        } = model;
        let mut push = |place: Place, estimate: &Estimate| {
            if let Some(interval) = &estimate.interval {
                all.push(ScoreInterval {
                    judge: column.name.clone(),
                    model: name.clone(),
                    place,
                    interval: Interval {
                        low: interval.low,
                        high: interval.high,
                        level: interval.level,
                        method: intervals::METHOD.to_owned(),
                    },
                });
            }
        };
        // An average exists only over all tracks of the suite.
        if let Some(average) = average.filter(|_| tracks.len() == all_tracks) {
            push(Place::Average, &average);
        }
        for track in tracks {
            let name = track.track;
            push(
                Place::Track {
                    track: name.clone(),
                },
                &track.score,
            );
            for (dimension, estimate) in &track.dimensions {
                let place = Place::Dimension {
                    track: name.clone(),
                    dimension: dimension.clone(),
                };
                push(place, estimate);
            }
        }
    }
    all
}

/// tau-b of every pair of columns, mean over tracks.
fn agreement(columns: &[Column], clusters: &Clusters) -> Option<Stability> {
    if columns.len() < 2 {
        return None;
    }
    let matrix = matrix(&columns.iter().collect::<Vec<_>>(), clusters);
    let options = Options {
        draws: DRAWS,
        ..Options::default()
    };
    let study = stability(&matrix, &options);
    let all = study
        .overall
        .iter()
        .find(|s| s.selection == Selection::All)?;
    let n = columns.len();
    let mut tau = vec![vec![None; n]; n];
    for (i, first) in columns.iter().enumerate() {
        tau[i][i] = Some(1.0);
        for (j, second) in columns.iter().enumerate().skip(i + 1) {
            let value = pair_mean(&study, &first.name, &second.name);
            tau[i][j] = value;
            tau[j][i] = value;
        }
    }
    let interval = all.tau_b.interval.as_ref();
    let interval = interval.map(|i| {
        format!(
            ", 95 % [{:.3}, {:.3}] for true scores (noise of the instances taken off)",
            i.low, i.high
        )
    });
    let mean = all
        .tau_b
        .value
        .map(|v| format!("; mean {v:.3}{}", interval.unwrap_or_default()));
    Some(Stability {
        method: format!(
            "Kendall tau-b of model scores, mean over {} tracks{}",
            study.tracks.len(),
            mean.unwrap_or_default()
        ),
        judges: columns.iter().map(|c| c.name.clone()).collect(),
        tau,
        human: vec![],
        yes_rate: study.levels.iter().map(|l| l.yes_rate).collect(),
        spread: columns.iter().map(|c| spread(&matrix, &c.name)).collect(),
        warnings: study.warnings,
    })
}

/// Mean over the tracks where it is defined.
fn pair_mean(study: &stability::Stability, first: &str, second: &str) -> Option<f64> {
    let pairs = study.tracks.iter().flat_map(|t| &t.pairs);
    let of = pairs.filter(|p| p.first == first && p.second == second);
    let taus: Vec<f64> = of.filter_map(|p| p.tau_b.value).collect();
    (!taus.is_empty()).then(|| taus.iter().sum::<f64>() / taus.len() as f64)
}

/// Best minus worst model, percent points, mean over tracks.
fn spread(matrix: &Matrix, level: &str) -> Option<f64> {
    let level = matrix.levels.iter().position(|l| l.name == level)?;
    let spreads: Vec<f64> = matrix
        .tracks
        .iter()
        .filter_map(|t| {
            let scores: Vec<f64> = t.scores(level).into_iter().flatten().collect();
            let high = scores.iter().copied().reduce(f64::max)?;
            let low = scores.iter().copied().reduce(f64::min)?;
            Some(high - low)
        })
        .collect();
    (!spreads.is_empty()).then(|| spreads.iter().sum::<f64>() / spreads.len() as f64)
}
