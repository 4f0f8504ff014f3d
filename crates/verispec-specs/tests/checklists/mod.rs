//! What merges inside SpecV's consolidated checklists, where every merge is presumed false.

use std::path::Path;

use verispec_model::YesNo;
use verispec_specs::merge::{Embed, EmbedError, Proposer, merge_local};
use verispec_suites::specv;
use verispec_testkit::data::require_or_skip;

/// The local embedding model.
pub(crate) struct Minilm(verispec_vision::Embedder);

impl Embed for Minilm {
    fn name(&self) -> &str {
        verispec_vision::EMBEDDER_NAME
    }
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.0.embed(texts).map_err(|e| EmbedError(e.to_string()))
    }
}

/// The local model, where its weights are.
pub(crate) fn minilm() -> Option<Minilm> {
    let found = verispec_vision::default_weights_dir();
    let found = found.filter(|d| verispec_vision::embedder_installed(d));
    let why = "no embedder in VERISPEC_MODELS; see docs/specifications.md";
    let dir = require_or_skip(found, why)?;
    Some(Minilm(verispec_vision::Embedder::load(&dir).unwrap()))
}

/// What was found in a number of checklists.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Checklists.
    pub(crate) lists: usize,
    /// Their items.
    pub(crate) items: usize,
    /// Items that another one took up.
    pub(crate) lost: usize,
    /// The groups that made them one, with the instance.
    pub(crate) merged: Vec<String>,
    /// Pairs inside the checklists.
    pub(crate) pairs: usize,
    /// Those that were proposed.
    pub(crate) proposed: usize,
}

impl Found {
    /// Items lost in a thousand.
    pub(crate) fn per_1000(&self) -> f64 {
        self.lost as f64 * 1000.0 / self.items as f64
    }

    /// Share of pairs that were proposed.
    pub(crate) fn proposed_share(&self) -> f64 {
        self.proposed as f64 / self.pairs as f64
    }
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} of {} items in {} checklists merged, {:.3} per 1,000; {:.4} of {} pairs proposed",
            self.lost,
            self.items,
            self.lists,
            self.per_1000(),
            self.proposed_share(),
            self.pairs
        )
    }
}

/// Merges every n-th checklist of a checkout by itself.
pub(crate) fn checklists(root: &Path, proposer: &Proposer<'_>, every: usize) -> Found {
    let loaded = specv::load(root).unwrap();
    let mut found = Found::default();
    for instance in loaded.suite.instances().step_by(every) {
        let specs: Vec<(&str, YesNo)> = instance
            .specifications
            .iter()
            .map(|s| (s.question.as_str(), s.expected))
            .collect();
        let local = merge_local(&specs, proposer).unwrap();
        found.lists += 1;
        found.items += specs.len();
        found.lost += specs.len() - local.groups.len();
        found.pairs += specs.len() * (specs.len() - 1) / 2;
        found.proposed += local.proposals.len();
        let several = local.groups.iter().filter(|g| g.len() > 1);
        found.merged.extend(several.map(|group| {
            let texts: Vec<&str> = group.iter().map(|i| specs[*i].0).collect();
            format!("{}/{}: {texts:?}", instance.track, instance.id)
        }));
    }
    found
}
