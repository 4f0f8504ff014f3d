//! `verispec import lmms-eval`, `vlmevalkit`, … : result files of other tools.

use std::path::PathBuf;

use clap::Args;

/// Files of another tool, and what they do not say themselves.
#[derive(Debug, Clone, Args)]
pub(crate) struct ForeignArgs {
    /// Files, of one or of several models and tasks.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) file: Vec<PathBuf>,
    /// Model that the files are of [default: what the file or its folder says].
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Task that the files are of [default: what the file says].
    #[arg(long, value_name = "NAME")]
    pub(crate) task: Option<String>,
    /// Metric, column or scorer to read, where there are several.
    #[arg(long, value_name = "NAME")]
    pub(crate) metric: Option<String>,
    /// Scale of the values; its ends alone are verdicts, anything between is a grade
    /// [default: 0,1].
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true, value_parser = range)]
    pub(crate) range: Option<(f64, f64)>,
    /// Name of the import [default: from the first file].
    #[arg(long, value_name = "NAME")]
    pub(crate) run: Option<String>,
}

/// `LOW,HIGH`.
fn range(text: &str) -> Result<(f64, f64), String> {
    let ends = text.split_once(',');
    let ends = ends.and_then(|(low, high)| {
        let read = |t: &str| t.trim().parse::<f64>().ok().filter(|v| v.is_finite());
        Some((read(low)?, read(high)?))
    });
    ends.filter(|(low, high)| low < high)
        .ok_or_else(|| "two numbers are wanted, the smaller first, for instance 0,10".to_owned())
}
