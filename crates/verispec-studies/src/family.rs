//! Does a judge favour models of its own family?
//!
//! Residual of a score = score - mean of the model over judges - mean of the judge over models +
//! grand mean, track by track (what is left when a model's quality and a judge's strictness are
//! taken out). A judge's preference is the mean residual of its own family's models minus that of
//! the others.

use std::collections::HashMap;

use serde::Serialize;
use verispec_stats::Undefined;
use verispec_stats::bootstrap::{MeanScratch, ScoreTable, Statistic, bootstrap};

use crate::compare::Options;
use crate::draws;
use crate::estimate::Estimate;
use crate::matrix::{Matrix, TrackMatrix};

/// Families of the models under test, by name.
pub type ModelFamilies = HashMap<String, String>;

/// A judge's preference for its own family.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preference {
    /// Judge.
    pub judge: String,
    /// Its family.
    pub family: String,
    /// Own family's models minus other models: mean residual in percent points, mean over the
    /// tracks that have both. Undefined where a track never has both.
    pub preference: Estimate,
    /// Models of its family.
    pub own: Vec<String>,
    /// Models of other families.
    pub others: usize,
}

/// One preference for each judge whose family is known.
///
/// The levels must be judges of one group. A model whose family is not known counts as of another
/// family.
#[must_use]
pub fn family(matrix: &Matrix, models: &ModelFamilies, options: Options) -> Vec<Preference> {
    let judges: Vec<(usize, &String)> = matrix
        .levels
        .iter()
        .enumerate()
        .filter_map(|(i, l)| Some((i, l.family.as_ref()?)))
        .collect();
    let statistic = Residuals::new(matrix, models, &judges);
    let drawn = statistic.as_ref().and_then(|s| {
        let plan = draws::plan(&matrix.tracks).ok()?;
        bootstrap(&plan, s, options.draws, options.seed).ok()
    });
    judges
        .iter()
        .enumerate()
        .map(|(i, (judge, family))| {
            let names = matrix.tracks.iter().flat_map(|t| &t.models);
            let mut names: Vec<&String> = names.collect();
            names.sort_unstable();
            names.dedup();
            let (own, others): (Vec<&String>, Vec<&String>) = names
                .into_iter()
                .partition(|m| models.get(*m) == Some(*family));
            let undefined = Estimate::of(Err(Undefined::TooFew {
                what: "tracks with models of the judge's family and of others",
                found: 0,
                need: 1,
            }));
            let sample = drawn.as_ref().map(|d| d.output(i));
            let sample = sample.filter(|s| s.estimate.is_some());
            Preference {
                judge: matrix.levels[*judge].name.clone(),
                family: (*family).clone(),
                preference: sample.map_or(undefined, |s| Estimate::sampled(&s, options.level)),
                own: own.into_iter().cloned().collect(),
                others: others.len(),
            }
        })
        .collect()
}

/// Preferences of all judges as a statistic of the instances drawn.
struct Residuals {
    tracks: Vec<TrackScores>,
    outputs: usize,
}

struct TrackScores {
    table: ScoreTable,
    levels: usize,
    models: usize,
    /// For each judge asked about: its level, and which models are its family's.
    judges: Vec<(usize, Vec<bool>)>,
}

impl Residuals {
    fn new(matrix: &Matrix, models: &ModelFamilies, judges: &[(usize, &String)]) -> Option<Self> {
        let levels: Vec<usize> = (0..matrix.levels.len()).collect();
        let mut start = 0;
        let mut tracks = vec![];
        for track in &matrix.tracks {
            tracks.push(TrackScores {
                table: draws::table(track, &levels, start).ok()?,
                levels: levels.len(),
                models: track.models.len(),
                judges: judges
                    .iter()
                    .map(|(l, family)| (*l, own(track, models, family)))
                    .collect(),
            });
            start += track.units.len();
        }
        Some(Self {
            tracks,
            outputs: judges.len(),
        })
    }
}

fn own(track: &TrackMatrix, models: &ModelFamilies, family: &String) -> Vec<bool> {
    let names = track.models.iter();
    names.map(|m| models.get(m) == Some(family)).collect()
}

impl Statistic for Residuals {
    type Scratch = (MeanScratch, Vec<Option<f64>>);

