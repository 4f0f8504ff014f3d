//! Each level on its own.

use serde::Serialize;
use verispec_model::YesNo;
use verispec_stats::rank::tau_b;

use super::{HumanScores, Options, complete};
use crate::estimate::Estimate;
use crate::matrix::{Matrix, TrackMatrix};

/// What a level looks like.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelRow {
    /// Level.
    pub name: String,
    /// Family, where it is known.
    pub family: Option<String>,
    /// Group.
    pub group: String,
    /// Share of yes among the verdicts, 0-1; `None` without verdicts (grades).
    pub yes_rate: Option<f64>,
    /// Verdicts over specifications of outputs that are there, 0-1.
    pub coverage: Option<f64>,
    /// Standard deviation of the models' scores, percent points, mean over tracks.
    pub spread: Option<f64>,
    /// tau-b with the human scores, mean over the tracks that have them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub human_tau: Option<Estimate>,
}

pub(super) fn rows(matrix: &Matrix, options: &Options) -> Vec<LevelRow> {
    (0..matrix.levels.len())
        .map(|level| row(matrix, level, options))
        .collect()
}

fn row(matrix: &Matrix, level: usize, options: &Options) -> LevelRow {
    let (mut yes, mut verdicts, mut all) = (0_usize, 0_usize, 0_usize);
    for track in &matrix.tracks {
        for model in 0..track.models.len() {
            for mark in track.row(level, model).iter().flat_map(|c| &c.marks) {
                all += 1;
                verdicts += usize::from(mark.verdict.is_some());
                yes += usize::from(mark.verdict == Some(YesNo::Yes));
            }
        }
    }
    let share = |n: usize, of: usize| (of > 0).then(|| n as f64 / of as f64);
    let spreads: Vec<Option<f64>> = matrix.tracks.iter().map(|t| spread(t, level)).collect();
    let info = &matrix.levels[level];
    LevelRow {
        name: info.name.clone(),
        family: info.family.clone(),
        group: info.group.clone(),
        yes_rate: share(yes, verdicts),
        coverage: share(verdicts, all),
        spread: Estimate::mean(&spreads),
        human_tau: human(matrix, level, &options.human),
    }
}

fn spread(track: &TrackMatrix, level: usize) -> Option<f64> {
    let scores = complete(track, level).filter(|s| s.len() > 1)?;
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let square: f64 = scores.iter().map(|s| (s - mean).powi(2)).sum();
    Some((square / (n - 1.0)).sqrt())
}

/// Mean over tracks of tau-b between the level's scores and people's, over models that have both.
fn human(matrix: &Matrix, level: usize, human: &HumanScores) -> Option<Estimate> {
    let mut taus = vec![];
    for track in &matrix.tracks {
        let both = track.models.iter().enumerate().filter_map(|(m, name)| {
            let people = human.get(&(track.name.clone(), name.clone()))?;
            Some((track.score(level, m)?, *people))
        });
        let (judge, people): (Vec<f64>, Vec<f64>) = both.unzip();
        if judge.len() > 1 {
            taus.push(tau_b(&judge, &people));
        }
    }
    let n = taus.len() as f64;
    let all: Result<Vec<f64>, _> = taus.into_iter().collect();
    (n > 0.0).then(|| Estimate::of(all.map(|all| all.iter().sum::<f64>() / n)))
}
