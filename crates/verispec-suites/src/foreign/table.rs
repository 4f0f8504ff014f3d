//! A table with a header, from a text or a workbook.

use std::path::Path;

use super::workbook;
use crate::records::Problem;

use super::sheet::File;

/// A table.
pub(super) struct Table {
    /// Names of the columns.
    pub(super) header: Vec<String>,
    /// The rows below.
    pub(super) lines: Vec<Line>,
}

/// A row.
pub(super) struct Line {
    /// Line of the text or row of the sheet, from 1.
    pub(super) number: Option<usize>,
    /// Cells.
    pub(super) cells: Vec<String>,
}

/// Whether a file is a workbook by its name.
pub(super) fn is_workbook(path: &Path) -> bool {
    extension(path).as_deref() == Some("xlsx")
}

fn extension(path: &Path) -> Option<String> {
    let extension = path.extension()?.to_str()?;
    Some(extension.to_ascii_lowercase())
}

/// The table of a file, by its extension; in a workbook that of the sheet with this column. Faults
/// are kept; `None` where there is no header.
pub(super) fn read(file: &File<'_>, column: &str, problems: &mut Vec<Problem>) -> Option<Table> {
    match extension(file.path).as_deref() {
        Some("tsv") => text(file, b'\t', problems),
        Some("csv") => text(file, b',', problems),
        Some("xlsx") => match workbook::read(file.path, column) {
            Ok(table) => Some(table),
            Err((line, message)) => {
                file.fault(problems, line, "", message);
                None
            }
        },
        other => {
            let message = format!(
                "a table with the extension xlsx, tsv or csv is wanted, not {:?}",
                other.unwrap_or_default()
            );
            file.fault(problems, None, "", message);
            None
        }
    }
}

fn text(file: &File<'_>, delimiter: u8, problems: &mut Vec<Problem>) -> Option<Table> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .from_reader(file.text.as_bytes());
    let cells = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
    let Ok(header) = reader.headers().map(cells) else {
        file.fault(problems, Some(1), "", "no header");
        return None;
    };
    let line = |p: Option<&csv::Position>| p.and_then(|p| usize::try_from(p.line()).ok());
    let mut lines = vec![];
    for record in reader.records() {
        match record {
            Ok(record) => lines.push(Line {
                number: line(record.position()),
                cells: cells(&record),
            }),
            Err(error) => {
                let message = format!("not a row of the table: {error}");
                file.fault(problems, line(error.position()), "", message);
            }
        }
    }
    Some(Table { header, lines })
}
