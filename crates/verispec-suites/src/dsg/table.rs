//! Rows of a CSV file by column name. A row that cannot be used is a warning, never the end.

use std::path::Path;

use csv::{ByteRecord, ReaderBuilder, StringRecord};
use verispec_model::Warning;

use super::error::DsgError;

/// A table read whole.
pub(super) struct Table {
    /// Name of the file, for warnings.
    pub(super) name: String,
    /// Columns that were asked for, by their place in every row.
    columns: Vec<&'static str>,
    /// Line in the file, and the values of the columns.
    pub(super) rows: Vec<(u64, Vec<String>)>,
    /// Rows that were left out or repaired.
    pub(super) warnings: Vec<Warning>,
}

impl Table {
    /// Reads the columns of a file; other columns are not looked at.
    pub(super) fn read(path: &Path, columns: &[&'static str]) -> Result<Self, DsgError> {
        let failed = |source| DsgError::Csv {
            path: path.to_owned(),
            source,
        };
        let mut reader = ReaderBuilder::new()
            .flexible(true)
            .from_path(path)
            .map_err(failed)?;
        let header: Vec<String> = reader
            .byte_headers()
            .map_err(failed)?
            .iter()
            .map(|name| {
                String::from_utf8_lossy(name)
                    .trim_matches('\u{feff}')
                    .to_owned()
            })
            .collect();
        let places = places(path, &header, columns)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut table = Self {
            name: name.into_owned(),
            columns: columns.to_vec(),
            rows: vec![],
            warnings: vec![],
        };
        let mut record = ByteRecord::new();
        while reader.read_byte_record(&mut record).map_err(failed)? {
            table.add(&record, header.len(), &places);
        }
        Ok(table)
    }

    fn add(&mut self, record: &ByteRecord, width: usize, places: &[usize]) {
        let line = record.position().map_or(0, csv::Position::line);
        if record.len() != width {
            let message = format!("left out: {} fields, expected {width}", record.len());
            self.warn(line, "row-width", message);
            return;
        }
        let text = StringRecord::from_byte_record_lossy(record.clone());
        if text.as_byte_record() != record {
            let message = "not UTF-8; unreadable bytes are shown as U+FFFD".to_owned();
            self.warn(line, "encoding", message);
        }
        let values = places.iter().map(|place| text[*place].to_owned());
        self.rows.push((line, values.collect()));
    }

    /// Notes something about a line.
    pub(super) fn warn(&mut self, line: u64, kind: &str, message: String) {
        self.warnings.push(Warning {
            kind: kind.to_owned(),
            place: format!("{}:{line}", self.name),
            message,
        });
    }

    /// Value of a column that was asked for.
    pub(super) fn get<'a>(&self, values: &'a [String], column: &str) -> &'a str {
        let place = self.columns.iter().position(|c| *c == column);
        place.map_or("", |place| values[place].as_str())
    }
}

fn places(
    path: &Path,
    header: &[String],
    columns: &[&'static str],
) -> Result<Vec<usize>, DsgError> {
    let place = |column: &&'static str| {
        let found = header.iter().position(|name| name == column);
        found.ok_or_else(|| DsgError::Column {
            path: path.to_owned(),
            missing: column,
            found: header.to_vec(),
        })
    };
    columns.iter().map(place).collect()
}
