//! One call for all specifications of an instance.

use std::borrow::Cow;

use verispec_model::{
    Hash, Instance, Job, Question, Reading, Replies, Reply, Request, Settled, SpecId, SpecResult,
    Step, Structured, Unjudged, request_key,
};

use super::independent::{Shared, statement_hash};
use super::prompt::{self, Shape};
use super::{Asked, Case, Reask, WHOLE, follow, settle, unusable};
use crate::reader::{ListReading, ReadOptions, read_list};

/// Protocol `whole`: all specifications in one request.
///
/// A truncated reply is asked again whole, once. Ids that a well-formed reply lacks are asked
/// again as [`Reask`] says, once; what is still missing then is unjudged.
///
/// Requests are made anew in each step: a plan of a whole suite holds no prompts.
#[derive(Debug, Clone)]
pub struct WholeJob {
    case: Case,
    reask: Reask,
    read: ReadOptions,
    protocol: Cow<'static, str>,
}

impl WholeJob {
    /// Prepares the job.
    #[must_use]
    pub fn new(case: Case, reask: Reask, read: ReadOptions) -> Self {
        Self::named(case, reask, read, WHOLE.into())
    }

    /// The same under another protocol's name, for protocols made of lists.
    pub(super) fn named(
        case: Case,
        reask: Reask,
        read: ReadOptions,
        protocol: Cow<'static, str>,
    ) -> Self {
        Self {
            case,
            reask,
            read,
            protocol,
        }
    }

    fn ids(&self) -> Vec<SpecId> {
        self.case
            .instance
            .specifications
            .iter()
            .map(|s| s.id)
            .collect()
    }

    fn all(&self, why: Unjudged, key: Hash) -> Step<Vec<SpecResult>> {
        let mut found = Found::new(&self.case.instance);
        found.fail(why, (key, self.asked_with()));
        Step {
            ask: vec![],
            readings: found.0,
        }
    }

    fn pending(&self, ask: Request) -> Step<Vec<SpecResult>> {
        Step {
            ask: vec![ask],
            readings: Found::new(&self.case.instance).0,
        }
    }

    fn asked_with(&self) -> u32 {
        u32::try_from(self.case.instance.specifications.len()).unwrap_or(u32::MAX)
    }

    /// Readings of a usable reply, then whatever has to be asked again.
    fn read(
        &self,
        request: &Request,
        reply: &Reply,
        replies: &dyn Replies,
    ) -> Step<Vec<SpecResult>> {
        let mut found = Found::new(&self.case.instance);
        let reading = read_list(&reply.text, &self.ids(), self.read);
        found.add(&reading, (request_key(request), self.asked_with()));
        let ask = match self.reask {
            _ if found.missing().is_empty() => vec![],
            Reask::Off => vec![],
            Reask::List => self.reask_list(request, reply, &mut found, replies),
            Reask::Single => self.reask_single(reply, &mut found, replies),
        };
        Step {
            ask,
            readings: found.0,
        }
    }

    /// Asks the same list again and takes only what was missing from it.
    fn reask_list(
        &self,
        request: &Request,
        reply: &Reply,
        found: &mut Found,
        replies: &dyn Replies,
    ) -> Vec<Request> {
        let again = follow(request, reply, "reask-missing");
        let origin = (request_key(&again), self.asked_with());
        match replies.get(&origin.0) {
            None => {
                found.postpone();
                return vec![again];
            }
            Some(Settled::Failed(why)) => found.fail(why, origin),
            Some(Settled::Answered(second)) => match unusable(&second) {
                Some(why) => found.fail(why, origin),
                None => found.add(&read_list(&second.text, &self.ids(), self.read), origin),
            },
        }
        vec![]
    }

    /// Asks each missing specification in a call of its own.
    fn reask_single(
        &self,
        reply: &Reply,
        found: &mut Found,
        replies: &dyn Replies,
    ) -> Vec<Request> {
        let missing = found.missing();
        let mut ask = vec![];
        let shared = Shared::following(&self.case, Some((reply, "reask-single")));
        let structured = self.case.judge.structured;
        for result in found.0.iter_mut().filter(|r| missing.contains(&r.id())) {
            let statement = statement_hash(&result.spec, structured);
            let (known, wanted) = shared.resolve(&result.spec, &statement, replies);
            *result = known;
            ask.extend(wanted);
        }
        ask
    }
}

impl Job for WholeJob {
    type Readings = Vec<SpecResult>;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.case.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        match settle(request(&self.case, &self.protocol), replies) {
            Asked::Pending(request) => self.pending(*request),
            Asked::Failed { why, key } => self.all(why, key),
            Asked::Said(reply, request) => self.read(&request, &reply, replies),
        }
    }
}

fn request(case: &Case, protocol: &str) -> Request {
    let questions = questions(&case.instance);
    let structured = case.judge.structured;
    let shape = (Shape::List, structured);
    let parts = prompt::parts(&case.instance.prompt, &case.material, &questions, shape);
    Request {
        protocol: protocol.to_owned(),
        template: prompt::template_hash(Shape::List, structured),
        judge: case.judge.clone(),
        parts,
        questions,
        schema: (structured == Structured::JsonSchema).then(|| Shape::List.schema()),
        repeat: case.repeat,
        parent: None,
        derivation: None,
    }
}

/// Structured questions of an instance: labels and texts, nothing else.
fn questions(instance: &Instance) -> Vec<Question> {
    let specs = instance.specifications.iter();
    specs
        .map(|s| Question {
            id: s.id,
            text: s.question.clone(),
        })
        .collect()
}

/// Results while they are put together from one or more replies.
struct Found(Vec<SpecResult>);

impl Found {
    fn new(instance: &Instance) -> Self {
        Self(
            instance
                .specifications
                .iter()
                .cloned()
                .map(SpecResult::pending)
                .collect(),
        )
    }

    fn missing(&self) -> Vec<SpecId> {
        let lacks = |s: &&SpecResult| {
            matches!(
                s.reading,
                None | Some(Reading::Unjudged(Unjudged::MissingId))
            )
        };
        self.0.iter().filter(lacks).map(SpecResult::id).collect()
    }

    /// Takes from a reading what is not known yet.
    fn add(&mut self, reading: &ListReading, (key, asked_with): (Hash, u32)) {
        let missing = self.missing();
        for result in self.0.iter_mut().filter(|r| missing.contains(&r.id())) {
            let Some(item) = reading.items.get(&result.id()) else {
                continue;
            };
            result.reading = Some(item.reading.clone());
            result.provenance.stage = reading.stage;
            result.provenance.asked_with = Some(asked_with);
            result.provenance.request = Some(key);
            result.provenance.note.clone_from(&item.note);
            result.provenance.raw_answer.clone_from(&item.raw);
        }
    }

    fn fail(&mut self, why: Unjudged, (key, asked_with): (Hash, u32)) {
        let missing = self.missing();
        for result in self.0.iter_mut().filter(|r| missing.contains(&r.id())) {
            result.reading = Some(Reading::Unjudged(why));
            result.provenance.asked_with = Some(asked_with);
            result.provenance.request = Some(key);
        }
    }

    /// Marks what is missing as waiting for a further reply.
    fn postpone(&mut self) {
        let missing = self.missing();
        for result in self.0.iter_mut().filter(|r| missing.contains(&r.id())) {
            result.reading = None;
        }
    }
}
