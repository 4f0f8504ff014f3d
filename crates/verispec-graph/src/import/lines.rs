//! Files with one JSON value a line.

use serde::de::DeserializeOwned;

use super::field::{ImportError, Problem, Read};

/// Records of a line-by-line file.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines<T> {
    /// Records in file order.
    pub records: Vec<T>,
    /// Whether the last line was torn (the writer was killed) and left out.
    pub torn: bool,
}

/// Reads line by line. A last line without a line end that is not JSON is torn; any other bad line
/// is an error.
pub(super) fn read_lines<L: DeserializeOwned, T>(
    file: &str,
    text: &str,
    read: impl Fn(&L) -> Read<T>,
) -> Result<Lines<T>, ImportError> {
    let mut records = Vec::new();
    let mut torn = false;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let content = line.trim();
        if content.is_empty() {
            continue;
        }
        // Anything else might still be read as an object, field after field without names.
        let complete = line.ends_with('\n');
        if !content.starts_with('{') {
            if !complete {
                torn = true;
                continue;
            }
            let what = Problem::new("expected an object");
            return Err(what.in_file(&format!("{file}, line {}", at + 1)));
        }
        match serde_json::from_str::<L>(content) {
            Ok(value) => {
                let record = read(&value);
                let place = || format!("{file}, line {}", at + 1);
                records.push(record.map_err(|p| p.in_file(&place()))?);
            }
            Err(_) if !complete => torn = true,
            Err(source) => {
                return Err(ImportError::Line {
                    file: file.to_owned(),
                    line: at + 1,
                    source,
                });
            }
        }
    }
    Ok(Lines { records, torn })
}
