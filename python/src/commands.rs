//! Commands: as the program, or without printing.

use std::ffi::OsString;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use verispec::Exit;
use verispec::embed::{self, Said};

use crate::table::NativeTable;

/// Tables by name.
type Named = Vec<(&'static str, NativeTable)>;

/// Runs the program: prints, and gives the exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, args: Vec<OsString>) -> u8 {
    // The program reads `.env` itself; no Python thread runs yet.
    let exit = py.detach(|| verispec::main_with(args));
    // Rust flushes its standard output at the end of its own `main` alone.
    let _ = std::io::Write::flush(&mut std::io::stdout());
    exit as u8
}

/// Runs a command without printing: exit code, what it would have printed on stdout, and on stderr.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, args: Vec<OsString>) -> PyResult<(u8, String, String)> {
    embed::read_env_file();
    let said = py.detach(|| embed::command(args));
    interrupted(said.exit)?;
    Ok((said.exit as u8, said.result, said.notes))
}

/// Tables of runs, from a command line of `score` or `rank`.
#[pyfunction]
pub(crate) fn run_tables(py: Python<'_>, args: Vec<OsString>) -> PyResult<Named> {
    let made = py.detach(|| embed::run_tables(args));
    let tables = made.map_err(|said| failure(py, &said))?;
    Ok(tables.into_iter().map(|(n, t)| (n, t.into())).collect())
}

/// Name, revision and tracks of a suite; its instances and specifications as tables.
#[pyfunction]
pub(crate) fn suite(
    py: Python<'_>,
    args: Vec<OsString>,
) -> PyResult<(String, String, Vec<String>, NativeTable, NativeTable)> {
    let made = py.detach(|| embed::suite(args));
    let suite = made.map_err(|said| failure(py, &said))?;
    Ok((
        suite.name,
        suite.revision,
        suite.tracks,
        suite.instances.into(),
        suite.specifications.into(),
    ))
}

/// Every list of records in a JSON document, by its path.
#[pyfunction]
pub(crate) fn tables_of(py: Python<'_>, document: &str) -> PyResult<Vec<(String, NativeTable)>> {
    let made = py.detach(|| {
        let document = serde_json::from_str(document).map_err(|e| e.to_string())?;
        verispec_report::arrow::tables(&document).map_err(|e| e.to_string())
    });
    let tables = made.map_err(|message| error(py, Exit::Error as u8, &message))?;
    Ok(tables
        .into_iter()
        .map(|(name, t)| (name, t.into()))
        .collect())
}

/// An interrupted command is an interrupt to Python, too.
fn interrupted(exit: Exit) -> PyResult<()> {
    match exit {
        Exit::Interrupted => Err(PyKeyboardInterrupt::new_err("interrupted")),
        _ => Ok(()),
    }
}

fn failure(py: Python<'_>, said: &Said) -> PyErr {
    let notes = match said.notes.is_empty() {
        true => &said.result,
        false => &said.notes,
    };
    error(py, said.exit as u8, notes)
}

/// The package's own exception.
fn error(py: Python<'_>, exit: u8, notes: &str) -> PyErr {
    let made = py
        .import("verispec._errors")
        .and_then(|errors| errors.getattr("error_of")?.call1((exit, notes)));
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(other) => other,
    }
}
