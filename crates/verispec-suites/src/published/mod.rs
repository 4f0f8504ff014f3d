//! Published numbers as data, with their source: what papers state about models and judges, to
//! stand beside our own and to be checked. Numbers are facts; no text, prompt or data of a
//! benchmark is in here.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::dsg::{published_rows, published_source};
use crate::specv::boards::{self, BoardTable};

/// A published table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublishedTable {
    /// Name.
    pub name: String,
    /// Unit of the values.
    pub unit: String,
    /// Columns, without that of the models.
    pub columns: Vec<String>,
    /// Rows in printed order.
    pub rows: Vec<PublishedTableRow>,
}

/// A row of a published table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublishedTableRow {
    /// Model, or whatever the rows of the table are about.
    pub model: String,
    /// One per column; `None` where the table has no number.
    pub values: Vec<Option<f64>>,
}

/// What one paper states.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Publication {
    /// Where the numbers are from.
    pub source: String,
    /// Its tables.
    pub tables: Vec<PublishedTable>,
}

impl PublishedTable {
    /// Value of a model in a column.
    #[must_use]
    pub fn value(&self, model: &str, column: &str) -> Option<f64> {
        let place = self.columns.iter().position(|c| c == column)?;
        let row = self.rows.iter().find(|r| r.model == model)?;
        row.values.get(place).copied().flatten()
    }
}

impl Publication {
    /// A table by name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&PublishedTable> {
        self.tables.iter().find(|t| t.name == name)
    }
}

fn built_in(cell: &'static OnceLock<Publication>, text: &str) -> &'static Publication {
    cell.get_or_init(|| serde_json::from_str(text).expect("built-in tables; a test reads them"))
}

/// XTC-Bench: generation and understanding, consistency, families.
#[must_use]
pub fn xtc() -> &'static Publication {
    static DATA: OnceLock<Publication> = OnceLock::new();
    built_in(&DATA, include_str!("xtc.json"))
}

/// RealUnify: main table, specialists, reliability of its judge.
#[must_use]
pub fn realunify() -> &'static Publication {
    static DATA: OnceLock<Publication> = OnceLock::new();
    built_in(&DATA, include_str!("realunify.json"))
}

/// SpecV: its seven boards, stability of rankings, ablation of its specification pipeline.
#[must_use]
pub fn specv() -> Vec<Publication> {
    let boards = Publication {
        source: boards::tables_source().to_owned(),
        tables: boards::tables().iter().map(board).collect(),
    };
    let values = Publication {
        source: boards::values().source.clone(),
        tables: vec![stability(), ablation()],
    };
    vec![boards, values]
}

/// DSG: correlation of its judges with people.
#[must_use]
pub fn dsg() -> Publication {
    let rows = published_rows().iter().map(|row| {
        let gate = if row.dependencies {
            ", with dependencies"
        } else {
            ""
        };
        PublishedTableRow {
            model: format!("{}, {}{gate}", row.judge, row.questions),
            values: vec![Some(row.spearman), Some(row.kendall)],
        }
    });
    Publication {
        source: published_source().to_owned(),
        tables: vec![PublishedTable {
            name: "DSG correlation with people".to_owned(),
            unit: "correlation".to_owned(),
            columns: ["Spearman", "Kendall tau-b"].map(str::to_owned).to_vec(),
            rows: rows.collect(),
        }],
    }
}

/// Everything, paper by paper.
#[must_use]
pub fn all() -> Vec<Publication> {
    let mut all = specv();
    all.extend([realunify().clone(), xtc().clone(), dsg()]);
    all
}

fn board(board: &BoardTable) -> PublishedTable {
    PublishedTable {
        name: format!("SpecV {}", board.name),
        unit: "percent".to_owned(),
        columns: board.labels.clone(),
        rows: board
            .rows
            .iter()
            .map(|row| PublishedTableRow {
                model: row.model.clone(),
                values: row.values.iter().copied().map(Some).collect(),
            })
            .collect(),
    }
}

fn stability() -> PublishedTable {
    let stability = &boards::values().stability;
    let pairs = [
        ("same family", stability.intra_family),
        ("different families", stability.cross_family),
        ("different families, edit", stability.cross_family_edit),
    ];
    let row = |(model, pair): (&str, boards::ProtocolPair)| PublishedTableRow {
        model: model.to_owned(),
        values: vec![
            Some(pair.holistic.tau),
            pair.holistic.rho,
            Some(pair.svp.tau),
            pair.svp.rho,
        ],
    };
    let columns = ["holistic tau", "holistic rho", "SVP tau", "SVP rho"];
    PublishedTable {
        name: "SpecV stability of rankings over judges".to_owned(),
        unit: "rank correlation".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: pairs.into_iter().map(row).collect(),
    }
}

fn ablation() -> PublishedTable {
    let ser = &boards::values().ser_ablation;
    let columns = ser.columns.iter();
    PublishedTable {
        name: "SpecV ablation of the specification pipeline".to_owned(),
        unit: "correlation with people".to_owned(),
        columns: columns
            .flat_map(|c| [format!("{c} tau"), format!("{c} rho")])
            .collect(),
        rows: ser
            .rows
            .iter()
            .map(|(name, cells)| PublishedTableRow {
                model: name.clone(),
                values: cells.iter().flatten().copied().map(Some).collect(),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_rectangular_and_has_a_source() {
        let all = all();
        assert_eq!(all.len(), 5);
        let mut tables = 0;
        for publication in &all {
            assert!(!publication.source.is_empty());
            for table in &publication.tables {
                tables += 1;
                assert!(!table.rows.is_empty(), "{}", table.name);
                for row in &table.rows {
                    assert_eq!(
                        row.values.len(),
                        table.columns.len(),
                        "{} {}",
                        table.name,
                        row.model
                    );
                }
            }
        }
        assert_eq!(tables, 7 + 2 + 5 + 4 + 1);
    }

    #[test]
    fn single_values() {
        let consistency = xtc().table("XTC-Bench consistency").unwrap();
        assert_eq!(consistency.value("MMaDA-8B", "CCTA"), Some(0.630));
        assert_eq!(consistency.value("MMaDA-8B", "AW-CCTA"), Some(0.144));
        assert_eq!(consistency.value("GPT-5 / GPT-Image-1.5", "CCTA"), None);
        let families = xtc().table("XTC-Bench families").unwrap();
        assert_eq!(
            families.value("pure diffusion (MMaDA)", "G-U"),
            Some(-0.115)
        );
        let data = xtc().table("XTC-Bench data").unwrap();
        assert_eq!(data.value("COCO", "facts"), Some(16_618.0));
        let main = realunify().table("RealUnify main").unwrap();
        assert_eq!(main.value("BAGEL", "UEG step"), Some(47.7));
        assert_eq!(main.value("Nano Banana", "UEG step"), None);
        let specv = specv();
        let stability = specv[1]
            .table("SpecV stability of rankings over judges")
            .unwrap();
        assert_eq!(
            stability.value("different families", "SVP tau"),
            Some(0.902)
        );
        assert_eq!(stability.value("different families, edit", "SVP rho"), None);
    }
}
