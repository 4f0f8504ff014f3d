//! A picture, somebody who is asked, and scripted replies.

use std::collections::HashMap;
use std::sync::Arc;

use verispec_model::{
    Hash, ImageRole, Job, JudgeIdentity, Params, Part, Reply, Request, Settled, Structured,
    Unjudged, request_key,
};
use verispec_suites::xtc::{ExtractJob, ExtractPolicy, Picture, Start};

pub(crate) fn judge(structured: Structured) -> Arc<JudgeIdentity> {
    Arc::new(JudgeIdentity {
        provider: "openai".into(),
        model: "m".into(),
        params: Params::new(),
        structured,
        revision: None,
    })
}

pub(crate) fn picture() -> Picture {
    Picture {
        image_id: 7,
        file_name: "7.png".into(),
        path: std::path::Path::new("7.png").into(),
        source: Hash::of(b"pixels"),
        width: 200,
        height: 100,
        role: ImageRole::Reference,
    }
}

pub(crate) fn extract(policy: ExtractPolicy) -> ExtractJob {
    ExtractJob {
        id: "extract/7".into(),
        picture: picture(),
        start: Start::Nothing,
        judge: judge(Structured::JsonSchema),
        policy,
    }
}

/// Answers every request by what `answer` says of its protocol and data, until nothing is wanted.
/// Gives all requests in order and the last readings.
pub(crate) fn play<J: Job>(
    job: &J,
    answer: impl Fn(&str, &str) -> Result<String, Unjudged>,
) -> (Vec<Request>, J::Readings) {
    let mut replies: HashMap<Hash, Settled> = HashMap::new();
    let mut asked = vec![];
    for _ in 0..20 {
        let step = job.step(&replies);
        if step.ask.is_empty() {
            return (asked, step.readings);
        }
        for request in step.ask {
            let key = request_key(&request);
            assert!(!replies.contains_key(&key), "asked twice");
            let settled = match answer(&request.protocol, &data(&request)) {
                Ok(text) => Settled::Answered(Reply::text(text)),
                Err(why) => Settled::Failed(why),
            };
            replies.insert(key, settled);
            asked.push(request);
        }
    }
    panic!("the job asks for ever");
}

/// The last text of a request.
pub(crate) fn data(request: &Request) -> String {
    match request.parts.last() {
        Some(Part::Text(text)) => text.clone(),
        _ => String::new(),
    }
}
