//! `verispec study realunify`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Preset;
use crate::reduce::ReduceArgs;

/// What the study is written as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum StudyFormat {
    /// Tables and sentences in the terminal.
    #[default]
    Text,
    /// The main table in Markdown, with what follows from it.
    Md,
    /// The main table in LaTeX.
    Latex,
    /// One row a number: every task, subtask and axis of every run.
    Csv,
}

/// `verispec study realunify`.
#[derive(Debug, Clone, Args)]
pub(crate) struct RealunifyArgs {
    /// Runs or imports with direct and stepwise outputs; RUN:MODEL takes one model of a run.
    /// Splits of one model may come from several runs.
    #[arg(required = true, value_name = "RUN")]
    pub(crate) run: Vec<String>,
    /// Stepwise run with the true middle step: RUN or RUN:MODEL.
    #[arg(long, value_name = "RUN")]
    pub(crate) oracle: Vec<String>,
    /// Stepwise run in which a specialist did the stages of one ability: `understanding` or
    /// `generation`, its name, RUN or RUN:MODEL.
    #[arg(long, num_args = 3, value_names = ["ABILITY", "SPECIALIST", "RUN"])]
    pub(crate) mixed: Vec<String>,
    /// The same outputs judged by people: RUN or RUN:MODEL, imported from their scored files or
    /// verdicts.
    #[arg(long, value_name = "RUN")]
    pub(crate) human: Vec<String>,
    /// Folder with RealUnify's own files [default: where the runs had it].
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Divide by 100 a task whatever there is, as released [default: in --preset published].
    #[arg(long)]
    pub(crate) fixed100: bool,
    /// `published`: denominators as released.
    #[arg(long, value_enum)]
    pub(crate) preset: Option<Preset>,
    /// Published tables beside.
    #[arg(long)]
    pub(crate) with_published: bool,
    /// Write tables instead.
    #[arg(long, value_enum, default_value = "text", hide_default_value = true)]
    pub(crate) format: StudyFormat,
    #[command(flatten)]
    pub(crate) reduce: ReduceArgs,
}
