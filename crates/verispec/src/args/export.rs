//! `verispec export --format`.

use clap::ValueEnum;

/// Formats that other tools read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The benchmark's own files.
    Own,
    /// Results and samples as lm-evaluation-harness writes them, a folder a model.
    LmEval,
    /// A body for MLflow's `runs/log-batch`, a file a model.
    Mlflow,
    /// Configuration and summary for Weights & Biases, a file a model.
    Wandb,
    /// Logs as inspect_ai writes them, a file a model and track.
    InspectAi,
    /// JUnit XML, a case an instance, a file a model.
    Junit,
}
