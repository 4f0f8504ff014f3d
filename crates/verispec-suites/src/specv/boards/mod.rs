//! Published numbers of SpecV as data, with their source: the seven tables of its README, judge
//! stability, the SER ablation, model names and groups.

mod audit;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

pub use audit::{Finding, audit};

/// One published table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoardTable {
    /// Heading.
    pub name: String,
    /// Track that it is about; `None` for the main board, whose columns are tracks.
    pub track: Option<String>,
    /// Column headings as printed, the average last.
    pub labels: Vec<String>,
    /// Dimension (main board: track) behind each column, in the order of the values; without the
    /// average.
    pub columns: Vec<String>,
    /// Rows as printed, best first.
    pub rows: Vec<BoardRow>,
}

/// One row of a published table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoardRow {
    /// Printed rank, from 1.
    pub rank: usize,
    /// Model as printed.
    pub model: String,
    /// Percent, one per column, then the stated average.
    pub values: Vec<f64>,
}

impl BoardRow {
    /// The values of the columns, without the average.
    #[must_use]
    pub fn cells(&self) -> &[f64] {
        self.values.split_last().map_or(&[], |(_, cells)| cells)
    }

    /// The average as stated.
    #[must_use]
    pub fn average(&self) -> Option<f64> {
        self.values.last().copied()
    }
}

impl BoardTable {
    /// The row of a model, by paper name or folder name.
    #[must_use]
    pub fn row(&self, model: &str) -> Option<&BoardRow> {
        let key = name_key(paper_name(model).unwrap_or(model));
        self.rows.iter().find(|row| name_key(&row.model) == key)
    }

    /// The value of a dimension (main board: track) in a row.
    #[must_use]
    pub fn cell(&self, row: &BoardRow, column: &str) -> Option<f64> {
        let place = self.columns.iter().position(|c| c == column)?;
        row.values.get(place).copied()
    }
}

/// A model of the paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedModel {
    /// Name in the paper.
    pub paper_name: String,
    /// Name of its folders in the release.
    pub directory: String,
    /// Tracks with released outputs.
    pub tracks: Vec<String>,
}

/// Rank correlations of two protocols.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Correlation {
    /// Kendall's tau.
    pub tau: f64,
    /// Spearman's rho, where it is given.
    #[serde(default)]
    pub rho: Option<f64>,
}

/// Agreement of rankings between judges, holistic grading against specifications (SVP).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ProtocolPair {
    /// Holistic grading.
    pub holistic: Correlation,
    /// Specification-wise judging.
    pub svp: Correlation,
}

/// The paper's stability table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// Judges.
    pub judges: Vec<String>,
    /// Judges of one family.
    pub intra_family: ProtocolPair,
    /// Judges of different families.
    pub cross_family: ProtocolPair,
    /// Judges of different families, track edit.
    pub cross_family_edit: ProtocolPair,
}

/// The paper's ablation of its specification pipeline: correlation with people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SerAblation {
    /// Tracks, then `average`.
    pub columns: Vec<String>,
    /// What the two numbers of a cell are.
    pub values: String,
    /// Configuration to `[tau, rho]` per column.
    pub rows: BTreeMap<String, Vec<[f64; 2]>>,
}

/// The paper's example of a score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkedExample {
    /// Verdicts, 1 = met.
    pub verdicts: Vec<u8>,
    /// Score as a fraction.
    pub score: String,
    /// Track.
    pub track: String,
}

/// Published values beside the tables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublishedValues {
    /// Where they are from.
    pub source: String,
    /// Stability of rankings.
    pub stability: Stability,
    /// Ablation of the pipeline.
    pub ser_ablation: SerAblation,
    /// Models.
    pub models: Vec<PublishedModel>,
    /// Group (`unified`, `vlm`, `image`) to models as printed.
    pub groups: BTreeMap<String, Vec<String>>,
    /// Worked example.
    pub worked_example: WorkedExample,
}

#[derive(Deserialize)]
struct Tables {
    source: String,
    tables: Vec<BoardTable>,
}

fn data() -> &'static Tables {
    static DATA: OnceLock<Tables> = OnceLock::new();
    DATA.get_or_init(|| {
        let text = include_str!("../data/leaderboards.json");
        serde_json::from_str(text).expect("built-in tables are valid; a test reads them")
    })
}

