//! One grade for a whole output.

use std::borrow::Cow;

use verispec_model::{
    Hash, Job, Origin, Provenance, Reading, Replies, Reply, Request, SpecResult, Specification,
    Step, Structured, Unjudged, request_key,
};

use super::prompt::{self, Shape};
use super::{Asked, Case, HOLISTIC, settle};
use crate::reader::read_grade;

/// Scale of the grade: a whole number from 0 to 10.
pub const HOLISTIC_RANGE: (f64, f64) = (0.0, 10.0);

/// Protocol `holistic`: the judge sees the task and the output and grades the whole from 0 to 10.
/// It sees no specification, so its scores say something else than all others and never share a
/// table with them.
///
/// The one reading stands for [`Specification::holistic`]. A grade outside of the scale is
/// unparsed, never clamped. A truncated reply is asked again once, as in `whole`.
#[derive(Debug, Clone)]
pub struct HolisticJob {
    case: Case,
}

impl HolisticJob {
    /// Prepares the job.
    #[must_use]
    pub const fn new(case: Case) -> Self {
        Self { case }
    }
}

impl Job for HolisticJob {
    type Readings = Vec<SpecResult>;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.case.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        match settle(request(&self.case), replies) {
            Asked::Pending(request) => pending(*request),
            Asked::Failed { why, key } => unjudged(why, key),
            Asked::Said(reply, request) => read(&reply, request_key(&request)),
        }
    }
}

fn request(case: &Case) -> Request {
    let structured = case.judge.structured;
    let shape = Shape::Grade;
    let task = &case.instance.prompt;
    Request {
        protocol: HOLISTIC.to_owned(),
        template: prompt::template_hash(shape, structured),
        judge: case.judge.clone(),
        parts: prompt::parts(task, &case.material, &[], (shape, structured)),
        questions: vec![],
        schema: (structured == Structured::JsonSchema).then(|| shape.schema()),
        repeat: case.repeat,
        parent: None,
        derivation: None,
    }
}

fn result(key: Hash) -> SpecResult {
    SpecResult {
        provenance: Origin::alone(key).into(),
        ..SpecResult::pending(Specification::holistic(HOLISTIC_RANGE))
    }
}

fn pending(ask: Request) -> Step<Vec<SpecResult>> {
    Step {
        readings: vec![SpecResult::pending(Specification::holistic(HOLISTIC_RANGE))],
        ask: vec![ask],
    }
}

fn unjudged(why: Unjudged, key: Hash) -> Step<Vec<SpecResult>> {
    let reading = Some(Reading::Unjudged(why));
    Step {
        ask: vec![],
        readings: vec![SpecResult {
            reading,
            ..result(key)
        }],
    }
}

fn read(reply: &Reply, key: Hash) -> Step<Vec<SpecResult>> {
    let found = read_grade(&reply.text, HOLISTIC_RANGE);
    let note = found.item.note;
    Step {
        ask: vec![],
        readings: vec![SpecResult {
            reading: Some(found.item.reading),
            provenance: Provenance::from(Origin {
                stage: found.stage,
                note: note.or_else(|| Some(reply.text.trim().to_owned())),
                raw_answer: found.item.raw,
                ..Origin::alone(key)
            }),
            ..result(key)
        }],
    }
}
