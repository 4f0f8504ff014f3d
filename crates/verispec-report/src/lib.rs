//! Tables, JSON documents and HTML pages of runs. Renders; computes no statistic.
//!
//! ```text
//! ScoreTable ──┬─ render_scores, render_rank      terminal
//! Results      ├─ json::Scores, csv::scores       machines
//! Suite        └─ html::write_report              browser
//! ```
//!
//! Whatever the form, a number carries its name ([`Context`], [`Policy`]), and what is not there
//! is a dash (terminal, page), `null` with a reason (JSON) or an empty field (CSV), never 0.
//!
//! [`Policy`]: verispec_model::score::Policy

#[cfg(feature = "arrow")]
pub mod arrow;
mod check;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod columns;
mod context;
pub mod csv;
mod error;
mod gaps;
mod generation;
pub mod html;
mod identity;
mod input;
mod inspect;
pub mod json;
pub mod junit;
mod mark;
mod methods;
mod number;
pub mod paper;
#[cfg(feature = "parquet")]
pub mod parquet;
mod rank;
mod run;
mod statistics;
pub mod studies;
mod style;
mod tables;
mod text;
pub mod tools;
mod view;
pub mod xtc;

pub use check::{
    CheckMoney, CheckPrice, CheckProblem, CheckReport, CheckRow, MissingInputs, MoneyRow,
};
pub use context::{Context, judge_line};
pub use error::ReportError;
pub use gaps::{model_gaps, track_gaps};
pub use generation::GenerationSummary;
pub use identity::{CostCard, RunCard};
pub use input::{InstanceView, Judged, OutputPart, Outputs, ReportInput, views};
pub use inspect::{InspectDimension, InspectTrack, Inspection, SuiteCounts};
pub use methods::{Judging, methods};
pub use number::{DASH, bounds, count, coverage, fixed2, percent};
pub use rank::{ExternalRow, RankBy, RankRow, RankTable, RowSource, Unranked};
pub use run::{RunCost, RunSummary, Tokens, exit_meaning};
pub use statistics::{Interval, MissingnessTest, Place, ScoreInterval, Stability, Statistics};
pub use style::{Style, terminal_width};
pub use tables::{
    ScoreOptions, render_categories, render_check, render_generation, render_inspect, render_rank,
    render_ranks, render_run, render_scores, render_show, render_warnings,
};
pub use text::clean;
