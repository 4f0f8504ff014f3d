//! What Python sees.

use pyo3::prelude::*;

/// Program, commands and tables of verispec.
#[pymodule(name = "_verispec")]
mod verispec_module {
    #[pymodule_export]
    use crate::commands::{command, main, run_tables, suite, tables_of};
    #[pymodule_export]
    use crate::table::NativeTable;
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
