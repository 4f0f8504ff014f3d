//! SpecV's six tracks, in SpecV's own layout.

use verispec_model::{Instance, Suite};

use super::parts::with_images;
use super::{Layout, Place, PlanOptions, Task, wanted};
use crate::chain::{Stage, Wants};

/// Tasks of a SpecV checkout.
#[must_use]
pub fn specv_tasks(suite: &Suite, options: &PlanOptions<'_>) -> Vec<Task> {
    wanted(suite, options.filters)
        .map(|instance| task(instance, options))
        .collect()
}

fn task(instance: &Instance, options: &PlanOptions<'_>) -> Task {
    let stem = format!("{}/{}", instance.track, instance.id);
    let (wants, output) = match instance.track.as_str() {
        "interleave" | "think_with_img" => (Wants::Mixed, Layout::Interleaved(stem)),
        "understanding" => (Wants::Text, Layout::Response(format!("{stem}.json"))),
        _ => (Wants::Image, Layout::Image(stem)),
    };
    let inputs = with_images(&instance.prompt, &instance.references, options.hash);
    let stages = inputs.map(|inputs| vec![Stage::only(wants, inputs)]);
    Task::new(Place::of(instance), stages, output)
}
