//! The one table of a workbook (.xlsx), cells as texts.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use calamine::{Cell, DataRef, Reader as _, SheetType, SheetVisible, Xlsx, XlsxError};

use super::table::{Line, Table};

/// Widest table that is read; VLMEvalKit's have some dozens of columns.
const COLUMNS: u32 = 1000;

/// What is wrong with a workbook, and in which row.
pub(super) type Fault = (Option<usize>, String);

type Workbook = Xlsx<BufReader<File>>;

/// The table of the only sheet, or of the only one with this column.
pub(super) fn read(path: &Path, column: &str) -> Result<Table, Fault> {
    let broken =
        |e: &dyn std::fmt::Display| (None, format!("not a workbook that can be read: {e}"));
    let mut book: Workbook = calamine::open_workbook(path).map_err(|e: XlsxError| broken(&e))?;
    let sheets = book.sheets_metadata().iter();
    let visible =
        sheets.filter(|s| s.typ == SheetType::WorkSheet && s.visible == SheetVisible::Visible);
    let names: Vec<String> = visible.map(|s| s.name.clone()).collect();
    let mut tables = vec![];
    for name in &names {
        let Some(table) = table(&mut book, name)? else {
            continue;
        };
        if names.len() == 1 || table.header.iter().any(|h| h == column) {
            tables.push((name, table));
        }
    }
    match tables.len() {
        1 => Ok(tables.remove(0).1),
        0 => Err((
            None,
            format!(
                "no sheet ({}) has a column {column} in its first row",
                names.join(", ")
            ),
        )),
        _ => {
            let found: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
            Err((
                None,
                format!(
                    "several sheets have a column {column} ({}); leave one in the file",
                    found.join(", ")
                ),
            ))
        }
    }
}

/// Rows of a sheet that hold something, the first one as header; `None` without any.
fn table(book: &mut Workbook, sheet: &str) -> Result<Option<Table>, Fault> {
    let broken = |e: XlsxError| (None, format!("sheet {sheet}: {e}"));
    let mut reader = book.worksheet_cells_reader(sheet).map_err(broken)?;
    // By place, since a workbook may state a far corner that holds next to nothing.
    let mut rows: BTreeMap<u32, BTreeMap<u32, String>> = BTreeMap::new();
    while let Some(cell) = reader.next_cell().map_err(broken)? {
        let (row, column) = cell.get_position();
        if column >= COLUMNS {
            let message = format!("sheet {sheet}: more than {COLUMNS} columns");
            return Err((Some(line(row)), message));
        }
        if let Some(text) = text(&cell) {
            rows.entry(row).or_default().insert(column, text);
        }
    }
    let mut rows = rows.into_iter();
    let Some((_, header)) = rows.next() else {
        return Ok(None);
    };
    let width = header.keys().next_back().map_or(0, |last| last + 1);
    let cells = |mut row: BTreeMap<u32, String>, width: u32| {
        (0..width)
            .map(|c| row.remove(&c).unwrap_or_default())
            .collect()
    };
    let mut lines = vec![];
    for (row, found) in rows {
        let last = found.keys().next_back().map_or(0, |last| last + 1);
        lines.push(Line {
            number: Some(line(row)),
            // What stands beside the table makes the row too wide, and that is said.
            cells: cells(found, width.max(last)),
        });
    }
    Ok(Some(Table {
        header: cells(header, width),
        lines,
    }))
}

/// A row as spreadsheets number it.
fn line(row: u32) -> usize {
    row as usize + 1
}

/// What a cell shows; numbers as plain text. An error stays one: it is no number.
fn text(cell: &Cell<DataRef<'_>>) -> Option<String> {
    Some(match cell.get_value() {
        DataRef::Empty => return None,
        DataRef::Int(n) => n.to_string(),
        DataRef::Float(n) => n.to_string(),
        DataRef::Bool(true) => "True".to_owned(),
        DataRef::Bool(false) => "False".to_owned(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            text.clone()
        }
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::DateTime(moment) => moment.as_f64().to_string(),
        DataRef::Error(error) => error.to_string(),
    })
}
