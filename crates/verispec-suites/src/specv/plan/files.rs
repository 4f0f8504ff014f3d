//! Which files a plan's requests name.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use verispec_model::{Instance, InstanceState, Track};

use super::{PlanInput, Settled, wanted_of};
use crate::specv::outputs::{ModelOutputs, OutputPart, OutputProblem, PackedOutput, images};

/// An instance that a model should have an output for, as far as it is to be judged.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) instance: &'a Arc<Instance>,
    /// Place of the model.
    pub(super) model: u32,
}

/// All of them in a track, in suite order.
pub(super) fn wanted_outputs<'a>(
    input: &PlanInput<'a>,
    track: &'a Track,
    outputs: &[ModelOutputs],
) -> impl Iterator<Item = Wanted<'a>> {
    let (suite, filters) = (input.suite, input.filters);
    let entered = (0..).zip(outputs);
    let entered = entered.filter(|(_, m)| m.tracks.contains_key(&track.name));
    let entered: Vec<(u32, &str)> = entered.map(|(n, m)| (n, m.model.as_str())).collect();
    wanted_of(track, filters).flat_map(move |instance| {
        let asked =
            |model: &str| filters.wants_output(&suite.name, &instance.track, &instance.id, model);
        let models: Vec<u32> = entered
            .iter()
            .filter(|(_, name)| asked(name))
            .map(|(model, _)| *model)
            .collect();
        models
            .into_iter()
            .map(move |model| Wanted { instance, model })
    })
}

/// What a model made, if anything; where outputs are given away, it is taken out.
fn output(
    outputs: &mut Cow<'_, [ModelOutputs]>,
    wanted: Wanted<'_>,
) -> Option<Result<PackedOutput, OutputProblem>> {
    let Instance { track, id, .. } = &**wanted.instance;
    let model = wanted.model as usize;
    match outputs {
        Cow::Borrowed(all) => all[model].tracks.get(track)?.instances.get(id).cloned(),
        Cow::Owned(all) => all[model].tracks.get_mut(track)?.instances.remove(id),
    }
}

/// Images that the requests of these may show, in suite order: references, those that are not among
/// `seen`, and outputs of all instances that a judge is asked about.
pub(super) fn files<'a>(looked: &[Looked<'a>], seen: &mut HashSet<&'a Path>) -> Vec<PathBuf> {
    let mut files = vec![];
    for one in looked {
        let (Some(Ok((_, parts))), None) = (&one.made, &one.settled) else {
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
    pub(super) wanted: Wanted<'a>,
    /// What the model made, if anything, and its parts.
    pub(super) made: Option<Result<(PackedOutput, Vec<OutputPart>), OutputProblem>>,
    pub(super) settled: Option<InstanceState>,
}

impl<'a> Looked<'a> {
    pub(super) fn new(
        outputs: &mut Cow<'_, [ModelOutputs]>,
        wanted: Wanted<'a>,
        settled: &Settled<'_>,
    ) -> Self {
        let made = output(outputs, wanted).map(|output| {
            let output = output?;
            let parts = output.parts();
            Ok((output, parts))
        });
        let known = match &made {
            Some(Ok((_, parts))) => settled(wanted.instance, parts),
            _ => None,
        };
        Self {
            wanted,
            made,
            settled: known,
        }
    }
}
