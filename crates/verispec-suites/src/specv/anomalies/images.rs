//! Anomalies of what a task says about its images.

use std::collections::BTreeMap;

use verispec_model::{Instance, Warning};

use super::text::{bracketed_numbers, highest_image};
use super::{checklist_place, task_place, task_warning};
use crate::specv::load::Loaded;

/// Share of a dimension's tasks that have to agree on a number of images before another number is
/// remarkable.
const USUAL: f64 = 0.9;

pub(super) fn of_instance(instance: &Instance, loaded: &Loaded, found: &mut Vec<Warning>) {
    let bracketed = bracketed_numbers(&instance.prompt, "Image ");
    if let Some(n) = bracketed.first() {
        let message = format!("names its images as [Image {n}], which is not a placeholder");
        found.push(task_warning(
            "bracketed-image-reference",
            instance,
            loaded,
            message,
        ));
    }
    // Where a prompt holds placeholders, "the second image" may be one that is to be made, or one
    // inside a picture. Where it holds none, images are named by their order alone.
    let given = instance.references.len();
    if given > 0 && bracketed_numbers(&instance.prompt, "IMAGE").is_empty() {
        beyond_references(instance, given, loaded, found);
    }
}

fn beyond_references(instance: &Instance, given: usize, loaded: &Loaded, found: &mut Vec<Warning>) {
    let named = highest_image(&instance.prompt);
    let specs: Vec<(u32, usize)> = instance
        .specifications
        .iter()
        .map(|spec| (spec.id, highest_image(&spec.question)))
        .filter(|(_, n)| *n > given)
        .collect();
    if given == 1 && named > 1 {
        let items: Vec<String> = specs.iter().map(|(id, _)| format!("#{id}")).collect();
        let also = if items.is_empty() {
            String::new()
        } else {
            format!("; so does its checklist in {}", items.join(", "))
        };
        let message = format!("speaks of image {named}, has only one{also}");
        found.push(task_warning(
            "second-image-missing",
            instance,
            loaded,
            message,
        ));
        return;
    }
    let kind = "image-beyond-references";
    if named > given {
        let message = format!("speaks of image {named}, has {given}");
        found.push(Warning {
            kind: kind.to_owned(),
            place: task_place(instance, loaded),
            message,
        });
    }
    found.extend(specs.into_iter().map(|(id, n)| Warning {
        kind: kind.to_owned(),
        place: format!("{}#{id}", checklist_place(instance)),
        message: format!("speaks of image {n}, the task has {given}"),
    }));
}

/// Tasks whose number of images differs from that of nearly all others in their dimension.
pub(super) fn of_counts(loaded: &Loaded, found: &mut Vec<Warning>) {
    for dimension in loaded.suite.tracks.iter().flat_map(|t| &t.dimensions) {
        let mut by_count: BTreeMap<usize, usize> = BTreeMap::new();
        for instance in &dimension.instances {
            *by_count.entry(instance.references.len()).or_default() += 1;
        }
        let Some((usual, tasks)) = by_count.into_iter().max_by_key(|(_, tasks)| *tasks) else {
            continue;
        };
        let all = dimension.instances.len();
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        if (tasks as f64) < USUAL * all as f64 {
            continue;
        }
        for instance in dimension
            .instances
            .iter()
            .filter(|i| i.references.len() != usual)
        {
            let n = instance.references.len();
            let message = format!("{n} input images; {tasks} of {all} tasks have {usual}");
            found.push(task_warning(
                "unusual-image-count",
                instance,
                loaded,
                message,
            ));
        }
    }
}
