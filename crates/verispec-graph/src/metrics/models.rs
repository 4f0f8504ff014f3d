//! Several models beside each other.

use serde::Serialize;
use verispec_stats::{Defined, rank};

/// The headline numbers of a model or of a mean over models.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ModelRow {
    /// G, 0..=1.
    pub generation: f64,
    /// U, 0..=1.
    pub understanding: f64,
    /// CCTA, 0..=1.
    pub ccta: f64,
    /// AW-CCTA, 0..=1.
    pub aw_ccta: f64,
}

/// Rank correlations over models.
#[derive(Debug, Clone, PartialEq)]
pub struct RowCorrelations {
    /// Models.
    pub n: usize,
    /// Spearman's rho of G and AW-CCTA, or why there is none.
    pub generation: Defined<f64>,
    /// Spearman's rho of U and AW-CCTA, or why there is none.
    pub understanding: Defined<f64>,
    /// Spearman's rho of G and U, or why there is none.
    pub sides: Defined<f64>,
}

/// Unweighted mean over the models of a family, with their number; `None` without a model.
#[must_use]
pub fn mean_row(rows: &[ModelRow]) -> Option<(usize, ModelRow)> {
    let n = rows.len();
    if n == 0 {
        return None;
    }
    let mean = |of: fn(&ModelRow) -> f64| rows.iter().map(of).sum::<f64>() / n as f64;
    let row = ModelRow {
        generation: mean(|r| r.generation),
        understanding: mean(|r| r.understanding),
        ccta: mean(|r| r.ccta),
        aw_ccta: mean(|r| r.aw_ccta),
    };
    Some((n, row))
}

/// Whether models that draw well, or answer well, are those that are consistent.
#[must_use]
pub fn correlations(rows: &[ModelRow]) -> RowCorrelations {
    let column = |of: fn(&ModelRow) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
    let (g, u, aw) = (
        column(|r| r.generation),
        column(|r| r.understanding),
        column(|r| r.aw_ccta),
    );
    let rho = |x: &[f64], y: &[f64]| rank::spearman(x, y).map(|c| c.value);
    RowCorrelations {
        n: rows.len(),
        generation: rho(&g, &aw),
        understanding: rho(&u, &aw),
        sides: rho(&g, &u),
    }
}
