//! `verispec completions` and `verispec man`.

use std::path::PathBuf;

use clap::Args;

/// `verispec completions`.
#[derive(Debug, Clone, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell that the script is for.
    pub(crate) shell: clap_complete::Shell,
}

/// `verispec man`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ManArgs {
    /// Write a page for each command into this folder [default: the main page, on stdout].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