    fn outputs(&self) -> usize {
        self.outputs
    }

    fn scratch(&self) -> Self::Scratch {
        Default::default()
    }

    fn evaluate(&self, times: &[u32], scratch: &mut Self::Scratch, out: &mut [Option<f64>]) {
        let mut sums = vec![(0.0, 0_u32); out.len()];
        for track in &self.tracks {
            let (means, scores) = scratch;
            scores.clear();
            scores.resize(track.table.columns(), None);
            track.table.scores(times, means, scores);
            let Some(scores) = scores.iter().copied().collect::<Option<Vec<f64>>>() else {
                continue;
            };
            for (sum, (level, own)) in sums.iter_mut().zip(&track.judges) {
                if let Some(value) = track.preference(&scores, *level, own) {
                    sum.0 += value;
                    sum.1 += 1;
                }
            }
        }
        for (slot, (sum, n)) in out.iter_mut().zip(sums) {
            *slot = (n > 0).then(|| sum / f64::from(n));
        }
    }
}

impl TrackScores {
    /// Own minus others of one judge. The judge's own mean and the grand mean cancel.
    fn preference(&self, scores: &[f64], level: usize, own: &[bool]) -> Option<f64> {
        let over_judges = |m: usize| {
            let all = (0..self.levels).map(|l| scores[l * self.models + m]);
            all.sum::<f64>() / self.levels as f64
        };
        let residual = |m: usize| scores[level * self.models + m] - over_judges(m);
        let mean = |wanted: bool| {
            let of: Vec<f64> = (0..self.models)
                .filter(|m| own[*m] == wanted)
                .map(residual)
                .collect();
            (!of.is_empty()).then(|| of.iter().sum::<f64>() / of.len() as f64)
        };
        Some(mean(true)? - mean(false)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Clusters;
    use crate::testing::{Rows, matrix, results};

    /// Every instance has 10 specifications, so that scores move by 10 points.
    fn rows(met: usize) -> Rows {
        (0..40)
            .map(|i| {
                let verdicts = (0..10).map(|s| Some((s + i) % 10 < met)).collect();
                ("d".to_owned(), format!("{i:02}"), verdicts)
            })
            .collect()
    }

    fn judge(scores: [usize; 4]) -> verispec_model::Results {
        let names = ["a1", "a2", "b1", "b2"];
        let models: Vec<_> = names
            .iter()
            .zip(scores)
            .map(|(n, met)| (*n, vec![("t", rows(met))]))
            .collect();
        results(&["t"], &models)
    }

    #[test]
    fn a_favour_of_ten_points_is_found() {
        // Judge A gives its family 10 points more than judge B does; B favours nobody beyond that.
        let levels = [
            ("ja", Some("a"), "g", judge([5, 7, 4, 6])),
            ("jb", Some("b"), "g", judge([4, 6, 4, 6])),
            ("jc", None, "g", judge([4, 6, 4, 6])),
        ];
        let families: ModelFamilies = [("a1", "a"), ("a2", "a"), ("b1", "b"), ("b2", "b")]
            .map(|(m, f)| (m.to_owned(), f.to_owned()))
            .into();
        let found = family(
            &matrix(&levels, &Clusters::new()),
            &families,
            Options::default(),
        );
        assert_eq!(found.len(), 2);
        // Residuals of ja: own +10 - 10/3, others 0: preference 20/3; of jb: own 0, others -10/3.
        assert_eq!(found[0].own, ["a1", "a2"]);
        assert!((found[0].preference.value.unwrap() - 20.0 / 3.0).abs() < 1e-9);
        assert!((found[1].preference.value.unwrap() - 10.0 / 3.0).abs() < 1e-9);
        let interval = found[0].preference.interval.unwrap();
        // All instances are alike, so that nothing but rounding separates the draws.
        assert!((interval.low - 20.0 / 3.0).abs() < 1e-9);
        assert!((interval.high - 20.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn no_own_model_is_undefined() {
        let levels = [("ja", Some("z"), "g", judge([5, 7, 4, 6]))];
        let found = family(
            &matrix(&levels, &Clusters::new()),
            &ModelFamilies::new(),
            Options::default(),
        );
        assert_eq!(found[0].preference.value, None);
        assert!(found[0].preference.undefined.is_some());
    }
}
