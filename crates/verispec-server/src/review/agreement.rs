//! How far people agree, before anything is settled.

use std::collections::BTreeSet;

use serde::Serialize;
use verispec_stats::agreement::{Agreement, Confusion, RatingTable, Scale, Weighting};
use verispec_stats::{Defined, Undefined};

use super::item::{Item, Kind};
use super::merged::Review;

/// Two people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// One.
    pub first: String,
    /// The other.
    pub second: String,
    /// Items that both decided.
    pub items: usize,
    /// Items on which both chose the same category.
    pub same: usize,
    /// Cohen's kappa, for grades with linear weights.
    pub kappa: Result<f64, Undefined>,
}

/// Agreement over the items of one kind. Categories: accept, edit, reject, split; yes, no, cannot
/// tell; or the grades.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coefficients {
    /// Kind.
    pub kind: Kind,
    /// Items that at least two people decided.
    pub items: usize,
    /// Everybody who decided one of this kind, by name.
    pub people: Vec<String>,
    /// Cohen's kappa by pair.
    pub pairs: Vec<Pair>,
    /// Krippendorff's alpha, nominal; for grades ordinal.
    pub alpha: Result<f64, Undefined>,
    /// Fleiss' kappa over the items that everybody decided.
    pub fleiss: Result<f64, Undefined>,
    /// Gwet's AC1, which many answers of one category do not push to 0.
    pub ac1: Result<f64, Undefined>,
    /// Share of agreeing pairs of people.
    pub observed: Result<f64, Undefined>,
}

/// Agreement by kind, for kinds that somebody decided. People's own decisions count, not
/// adjudications.
#[must_use]
pub fn agreement(review: &Review) -> Vec<Coefficients> {
    Kind::ALL
        .into_iter()
        .filter_map(|kind| of_kind(review, kind))
        .collect()
}

fn of_kind(review: &Review, kind: Kind) -> Option<Coefficients> {
    let items = || {
        review
            .set
            .items()
            .iter()
            .filter(move |i| i.row.kind == kind)
    };
    let people: BTreeSet<&str> = items()
        .flat_map(|i| review.decisions(i))
        .map(|m| m.by.as_str())
        .collect();
    if people.is_empty() {
        return None;
    }
    let people: Vec<&str> = people.into_iter().collect();
    let categories = items().map(categories).max()?;
    let units: Vec<Vec<Option<usize>>> = items().map(|i| unit(review, i, &people)).collect();
    let table = RatingTable::from_ratings(categories, units.iter().map(Vec::as_slice));
    let full = units.iter().filter(|u| u.iter().all(Option::is_some));
    let complete = RatingTable::from_ratings(categories, full.map(Vec::as_slice));
    let scale = if kind.is_graded() {
        Scale::Ordinal
    } else {
        Scale::Nominal
    };
    let value = |a: Defined<Agreement>| a.map(|a| a.value);
    Some(Coefficients {
        kind,
        items: units
            .iter()
            .filter(|u| u.iter().flatten().count() >= 2)
            .count(),
        pairs: pairs(&people, &units, categories, kind),
        people: people.iter().map(|p| (*p).to_owned()).collect(),
        alpha: value(table.clone().and_then(|t| t.alpha(scale))),
        fleiss: value(complete.and_then(|t| t.fleiss_kappa())),
        ac1: value(table.clone().and_then(|t| t.gwet_ac1())),
        observed: table.and_then(|t| t.observed()),
    })
}

fn categories(item: &Item) -> usize {
    match (item.row.kind, item.grades()) {
        (_, Some((low, high))) => usize::from(high - low) + 1,
        (Kind::Specification, None) => 4,
        (_, None) => 3,
    }
}

fn unit(review: &Review, item: &Item, people: &[&str]) -> Vec<Option<usize>> {
    let made = review.decisions(item);
    let of = |name: &&str| {
        let found = made.iter().find(|m| m.by == **name);
        found.map(|m| m.decision.category(item))
    };
    people.iter().map(of).collect()
}

fn pairs(
    people: &[&str],
    units: &[Vec<Option<usize>>],
    categories: usize,
    kind: Kind,
) -> Vec<Pair> {
    let weighting = if kind.is_graded() {
        Weighting::Linear
    } else {
        Weighting::Nominal
    };
    let mut pairs = vec![];
    for (a, first) in people.iter().enumerate() {
        for (b, second) in people.iter().enumerate().skip(a + 1) {
            let both = units
                .iter()
                .filter_map(|u| Some(((*u.get(a)?)?, (*u.get(b)?)?)));
            let (left, right): (Vec<usize>, Vec<usize>) = both.unzip();
            let table = Confusion::of(&left, &right, categories);
            pairs.push(Pair {
                first: (*first).to_owned(),
                second: (*second).to_owned(),
                items: left.len(),
                same: left.iter().zip(&right).filter(|(l, r)| l == r).count(),
                kappa: table.and_then(|t| t.kappa(weighting)).map(|k| k.value),
            });
        }
    }
    pairs
}
