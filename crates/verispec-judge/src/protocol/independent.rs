//! One call per specification.

use verispec_model::{
    Job, Question, Reading, Replies, Reply, Request, Settled, SpecResult, Specification, Step,
    Structured, Unjudged, request_key,
};

use super::prompt::{self, Shape};
use super::soft::soft_verdict;
use super::{Case, INDEPENDENT, after_truncation, unusable};
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

/// The request for one specification.
pub(super) fn request(case: &Case, spec: &Specification) -> Request {
    let structured = case.judge.structured;
    let questions = vec![Question {
        id: spec.id,
        text: spec.question.clone(),
    }];
    let parts = prompt::parts(
        &case.instance.prompt,
        &case.material,
        &questions,
        (Shape::Single, structured),
    );
    Request {
        protocol: INDEPENDENT.to_owned(),
        template: prompt::template_hash(Shape::Single, structured),
        judge: case.judge.clone(),
        parts,
        questions,
        schema: (structured == Structured::JsonSchema).then(|| Shape::Single.schema()),
        repeat: case.repeat,
        parent: None,
        derivation: None,
    }
}

/// What is known about one specification, and the request that is still wanted for it.
pub(super) fn resolve(
    spec: &Specification,
    first: Request,
    replies: &dyn Replies,
) -> (SpecResult, Option<Request>) {
    match replies.get(&request_key(&first)) {
        None => (SpecResult::pending(spec.clone()), Some(first)),
        Some(Settled::Failed(why)) => (failed(spec, why, &first), None),
        Some(Settled::Answered(reply)) => match unusable(&reply) {
            None => (read(spec, &reply, &first), None),
            Some(Unjudged::Truncated) => second(spec, &first, &reply, replies),
            Some(why) => (failed(spec, why, &first), None),
        },
    }
}

fn second(
    spec: &Specification,
    first: &Request,
    reply: &Reply,
    replies: &dyn Replies,
) -> (SpecResult, Option<Request>) {
    let again = after_truncation(first, reply);
    match replies.get(&request_key(&again)) {
        None => (SpecResult::pending(spec.clone()), Some(again)),
        Some(Settled::Failed(why)) => (failed(spec, why, &again), None),
        Some(Settled::Answered(reply)) => match unusable(&reply) {
            Some(why) => (failed(spec, why, &again), None),
            None => (read(spec, &reply, &again), None),
        },
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
        for spec in &self.case.instance.specifications {
            let first = request(&self.case, spec);
            let (result, wanted) = resolve(spec, first, replies);
            step.readings.push(result);
            step.ask.extend(wanted);
        }
        step
    }
}

fn failed(spec: &Specification, why: Unjudged, request: &Request) -> SpecResult {
    SpecResult {
        reading: Some(Reading::Unjudged(why)),
        asked_with: Some(1),
        request: Some(request_key(request)),
        ..SpecResult::pending(spec.clone())
    }
}

fn read(spec: &Specification, reply: &Reply, request: &Request) -> SpecResult {
    let SingleReading { item, stage } = read_single(&reply.text, spec.id);
    SpecResult {
        reading: Some(item.reading),
        stage,
        asked_with: Some(1),
        request: Some(request_key(request)),
        note: item.note.or_else(|| Some(reply.text.trim().to_owned())),
        raw_answer: item.raw,
        soft: soft_verdict(reply),
        ..SpecResult::pending(spec.clone())
    }
}
