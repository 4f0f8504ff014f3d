//! RealUnify's four protocols. Stepwise ones are chains of two stages.
//!
//! ```text
//! UEG direct   prompt -> image
//! UEG step     new_prompt -> text -> image
//! GEU direct   input image, evaluation_prompt -> text
//! GEU step     input image, edit_prompt -> image; that image, evaluation_prompt -> text
//! ```

use verispec_model::Instance;
use verispec_suites::realunify::{Axis, Item, Loaded, Split, Way};

use super::parts::image;
use super::{HashFile, Layout, Place, PlanOptions, Task, wanted};
use crate::chain::{Input, Stage, Wants};

/// Tasks of a RealUnify folder.
#[must_use]
pub fn realunify_tasks(loaded: &Loaded, options: &PlanOptions<'_>) -> Vec<Task> {
    wanted(&loaded.suite, options.filters)
        .filter_map(|instance| Some(task(instance, loaded.item_of(instance)?, options)))
        .collect()
}

fn task(instance: &Instance, item: &Item, options: &PlanOptions<'_>) -> Task {
    let Split { axis, way } = item.split;
    let stem = format!("{}/{}", item.split.stem(), item.id);
    let (image, text) = (Layout::Image, Layout::Text);
    let (output, middle) = match (axis, way) {
        (Axis::Ueg, Way::Direct) => (image(stem), None),
        (Axis::Ueg, Way::Step) => (image(stem.clone()), Some(text(format!("{stem}.step.txt")))),
        (Axis::Geu, Way::Direct) => (text(format!("{stem}.txt")), None),
        (Axis::Geu, Way::Step) => (
            text(format!("{stem}.txt")),
            Some(image(format!("{stem}.step"))),
        ),
    };
    let stages = stages(item, options.hash);
    Task {
        middle,
        ..Task::new(Place::of(instance), stages, output)
    }
}

fn stages(item: &Item, hash: HashFile<'_>) -> Result<Vec<Stage>, String> {
    let prompt = || Input::Text(item.prompt.clone());
    let Some(choice) = item.choice() else {
        return Ok(match item.split.way {
            Way::Direct => vec![Stage::only(Wants::Image, vec![prompt()])],
            Way::Step => vec![
                stage("refine", Wants::Text, vec![prompt()]),
                stage("draw", Wants::Image, vec![Input::Made(0)]),
            ],
        });
    };
    let shown = image(&choice.input_image, hash)?;
    Ok(match &choice.edit_prompt {
        None => vec![Stage::only(Wants::Text, vec![shown, prompt()])],
        Some(edit) => vec![
            stage("edit", Wants::Image, vec![shown, Input::Text(edit.clone())]),
            // The first image is not shown again.
            stage("answer", Wants::Text, vec![Input::Made(0), prompt()]),
        ],
    })
}

const fn stage(name: &'static str, wants: Wants, inputs: Vec<Input>) -> Stage {
    Stage {
        name,
        role: wants.role(),
        wants,
        inputs,
    }
}
