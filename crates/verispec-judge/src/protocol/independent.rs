//! One call per specification.

use std::sync::Arc;

use verispec_model::{
    Hash, Job, KeyPrefix, Part, Question, Reading, Replies, Reply, Request, Settled, SpecResult,
    Specification, Step, Structured, Unjudged, request_key,
};

use super::prompt::{self, Shape};
use super::soft::soft_verdict;
use super::{Asked, Case, INDEPENDENT, follow, settle_longer, unusable};
use crate::reader::{SingleReading, read_single};

/// Protocol `independent`: each specification in a request of its own, so that no item can
/// influence another (SpecV's paper). All requests of an instance share everything but the last
/// part.
#[derive(Debug, Clone)]
pub struct IndependentJob {
    case: Case,
}

impl IndependentJob {
    /// Prepares the job; requests are made anew in each step.
    #[must_use]
    pub const fn new(case: Case) -> Self {
        Self { case }
    }
}

/// What all requests of an instance have in common: everything but the statement.
pub(super) struct Shared {
    /// Without statement and question.
    request: Request,
    prefix: KeyPrefix,
}

/// What is asked about one specification, and the key of its first request.
struct Statement {
    question: Question,
    statement: Part,
    key: Hash,
}

impl Shared {
    pub(super) fn of(case: &Case) -> Self {
        Self::following(case, None)
    }

    /// Of requests that follow from a reply, and why they do.
    pub(super) fn following(case: &Case, from: Option<(&Reply, &str)>) -> Self {
        let structured = case.judge.structured;
        let shape = Shape::Single;
        let request = Request {
            protocol: INDEPENDENT.to_owned(),
            template: prompt::template_hash(shape, structured),
            judge: case.judge.clone(),
            parts: prompt::shared_parts(&case.instance.prompt, &case.material, shape),
            questions: vec![],
            schema: (structured == Structured::JsonSchema).then(|| shape.schema()),
            repeat: case.repeat,
            parent: None,
            derivation: None,
        };
        let request = match from {
            Some((reply, why)) => follow(&request, reply, why),
            None => request,
        };
        let prefix = KeyPrefix::of(&request);
        Self { request, prefix }
    }

    fn ask(&self, spec: &Specification) -> Statement {
        let question = Question {
            id: spec.id,
            text: spec.question.clone(),
        };
        let questions = std::slice::from_ref(&question);
        let shape = (Shape::Single, self.request.judge.structured);
        let statement = prompt::statements(questions, shape);
        let key = self
            .prefix
            .finish(std::slice::from_ref(&statement), questions);
        Statement {
            question,
            statement,
            key,
        }
    }

    /// The whole request, which only a call needs.
    fn request(&self, asked: Statement) -> Request {
        let mut request = self.request.clone();
        request.parts.push(asked.statement);
        request.questions.push(asked.question);
        request
    }

    /// What is known about one specification, and the request that is still wanted for it.
    pub(super) fn resolve(
        &self,
        spec: &Arc<Specification>,
        replies: &dyn Replies,
    ) -> (SpecResult, Option<Request>) {
        let asked = self.ask(spec);
        let key = asked.key;
        match replies.get(&key) {
            None => (SpecResult::pending(spec.clone()), Some(self.request(asked))),
            Some(Settled::Failed(why)) => (failed(spec, why, key), None),
            Some(Settled::Answered(reply)) => match unusable(&reply) {
                None => (read(spec, &reply, key), None),
                Some(Unjudged::Truncated) => second(spec, &self.request(asked), &reply, replies),
                Some(why) => (failed(spec, why, key), None),
            },
        }
    }
}

/// Asks once more after a cut reply.
fn second(
    spec: &Arc<Specification>,
    first: &Request,
    cut: &Reply,
    replies: &dyn Replies,
) -> (SpecResult, Option<Request>) {
    match settle_longer(first, cut, replies) {
        Asked::Pending(request) => (SpecResult::pending(spec.clone()), Some(*request)),
        Asked::Failed { why, key } => (failed(spec, why, key), None),
        Asked::Said(reply, request) => (read(spec, &reply, request_key(&request)), None),
    }
}

impl Job for IndependentJob {
    type Readings = Vec<SpecResult>;

    fn id(&self) -> &str {
        &self.case.id
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        let mut step = Step {
            ask: vec![],
            readings: vec![],
        };
        let shared = Shared::of(&self.case);
        for spec in &self.case.instance.specifications {
            let (result, wanted) = shared.resolve(spec, replies);
            step.readings.push(result);
            step.ask.extend(wanted);
        }
        step
    }
}

fn failed(spec: &Arc<Specification>, why: Unjudged, key: Hash) -> SpecResult {
    SpecResult {
        reading: Some(Reading::Unjudged(why)),
        asked_with: Some(1),
        request: Some(key),
        ..SpecResult::pending(spec.clone())
    }
}

fn read(spec: &Arc<Specification>, reply: &Reply, key: Hash) -> SpecResult {
    let SingleReading { item, stage } = read_single(&reply.text, spec.id);
    SpecResult {
        reading: Some(item.reading),
        stage,
        asked_with: Some(1),
        request: Some(key),
        note: item.note.or_else(|| Some(reply.text.trim().to_owned())),
        raw_answer: item.raw,
        soft: soft_verdict(reply),
        ..SpecResult::pending(spec.clone())
    }
}
