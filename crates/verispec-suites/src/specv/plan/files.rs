//! Which files a plan's requests name.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use verispec_model::{Instance, Track};

use super::{PlanInput, Settled, wanted_of};
use crate::specv::outputs::{ModelOutputs, OutputProblem, PackedOutput, images};

/// An instance that a model should have an output for, as far as it is to be judged.
pub(super) struct Wanted<'a> {
    pub(super) instance: &'a std::sync::Arc<Instance>,
    /// Place of the model.
    pub(super) model: u32,
    /// What it made, if anything.
    pub(super) output: Option<&'a Result<PackedOutput, OutputProblem>>,
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
pub(super) fn files<'a>(
    wanted: &[Wanted<'a>],
    seen: &mut HashSet<&'a Path>,
    settled: &Settled<'_>,
) -> Vec<PathBuf> {
    let mut files = vec![];
    for Wanted {
        instance, output, ..
    } in wanted
    {
        let Some(Ok(output)) = output else { continue };
        let parts = output.parts();
        if settled(instance, &parts).is_some() {
            continue;
        }
        let references = instance.references.iter().filter(|r| seen.insert(r));
        files.extend(references.cloned());
        files.extend(images(&parts));
    }
    files
}
