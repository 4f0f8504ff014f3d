//! The paragraph on judge and protocol that belongs into a paper, with BibTeX.

use verispec_model::{Manifest, RunSource};

use crate::context::judge_line;
use crate::number::{count64, plural};
use crate::paper::tex;

/// What is known about a run's judging beside its manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judging {
    /// Model ids that the judge's server named, with the number of replies.
    pub served: Vec<(String, u64)>,
    /// First and last day of calls, as the reader of a paper takes them (`2026-01-02`); for
    /// judges behind an interface that changes, this is part of their identity.
    pub days: Option<(String, String)>,
    /// Policy, as tables print it.
    pub policy: String,
    /// Share of specifications with a verdict, as printed.
    pub coverage: String,
}

/// The paragraph on one run, in plain words that hold in LaTeX too, and its BibTeX.
#[must_use]
pub fn methods(manifest: &Manifest, judging: &Judging) -> String {
    let mut said = vec![format!(
        "We judged {} on {}{} with verispec {} \\cite{{verispec}}.",
        plural(manifest.models.len().max(1), "model", "models"),
        tex(&manifest.suite),
        manifest
            .suite_revision
            .as_ref()
            .map_or_else(String::new, |r| format!(" (content version {})", tex(r))),
        tex(&manifest.verispec),
    )];
    said.extend(source(manifest));
    said.extend(judge(manifest, judging));
    if manifest.repeats > 1 {
        said.push(format!(
            "Each request was made {} times; repeats were reduced by {}.",
            manifest.repeats,
            tex(&manifest.repeat_reduce.to_string())
        ));
    }
    said.push(format!(
        "Replies were read by the reader {}; what could not be read counts as unjudged, never as a \
         verdict (coverage {}).",
        tex(&manifest.reader),
        tex(&judging.coverage)
    ));
    said.push(format!(
        "Scores follow the policy {}.",
        tex(&judging.policy)
    ));
    if manifest.is_partial() {
        said.push("The run is partial: instances were left out on purpose.".to_owned());
    }
    format!("{}\n\n{}", said.join(" "), bibtex(manifest))
}

fn source(manifest: &Manifest) -> Option<String> {
    match &manifest.source {
        RunSource::Judge => None,
        RunSource::SpecvResults { .. } => {
            Some("Verdicts were imported from a result tree of the released scripts.".to_owned())
        }
        RunSource::RealunifyScored { .. } => {
            Some("Scores of items were imported from files of the released scripts.".to_owned())
        }
        RunSource::Verdicts { .. } => Some("Verdicts were imported from a file.".to_owned()),
    }
}

fn judge(manifest: &Manifest, judging: &Judging) -> Vec<String> {
    let mut said = vec![];
    if let Some(judge) = &manifest.judge {
        said.push(format!("The judge was {}.", tex(&judge_line(judge))));
    }
    if let Some(panel) = &manifest.panel {
        let members: Vec<String> = panel
            .members
            .iter()
            .map(|m| tex(&judge_line(&m.judge)))
            .collect();
        said.push(format!(
            "The judges were {}; their verdicts were reduced by {}.",
            members.join("; "),
            tex(&panel.reduce.to_string())
        ));
    }
    let served = judging
        .served
        .iter()
        .map(|(id, n)| format!("{} ({})", tex(id), count64(*n)));
    let served: Vec<String> = served.collect();
    if !served.is_empty() {
        said.push(format!(
            "Its server named these models (replies): {}.",
            served.join(", ")
        ));
    }
    if let Some((first, last)) = &judging.days {
        said.push(match first == last {
            true => format!("All calls were made on {first}."),
            false => format!("Calls were made from {first} to {last}."),
        });
    }
    if let Some(protocol) = &manifest.protocol {
        let encoder = manifest.encoder.as_ref();
        let encoder =
            encoder.map_or_else(String::new, |e| format!(", images encoded by {}", tex(e)));
        said.push(format!("The protocol was {}{encoder}.", tex(protocol)));
    }
    said
}

fn bibtex(manifest: &Manifest) -> String {
    format!(
        "@software{{verispec,\n  title = {{verispec: measuring multimodal models by verified \
         specifications}},\n  version = {{{}}},\n  url = {{{}}}\n}}\n",
        manifest.verispec,
        env!("CARGO_PKG_REPOSITORY")
    )
}
