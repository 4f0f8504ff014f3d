//! What a generation run did, as plain data for [`render_generation`](crate::render_generation).

use std::collections::BTreeMap;

use serde::Serialize;

use crate::run::RunSummary;

/// What a generation run did and what it left on disk.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct GenerationSummary {
    /// Calls, tokens, cost, time. Its counters are empty: nothing was judged.
    pub run: RunSummary,
    /// Name of the system under test.
    pub model: String,
    /// Folder of the outputs, as the user typed it.
    pub out: String,
    /// Outputs of each instance.
    pub replicates: u32,
    /// Outputs that were wanted, replicates counted one by one.
    pub expected: usize,
    /// Outputs that are there.
    pub generated: usize,
    /// Outputs that the model failed to make, by kind.
    pub failed: BTreeMap<String, usize>,
    /// Outputs that a call is still wanted for.
    pub pending: usize,
    /// Outputs that nobody can be asked for, because the suite's data is not whole.
    pub data_failed: usize,
}
