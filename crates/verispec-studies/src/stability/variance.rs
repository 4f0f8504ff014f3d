//! Where the scores of a track vary: between models, between levels, or in which model which level
//! likes.

use serde::Serialize;

use super::complete;
use crate::matrix::{Matrix, TrackMatrix};

/// Variance components of models x levels, in squared percent points.
///
/// Two-way random effects without replication (R. Fisher's analysis of variance; S. Searle,
/// "Variance Components", 1992, section 4.3): with m models and l levels,
/// model = (MS_model - MS_rest) / l, level = (MS_level - MS_rest) / m, rest = MS_rest. The rest is
/// interaction and noise together. An estimate below 0 is kept: it says that the component cannot
/// be told from 0.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Components {
    /// Group of levels.
    pub group: String,
    /// Between models: the signal.
    pub model: f64,
    /// Between levels: strictness, which moves no ranking.
    pub level: f64,
    /// Interaction and noise: what moves rankings.
    pub rest: f64,
}

pub(super) fn of_track(matrix: &Matrix, track: &TrackMatrix) -> Vec<Components> {
    let groups = matrix.groups().into_iter();
    groups
        .filter_map(|(group, members)| {
            let rows: Option<Vec<Vec<f64>>> = members.iter().map(|l| complete(track, *l)).collect();
            components(group, &rows?)
        })
        .collect()
}

/// `rows` is levels x models.
fn components(group: String, rows: &[Vec<f64>]) -> Option<Components> {
    let (l, m) = (rows.len(), rows.first()?.len());
    if l < 2 || m < 2 {
        return None;
    }
    let (lf, mf) = (l as f64, m as f64);
    let grand = rows.iter().flatten().sum::<f64>() / (lf * mf);
    let of_level: Vec<f64> = rows.iter().map(|r| r.iter().sum::<f64>() / mf).collect();
    let of_model: Vec<f64> = (0..m)
        .map(|j| rows.iter().map(|r| r[j]).sum::<f64>() / lf)
        .collect();
    let square = |means: &[f64]| means.iter().map(|x| (x - grand).powi(2)).sum::<f64>();
    let ms_model = lf * square(&of_model) / (mf - 1.0);
    let ms_level = mf * square(&of_level) / (lf - 1.0);
    let mut rest = 0.0;
    for (row, level) in rows.iter().zip(&of_level) {
        for (value, model) in row.iter().zip(&of_model) {
            rest += (value - level - model + grand).powi(2);
        }
    }
    let rest = rest / ((lf - 1.0) * (mf - 1.0));
    Some(Components {
        group,
        model: (ms_model - rest) / lf,
        level: (ms_level - rest) / mf,
        rest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Model scores 0, 10, 20; the second level is 4 stricter; no interaction.
    #[test]
    fn an_additive_table_has_no_rest() {
        let rows = [vec![0.0, 10.0, 20.0], vec![-4.0, 6.0, 16.0]];
        let c = components("g".into(), &rows).unwrap();
        assert!((c.model - 100.0).abs() < 1e-9);
        assert!((c.level - 8.0).abs() < 1e-9);
        assert!(c.rest.abs() < 1e-9);
    }

    /// J. Fleiss's example of the intraclass correlation, as in P. Shrout and J. Fleiss 1979, table
    /// 2 and 3: six targets, four judges, MS targets 11.24, judges 32.49, rest 1.02.
    #[test]
    fn shrout_and_fleiss() {
        let targets = [
            [9.0, 2.0, 5.0, 8.0],
            [6.0, 1.0, 3.0, 2.0],
            [8.0, 4.0, 6.0, 8.0],
            [7.0, 1.0, 2.0, 6.0],
            [10.0, 5.0, 6.0, 9.0],
            [6.0, 2.0, 4.0, 7.0],
        ];
        let rows: Vec<Vec<f64>> = (0..4)
            .map(|j| targets.iter().map(|t| t[j]).collect())
            .collect();
        let c = components("g".into(), &rows).unwrap();
        assert!((c.rest - 1.02).abs() < 0.005);
        assert!((c.model - (11.24 - 1.02) / 4.0).abs() < 0.005);
        assert!((c.level - (32.49 - 1.02) / 6.0).abs() < 0.005);
    }
}
