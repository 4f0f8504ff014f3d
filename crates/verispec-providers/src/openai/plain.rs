//! The answer that nearly all servers send, read without a tree of values in between.
//!
//! A resumed run reads each stored reply again, and building values takes most of that time.

use serde::Deserialize;
use serde::de::IgnoredAny;
use verispec_model::Usage;

use super::decode::Answer;

/// The body of an ordinary answer; fields of no interest are skipped.
#[derive(Deserialize)]
struct Body {
    model: Option<String>,
    system_fingerprint: Option<String>,
    choices: [Choice; 1],
    usage: Option<Counts>,
    // What makes an answer something else.
    error: Option<IgnoredAny>,
    object: Option<String>,
    code: Option<IgnoredAny>,
    message: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Choice {
    index: Option<u64>,
    message: Message,
    finish_reason: Option<String>,
    logprobs: Option<IgnoredAny>,
    delta: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
    object: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    reasoning_content: Option<String>,
    reasoning: Option<String>,
    refusal: Option<String>,
    images: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Counts {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_cache_hit_tokens: Option<u64>,
    prompt_tokens_details: Option<PromptDetails>,
    completion_tokens_details: Option<CompletionDetails>,
}

#[derive(Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct CompletionDetails {
    reasoning_tokens: Option<u64>,
}

/// Reads a body that is one ordinary choice of text; `None` for everything else, which is then
/// read in full.
pub(super) fn read(body: &[u8]) -> Option<Answer> {
    let body: Body = serde_json::from_slice(body).ok()?;
    let marked = body.error.is_some() || body.object.as_deref() == Some("error");
    let bare = body.code.is_some() || body.message.is_some();
    let [choice] = body.choices;
    let other =
        choice.delta.is_some() || choice.logprobs.is_some() || choice.message.images.is_some();
    let failed = choice.error.is_some() || choice.object.is_some();
    if marked || bare || other || failed || choice.index.unwrap_or(0) != 0 {
        return None;
    }
    let filled = |text: Option<String>| text.filter(|t| !t.is_empty());
    let mut answer = Answer {
        chosen: true,
        finish: filled(choice.finish_reason),
        model: filled(body.model),
        fingerprint: filled(body.system_fingerprint),
        usage: body.usage.map_or_else(Usage::default, Counts::usage),
        ..Answer::default()
    };
    let message = choice.message;
    if let Some(text) = message.content {
        answer.say(&text);
    }
    answer.reasoning = message
        .reasoning_content
        .or(message.reasoning)
        .unwrap_or_default();
    answer.refusal = message.refusal.unwrap_or_default();
    Some(answer)
}

impl Counts {
    fn usage(self) -> Usage {
        let cached = self.prompt_tokens_details.and_then(|d| d.cached_tokens);
        Usage {
            input: self.prompt_tokens,
            cached: cached.or(self.prompt_cache_hit_tokens),
            output: self.completion_tokens,
            reasoning: self
                .completion_tokens_details
                .and_then(|d| d.reasoning_tokens),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::decode::{decode, in_full};
    use super::read;
    use crate::message::RawResponse;

    fn same(body: &str) -> Result<bool, TestCaseError> {
        let response = RawResponse {
            status: 200,
            content_type: None,
            body: body.as_bytes(),
        };
        let (short, full) = (decode(&response), in_full(&response));
        prop_assert_eq!(format!("{short:?}"), format!("{full:?}"), "{}", body);
        Ok(read(body.as_bytes()).is_some())
    }

    fn body() -> Value {
        json!({
            "id": "x", "object": "chat.completion", "model": "m", "system_fingerprint": "f",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": "Yes é \u{1F600}",
                "reasoning_content": null, "refusal": null}, "finish_reason": "stop",
                "logprobs": null}],
            "usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7,
                "prompt_tokens_details": {"cached_tokens": 1},
                "completion_tokens_details": {"reasoning_tokens": 0}}
        })
    }

    #[test]
    fn the_ordinary_answer_is_read_at_once() {
        assert!(same(&body().to_string()).unwrap());
    }

    fn paths() -> Vec<&'static str> {
        vec![
            "",
            "/object",
            "/model",
            "/system_fingerprint",
            "/choices",
            "/choices/0",
            "/choices/0/index",
            "/choices/0/message",
            "/choices/0/message/content",
            "/choices/0/message/reasoning_content",
            "/choices/0/message/refusal",
            "/choices/0/finish_reason",
            "/choices/0/logprobs",
            "/usage",
            "/usage/prompt_tokens",
            "/usage/prompt_tokens_details",
            "/usage/prompt_tokens_details/cached_tokens",
            "/usage/completion_tokens_details/reasoning_tokens",
        ]
    }

    fn values() -> impl Strategy<Value = Value> {
        proptest::sample::select(vec![
            json!(null),
            json!(""),
            json!("error"),
            json!("text"),
            json!(0),
            json!(1),
            json!(-1),
            json!(1.5),
            json!(true),
            json!([]),
            json!({}),
            json!(["a"]),
            json!([{"type": "text", "text": "No"}]),
            json!({"message": "m", "code": "c"}),
            json!({"content": [{"token": "Yes", "logprob": -0.1, "top_logprobs": []}]}),
        ])
    }

    proptest! {
        /// Whatever stands in a place: either not read here, or read as in full.
        #[test]
        fn both_ways_agree(
            changes in proptest::collection::vec(
                (proptest::sample::select(paths()), values()), 0..3),
            more in proptest::collection::vec((
                proptest::sample::select(vec!["", "/choices/0", "/choices/0/message", "/usage"]),
                proptest::sample::select(vec!["error", "object", "code", "message", "delta",
                    "images", "reasoning", "reasoning_content", "prompt_cache_hit_tokens",
                    "content", "choices"]),
                values()), 0..3),
            cut in 0..200_usize,
        ) {
            let mut body = body();
            for (path, value) in changes {
                if let Some(place) = body.pointer_mut(path) {
                    *place = value;
                }
            }
            for (path, name, value) in more {
                if let Some(object) = body.pointer_mut(path).and_then(Value::as_object_mut) {
                    object.insert(name.to_owned(), value);
                }
            }
            let text = body.to_string();
            same(&text)?;
            // Cut, doubled and streamed bodies are read in full.
            same(text.get(..text.len().saturating_sub(cut)).unwrap_or(""))?;
            same(&format!("data: {text}\n\ndata: [DONE]\n\n"))?;
            same(&format!("{text}{text}"))?;
        }
    }
}
