//! What does not add up in the published tables, computed from their numbers alone.

use std::fmt;

use serde::Serialize;

use super::{BoardRow, BoardTable, main_board, name_key, tables, track_table, values};

/// Instances per dimension of `understanding` in the release.
const UNDERSTANDING_TASKS: u32 = 40;
/// Cells that two rows have to share before it is remarkable.
const SHARED: usize = 3;

/// One oddity. Numbers are percent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
#[non_exhaustive]
pub enum Finding {
    /// A stated average that is not the mean of its columns, beyond rounding.
    Average {
        /// Table.
        table: String,
        /// Model.
        model: String,
        /// As printed.
        stated: f64,
        /// Mean of the columns.
        mean: f64,
    },
    /// Two rows of one table with the same values in several columns.
    SharedCells {
        /// Table.
        table: String,
        /// The two models, in order of rank.
        models: [String; 2],
        /// Columns with equal values.
        columns: Vec<String>,
    },
    /// Two rows with the same average and different ranks.
    Tie {
        /// Table.
        table: String,
        /// The two models, in order of rank.
        models: [String; 2],
        /// Their average.
        average: f64,
    },
    /// A value that 40 instances worth 0, 0.5 or 1 cannot give: instances were left out.
    Incomplete {
        /// Model.
        model: String,
        /// Column.
        column: String,
        /// As printed.
        stated: f64,
        /// Largest number of instances below 40 that gives it.
        instances: u32,
        /// Sum of their scores, in halves.
        halves: u32,
        /// The value if the instances left out counted 0.
        with_missing_zero: f64,
    },
    /// A value of the main board that is not the average of the track's own table.
    TrackColumn {
        /// Model.
        model: String,
        /// Track.
        track: String,
        /// On the main board.
        main: f64,
        /// In the track's table.
        own: f64,
    },
    /// A released folder that no table has a row for.
    NoRow {
        /// Folder.
        directory: String,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Average {
                table,
                model,
                stated,
                mean,
            } => {
                let off = (stated - mean).abs();
                write!(
                    f,
                    "{table}: {model}: average {stated} stated, mean {mean:.4} (off {off:.3})"
                )
            }
            Self::SharedCells {
                table,
                models: [a, b],
                columns,
            } => {
                write!(f, "{table}: {a} and {b} have equal {}", columns.join(", "))
            }
            Self::Tie {
                table,
                models: [a, b],
                average,
            } => {
                write!(
                    f,
                    "{table}: {a} and {b} both have {average}, with different ranks"
                )
            }
            Self::Incomplete {
                model,
                column,
                stated,
                instances,
                halves,
                with_missing_zero,
            } => {
                let points = f64::from(*halves) / 2.0;
                write!(
                    f,
                    "{column}: {model}: {stated} = {points}/{instances}; with all 40 instances \
                     {with_missing_zero}"
                )
            }
            Self::TrackColumn {
                model,
                track,
                main,
                own,
            } => {
                write!(
                    f,
                    "main board: {model}: {track} {main}, its own table {own}"
                )
            }
            Self::NoRow { directory } => write!(f, "{directory}: released, in no table"),
        }
    }
}

/// Everything that does not add up, table by table in printed order.
#[must_use]
pub fn audit() -> Vec<Finding> {
    let mut found = vec![];
    for table in tables() {
        found.extend(table.rows.iter().filter_map(|row| average(table, row)));
        for (i, first) in table.rows.iter().enumerate() {
            for second in &table.rows[i + 1..] {
                found.extend(shared_cells(table, first, second));
                found.extend(tie(table, first, second));
            }
        }
    }
    if let Some(table) = track_table("understanding") {
        found.extend(table.rows.iter().flat_map(|row| incomplete(table, row)));
    }
    if let Some(main) = main_board() {
        found.extend(main.rows.iter().flat_map(|row| track_columns(main, row)));
    }
    found.extend(without_row());
    found
}

fn average(table: &BoardTable, row: &BoardRow) -> Option<Finding> {
    let cells = row.cells();
    #[expect(clippy::cast_precision_loss, reason = "a handful of columns")]
    let mean = cells.iter().sum::<f64>() / cells.len() as f64;
    let stated = row.average()?;
    // Half a hundredth is rounding; a little more absorbs binary noise.
    let (table, model) = (table.name.clone(), row.model.clone());
    ((stated - mean).abs() > 0.005 + 1e-9).then_some(Finding::Average {
        table,
        model,
        stated,
        mean,
    })
}

