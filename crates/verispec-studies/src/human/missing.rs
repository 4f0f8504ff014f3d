//! Which outputs a judge has no score for, by model.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Cells, Ratings};

/// Rated outputs of one model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MissingCells {
    /// Model under test.
    pub model: String,
    /// Its rated outputs.
    pub rated: usize,
    /// Those without a score.
    pub missing: usize,
}

/// Rated outputs and those of them without a score, for every model. Where the shares differ, the
/// judge is silent about some models more than about others.
#[must_use]
pub fn missing(cells: &Cells, ratings: &Ratings) -> Vec<MissingCells> {
    let mut models: BTreeMap<&str, MissingCells> = BTreeMap::new();
    for cell in ratings.cells() {
        let model = models.entry(&cell.model).or_insert_with(|| MissingCells {
            model: cell.model.clone(),
            ..MissingCells::default()
        });
        model.rated += 1;
        model.missing += usize::from(cells.get(cell).is_none());
    }
    models.into_values().collect()
}
