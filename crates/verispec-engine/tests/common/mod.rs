//! Small requests and rows for the tests of this crate.
#![allow(dead_code)]

use std::sync::Arc;

use bytes::Bytes;
use verispec_engine::ledger::{Attempt, IN_PROCESS, Outcome, Raw, Record, Sending, Via};
use verispec_model::{Hash, JudgeIdentity, Params, Part, Reply, Request, Structured, request_key};

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
