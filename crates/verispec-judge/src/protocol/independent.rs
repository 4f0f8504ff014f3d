//! One call per specification.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use verispec_model::{
    Hash, Instance, Job, KeyPrefix, Origin, Part, Provenance, Question, Reading, Replies, Reply,
    Request, Settled, SpecResult, Specification, Step, Structured, Unjudged, request_key,
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
    statements: Arc<Statements>,
}

impl IndependentJob {
    /// Prepares the job; requests are made anew in each step.
    #[must_use]
    pub fn new(case: Case) -> Self {
        Self::sharing(case, Arc::default())
    }

    /// The same for one of several jobs about one instance, which all give the same `statements`.
    #[must_use]
    pub const fn sharing(case: Case, statements: Arc<Statements>) -> Self {
        Self { case, statements }
    }
}

/// Hashes of the texts that put an instance's specifications to a judge, one by one. They are the
/// same for all models, and a large plan asks for each of them with every step.
#[derive(Debug, Default)]
pub struct Statements([OnceLock<Box<[Hash]>>; 2]);

impl Statements {
    /// In the order of the specifications; all jobs that share this are about `instance`.
    fn hashes(&self, instance: &Instance, structured: Structured) -> &[Hash] {
        // Two wordings exist: with and without a form of the reply.
        let known = &self.0[usize::from(structured != Structured::None)];
        let specs = instance.specifications.iter();
        known.get_or_init(|| specs.map(|s| statement_hash(s, structured)).collect())
    }
}

/// Hash of the text that puts a specification to a judge.
pub(super) fn statement_hash(spec: &Specification, structured: Structured) -> Hash {
    Hash::of(statement(&question(spec), structured).as_bytes())
}

fn question(spec: &Specification) -> Question {
    Question {
        id: spec.id,
        text: spec.question.clone(),
    }
}

fn statement(question: &Question, structured: Structured) -> String {
    prompt::statements(std::slice::from_ref(question), (Shape::Single, structured))
}

/// What all requests of an instance have in common: everything but the statement.
pub(super) struct Shared {
    /// Without statement and question.
    request: Request,
    prefix: KeyPrefix,
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

    /// The whole request, which only a call needs.
    fn request(&self, spec: &Specification) -> Request {
        let mut request = self.request.clone();
        let question = question(spec);
        let structured = request.judge.structured;
        let text = statement(&question, structured);
        request.parts.push(Part::Text(text));
        request.questions.push(question);
        request
    }

    /// What is known about one specification, whose statement has the hash `statement`, and the
    /// request that is still wanted for it.
    pub(super) fn resolve(
        &self,
        spec: &Arc<Specification>,
        statement: &Hash,
        replies: &dyn Replies,
    ) -> (SpecResult, Option<Request>) {
        let key = self
            .prefix
            .finish_text(statement, (spec.id, &spec.question));
        match replies.get(&key) {
            None => (SpecResult::pending(spec.clone()), Some(self.request(spec))),
            Some(Settled::Failed(why)) => (failed(spec, why, key), None),
            Some(Settled::Answered(reply)) => match unusable(&reply) {
                None => (read(spec, &reply, key), None),
                Some(Unjudged::Truncated) => second(spec, &self.request(spec), &reply, replies),
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

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.case.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        let mut step = Step {
            ask: vec![],
            readings: vec![],
        };
        let shared = Shared::of(&self.case);
        let (instance, structured) = (&self.case.instance, self.case.judge.structured);
        let hashes = self.statements.hashes(instance, structured);
        for (spec, statement) in instance.specifications.iter().zip(hashes) {
            let (result, wanted) = shared.resolve(spec, statement, replies);
            step.readings.push(result);
            step.ask.extend(wanted);
        }
        step
    }
}

fn failed(spec: &Arc<Specification>, why: Unjudged, key: Hash) -> SpecResult {
    SpecResult {
        reading: Some(Reading::Unjudged(why)),
        provenance: Origin::alone(key).into(),
        ..SpecResult::pending(spec.clone())
    }
}

fn read(spec: &Arc<Specification>, reply: &Reply, key: Hash) -> SpecResult {
    let SingleReading { item, stage } = read_single(&reply.text, spec.id);
    SpecResult {
        reading: Some(item.reading),
        provenance: Provenance::from(Origin {
            stage,
            note: item.note.or_else(|| Some(reply.text.trim().to_owned())),
            raw_answer: item.raw,
            soft: soft_verdict(reply),
            ..Origin::alone(key)
        }),
        ..SpecResult::pending(spec.clone())
    }
}
