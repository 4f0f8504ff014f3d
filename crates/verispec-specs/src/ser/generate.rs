//! Stage 1: every generator writes specifications for a task, independently.

use std::borrow::Cow;
use std::sync::Arc;

use minijinja::context;
use verispec_model::{Hash, Job, JudgeIdentity, Replies, Step, Unjudged, YesNo};

use super::ask::{Asked, Failures, ask};
use super::prompt::{Stage, request};
use super::reply::{expected_of, list_of, object_with, text_of};
use super::task::Task;
use super::taxonomy::Taxonomy;
use crate::set::{Candidate, GeneratorState};

/// A specification as a model proposes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// The question, white space normalised.
    pub question: String,
    /// Category as written.
    pub category: String,
    /// Subcategory as written.
    pub subcategory: String,
    /// The answer that meets it.
    pub expected: YesNo,
}

impl Proposed {
    /// From an element of a reply.
    pub(super) fn of(object: &serde_json::Map<String, serde_json::Value>) -> Result<Self, String> {
        let question = text_of(object, "question");
        if question.is_empty() {
            return Err("a specification has no question".to_owned());
        }
        Ok(Self {
            question,
            category: text_of(object, "category"),
            subcategory: text_of(object, "subcategory"),
            expected: expected_of(object)?,
        })
    }
}

/// What the generators made of a task.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Generated {
    /// One a generator, in their order.
    pub generators: Vec<GeneratorState>,
    /// All candidates, numbered from 1 by generator and position.
    pub candidates: Vec<Candidate>,
}

impl Generated {
    /// Whether every generator's candidates are there: only then can the next stage begin.
    #[must_use]
    pub fn is_done(&self) -> bool {
        !self.generators.is_empty() && self.generators.iter().all(GeneratorState::is_done)
    }
}

impl Failures for Generated {
    fn failures(&self) -> Vec<(Unjudged, Hash)> {
        self.generators.failures()
    }
}

/// One task put to all generators.
#[derive(Debug, Clone)]
pub struct GenerateJob {
    id: String,
    task: Arc<Task>,
    generators: Arc<[Arc<JudgeIdentity>]>,
    taxonomy: Arc<Taxonomy>,
}

impl GenerateJob {
    /// Prepares the job. Generators are told apart by position.
    #[must_use]
    pub fn new(
        task: Arc<Task>,
        generators: Arc<[Arc<JudgeIdentity>]>,
        taxonomy: Arc<Taxonomy>,
    ) -> Self {
        Self {
            id: format!("generate/{}", task.place()),
            task,
            generators,
            taxonomy,
        }
    }
}

impl Job for GenerateJob {
    type Readings = Generated;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Generated> {
        let mut made = Generated::default();
        let mut wanted = vec![];
        for (source, generator) in self.generators.iter().enumerate() {
            let values = context! {
                track => self.task.track.as_str(),
                categories => self.taxonomy.categories.join(", "),
                subcategories => self.taxonomy.subcategories.join(", "),
            };
            let first = request(Stage::Generate, &self.task, generator, vec![], values);
            made.generators
                .push(match ask(first, replies, &mut |text| read(text).into()) {
                    Asked::Pending(request) => {
                        wanted.push(*request);
                        GeneratorState::Pending
                    }
                    Asked::Failed(why, fault, request) => GeneratorState::Failed {
                        why,
                        fault,
                        request: Some(request),
                    },
                    Asked::Read(proposed, request) => {
                        let before = made.candidates.len();
                        let numbered = proposed.into_iter().enumerate();
                        made.candidates.extend(numbered.map(|(i, p)| {
                            Candidate::new(before + i + 1, (source, i + 1), p, &self.task)
                        }));
                        GeneratorState::Done { request }
                    }
                });
        }
        Step {
            ask: wanted,
            readings: made,
        }
    }
}

/// The specifications of a reply: at least one, each complete.
fn read(text: &str) -> Result<Vec<Proposed>, String> {
    let object = object_with(text, "specifications")?;
    let list = list_of(&object, "specifications")?;
    if list.is_empty() {
        return Err("\"specifications\" is empty".to_owned());
    }
    let numbered = list.iter().enumerate();
    let each =
        numbered.map(|(i, o)| Proposed::of(o).map_err(|e| format!("element {}: {e}", i + 1)));
    each.collect()
}
