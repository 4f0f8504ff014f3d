//! What is noteworthy in a loaded suite: rules over the data, never lists of ids.
//!
//! Nothing here makes a suite unusable. Kinds, with their row in the audit of the released data
//! (SpecV commit 2af3845):
//!
//! | kind | row | on |
//! |---|---|---|
//! | `expected-no` | 1 | specification |
//! | `rating-below-8` | 2 | specification |
//! | `no-final-answer-item` | 3 | instance |
//! | `wrong-dimension` | 4 | task |
//! | `second-image-missing` | 5 | task |
//! | `image-beyond-references` | 6 | task, specification |
//! | `bracketed-image-reference` | 7 | task |
//! | `unusual-image-count` | 8 | task |
//! | `placeholder-in-specification` | 9 | specification |
//! | `double-braces` / `latex-braces` | 10 | task / specification |
//! | `reference-path-not-in-checklist` | 11 | task |
//! | `stringified-list-answer` | 12 | task |
//! | `identical-prompt` | 13 | task |
//! | `no-final-question-mark` | 14 | specification |
//! | `several-question-marks` | 15 | specification |
//! | `cjk-text` | 16 | specification |
//! | `trailing-newline` | 17 | file |
//! | `surrounding-whitespace` | 19 | task |

mod images;
mod specs;
mod tasks;
mod text;

use verispec_model::{Instance, Warning};

use super::load::Loaded;

/// All anomalies, by kind in the order of the table above and in suite order inside a kind.
#[must_use]
pub fn anomalies(loaded: &Loaded) -> Vec<Warning> {
    let mut found = vec![];
    for instance in loaded.suite.instances() {
        specs::of_instance(instance, &mut found);
        images::of_instance(instance, loaded, &mut found);
        tasks::of_instance(instance, loaded, &mut found);
    }
    images::of_counts(loaded, &mut found);
    tasks::identical_prompts(loaded, &mut found);
    found.extend(loaded.trailing_newlines.iter().map(|file| Warning {
        kind: "trailing-newline".to_owned(),
        place: file.clone(),
        message: "the file ends with a newline; the release's other checklists do not".to_owned(),
    }));
    found.sort_by_key(|warning| KINDS.iter().position(|kind| *kind == warning.kind));
    found
}

/// Kinds in report order.
pub const KINDS: [&str; 19] = [
    "expected-no",
    "rating-below-8",
    "no-final-answer-item",
    "wrong-dimension",
    "second-image-missing",
    "image-beyond-references",
    "bracketed-image-reference",
    "unusual-image-count",
    "placeholder-in-specification",
    "double-braces",
    "latex-braces",
    "reference-path-not-in-checklist",
    "stringified-list-answer",
    "identical-prompt",
    "no-final-question-mark",
    "several-question-marks",
    "cjk-text",
    "trailing-newline",
    "surrounding-whitespace",
];

/// Place of a checklist, `track/dimension/id.json`.
fn checklist_place(instance: &Instance) -> String {
    format!(
        "{}/{}/{}.json",
        instance.track, instance.dimension, instance.id
    )
}

/// Place of a task record, `track/file.jsonl:id`.
fn task_place(instance: &Instance, loaded: &Loaded) -> String {
    let file = loaded
        .facts_of(instance)
        .map_or(instance.track.as_str(), |facts| &facts.file);
    format!("{file}:{}", instance.id)
}

fn task_warning(kind: &str, instance: &Instance, loaded: &Loaded, message: String) -> Warning {
    Warning {
        kind: kind.to_owned(),
        place: task_place(instance, loaded),
        message,
    }
}
