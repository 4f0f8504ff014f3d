//! An import in a run folder: one header line, then one line per file.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use verispec_model::Warning;

use super::{Entry, ImportError, ImportKind, Imported};

/// Name of the file in a run folder.
pub const IMPORT_FILE: &str = "verdicts.ndjson";

/// Version of the file's layout.
const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: u32,
    kind: ImportKind,
    suite: String,
    source: String,
    tracks: Vec<String>,
    warnings: Vec<Warning>,
}

/// Writes an import into a run folder, which has to exist; an earlier one is replaced as a whole.
///
/// # Errors
/// [`ImportError::Io`].
pub fn write_imported(run: &Path, imported: &Imported) -> Result<PathBuf, ImportError> {
    let path = run.join(IMPORT_FILE);
    let draft = run.join(format!("{IMPORT_FILE}.tmp"));
    write(&draft, imported).map_err(ImportError::io(&draft))?;
    std::fs::rename(&draft, &path).map_err(ImportError::io(&path))?;
    Ok(path)
}

fn write(path: &Path, imported: &Imported) -> std::io::Result<()> {
    let Imported {
        kind,
        suite,
        source,
        tracks,
        entries,
        warnings,
    } = imported.clone();
    let header = Header {
        format: FORMAT,
        kind,
        suite,
        source,
        tracks,
        warnings,
    };
    let mut out = BufWriter::new(File::create(path)?);
    serde_json::to_writer(&mut out, &header)?;
    for entry in &entries {
        out.write_all(b"\n")?;
        serde_json::to_writer(&mut out, entry)?;
    }
    out.write_all(b"\n")?;
    out.into_inner()
        .map_err(std::io::IntoInnerError::into_error)?
        .sync_all()
}

/// Reads the import of a run folder.
///
/// # Errors
/// [`ImportError::Io`] and, for a file of another format or a damaged one, [`ImportError::Stored`].
pub fn read_imported(run: &Path) -> Result<Imported, ImportError> {
    let path = run.join(IMPORT_FILE);
    let stored = |line: usize, message: String| ImportError::Stored {
        path: path.clone(),
        line,
        message,
    };
    let file = File::open(&path).map_err(ImportError::io(&path))?;
    let mut lines = BufReader::new(file).lines();
    let first = lines
        .next()
        .transpose()
        .map_err(ImportError::io(&path))?
        .unwrap_or_default();
    let header: Header = serde_json::from_str(&first)
        .map_err(|e| stored(1, format!("no header of an import: {e}")))?;
    if header.format != FORMAT {
        let message = format!(
            "format {} is not known; this version reads {FORMAT}",
            header.format
        );
        return Err(stored(1, message));
    }
    let mut entries = vec![];
    for (index, line) in lines.enumerate() {
        let line = line.map_err(ImportError::io(&path))?;
        let entry: Entry =
            serde_json::from_str(&line).map_err(|e| stored(index + 2, e.to_string()))?;
        entries.push(entry);
    }
    let Header {
        kind,
        suite,
        source,
        tracks,
        warnings,
        ..
    } = header;
    Ok(Imported {
        kind,
        suite,
        source,
        tracks,
        entries,
        warnings,
    })
}
