//! Human ratings: `tifa160-likert-anns.csv`.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use verispec_model::Warning;

use super::error::DsgError;
use super::table::Table;

/// How one person rated one output.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// Item.
    pub item: String,
    /// Model under test.
    pub model: String,
    /// Person.
    pub rater: String,
    /// Consistency of image and text, 1-5.
    pub value: f64,
}

/// Reads a file of ratings: ratings in file order, and faults. An output that fewer people rated
/// than the others is a fault too.
///
/// # Errors
/// The file cannot be read or lacks a column.
pub fn read_ratings(path: &Path) -> Result<(Vec<Rating>, Vec<Warning>), DsgError> {
    let mut table = Table::read(path, &["t2i_model", "item_id", "worker_id", "answer"])?;
    let mut ratings: Vec<Rating> = vec![];
    let mut seen = HashSet::new();
    for (line, values) in std::mem::take(&mut table.rows) {
        let get = |column| table.get(&values, column).to_owned();
        let (item, model, rater) = (get("item_id"), get("t2i_model"), get("worker_id"));
        let written = get("answer");
        let Some(value) = (1..=5).find(|n: &i32| written.trim() == n.to_string()) else {
            let message = format!("left out: rating {written:?} is not one of 1 to 5");
            table.warn(line, "bad-rating", message);
            continue;
        };
        if !seen.insert((item.clone(), model.clone(), rater.clone())) {
            let message = format!("left out: {rater} rated {model} {item} before");
            table.warn(line, "repeated-rating", message);
            continue;
        }
        ratings.push(Rating {
            item,
            model,
            rater,
            value: f64::from(value),
        });
    }
    let mut warnings = table.warnings;
    warnings.extend(few_ratings(&table.name, &ratings));
    Ok((ratings, warnings))
}

fn few_ratings(file: &str, ratings: &[Rating]) -> Vec<Warning> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for rating in ratings {
        *counts.entry((&rating.model, &rating.item)).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or(0);
    let fewer = counts.into_iter().filter(|(_, n)| *n < most);
    fewer
        .map(|((model, item), n)| Warning {
            kind: "few-ratings".to_owned(),
            place: format!("{file}: {model} {item}"),
            message: format!("{n} ratings, others have {most}"),
        })
        .collect()
}
