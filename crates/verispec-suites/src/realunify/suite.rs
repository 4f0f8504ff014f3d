//! Items as instances of a suite.

use std::collections::BTreeMap;
use std::sync::Arc;

use verispec_model::{
    Hash, Instance, KeyBuilder, SpecId, SpecRules, Specification, Suite, Track, YesNo,
};

use super::item::{Body, ChoiceTask, Item, PollQuestion};
use super::layout::{Axis, Split};

/// Category of the specification that stands for a multiple choice.
pub const CHOICE: &str = "choice";

/// The specification that stands for a multiple choice: that the right option is named. It never
/// holds the answer.
#[must_use]
pub fn choice_specification(task: &ChoiceTask) -> Specification {
    Specification {
        id: 1,
        question: task.question.clone(),
        category: CHOICE.to_owned(),
        subcategory: String::new(),
        expected: YesNo::Yes,
        rating: None,
        rules: SpecRules::default(),
        record: Default::default(),
    }
}

/// Category of the specification that stands for all questions of an item together.
pub const STRICT: &str = "strict";

/// What a judge is told that the model was asked for. Direct and stepwise prompts differ, and a
/// judge that saw them could judge the same image differently; so it sees neither, as in the paper.
const TASK: &str = "Make an image.";

/// The suite as judges see it: the same questions, without the prompts of UEG.
#[must_use]
pub fn judged_suite(suite: &Suite) -> Suite {
    with_instances(suite, |instance| Instance {
        prompt: TASK.to_owned(),
        ..instance.clone()
    })
}

/// The suite as scored files see it: one specification an item of UEG, that every question is
/// answered as wanted.
#[must_use]
pub fn strict_suite(suite: &Suite) -> Suite {
    with_instances(suite, |instance| Instance {
        specifications: vec![Arc::new(strict(instance.specifications.len()))],
        ..instance.clone()
    })
}

fn strict(questions: usize) -> Specification {
    Specification {
        id: 1,
        question: format!("Are all {questions} questions answered as wanted?"),
        category: STRICT.to_owned(),
        subcategory: String::new(),
        expected: YesNo::Yes,
        rating: None,
        rules: SpecRules::default(),
        record: Default::default(),
    }
}

/// A copy with the instances of UEG changed.
fn with_instances(suite: &Suite, change: impl Fn(&Instance) -> Instance) -> Suite {
    let mut suite = suite.clone();
    let ueg = |track: &&mut Track| {
        let split = track.name.parse::<Split>();
        split.is_ok_and(|split| split.axis == Axis::Ueg)
    };
    for track in suite.tracks.iter_mut().filter(ueg) {
        for instance in track.dimensions.iter_mut().flat_map(|d| &mut d.instances) {
            *instance = Arc::new(change(instance));
        }
    }
    suite
}

fn polled((place, question): (usize, &PollQuestion)) -> Specification {
    Specification {
        id: SpecId::try_from(place + 1).unwrap_or(SpecId::MAX),
        question: question.question.clone(),
        category: String::new(),
        subcategory: String::new(),
        expected: question.answer,
        rating: None,
        rules: SpecRules::default(),
        record: Default::default(),
    }
}

/// The instance that an item is.
pub(super) fn instance(item: &Item) -> Instance {
    let (references, specifications) = match &item.body {
        Body::Poll(questions) => (vec![], questions.iter().enumerate().map(polled).collect()),
        Body::Choice(task) => (
            vec![task.input_image.clone()],
            vec![choice_specification(task)],
        ),
    };
    Instance {
        track: item.split.track(),
        dimension: item.task.clone(),
        id: item.id.clone(),
        prompt: item.prompt.clone(),
        references,
        specifications: specifications.into_iter().map(Arc::new).collect(),
        source_text: "".into(),
    }
}

/// First digits of a hash over what is asked, in file order; outputs in the records do not count.
pub(super) fn revision(items: &BTreeMap<Split, Vec<Item>>) -> String {
    let mut key = KeyBuilder::new("verispec/realunify");
    for item in items.values().flatten() {
        key.field("split", item.split.track().as_bytes())
            .field("id", item.id.as_bytes())
            .field("prompt", item.prompt.as_bytes());
        match &item.body {
            Body::Poll(questions) => {
                for question in questions {
                    key.field("question", question.question.as_bytes())
                        .field("answer", question.answer.as_str().as_bytes());
                }
            }
            Body::Choice(task) => {
                key.field("question", task.question.as_bytes());
                for option in &task.options {
                    key.field("option", option.as_bytes());
                }
                let edit = task.edit_prompt.as_ref().map(String::as_bytes);
                let image = item.record.get("input_image").map(ToString::to_string);
                key.field("answer", &[u8::try_from(task.answer).unwrap_or(0)])
                    .optional("image", image.as_ref().map(String::as_bytes))
                    .optional("edit", edit);
            }
        }
    }
    let hash: Hash = key.finish();
    hash.short()
}
