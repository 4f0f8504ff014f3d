//! Which files a plan's requests name.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use std::sync::Arc;

use verispec_model::{Instance, InstanceState, Track};

use super::{PlanInput, Settled, wanted_of};
use crate::specv::outputs::{ModelOutputs, OutputPart, OutputProblem, PackedOutput, images};

/// An instance that a model should have an output for, as far as it is to be judged.
pub(super) struct Wanted<'a> {
    pub(super) instance: &'a Arc<Instance>,
    /// Place of the model.
    pub(super) model: u32,
    /// What it made, if anything.
    pub(super) output: Option<&'a Result<PackedOutput, OutputProblem>>,
}

impl Wanted<'_> {
    /// Parts of a usable output.
    pub(super) fn parts(&self) -> Option<Vec<OutputPart>> {
        Some(self.output?.as_ref().ok()?.parts())
    }
}

/// All of them in a track, in suite order.
pub(super) fn wanted_outputs<'a>(
    input: &PlanInput<'a>,
    track: &'a Track,
    outputs: &'a [ModelOutputs],
) -> impl Iterator<Item = Wanted<'a>> {
    let (suite, filters) = (input.suite, input.filters);
    wanted_of(track, filters).flat_map(move |instance| {
        let models = (0..).zip(outputs);
        models.filter_map(move |(model, outputs)| {
            let track = outputs.tracks.get(&instance.track)?;
            let (name, id) = (&instance.track, &instance.id);
            let asked = filters.wants_output(&suite.name, name, id, &outputs.model);
            asked.then(|| Wanted {
                instance,
                model,
                output: track.instances.get(id),
            })
        })
    })
}

/// Images that the requests of these may show, in suite order: references, those that are not among
/// `seen`, and outputs of all instances that a judge is asked about.
pub(super) fn files<'a>(looked: &[Looked<'a>], seen: &mut HashSet<&'a Path>) -> Vec<PathBuf> {
    let mut files = vec![];
    for one in looked {
        let (Some(parts), None) = (&one.parts, &one.settled) else {
            continue;
        };
        let references = one.wanted.instance.references.iter();
        files.extend(references.filter(|r| seen.insert(r)).cloned());
        files.extend(images(parts).map(Path::to_owned));
    }
    files
}

/// An output that has been unpacked, and its state if no judge is needed.
pub(super) struct Looked<'a> {
    pub(super) wanted: &'a Wanted<'a>,
    pub(super) parts: Option<Vec<OutputPart>>,
    pub(super) settled: Option<InstanceState>,
}

impl<'a> Looked<'a> {
    pub(super) fn new(wanted: &'a Wanted<'a>, settled: &Settled<'_>) -> Self {
        let parts = wanted.parts();
        let known = parts
            .as_deref()
            .and_then(|parts| settled(wanted.instance, parts));
        Self {
            settled: known,
            parts,
            wanted,
        }
    }
}
