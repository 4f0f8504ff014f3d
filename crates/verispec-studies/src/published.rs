//! Published numbers against themselves: what does not add up in SpecV's boards, and what
//! XTC-Bench's own cells say about its claim. Computed from the printed numbers alone.

mod specv;
mod totals;

use serde::Serialize;
use verispec_stats::Defined;
use verispec_stats::rank::{pearson, spearman};
use verispec_suites::published::xtc;
pub use verispec_suites::published::{Publication, PublishedTable};

/// What a check came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The numbers agree with each other.
    Consistent,
    /// They do not, or not with what is said about them.
    Inconsistent,
    /// Noteworthy, neither right nor wrong.
    Note,
}

/// A number that a check computed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// What it is.
    pub name: String,
    /// The number, unrounded.
    pub value: f64,
}

/// One check of published numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// Paper.
    pub paper: &'static str,
    /// What is checked.
    pub title: &'static str,
    /// What it came to.
    pub outcome: Outcome,
    /// Findings, one a line.
    pub findings: Vec<String>,
    /// Numbers behind them.
    pub figures: Vec<Figure>,
    /// Rows, cells or models that were looked at.
    pub checked: usize,
}

/// All checks, paper by paper.
#[must_use]
pub fn audit() -> Vec<Check> {
    let mut checks = specv::checks();
    checks.push(totals::ser_averages());
    checks.push(totals::realunify());
    checks.push(totals::xtc_families());
    checks.extend(consistency_claim());
    checks
}

fn figure(name: impl Into<String>, value: f64) -> Figure {
    Figure {
        name: name.into(),
        value,
    }
}

/// The claim that generation G and understanding U predict consistency only weakly, against the
/// cells of the models that have all three. `None` if the tables lacked the columns.
fn consistency_claim() -> Option<Check> {
    let abilities = xtc().table("XTC-Bench generation G and understanding U")?;
    let consistency = xtc().table("XTC-Bench consistency")?;
    let mut columns: [Vec<f64>; 4] = Default::default();
    for row in &consistency.rows {
        let values = [
            abilities.value(&row.model, "G"),
            abilities.value(&row.model, "U"),
            consistency.value(&row.model, "AW-CCTA"),
            consistency.value(&row.model, "CCTA"),
        ];
        if let [Some(g), Some(u), Some(weighted), Some(raw)] = values {
            for (column, value) in columns.iter_mut().zip([g, u, weighted, raw]) {
                column.push(value);
            }
        }
    }
    let [g, u, weighted, raw] = columns;
    let pairs = [
        ("G", "AW-CCTA", &g, &weighted),
        ("U", "AW-CCTA", &u, &weighted),
        ("G", "CCTA", &g, &raw),
        ("U", "CCTA", &u, &raw),
    ];
    let mut figures = vec![];
    let mut findings = vec![];
    for (x_name, y_name, x, y) in pairs {
        let (Some(r), Some(rho)) = (value(pearson(x, y)), value(spearman(x, y))) else {
            continue;
        };
        let n = x.len();
        findings.push(format!(
            "r({x_name}, {y_name}) = {r:.3}, rho {rho:.3}, over {n} models"
        ));
        figures.push(figure(format!("r({x_name}, {y_name})"), r));
        figures.push(figure(format!("rho({x_name}, {y_name})"), rho));
    }
    findings.push(
        "the claim that G and U predict consistency only weakly does not fit AW-CCTA's cells: \
         consistency weighted by ability goes with ability"
            .to_owned(),
    );
    Some(Check {
        paper: "XTC-Bench",
        title: "do G and U predict consistency only weakly?",
        outcome: Outcome::Inconsistent,
        findings,
        figures,
        checked: g.len(),
    })
}

fn value(correlation: Defined<verispec_stats::rank::Correlation>) -> Option<f64> {
    correlation.ok().map(|c| c.value)
}

#[cfg(test)]
mod tests;
