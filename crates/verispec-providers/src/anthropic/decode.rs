//! Messages answer, plain or streamed, to reply.

use serde_json::Value;
use verispec_model::{ApiError, Finish, Reply, Usage};

use crate::errors;
use crate::json::{count_at, list_of, str_of};
use crate::message::RawResponse;
use crate::sse;

pub(super) fn decode(response: &RawResponse<'_>) -> Result<Reply, ApiError> {
    if !(200..300).contains(&response.status) {
        return errors::decode(response).or_else(declined);
    }
    let Some(events) = sse::chunks(response.body) else {
        return Err(errors::malformed(response, "no message"));
    };
    let mut answer = Answer::default();
    for event in &events {
        if let Some(outcome) = errors::in_band(event, response.status) {
            return outcome.or_else(declined);
        }
        answer.event(event);
    }
    match answer.state {
        State::Nothing => Err(errors::malformed(response, "no message in the answer")),
        State::Begun => Err(errors::malformed(response, "the stream ends too early")),
        State::Whole => Ok(answer.finish()),
    }
}

/// The output filter answers with an error about the request; it is a refusal of this content.
fn declined(error: ApiError) -> Result<Reply, ApiError> {
    if error.message.contains("blocked by content filtering") {
        Ok(errors::refusal(error.message))
    } else {
        Err(error)
    }
}

/// How much of a message has come.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Nothing,
    Begun,
    Whole,
}

#[derive(Debug, Default)]
struct Answer {
    state: State,
    text: String,
    reasoning: String,
    finish: Option<String>,
    model: Option<String>,
    counts: Counts,
}

/// Counts as reported. Later ones win over earlier ones; what an event leaves out is kept.
#[derive(Debug, Default)]
struct Counts {
    fresh: Option<u64>,
    written: Option<u64>,
    read: Option<u64>,
    output: Option<u64>,
}

impl Counts {
    fn take(&mut self, usage: &Value) {
        let set = |into: &mut Option<u64>, name| *into = count_at(usage, &[name]).or(*into);
        set(&mut self.fresh, "input_tokens");
        set(&mut self.written, "cache_creation_input_tokens");
        set(&mut self.read, "cache_read_input_tokens");
        set(&mut self.output, "output_tokens");
    }

    /// Anthropic counts tokens that were read from the cache or written to it beside the others;
    /// here they are part of the input.
    fn usage(&self) -> Usage {
        let parts = [self.fresh, self.written, self.read];
        Usage {
            input: parts.iter().flatten().copied().reduce(|a, b| a + b),
            cached: self.read,
            output: self.output,
            reasoning: None,
        }
    }
}

impl Answer {
    fn event(&mut self, event: &Value) {
        match str_of(event, "type") {
            Some("message") => {
                self.message(event);
                self.state = State::Whole;
            }
            Some("message_start") => {
                self.message(event.get("message").unwrap_or(&Value::Null));
                self.state = State::Begun;
            }
            Some("content_block_start") => {
                self.block(event.get("content_block").unwrap_or(&Value::Null));
            }
            Some("content_block_delta") => {
                self.block(event.get("delta").unwrap_or(&Value::Null));
            }
            Some("message_delta") => self.ending(event),
            Some("message_stop") if self.state == State::Begun => self.state = State::Whole,
            _ => {}
        }
    }

    fn message(&mut self, message: &Value) {
        self.model = str_of(message, "model").map(str::to_owned);
        for block in list_of(message, "content") {
            self.block(block);
        }
        self.stop_reason(message);
        self.counts
            .take(message.get("usage").unwrap_or(&Value::Null));
    }

    fn ending(&mut self, event: &Value) {
        self.stop_reason(event.get("delta").unwrap_or(&Value::Null));
        self.counts.take(event.get("usage").unwrap_or(&Value::Null));
        if self.finish.is_some() {
            self.state = State::Whole;
        }
    }

    fn stop_reason(&mut self, from: &Value) {
        if let Some(reason) = str_of(from, "stop_reason") {
            self.finish = Some(reason.to_owned());
        }
    }

    /// A content block or a piece of one; signatures and blocks of tools say nothing here.
    fn block(&mut self, block: &Value) {
        match str_of(block, "type") {
            Some("text" | "text_delta") => self.text += str_of(block, "text").unwrap_or(""),
            Some("thinking" | "thinking_delta") => {
                self.reasoning += str_of(block, "thinking").unwrap_or("");
            }
            _ => {}
        }
    }

    fn finish(self) -> Reply {
        Reply {
            text: self.text,
            reasoning: Some(self.reasoning).filter(|r| !r.is_empty()),
            finish: self.finish.as_deref().map_or(Finish::Unknown, finish_of),
            finish_raw: self.finish,
            served_model: self.model,
            fingerprint: None,
            usage: self.counts.usage(),
            logprobs: None,
            parts: vec![],
        }
    }
}

/// The values of `stop_reason` in the API reference.
fn finish_of(reason: &str) -> Finish {
    match reason {
        "end_turn" | "stop_sequence" => Finish::Stop,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "refusal" => Finish::Refused,
        _ => Finish::Other,
    }
}
