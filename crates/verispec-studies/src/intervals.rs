//! How sure is a score? Intervals of dimensions, tracks and the average.
//!
//! A dimension is a mean of instances: t interval with the standard error clustered by shared
//! source image. A track is the unweighted mean of D dimensions, the average that of T tracks, so
//! se^2 = sum se_d^2 / D^2, with the degrees of freedom of Satterthwaite (F. Satterthwaite,
//! Biometrics Bulletin 1946): nu = (sum se_d^2)^2 / sum (se_d^4 / nu_d). They say how the score
//! would vary over other instances of the same kind, conditional on one output for each.
//!
//! Dimensions of 20 to 50 instances are too few for a percentile bootstrap, which is too short
//! there; t is not.

use serde::Serialize;
use verispec_stats::Undefined;
use verispec_stats::interval::{Interval, SmallSample, clustered_mean};
use verispec_stats::special::t_quantile;

use crate::estimate::Estimate;
use crate::matrix::{Matrix, TrackMatrix};

/// Name of the method, for tables.
pub const METHOD: &str = "t over instances, clustered by source image, Satterthwaite over dimensions; conditional on \
     one generation for each instance";

/// Intervals of one model under one level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelIntervals {
    /// Level.
    pub level: String,
    /// Model.
    pub model: String,
    /// Tracks that it entered.
    pub tracks: Vec<TrackIntervals>,
    /// Mean of all tracks; `None` unless the model entered every track of the matrix.
    pub average: Option<Estimate>,
}

/// Intervals of one track.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrackIntervals {
    /// Track.
    pub track: String,
    /// The track's score, percent.
    pub score: Estimate,
    /// Its dimensions by name, percent.
    pub dimensions: Vec<(String, Estimate)>,
}

/// A mean with its squared standard error and degrees of freedom.
#[derive(Debug, Clone, Copy)]
struct Part {
    value: f64,
    variance: f64,
    freedom: f64,
}

/// All intervals of a matrix, by level, then model.
///
/// The matrix holds models that entered a track under every level; give one level to cover all.
#[must_use]
pub fn intervals(matrix: &Matrix, coverage: f64) -> Vec<ModelIntervals> {
    let mut names: Vec<&String> = matrix.tracks.iter().flat_map(|t| &t.models).collect();
    names.sort_unstable();
    names.dedup();
    let mut all = vec![];
    for (level, info) in matrix.levels.iter().enumerate() {
        for name in &names {
            let entered = matrix.tracks.iter().filter_map(|t| {
                let model = t.models.iter().position(|m| m == *name)?;
                Some((t, parts(t, level, model)))
            });
            let entered: Vec<(&TrackMatrix, Vec<Option<Part>>)> = entered.collect();
            let means: Vec<Option<Part>> = entered.iter().map(|(_, p)| mean(p)).collect();
            let complete = entered.len() == matrix.tracks.len();
            all.push(ModelIntervals {
                level: info.name.clone(),
                model: (*name).clone(),
                tracks: entered
                    .iter()
                    .zip(&means)
                    .map(|((track, parts), mean)| TrackIntervals {
                        track: track.name.clone(),
                        score: estimate(*mean, coverage),
                        dimensions: named(track, parts, coverage),
                    })
                    .collect(),
                average: complete.then(|| estimate(mean(&means), coverage)),
            });
        }
    }
    all
}

fn named(track: &TrackMatrix, parts: &[Option<Part>], coverage: f64) -> Vec<(String, Estimate)> {
    let names = track.dimensions.iter().cloned();
    let estimates = parts.iter().map(|p| estimate(*p, coverage));
    names.zip(estimates).collect()
}

/// Each dimension; `None` with fewer than two independent instances.
fn parts(track: &TrackMatrix, level: usize, model: usize) -> Vec<Option<Part>> {
    let row = track.row(level, model);
    (0..track.dimensions.len())
        .map(|d| {
            let of = track.units.iter().zip(row);
            let of = of.filter(|(u, _)| u.dimension == d);
            let (values, clusters): (Vec<f64>, Vec<u32>) =
                of.filter_map(|(u, c)| Some((c.score?, u.cluster))).unzip();
            let mean = clustered_mean(&values, &clusters, SmallSample::Clusters).ok()?;
            Some(Part {
                value: mean.value,
                variance: mean.se * mean.se,
                freedom: mean.groups as f64 - 1.0,
            })
        })
        .collect()
}

/// Unweighted mean of parts; `None` unless all are defined.
fn mean(parts: &[Option<Part>]) -> Option<Part> {
    let parts: Vec<Part> = parts.iter().copied().collect::<Option<_>>()?;
    let n = parts.len() as f64;
    let total: f64 = parts.iter().map(|p| p.variance).sum();
    let fourth: f64 = parts
        .iter()
        .map(|p| p.variance * p.variance / p.freedom)
        .sum();
    let least = parts.iter().map(|p| p.freedom).reduce(f64::min)?;
    Some(Part {
        value: parts.iter().map(|p| p.value).sum::<f64>() / n,
        variance: total / (n * n),
        // Level dimensions leave nothing to weigh by.
        freedom: if fourth > 0.0 {
            total * total / fourth
        } else {
            least
        },
    })
}

