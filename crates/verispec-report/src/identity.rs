//! What a run is, in full: who judged, how, with which versions, and what it cost.

use serde::Serialize;
use verispec_model::{Manifest, RunSource};

use crate::context::judge_line;
use crate::number::{count64, dollars};
use crate::run::Tokens;

/// What a run cost, over all its executions.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CostCard {
    /// Replies that were paid for; those taken from other runs are not among them.
    pub replies: u64,
    /// Tokens of these replies, as the provider reported them.
    pub tokens: Tokens,
    /// Attempts that ran out of time; a provider may bill them all the same.
    pub timed_out: u64,
    /// US dollars; `None` where no price is known.
    pub dollars: Option<f64>,
    /// The price that was used, with its source, or why there is none.
    pub price: String,
}

/// A run's identity card: names and values, in order. Everything that is needed to say what a
/// number of the run means.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunCard {
    /// Run id.
    pub run: String,
    /// Names and values.
    pub lines: Vec<(String, String)>,
    /// What it cost; `None` for imports and for judges that run in this process.
    pub cost: Option<CostCard>,
}

impl RunCard {
    /// The card of a run. `served` are the model ids that the judge's server named in its replies,
    /// each with the number of replies; `replies` is a hash over all settled replies.
    #[must_use]
    pub fn of(
        manifest: &Manifest,
        replies: Option<&str>,
        served: &[(String, u64)],
        cost: Option<CostCard>,
    ) -> Self {
        let mut lines: Vec<(String, String)> = vec![];
        let mut put = |name: &str, value: Option<String>| {
            lines.extend(value.map(|value| (name.to_owned(), value)));
        };
        put("source", Some(source(&manifest.source)));
        if let Some(judge) = &manifest.judge {
            put("judge", Some(judge_line(judge)));
        }
        for member in manifest.panel.iter().flat_map(|p| &p.members) {
            put(
                &format!("judge {}", member.name),
                Some(judge_line(&member.judge)),
            );
        }
        let reduce = manifest.panel.as_ref().map(|p| p.reduce.to_string());
        put("panel reduced by", reduce);
        let served = served.iter().map(|(id, n)| match n {
            1 => format!("{id} (1 reply)"),
            n => format!("{id} ({} replies)", count64(*n)),
        });
        let served: Vec<String> = served.collect();
        put(
            "served models",
            (!served.is_empty()).then(|| served.join(", ")),
        );
        put("protocol", manifest.protocol.clone());
        put("reader", Some(manifest.reader.clone()));
        let asked = manifest.judge.is_some() || manifest.panel.is_some();
        put("missing ids", asked.then(|| manifest.reask.clone()));
        let repeats = (manifest.repeats > 1)
            .then(|| format!("{}, {}", manifest.repeats, manifest.repeat_reduce));
        put("repeats", repeats);
        put("encoder", manifest.encoder.clone());
        let revision = manifest.suite_revision.as_ref();
        put(
            "suite",
            Some(revision.map_or_else(
                || manifest.suite.clone(),
                |r| format!("{} @ {r}", manifest.suite),
            )),
        );
        put("models", Some(manifest.models.len().to_string()));
        put("replies", replies.map(|hash| format!("BLAKE3 {hash}")));
        put("verispec", Some(manifest.verispec.clone()));
        Self {
            run: manifest.run.clone(),
            lines,
            cost,
        }
    }
}

fn source(source: &RunSource) -> String {
    match source {
        RunSource::Judge => "calls to a judge".to_owned(),
        RunSource::SpecvResults { path } => format!("specv-results {}", path.display()),
        RunSource::RealunifyScored { path } => format!("realunify-scored {}", path.display()),
        RunSource::Verdicts { path } => format!("verdicts {}", path.display()),
    }
}

impl CostCard {
    /// The sum in words.
    #[must_use]
    pub fn amount(&self) -> Option<String> {
        self.dollars.map(dollars)
    }
}
