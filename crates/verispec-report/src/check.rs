//! What a run would find and cost, as plain data for [`render_check`](crate::render_check).

use serde::Serialize;

/// Reference images of the suite that are not on disk: nobody can be judged on those instances.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MissingInputs {
    /// Images that instances name.
    pub expected: usize,
    /// Those that are absent or unreadable.
    pub missing: usize,
    /// Instances that cannot be judged for it.
    pub instances: usize,
    /// Those instances by track.
    pub by_track: Vec<(String, usize)>,
    /// The command that gets them, if there is one.
    pub command: Option<String>,
}

/// Outputs of one model in one track.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CheckRow {
    /// Model.
    pub model: String,
    /// Track.
    pub track: String,
    /// Instances of the track.
    pub expected: usize,
    /// Instances with a readable output.
    pub matched: usize,
    /// Instances without an output.
    pub missing: usize,
    /// Instances whose output cannot be read.
    pub unreadable: usize,
    /// Files that belong to no instance.
    pub unmatched: usize,
}

/// A file worth a look.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CheckProblem {
    /// What is wrong: `missing`, `unreadable`, `unmatched`, `refused`.
    pub kind: String,
    /// Model.
    pub model: String,
    /// File or instance.
    pub place: String,
    /// What is wrong with it, in one line.
    pub message: String,
    /// The instance id nearest to an unmatched file's name.
    pub nearest: Option<String>,
}

/// What a run would ask of the judge.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CheckPrice {
    /// Judge identity in one line.
    pub judge: Option<String>,
    /// Protocol with version.
    pub protocol: Option<String>,
    /// First calls that would be made.
    pub calls: usize,
    /// Most calls that could follow, re-asking included; `None` when there is no bound.
    pub calls_at_most: Option<usize>,
    /// Replies that are already there.
    pub reused: usize,
    /// Bytes that would be sent, as files are now.
    pub bytes: u64,
    /// Estimated prompt tokens.
    pub tokens: Option<u64>,
    /// How the estimate was made.
    pub tokens_note: Option<String>,
    /// What it would cost; `None` for a judge that runs in this process.
    pub money: Option<CheckMoney>,
}

/// Estimated cost, in US dollars.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CheckMoney {
    /// The price that was used, with its source, in one line; `None` when none is known.
    pub price: Option<String>,
    /// Why there is no price, and what to do.
    pub why_none: Option<String>,
    /// First calls, and everything that may follow; empty without a price.
    pub rows: Vec<MoneyRow>,
    /// What the lengths of replies rest on.
    pub assumed: String,
}

/// Estimated cost of some calls, in US dollars.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MoneyRow {
    /// Which calls.
    pub name: String,
    /// Calls.
    pub calls: usize,
    /// Prompt tokens.
    pub input: u64,
    /// Of these, in a prefix shared with the call before.
    pub cached: u64,
    /// Tokens of the replies.
    pub output: u64,
    /// Cost if nothing is cached.
    pub plain: f64,
    /// Cost if every shared prefix is cached.
    pub with_cache: f64,
    /// Cost by batch files, if nothing is cached.
    pub batch: f64,
    /// Cost by batch files, if every shared prefix is cached.
    pub batch_with_cache: f64,
}

/// What a run would find and cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CheckReport {
    /// Suite.
    pub suite: String,
    /// Content version of the suite.
    pub revision: Option<String>,
    /// Missing inputs.
    pub inputs: MissingInputs,
    /// Outputs by model and track.
    pub outputs: Vec<CheckRow>,
    /// Files worth a look.
    pub problems: Vec<CheckProblem>,
    /// What judging would cost, when a judge is configured.
    pub price: Option<CheckPrice>,
}
