//! The part of a target that filters leave: what `check` lists and `judge` sums up.

use std::collections::BTreeSet;

use verispec_model::{Instance, OutputFailure};
use verispec_report::{CheckProblem, CheckRow, MissingInputs};
use verispec_suites::specv::outputs::{ModelOutputs, OutputProblem, TrackOutputs, Unmatched};
use verispec_suites::specv::selected;

use crate::target::Target;

/// Instances that filters leave, with what models made for them.
pub(crate) struct Selection<'a> {
    target: &'a Target,
    instances: Vec<&'a Instance>,
    /// No instance of a selected track is left out, so that files of no instance count too.
    whole_tracks: bool,
}

impl<'a> Selection<'a> {
    pub(crate) fn of(target: &'a Target) -> Self {
        let filters = &target.filters;
        let instances = selected(&target.loaded.suite, filters).map(AsRef::as_ref);
        Self {
            target,
            instances: instances.collect(),
            whole_tracks: filters.dims.is_empty()
                && filters.ids.is_empty()
                && filters.limit.is_none(),
        }
    }

    /// One row per model and track, in the order of names.
    pub(crate) fn rows(&self) -> Vec<CheckRow> {
        self.parts().iter().map(Part::row).collect()
    }

    /// Everything worth a look, one by one.
    pub(crate) fn problems(&self) -> Vec<CheckProblem> {
        self.parts().iter().flat_map(Part::problems).collect()
    }

    /// Reference images of the selected instances in tracks that some model entered.
    pub(crate) fn inputs(&self) -> MissingInputs {
        let mut inputs = MissingInputs::default();
        for instance in self.instances.iter().filter(|i| self.is_entered(&i.track)) {
            let absent = instance.references.iter().filter(|r| !r.is_file()).count();
            inputs.expected += instance.references.len();
            inputs.missing += absent;
            if absent == 0 {
                continue;
            }
            inputs.instances += 1;
            match inputs.by_track.last_mut() {
                Some((track, n)) if *track == instance.track => *n += 1,
                _ => inputs.by_track.push((instance.track.clone(), 1)),
            }
        }
        inputs
    }

    /// The first reference image that is not there.
    pub(crate) fn first_missing(&self) -> Option<String> {
        let entered = self.instances.iter().filter(|i| self.is_entered(&i.track));
        let mut references = entered.flat_map(|i| &i.references);
        let missing = references.find(|path| !path.is_file());
        missing.map(|path| path.display().to_string())
    }

    /// Folders of tracks that a model did not enter for want of an output, in one line each.
    pub(crate) fn strays(&self) -> Vec<String> {
        let mut lines = vec![];
        for model in &self.target.outputs {
            for (track, files) in &model.strays {
                let name = files.first().map(file_name).unwrap_or_default();
                let n = files.len();
                lines.push(format!(
                    "{}: does not enter {track}: of {n} {} ({name}{}) none is named like an id",
                    model.model,
                    if n == 1 { "file" } else { "files" },
                    if n == 1 { "" } else { ", …" },
                ));
            }
        }
        lines
    }

    /// What `judge` says about outputs that will score 0 or are not seen, in one line.
    pub(crate) fn summary(&self) -> Option<String> {
        let parts: Vec<String> = self.rows().iter().filter_map(row_in_words).collect();
        (!parts.is_empty()).then(|| {
            format!(
                "outputs: {}: verispec check with the same arguments lists them",
                parts.join("; ")
            )
        })
    }

    fn is_entered(&self, track: &str) -> bool {
        let mut models = self.target.outputs.iter();
        models.any(|m| m.tracks.contains_key(track))
    }

    fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = vec![];
        for model in &self.target.outputs {
            for (track, outputs) in &model.tracks {
                parts.extend(self.part(model, track, outputs));
            }
        }
        parts
    }

    fn part(
        &self,
        model: &'a ModelOutputs,
        track: &'a str,
        outputs: &'a TrackOutputs,
    ) -> Option<Part<'a>> {
        let of_track = self.instances.iter().filter(|i| i.track == track);
        let ids: BTreeSet<&str> = of_track.map(|i| i.id.as_str()).collect();
        let concerns = |file: &&Unmatched| {
            self.whole_tracks || file.nearest.as_deref().is_some_and(|id| ids.contains(id))
        };
        let unmatched = outputs.unmatched.iter().filter(concerns).collect();
        (!ids.is_empty()).then_some(Part {
            model: &model.model,
            track,
            unmatched,
            outputs,
            ids,
        })
    }
}

/// One model in one track, filtered.
struct Part<'a> {
    model: &'a str,
    track: &'a str,
    outputs: &'a TrackOutputs,
    ids: BTreeSet<&'a str>,
    unmatched: Vec<&'a Unmatched>,
}

impl Part<'_> {
    fn failures(&self) -> impl Iterator<Item = (&str, &OutputProblem)> {
        let all = self.outputs.instances.iter();
        let own = all.filter(|(id, _)| self.ids.contains(id.as_str()));
        own.filter_map(|(id, output)| Some((id.as_str(), output.as_ref().err()?)))
    }

    fn failed(&self, failure: OutputFailure) -> usize {
        self.failures()
            .filter(|(_, p)| p.failure == failure)
            .count()
    }

    fn row(&self) -> CheckRow {
        CheckRow {
            model: self.model.to_owned(),
            track: self.track.to_owned(),
            expected: self.ids.len(),
            matched: self.ids.len() - self.failures().count(),
            missing: self.failed(OutputFailure::Missing),
            unreadable: self.failed(OutputFailure::Unreadable) + self.failed(OutputFailure::Empty),
            unmatched: self.unmatched.len(),
        }
    }

    fn problems(&self) -> Vec<CheckProblem> {
        let failures = self.failures().map(|(id, problem)| CheckProblem {
            kind: problem.failure.to_string(),
            model: self.model.to_owned(),
            place: format!("{}/{id}", self.track),
            message: match problem.message.as_str() {
                "" => "no output".to_owned(),
                message => message.to_owned(),
            },
            nearest: None,
        });
        let unmatched = self.unmatched.iter().map(|file| CheckProblem {
            kind: "unmatched".into(),
            model: self.model.to_owned(),
            place: format!("{}/{}", self.track, file_name(file)),
            message: file.why.clone(),
            nearest: file.nearest.clone(),
        });
        failures.chain(unmatched).collect()
    }
}

fn file_name(file: &Unmatched) -> String {
    let name = file.path.file_name();
    name.map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// What is wrong with one model's outputs in one track; `None` if nothing is.
fn row_in_words(row: &CheckRow) -> Option<String> {
    let files = if row.unmatched == 1 {
        "file belongs to no instance"
    } else {
        "files belong to no instance"
    };
    let parts = [
        (row.unmatched, files),
        (row.missing, "missing"),
        (row.unreadable, "unreadable"),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0);
    let words: Vec<String> = parts.map(|(n, what)| format!("{n} {what}")).collect();
    (!words.is_empty()).then(|| format!("{} in {}: {}", row.model, row.track, words.join(", ")))
}
