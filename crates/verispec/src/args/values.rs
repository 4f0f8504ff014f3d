//! Values that options take.

use clap::ValueEnum;

/// Suites that this version knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SuiteName {
    /// SpecV-Bench, or any suite in its layout.
    Specv,
    /// RealUnify: UEG_direct, UEG_step, GEU_direct, GEU_step; see docs/realunify.md.
    Realunify,
    /// A suite of your own: a JSON Lines file; see docs/custom-suites.md.
    Custom,
}

/// `--structured`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StructuredArg {
    /// By the prompt alone.
    None,
    /// Any JSON object.
    #[value(alias = "json_object")]
    JsonObject,
    /// A JSON schema.
    #[value(alias = "json_schema")]
    JsonSchema,
}

/// `--preset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// As the released scripts do it, faults included.
    Published,
}

/// `--reask`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReaskArg {
    /// Once more with the same list.
    List,
    /// Each missing one alone.
    Single,
    /// Not at all.
    Off,
}

/// `--only`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Only {
    /// Settled without a verdict.
    Unjudged,
}

/// `--scoring`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScoringArg {
    /// Every specification weighs the same in its instance.
    Uniform,
    /// The rule behind the published tables.
    Board,
    /// An instance counts 1 if everything in it is met, else 0.
    Strict,
}

/// `--missing`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MissingArg {
    /// They score 0.
    Zero,
    /// They are left out.
    Exclude,
}

/// `--unjudged`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnjudgedArg {
    /// Left out, with bounds.
    Exclude,
    /// Counted as not met.
    Na,
}

/// `export --unjudged`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportUnjudgedArg {
    /// Written as N/A.
    Na,
}

/// `--sum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SumArg {
    /// Left to right.
    Plain,
    /// Neumaier.
    Compensated,
}

/// `--reader`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReaderArg {
    /// Answers are normalised.
    Default,
    /// Answers count only as the released scripts compare them.
    Published,
}

/// `--dependencies`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DependencyArg {
    /// Every specification for itself.
    Ignore,
    /// By the verdicts of those it names.
    Direct,
    /// By the verdicts of all that it presupposes, over any number of steps.
    Transitive,
}

/// `--weights`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeightArg {
    /// All alike.
    Equal,
    /// The suite's `weight`.
    Weight,
    /// The suite's quality rating (SpecV's `score`).
    Rating,
}
