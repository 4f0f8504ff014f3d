//! Small requests, rows and judges for the tests of this crate.
#![allow(dead_code, clippy::unwrap_used)]

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use verispec_engine::ledger::{Attempt, IN_PROCESS, Outcome, Raw, Record, Sending, Via, now};
use verispec_engine::transport::{Attempted, BoxFuture, Failure, Transport};
use verispec_model::{
    ApiError, ApiErrorKind, Hash, Job, JudgeIdentity, Params, Part, Replies, Reply, Request,
    Settled, Step, Structured, request_key,
};

/// A judge of this model name.
pub(crate) fn judge(model: &str) -> Arc<JudgeIdentity> {
    Arc::new(JudgeIdentity {
        provider: "openai".into(),
        model: model.into(),
        params: Params::new(),
        structured: Structured::None,
        revision: None,
    })
}

/// A request that asks one text.
pub(crate) fn request(judge: &Arc<JudgeIdentity>, text: &str) -> Request {
    Request {
        protocol: "test@1".into(),
        template: Hash::of(b"template"),
        judge: judge.clone(),
        parts: vec![Part::Text(text.into())],
        questions: vec![],
        schema: None,
        repeat: 0,
        parent: None,
        derivation: None,
    }
}

/// An attempt that brought this reply.
pub(crate) fn answered(reply: Reply) -> Attempt {
    let body = Bytes::from(serde_json::to_vec(&reply).unwrap());
    let raw = Raw {
        dialect: IN_PROCESS.into(),
        status: 200,
        content_type: None,
        body,
    };
    Attempt {
        outcome: Outcome::of_reply(&reply),
        settles: true,
        round: 0,
        error: None,
        raw: Some(raw),
        reply: Some(reply),
        sending: Sending::default(),
        via: Via::Call,
        sent_at: 1,
        received_at: 2,
    }
}

/// An attempt without a response.
pub(crate) fn failed(outcome: Outcome, settles: bool) -> Attempt {
    let error = Some(format!("{outcome} for the test"));
    Attempt {
        outcome,
        settles,
        error,
        raw: None,
        reply: None,
        ..answered(Reply::text(""))
    }
}

/// A row for the writer.
pub(crate) fn record(request: &Request, attempt: Attempt) -> Record {
    Record {
        key: request_key(request),
        job: "job".into(),
        step: 0,
        request: Arc::new(request.clone()),
        attempt,
    }
}

/// A judge that answers by script, counts its calls and knows how many are under way.
pub(crate) struct Fake {
    script: Box<Script>,
    calls: Mutex<Vec<Hash>>,
    under_way: AtomicUsize,
    most: AtomicUsize,
}

/// Delay and result for a request, given how often it was asked before.
type Script = dyn Fn(&Request, usize) -> (Duration, Result<Reply, Failure>) + Send + Sync;

impl Fake {
    pub(crate) fn new(
        script: impl Fn(&Request, usize) -> (Duration, Result<Reply, Failure>) + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            script: Box::new(script),
            calls: Mutex::default(),
            under_way: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        })
    }

    /// Repeats the text of the request after some milliseconds that depend on it.
    pub(crate) fn echo() -> Arc<Self> {
        Self::new(|request, _| {
            let text = text_of(request);
            let delay = u64::from(Hash::of(text.as_bytes()).as_bytes()[0]);
            (
                Duration::from_millis(delay),
                Ok(Reply::text(format!("about {text}"))),
            )
        })
    }

    /// Keys in the order in which they were asked.
    pub(crate) fn calls(&self) -> Vec<Hash> {
        self.calls.lock().unwrap().clone()
    }

    /// How often this request was asked.
    pub(crate) fn count(&self, request: &Request) -> usize {
        let key = request_key(request);
        self.calls().iter().filter(|k| **k == key).count()
    }

    /// Most requests that were under way at the same time.
    pub(crate) fn most(&self) -> usize {
        self.most.load(SeqCst)
    }

    async fn answer(&self, request: &Request) -> Attempted {
        let key = request_key(request);
        let before = {
            let mut calls = self.calls.lock().unwrap();
            let before = calls.iter().filter(|k| **k == key).count();
            calls.push(key);
            before
        };
        let under_way = self.under_way.fetch_add(1, SeqCst) + 1;
        self.most.fetch_max(under_way, SeqCst);
        let (delay, result) = (self.script)(request, before);
        tokio::time::sleep(delay).await;
        self.under_way.fetch_sub(1, SeqCst);
        let attempt = result.as_ref().ok().map(|reply| answered(reply.clone()));
        let raw = match &result {
            Err(Failure::Api { error, .. }) => Some(Raw {
                dialect: "openai".into(),
                status: error.status,
                content_type: None,
                body: Bytes::from(error.message.clone()),
            }),
            _ => attempt.and_then(|a| a.raw),
        };
        Attempted {
            result,
            raw,
            sending: Sending::default(),
            sent_at: now(),
            received_at: now(),
        }
    }
}

impl Transport for Fake {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Attempted> {
        Box::pin(self.answer(request))
    }
}

/// The text of a request made by [`request`].
pub(crate) fn text_of(request: &Request) -> &str {
    match &request.parts[0] {
        Part::Text(text) => text,
        Part::Image(_) => "",
    }
}

/// An error answer of the provider.
pub(crate) fn api_error(kind: ApiErrorKind, status: u16) -> Failure {
    let message = format!("{kind:?} for the test");
    let error = ApiError {
        kind,
        status,
        code: None,
        param: None,
        message,
    };
    Failure::Api {
        error,
        retry_after: None,
    }
}

/// Wants a fixed list of requests; reads what became of each.
pub(crate) struct ListJob {
    pub(crate) id: String,
    pub(crate) requests: Vec<Request>,
}

impl Job for ListJob {
    type Readings = Vec<Option<Settled>>;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        let readings: Vec<_> = self
            .requests
            .iter()
            .map(|r| replies.get(&request_key(r)))
            .collect();
        let missing = self
            .requests
            .iter()
            .zip(&readings)
            .filter(|(_, s)| s.is_none());
        Step {
            ask: missing.map(|(r, _)| r.clone()).collect(),
            readings,
        }
    }
}

/// One job per text, each with one request.
pub(crate) fn one_each(
    judge: &Arc<JudgeIdentity>,
    texts: impl Iterator<Item = String>,
) -> Vec<ListJob> {
    texts
        .map(|t| ListJob {
            requests: vec![request(judge, &t)],
            id: t,
        })
        .collect()
}
