//! One instance as a job: one call with the whole checklist, the same call again while the reply
//! is no list.

use std::borrow::Cow;
use std::cell::{RefCell, RefMut};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use verispec_judge::reader::published::read_list;
use verispec_judge::reader::{ListReading, ReadStatus};
use verispec_model::{
    Finish, Hash, Instance, Job, JudgeIdentity, Question, Reading, Replies, Reply, Request,
    Settled, SpecId, SpecResult, Step, Unjudged, request_key,
};

use super::error::PublishedError;
use super::parts::{HashFile, parts};
use super::response::OutputPart;
use super::template::Templates;
use super::versioned_name;

/// Calls per instance at most, as the released workers do it.
pub const ATTEMPTS: u32 = 3;

/// Why a request follows from an equal one: its reply held no list.
pub const RETRY: &str = "published-retry";

/// One instance of one model, put to a judge as released.
///
/// Replies are read as the release reads them ([`verispec_judge::reader::published`]): only `Yes`
/// and `No` to the letter are verdicts, and the answer as the release would store it is kept as
/// the raw answer, `N/A` included, for scoring `board` and for export.
///
/// A reply that covers only some items is final; nothing is asked again item by item. A reply
/// without a list is followed by the same call, [`ATTEMPTS`] in all. Attempts after transport
/// errors are the executor's.
#[derive(Debug, Clone)]
pub struct PublishedJob {
    id: String,
    instance: Arc<Instance>,
    templates: Arc<Templates>,
    output: Vec<OutputPart>,
    /// Content hashes of the images that the request shows or rests on.
    hashes: Vec<(PathBuf, Hash)>,
    judge: Arc<JudgeIdentity>,
    /// JPEG encoder that the images go through.
    encoder: Arc<str>,
    repeat: u32,
}

impl PublishedJob {
    /// Puts the request together once, to see that it can be; `id` names the job inside its run.
    ///
    /// # Errors
    /// As [`parts`].
    pub fn new(
        id: impl Into<String>,
        templates: &Arc<Templates>,
        judge: Arc<JudgeIdentity>,
        instance: Arc<Instance>,
        output: &[OutputPart],
        hash: &HashFile<'_>,
    ) -> Result<Self, PublishedError> {
        let hashes = RefCell::default();
        let noting = |path: &Path| {
            let found = hash(path)?;
            let mut hashes: RefMut<'_, Vec<(PathBuf, Hash)>> = hashes.borrow_mut();
            if hashes.iter().all(|(known, _)| known != path) {
                hashes.push((path.to_owned(), found));
            }
            Ok(found)
        };
        parts(templates, &instance, output, &noting)?;
        let seen = (output.to_vec(), hashes.into_inner());
        Ok(Self::seen(id.into(), templates, judge, instance, seen))
    }

    /// The same job again, of an output that is known to make one, with all hashes.
    pub(crate) fn seen(
        id: String,
        templates: &Arc<Templates>,
        judge: Arc<JudgeIdentity>,
        instance: Arc<Instance>,
        (output, hashes): (Vec<OutputPart>, Vec<(PathBuf, Hash)>),
    ) -> Self {
        Self {
            id,
            instance,
            templates: templates.clone(),
            output,
            hashes,
            judge,
            encoder: verispec_media::ENCODER.into(),
            repeat: 0,
        }
    }

    /// The same job in a run whose images went through another encoder than this build's.
    #[must_use]
    pub fn encoded_by(mut self, encoder: impl Into<Arc<str>>) -> Self {
        self.encoder = encoder.into();
        self
    }

    /// The same job as repetition number `repeat`, from 0.
    #[must_use]
    pub fn repetition(mut self, repeat: u32) -> Self {
        self.repeat = repeat;
        self
    }

    /// Content hashes of the images that the request shows or rests on.
    pub(crate) fn hashes(&self) -> &[(PathBuf, Hash)] {
        &self.hashes
    }

    /// The first request, put together when it is needed.
    #[must_use]
    pub fn request(&self) -> Request {
        let template = self.templates.get(&self.instance.track);
        let template = template.expect("the job was made with the template of this track");
        let hash = |path: &Path| {
            let known = self.hashes.iter().find(|(known, _)| known == path);
            known.map(|(_, hash)| *hash).ok_or_else(String::new)
        };
        let parts = parts(&self.templates, &self.instance, &self.output, &hash);
        let specs = self.instance.specifications.iter();
        let questions = specs.map(|s| Question {
            id: s.id,
            text: s.question.clone(),
        });
        Request {
            protocol: versioned_name(template.track(), &self.encoder),
            template: template.hash(),
            judge: self.judge.clone(),
            parts: parts.expect("the same parts were put together when the job was made"),
            questions: questions.collect(),
            schema: None,
            repeat: self.repeat,
            parent: None,
            derivation: None,
        }
    }

    fn pending(&self) -> Vec<SpecResult> {
        self.instance
            .specifications
            .iter()
            .cloned()
            .map(SpecResult::pending)
            .collect()
    }

    fn unjudged(&self, reason: Unjudged, request: Hash) -> Vec<SpecResult> {
        let mut results = self.pending();
        for result in &mut results {
            result.reading = Some(Reading::Unjudged(reason));
            self.decided_by(result, request);
        }
        results
    }

    fn judged(&self, read: &ListReading, request: Hash) -> Vec<SpecResult> {
        let mut results = self.pending();
        for result in &mut results {
            if let Some(item) = read.items.get(&result.spec.id) {
                result.reading = Some(item.reading.clone());
                result.provenance.raw_answer.clone_from(&item.raw);
            }
            result.provenance.stage = read.stage;
            self.decided_by(result, request);
        }
        results
    }

    fn decided_by(&self, result: &mut SpecResult, request: Hash) {
        result.provenance.request = Some(request);
        result.provenance.asked_with = u32::try_from(self.instance.specifications.len()).ok();
    }
}

impl Job for PublishedJob {
    type Readings = Vec<SpecResult>;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        let done = |readings| Step {
            ask: vec![],
            readings,
        };
        let asked: Vec<SpecId> = self.instance.specifications.iter().map(|s| s.id).collect();
        let mut request = self.request();
        let mut last = (Unjudged::Unparsed, request_key(&request));
        for _ in 0..ATTEMPTS {
            let key = request_key(&request);
            match replies.get(&key) {
                None => {
                    return Step {
                        ask: vec![request],
                        readings: self.pending(),
                    };
                }
                Some(Settled::Failed(reason)) => return done(self.unjudged(reason, key)),
                Some(Settled::Answered(reply)) => {
                    let read = read_list(&reply.text, &asked);
                    if read.status == ReadStatus::WellFormed {
                        return done(self.judged(&read, key));
                    }
                    last = (no_list(&reply), key);
                }
            }
            request.parent = Some(key);
            request.derivation = Some(RETRY.to_owned());
        }
        done(self.unjudged(last.0, last.1))
    }
}

/// Why a reply holds no list. The release does not tell these apart; tables do.
const fn no_list(reply: &Reply) -> Unjudged {
    match reply.finish {
        Finish::Refused => Unjudged::Refused,
        Finish::Length => Unjudged::Truncated,
        _ => Unjudged::Unparsed,
    }
}
