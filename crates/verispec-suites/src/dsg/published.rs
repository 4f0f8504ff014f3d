//! Published correlations with people, as data with their source.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// One row of the published table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublishedRow {
    /// `dsg`, `tifa` or `vq2a`.
    pub questions: String,
    /// An unmet question takes its direct children with it.
    pub dependencies: bool,
    /// Judge, as in the names of the files.
    pub judge: String,
    /// Spearman's rho, three digits.
    pub spearman: f64,
    /// Kendall's tau-b, three digits.
    pub kendall: f64,
}

#[derive(Deserialize)]
struct Table {
    source: String,
    rows: Vec<PublishedRow>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let text = include_str!("../published/dsg.json");
        serde_json::from_str(text).expect("built-in rows are valid; a test reads them")
    })
}

/// The twelve rows, in printed order.
#[must_use]
pub fn published_rows() -> &'static [PublishedRow] {
    &table().rows
}

/// Where they are from.
#[must_use]
pub fn published_source() -> &'static str {
    &table().source
}

#[cfg(test)]
mod tests {
    #[test]
    fn rows_are_complete() {
        let rows = super::published_rows();
        assert_eq!(rows.len(), 12);
        assert!(
            rows.iter()
                .all(|r| r.spearman > r.kendall && r.kendall > 0.0)
        );
        assert!(super::published_source().contains("DSG"));
    }
}
