//! Layout of the workspace: what `ARCHITECTURE.md` says about imports and sizes of files.

mod imports;
mod sizes;

use std::fmt;

use anyhow::Context as _;

/// What the checks found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// Broken rules, a line each.
    pub(crate) errors: Vec<String>,
    /// What should be looked at before it breaks a rule, a line each.
    pub(crate) warnings: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for warning in &self.warnings {
            writeln!(f, "warning: {warning}")?;
        }
        for error in &self.errors {
            writeln!(f, "error: {error}")?;
        }
        if self.errors.is_empty() {
            writeln!(
                f,
                "layout: every crate imports downwards, no file is too long"
            )?;
        }
        Ok(())
    }
}

/// Checks the workspace that this program was built in.
///
/// # Errors
/// When cargo cannot describe the workspace or a source file cannot be read.
pub(crate) fn run() -> anyhow::Result<Report> {
    let metadata = imports::metadata().context("cargo metadata")?;
    let lengths = sizes::lengths(&metadata.workspace_root)?;
    let (errors, warnings) = sizes::check(&lengths);
    Ok(Report {
        errors: [imports::check(&metadata.packages), errors].concat(),
        warnings,
    })
}