/// The seven published tables, the main board first.
#[must_use]
pub fn tables() -> &'static [BoardTable] {
    &data().tables
}

/// Where the tables are from.
#[must_use]
pub fn tables_source() -> &'static str {
    &data().source
}

/// The main board.
#[must_use]
pub fn main_board() -> Option<&'static BoardTable> {
    tables().iter().find(|table| table.track.is_none())
}

/// The table of a track.
#[must_use]
pub fn track_table(track: &str) -> Option<&'static BoardTable> {
    tables()
        .iter()
        .find(|table| table.track.as_deref() == Some(track))
}

/// Published values beside the tables.
#[must_use]
pub fn values() -> &'static PublishedValues {
    static VALUES: OnceLock<PublishedValues> = OnceLock::new();
    VALUES.get_or_init(|| {
        let text = include_str!("../data/published_values.json");
        serde_json::from_str(text).expect("built-in values are valid; a test reads them")
    })
}

/// Name in the paper of a released folder.
#[must_use]
pub fn paper_name(directory: &str) -> Option<&'static str> {
    let models = &values().models;
    models
        .iter()
        .find(|m| m.directory == directory)
        .map(|m| m.paper_name.as_str())
}

/// Released folder of a model, by its name in the paper in any of the spellings in use.
#[must_use]
pub fn directory(paper_name: &str) -> Option<&'static str> {
    let key = name_key(paper_name);
    let models = &values().models;
    models
        .iter()
        .find(|m| name_key(&m.paper_name) == key)
        .map(|m| m.directory.as_str())
}

/// Group of a model (`unified`, `vlm`, `image`), by paper name or folder name.
#[must_use]
pub fn group(model: &str) -> Option<&'static str> {
    let key = name_key(paper_name(model).unwrap_or(model));
    let of_group = |names: &Vec<String>| names.iter().any(|name| name_key(name) == key);
    values()
        .groups
        .iter()
        .find(|(_, names)| of_group(names))
        .map(|(group, _)| group.as_str())
}

/// The source spells names in several ways (`Bagel w. CoT`, `Bagel (w/ CoT)`, `GPT-5.2`): letters
/// and digits alone identify them.
fn name_key(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printed_model_has_a_folder_and_a_group() {
        let mut rows = 0;
        for table in tables() {
            for row in &table.rows {
                assert_eq!(row.values.len(), table.columns.len() + 1, "{}", row.model);
                assert_eq!(table.labels.len(), row.values.len());
                let folder = directory(&row.model).unwrap_or_else(|| panic!("{}", row.model));
                assert!(group(&row.model).is_some(), "{}", row.model);
                assert_eq!(table.row(folder), Some(row), "{folder}");
                rows += 1;
            }
        }
        assert_eq!((tables().len(), rows), (7, 8 + 13 + 14 + 11 + 11 + 8 + 8));
        assert_eq!(values().models.len(), 21);
    }

    #[test]
    fn columns_are_the_dimensions_and_tracks_of_the_release() {
        use crate::specv::layout::{TRACKS, published_dimensions};
        for table in tables() {
            let expected = table
                .track
                .as_deref()
                .map_or(&TRACKS[..], published_dimensions);
            let sorted = |names: &mut Vec<&str>| names.sort_unstable();
            let (mut a, mut b): (Vec<&str>, Vec<&str>) = (
                table.columns.iter().map(String::as_str).collect(),
                expected.to_vec(),
            );
            sorted(&mut a);
            sorted(&mut b);
            assert_eq!(a, b, "{}", table.name);
        }
        let t2i = track_table("t2i").unwrap();
        let row = t2i.row("nano_banana").unwrap();
        assert_eq!(t2i.cell(row, "text_rendering"), Some(36.58));
        assert_eq!(t2i.cell(row, "structure"), Some(61.0));
    }

    #[test]
    fn names_in_all_spellings() {
        assert_eq!(directory("Bagel (w/ CoT)"), Some("bagel_think"));
        assert_eq!(directory("Bagel w/o CoT"), Some("bagel"));
        assert_eq!(group("bagel_think"), Some("unified"));
        assert_eq!(group("GPT 5.2"), Some("vlm"));
        assert_eq!(group("seedream_5.0"), Some("image"));
        assert_eq!(group("gemini_3_flash"), None, "released, in no table");
        assert_eq!(paper_name("nobody"), None);
    }
}
