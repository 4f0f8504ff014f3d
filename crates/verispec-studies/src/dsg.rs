//! DSG's own study, on its released files: do judges' scores of outputs go with human ratings,
//! question set by question set and rule by rule?
//!
//! Everything is computed twice and named: as the release does it (`published`) and as it should
//! be. Figures that need what the files do not have are said to be not computable.

mod build;
mod metrics;

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_suites::dsg::{Dataset, DsgError};

use crate::human::{
    Ablation, Agreed, Common, Correlations, Levels, MissingCells, RaterCeiling, Validity,
};

pub use metrics::{MetricRow, MetricStudy, metrics};

/// Choices of the study.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DsgOptions {
    /// Draws of the bootstrap behind intervals.
    pub draws: usize,
    /// Its seed.
    pub seed: u64,
    /// Nominal coverage of intervals, in (0, 1).
    pub level: f64,
}

/// The whole study.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DsgStudy {
    /// Where the published values are from.
    pub source: String,
    /// Outputs that people rated.
    pub rated: usize,
    /// The published table, recomputed.
    pub rows: Vec<DsgRow>,
    /// Every judge on DSG's questions.
    pub judges: Vec<JudgeSummary>,
    /// Pairs of judges, verdict by verdict.
    pub agreement: Vec<JudgeAgreement>,
    /// Judges against each other and against people, over models.
    pub validity: Validity,
    /// Mean human rating of every model, over all ratings.
    pub human_means: BTreeMap<String, f64>,
    /// People against people.
    pub ceiling: Vec<RaterCeiling>,
    /// Where a judge's answers say neither yes nor no: counted as no, or left out.
    pub unjudged: Vec<UnjudgedEffect>,
    /// DSG's questions, VQ2A's, and both together, for every judge.
    pub ablation: Vec<JudgeAblation>,
    /// Faults of the data by kind.
    pub faults: BTreeMap<String, usize>,
}

/// One row of the published table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DsgRow {
    /// `dsg`, `tifa` or `vq2a`.
    pub questions: String,
    /// Whether an unmet question takes its children with it.
    pub dependencies: bool,
    /// Judge.
    pub judge: String,
    /// Spearman's rho as published, if the row is in the published table.
    pub published_rho: Option<f64>,
    /// Kendall's tau-b as published.
    pub published_tau: Option<f64>,
    /// The same row from the files.
    pub computed: Computed,
}

/// Recomputed, or why not.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub enum Computed {
    /// From the released answers.
    Yes(Box<Variants>),
    /// Something is not in the files.
    NotComputable {
        /// What.
        reason: String,
    },
}

/// One row under different rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Variants {
    /// As released: exactly `yes` is yes, an output without answers scores 0, one unreadable
    /// dependency drops all of its item.
    pub published: Correlations,
    /// Whether `published` equals the published values in all printed digits; `None` for a row
    /// that was not published.
    pub reproduced: Option<bool>,
    /// The same, but an unreadable dependency drops its own row's parents alone.
    pub default_rule: Correlations,
    /// Dependencies followed over any number of steps, else as `default_rule`; only where the row
    /// has dependencies.
    pub transitive: Option<Correlations>,
    /// Everything by default: answers that say neither yes nor no are unjudged, outputs without a
    /// verdict are left out, an undecided parent leaves its child undecided.
    pub default: Correlations,
}

/// One judge on DSG's questions, readings as released, outputs that it was asked about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeSummary {
    /// Judge.
    pub judge: String,
    /// Mean score of every model with dependencies, percent; an output without answers counts 0,
    /// as released.
    pub means: BTreeMap<String, f64>,
    /// The four levels of correlation, every question for itself.
    pub without_dependencies: Levels,
    /// The same, an unmet question taking its direct children with it.
    pub with_dependencies: Levels,
}

/// Two judges on DSG's questions, "yes" against the rest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeAgreement {
    /// The two judges.
    pub judges: [String; 2],
    /// How they agree.
    pub agreed: Agreed,
}

/// What counting unusable answers as no does to one judge on one set of questions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnjudgedEffect {
    /// Judge.
    pub judge: String,
    /// `dsg` or `vq2a`.
    pub questions: String,
    /// Answers on rated outputs.
    pub answers: usize,
    /// Those that say neither yes nor no.
    pub unjudged: usize,
    /// First: counted as no; second: left out. Outputs without any answer enter neither.
    pub effect: Common,
    /// Rated outputs without a single usable answer, by model.
    pub missing: Vec<MissingCells>,
    /// Share of unusable answers by model, 0-1.
    pub shares: BTreeMap<String, f64>,
}

/// Sets of questions of one judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeAblation {
    /// Judge.
    pub judge: String,
    /// Sets on common outputs; `None` when the judge lacks one of them.
    pub ablation: Option<Ablation>,
}

/// Runs the study.
///
/// # Errors
/// As [`Dataset::results`].
pub fn study(data: &Dataset, options: DsgOptions) -> Result<DsgStudy, DsgError> {
    build::study(data, options)
}
