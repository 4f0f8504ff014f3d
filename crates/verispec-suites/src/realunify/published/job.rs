//! Protocol `realunify-published`: the release's poll as a job.

use std::borrow::Cow;
use std::sync::Arc;

use verispec_model::{
    Finish, Hash, ImagePart, Instance, Job, JudgeIdentity, Origin, Part, Provenance, Question,
    Reading, Replies, Reply, Request, Settled, SpecResult, Step, Unjudged, YesNo, request_key,
};

use super::poll::{Attempt, Poll, PollStep};
use crate::realunify::item::Item;

/// Name with version.
pub const PROTOCOL: &str = "realunify-published@1";

/// What follows the question. The release's own words are not used: its judge call is a stub.
const DEMAND: &str = "Look at the image and answer the question with \"yes\" or \"no\" only.";

/// One item of one model. Its questions are asked one after the other; after the first that is
/// not answered as wanted no more are asked ([`Unjudged::NotAsked`]).
#[derive(Debug, Clone)]
pub struct PolledJob {
    id: String,
    instance: Arc<Instance>,
    written: Vec<String>,
    image: ImagePart,
    judge: Arc<JudgeIdentity>,
    repeat: u32,
}

impl PolledJob {
    /// Prepares the job. `instance` is the one that `item` became when it was loaded.
    #[must_use]
    pub fn new(
        id: impl Into<String>,
        item: &Item,
        instance: Arc<Instance>,
        image: ImagePart,
        judge: Arc<JudgeIdentity>,
    ) -> Self {
        let questions = item.poll().unwrap_or_default();
        Self {
            id: id.into(),
            instance,
            written: questions.iter().map(|q| q.written.clone()).collect(),
            image,
            judge,
            repeat: 0,
        }
    }

    /// The same job as repetition number `repeat`, from 0.
    #[must_use]
    pub fn repetition(mut self, repeat: u32) -> Self {
        self.repeat = repeat;
        self
    }

    /// The request for a question; an attempt after the first follows from the one before it.
    fn request(&self, place: usize, parent: Option<Hash>) -> Option<Request> {
        let spec = self.instance.specifications.get(place)?;
        let text = format!("{}\n{DEMAND}", spec.question);
        Some(Request {
            protocol: PROTOCOL.to_owned(),
            template: Hash::of(DEMAND.as_bytes()),
            judge: self.judge.clone(),
            parts: vec![Part::Image(self.image.clone()), Part::Text(text)],
            questions: vec![Question {
                id: spec.id,
                text: spec.question.clone(),
            }],
            schema: None,
            repeat: self.repeat,
            derivation: parent.is_some().then(|| "again-empty".to_owned()),
            parent,
        })
    }

    fn results(&self, asked: Vec<SpecResult>, rest: Option<Unjudged>) -> Vec<SpecResult> {
        let mut results = asked;
        for spec in &self.instance.specifications[results.len()..] {
            results.push(SpecResult {
                reading: rest.map(Reading::Unjudged),
                ..SpecResult::pending(spec.clone())
            });
        }
        results
    }

    fn result(&self, place: usize, met: bool, text: &str, key: Hash) -> SpecResult {
        let spec = self.instance.specifications[place].clone();
        let other = match spec.expected {
            YesNo::Yes => YesNo::No,
            YesNo::No => YesNo::Yes,
        };
        let verdict = if met { spec.expected } else { other };
        SpecResult {
            reading: Some(Reading::yes_no(verdict)),
            provenance: Provenance::from(Origin {
                raw_answer: Some(serde_json::Value::from(text)),
                ..Origin::alone(key)
            }),
            ..SpecResult::pending(spec)
        }
    }
}

impl Job for PolledJob {
    type Readings = Vec<SpecResult>;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        let mut poll = Poll::new(self.written.iter().map(String::as_str));
        let (mut results, mut parent): (Vec<SpecResult>, Option<Hash>) = (vec![], None);
        loop {
            let (place, attempt) = match poll.step() {
                PollStep::Ask { question, attempt } => (question, attempt),
                PollStep::Done(score) => {
                    let rest = match score {
                        Some(_) => Unjudged::NotAsked,
                        None => Unjudged::ProviderError,
                    };
                    return Step {
                        ask: vec![],
                        readings: self.results(results, Some(rest)),
                    };
                }
            };
            let request = self.request(place, parent.filter(|_| attempt > 0));
            let Some(request) = request else {
                return Step {
                    ask: vec![],
                    readings: self.results(results, Some(Unjudged::NotAsked)),
                };
            };
            let key = request_key(&request);
            let Some(settled) = replies.get(&key) else {
                return Step {
                    ask: vec![request],
                    readings: self.results(results, None),
                };
            };
            let given = attempt_of(settled);
            let before = poll.answered().len();
            poll.take(&given);
            if let (Attempt::Text(text), Some(met)) = (&given, poll.answered().get(before)) {
                results.push(self.result(place, *met, text, key));
            }
            parent = Some(key);
        }
    }
}

/// A reply that was refused has no text, as in the release's own client; what the engine gave up
/// on is an exception.
fn attempt_of(settled: Settled) -> Attempt {
    match settled {
        Settled::Failed(_) => Attempt::Error,
        Settled::Answered(Reply { text, finish, .. }) => {
            if finish == Finish::Refused && text.is_empty() {
                Attempt::Nothing
            } else {
                Attempt::Text(text)
            }
        }
    }
}