fn shared_cells(table: &BoardTable, a: &BoardRow, b: &BoardRow) -> Option<Finding> {
    let pairs = table.columns.iter().zip(a.cells().iter().zip(b.cells()));
    let columns: Vec<String> = pairs
        .filter(|(_, (x, y))| x == y)
        .map(|(c, _)| c.clone())
        .collect();
    (columns.len() >= SHARED).then(|| Finding::SharedCells {
        table: table.name.clone(),
        models: [a.model.clone(), b.model.clone()],
        columns,
    })
}

fn tie(table: &BoardTable, a: &BoardRow, b: &BoardRow) -> Option<Finding> {
    let average = a.average()?;
    (Some(average) == b.average() && a.rank != b.rank).then(|| Finding::Tie {
        table: table.name.clone(),
        models: [a.model.clone(), b.model.clone()],
        average,
    })
}

fn incomplete<'a>(
    table: &'a BoardTable,
    row: &'a BoardRow,
) -> impl Iterator<Item = Finding> + use<'a> {
    table
        .columns
        .iter()
        .zip(row.cells())
        .filter_map(|(column, stated)| {
            if halves_of(*stated, UNDERSTANDING_TASKS).is_some() {
                return None;
            }
            let smaller = (1..UNDERSTANDING_TASKS).rev();
            let (instances, halves) = smaller
                .filter_map(|n| Some((n, halves_of(*stated, n)?)))
                .next()?;
            Some(Finding::Incomplete {
                model: row.model.clone(),
                column: column.clone(),
                stated: *stated,
                instances,
                halves,
                with_missing_zero: percent(halves, UNDERSTANDING_TASKS),
            })
        })
}

fn percent(halves: u32, instances: u32) -> f64 {
    f64::from(halves) * 50.0 / f64::from(instances)
}

/// The sum of `n` scores of 0, 0.5 or 1, in halves, whose mean prints as `stated`.
fn halves_of(stated: f64, n: u32) -> Option<u32> {
    (0..=2 * n).find(|halves| (percent(*halves, n) - stated).abs() <= 0.005 + 1e-9)
}

fn track_columns<'a>(
    main: &'a BoardTable,
    row: &'a BoardRow,
) -> impl Iterator<Item = Finding> + use<'a> {
    main.columns
        .iter()
        .zip(row.cells())
        .filter_map(|(track, value)| {
            let own = track_table(track)?.row(&row.model)?.average()?;
            (own != *value).then(|| Finding::TrackColumn {
                model: row.model.clone(),
                track: track.clone(),
                main: *value,
                own,
            })
        })
}

fn without_row() -> impl Iterator<Item = Finding> {
    let printed = |name: &str| {
        let key = name_key(name);
        tables()
            .iter()
            .flat_map(|t| &t.rows)
            .any(|row| name_key(&row.model) == key)
    };
    let models = values()
        .models
        .iter()
        .filter(move |m| !printed(&m.paper_name));
    models.map(|m| Finding::NoRow {
        directory: m.directory.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The findings of a reading of the tables by hand and by script, before this code.
    #[test]
    fn findings_are_those_known() {
        let text: Vec<String> = audit().iter().map(ToString::to_string).collect();
        assert_eq!(
            text,
            [
                "Multimodal Understanding: Gemini 3.1 Pro and Gemini 3 Pro have equal hallusionbench, mmbench, mmmu",
                "Multimodal Understanding: Nano Banana Pro and Nano Banana 2 both have 83.25, with different ranks",
                "Text-to-Image: GLM-Image: average 45.49 stated, mean 45.3860 (off 0.104)",
                "Image Editing: Nano Banana: average 74.95 stated, mean 82.1983 (off 7.248)",
                "Image Editing: GPT Image 1.5 and Nano Banana have equal reasoning_driven, spatial_and_layout, text_centric",
                "Thinking with Images: Nano Banana: average 51 stated, mean 50.9175 (off 0.083)",
                "charxiv: GPT 5.2: 94.87 = 37/39; with all 40 instances 92.5",
                "mmmu: GPT 5.2: 81.58 = 31/38; with all 40 instances 77.5",
                "charxiv: Qwen 3.5 Plus: 78.21 = 30.5/39; with all 40 instances 76.25",
                "countbench: Nano Banana: 91.03 = 35.5/39; with all 40 instances 88.75",
                "mmbench: Emu 3.5: 47.44 = 18.5/39; with all 40 instances 46.25",
                "gemini_3_flash: released, in no table",
                "gpt_5.1: released, in no table",
            ]
        );
    }
}