fn estimate(part: Option<Part>, coverage: f64) -> Estimate {
    let Some(part) = part else {
        return Estimate::of(Err(Undefined::TooFew {
            what: "instances of different source images in a dimension",
            found: 1,
            need: 2,
        }));
    };
    let quantile = t_quantile(0.5 * (1.0 + coverage), part.freedom);
    let half = quantile.map(|q| q * part.variance.sqrt()).ok();
    let interval = half.map(|half| Interval {
        low: part.value - half,
        high: part.value + half,
        level: coverage,
    });
    Estimate {
        interval: interval.map(|i| i.clipped(0.0, 100.0)),
        ..Estimate::of(Ok(part.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Clusters;
    use crate::testing::{Noise, Rows, matrix, results};

    fn rows(dims: &[(&str, &[u8])]) -> Rows {
        let mut rows: Rows = vec![];
        for (dim, met) in dims {
            for (i, met) in met.iter().enumerate() {
                let verdicts = (0..4).map(|s| Some(s < *met)).collect();
                rows.push(((*dim).into(), format!("{dim}{i}"), verdicts));
            }
        }
        rows
    }

    fn of(rows: Rows) -> ModelIntervals {
        let levels = [("j", None, "g", results(&["t"], &[("m", vec![("t", rows)])]))];
        intervals(&matrix(&levels, &Clusters::new()), 0.95).remove(0)
    }

    /// One dimension of 100, 50, 0, 50: mean 50, s = 40.8248, t(3) = 3.18245.
    #[test]
    fn one_dimension_is_the_t_interval() {
        let found = of(rows(&[("d", &[4, 2, 0, 2])]));
        let track = &found.tracks[0];
        let interval = track.dimensions[0].1.interval.unwrap();
        let half = 3.182_446_305_284_263 * (5000.0_f64 / 3.0).sqrt() / 2.0;
        assert!((interval.high - 100.0_f64.min(50.0 + half)).abs() < 1e-9);
        assert_eq!(track.score.interval, track.dimensions[0].1.interval);
        assert_eq!(found.average.as_ref().unwrap().value, Some(50.0));
    }

    /// Welch's two-sample degrees of freedom are Satterthwaite's with two dimensions.
    #[test]
    fn two_dimensions_weigh_their_noise() {
        let found = of(rows(&[("d", &[4, 2, 1, 3, 2]), ("e", &[2, 2, 3])]));
        let track = &found.tracks[0];
        let (v1, v2) = (625.0 * 1.3 / 5.0, 625.0 / 3.0 / 3.0);
        let nu = (v1 + v2) * (v1 + v2) / (v1 * v1 / 4.0 + v2 * v2 / 2.0);
        let half = t_quantile(0.975, nu).unwrap() * (v1 + v2).sqrt() / 2.0;
        let interval = track.score.interval.unwrap();
        let value = (60.0 + 175.0 / 3.0) / 2.0;
        assert!((track.score.value.unwrap() - value).abs() < 1e-9);
        assert!((interval.high - interval.low - 2.0 * half).abs() < 1e-9);
    }

    #[test]
    fn one_instance_has_no_interval_and_no_zero() {
        let found = of(rows(&[("d", &[4, 2]), ("e", &[2])]));
        assert_eq!(found.tracks[0].score.value, None);
        assert!(found.tracks[0].score.undefined.is_some());
        assert_eq!(found.tracks[0].dimensions[0].1.value, Some(75.0));
    }

    /// Seven dimensions of 20 to 50 instances, as SpecV's tracks have: nominal 95 %.
    #[test]
    fn simulated_coverage() {
        let sizes = [20, 25, 30, 35, 40, 45, 50];
        let truth = |d: usize| 0.35 + 0.07 * d as f64;
        let mut noise = Noise(20);
        let runs = 500;
        let mut held = 0;
        for _ in 0..runs {
            let mut made: Rows = vec![];
            for (d, n) in sizes.iter().enumerate() {
                for i in 0..*n {
                    // A hard or an easy instance: verdicts inside it hang together.
                    let ease = if noise.unit() < 0.5 { 0.2 } else { -0.2 };
                    let verdicts = (0..8)
                        .map(|_| Some(noise.unit() < truth(d) + ease))
                        .collect();
                    made.push((format!("d{d}"), format!("{d}-{i}"), verdicts));
                }
            }
            let expected = 100.0 * (0..7).map(truth).sum::<f64>() / 7.0;
            let interval = of(made).tracks[0].score.interval.unwrap();
            held += usize::from(interval.contains(expected));
        }
        let share = held as f64 / f64::from(runs);
        println!("track interval: {:.1} % of {runs}", 100.0 * share);
        assert!((0.93..=0.97).contains(&share), "{share}");
    }
}
