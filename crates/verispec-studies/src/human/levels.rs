//! Correlation with people at named levels, which answer different questions and have different
//! values.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_stats::Undefined;
use verispec_stats::rank::{spearman, tau_b};

use super::{Cell, Cells, Ratings};
use crate::Estimate;

/// Spearman's rho (mid-ranks) and Kendall's tau-b over the same pairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Correlations {
    /// Spearman's rho.
    pub rho: Estimate,
    /// Kendall's tau-b.
    pub tau: Estimate,
    /// Pairs of a score and a rating.
    pub n: usize,
}

/// Mean of correlations inside groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Averaged {
    /// Mean of the groups' rho; `None` when no group has one.
    pub rho: Option<f64>,
    /// Mean of the groups' tau-b.
    pub tau: Option<f64>,
    /// Groups that have both.
    pub defined: usize,
    /// Groups in which the judge gave every output the same score.
    pub judge_constant: usize,
    /// Groups in which people did, and the judge did not.
    pub people_constant: usize,
    /// Groups with fewer than two scored outputs.
    pub too_few: usize,
}

/// How well a judge agrees with people, at four levels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Levels {
    /// All outputs together.
    pub pooled: Correlations,
    /// Inside each prompt, over models; then the mean over prompts.
    pub per_prompt: Averaged,
    /// Inside each model, over prompts; then the mean over models.
    pub within_model: Averaged,
    /// Over models, by their means.
    pub model: Correlations,
}

/// Two ways of scoring, each on its own outputs and both on those that both score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Common {
    /// The first on all its outputs.
    pub first_own: Correlations,
    /// The second on all its outputs.
    pub second_own: Correlations,
    /// The first on the common outputs.
    pub first: Correlations,
    /// The second on the common outputs.
    pub second: Correlations,
}

/// Score and mean rating of outputs that have both, with the output.
pub(super) type Pairs<'a> = Vec<(&'a Cell, f64, f64)>;

pub(super) fn pairs<'a>(cells: &'a Cells, ratings: &Ratings) -> Pairs<'a> {
    let rated = cells.defined();
    rated
        .filter_map(|(c, s)| Some((c, s, ratings.mean(c)?)))
        .collect()
}

/// Both correlations of numbers that belong together.
#[must_use]
pub fn correlations(x: &[f64], y: &[f64]) -> Correlations {
    Correlations {
        rho: Estimate::of(spearman(x, y).map(|c| c.value)),
        tau: Estimate::of(tau_b(x, y)),
        n: x.len(),
    }
}

fn pooled(pairs: &Pairs<'_>) -> Correlations {
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().map(|(_, s, r)| (*s, *r)).unzip();
    correlations(&x, &y)
}

/// The four levels over outputs that have a score and a rating.
#[must_use]
pub fn levels(cells: &Cells, ratings: &Ratings) -> Levels {
    let pairs = pairs(cells, ratings);
    Levels {
        pooled: pooled(&pairs),
        per_prompt: averaged(&pairs, |c| &c.item),
        within_model: averaged(&pairs, |c| &c.model),
        model: by_model(&pairs),
    }
}

fn averaged(pairs: &Pairs<'_>, group: fn(&Cell) -> &String) -> Averaged {
    let mut groups: BTreeMap<&str, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for (cell, score, rating) in pairs {
        let (x, y) = groups.entry(group(cell)).or_default();
        x.push(*score);
        y.push(*rating);
    }
    let mut out = Averaged {
        rho: None,
        tau: None,
        defined: 0,
        judge_constant: 0,
        people_constant: 0,
        too_few: 0,
    };
    let (mut rhos, mut taus) = (vec![], vec![]);
    for (x, y) in groups.values() {
        match (spearman(x, y), tau_b(x, y)) {
            (Ok(rho), Ok(tau)) => {
                rhos.push(rho.value);
                taus.push(tau);
            }
            (Err(Undefined::Constant { input: "x" }), _) => out.judge_constant += 1,
            (Err(Undefined::Constant { .. }), _) => out.people_constant += 1,
            _ => out.too_few += 1,
        }
    }
    out.defined = taus.len();
    out.rho = super::mean(rhos.into_iter());
    out.tau = super::mean(taus.into_iter());
    out
}

/// Means over the same outputs on both sides.
fn by_model(pairs: &Pairs<'_>) -> Correlations {
    let judge = super::means(pairs.iter().map(|(c, s, _)| (*c, *s)));
    let people = super::means(pairs.iter().map(|(c, _, r)| (*c, *r)));
    let values = |m: BTreeMap<String, f64>| m.into_values().collect::<Vec<f64>>();
    correlations(&values(judge), &values(people))
}

/// Two ways of scoring side by side. Their difference on their own outputs mixes the way of
/// scoring with the choice of outputs; only that on the common ones compares the ways.
#[must_use]
pub fn common(first: &Cells, second: &Cells, ratings: &Ratings) -> Common {
    let on_both = |cells: &Cells, other: &Cells| {
        let mut pairs = pairs(cells, ratings);
        pairs.retain(|(c, ..)| other.get(c).is_some());
        pooled(&pairs)
    };
    Common {
        first_own: pooled(&pairs(first, ratings)),
        second_own: pooled(&pairs(second, ratings)),
        first: on_both(first, second),
        second: on_both(second, first),
    }
}
