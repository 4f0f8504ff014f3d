//! Chat completions answer, plain or streamed, to reply.

use serde_json::Value;
use verispec_model::{ApiError, Finish, Reply, Usage};

use crate::errors;
use crate::json::{count_at, list_of, str_of};
use crate::logprobs::Positions;
use crate::made::Pieces;
use crate::message::RawResponse;
use crate::sse;

use super::plain;

pub(super) fn decode(response: &RawResponse<'_>) -> Result<Reply, ApiError> {
    if !(200..300).contains(&response.status) {
        return errors::decode(response);
    }
    match plain::read(response.body) {
        Some(answer) => Ok(answer.finish()),
        None => in_full(response),
    }
}

/// Reads any answer, streamed ones and those with errors inside among them.
pub(super) fn in_full(response: &RawResponse<'_>) -> Result<Reply, ApiError> {
    let Some(chunks) = sse::chunks(response.body) else {
        return Err(errors::malformed(response, "no chat completion"));
    };
    let mut answer = Answer::default();
    for chunk in &chunks {
        if let Some(outcome) = errors::in_band(chunk, response.status) {
            return outcome;
        }
        answer.header(chunk);
        for choice in list_of(chunk, "choices").iter().filter(|c| is_first(c)) {
            if let Some(outcome) = errors::in_band(choice, response.status) {
                return outcome;
            }
            answer.choice(choice);
        }
    }
    if answer.chosen {
        Ok(answer.finish())
    } else {
        Err(errors::malformed(response, "no choice in the answer"))
    }
}

/// One answer is asked for; a server that sends several is read by its first.
fn is_first(choice: &Value) -> bool {
    choice
        .get("index")
        .and_then(Value::as_u64)
        .is_none_or(|i| i == 0)
}

#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) chosen: bool,
    pub(super) text: String,
    pub(super) pieces: Pieces,
    pub(super) reasoning: String,
    pub(super) refusal: String,
    pub(super) finish: Option<String>,
    pub(super) model: Option<String>,
    pub(super) fingerprint: Option<String>,
    pub(super) usage: Usage,
    pub(super) positions: Positions,
}

impl Answer {
    fn header(&mut self, chunk: &Value) {
        let filled = |name| {
            str_of(chunk, name)
                .filter(|t| !t.is_empty())
                .map(str::to_owned)
        };
        self.model = self.model.take().or_else(|| filled("model"));
        self.fingerprint = self
            .fingerprint
            .take()
            .or_else(|| filled("system_fingerprint"));
        if let Some(usage) = chunk.get("usage").filter(|u| u.is_object()) {
            self.usage = read_usage(usage, self.usage);
        }
    }

    fn choice(&mut self, choice: &Value) {
        self.chosen = true;
        for message in ["delta", "message"].iter().filter_map(|k| choice.get(*k)) {
            if let Some(content) = message.get("content") {
                self.content(content);
            }
            // Where OpenRouter and servers that follow it put images.
            for image in list_of(message, "images") {
                self.file(image);
            }
            let reasoning = ["reasoning_content", "reasoning"].iter();
            self.reasoning += reasoning
                .filter_map(|k| str_of(message, k))
                .next()
                .unwrap_or("");
            self.refusal += str_of(message, "refusal").unwrap_or("");
        }
        if let Some(logprobs) = choice.get("logprobs") {
            self.positions.openai(list_of(logprobs, "content"));
        }
        if let Some(reason) = str_of(choice, "finish_reason").filter(|r| !r.is_empty()) {
            self.finish = Some(reason.to_owned());
        }
    }

    /// A text, a list of typed parts, or null.
    fn content(&mut self, content: &Value) {
        match content {
            Value::String(text) => self.say(text),
            Value::Array(parts) => parts.iter().for_each(|part| self.part(part)),
            _ => {}
        }
    }

    fn part(&mut self, part: &Value) {
        match str_of(part, "type") {
            Some("thinking" | "reasoning") => {
                let thoughts = list_of(part, "thinking")
                    .iter()
                    .filter_map(|t| str_of(t, "text"));
                let whole = ["thinking", "reasoning", "text"]
                    .iter()
                    .find_map(|k| str_of(part, k));
                self.reasoning.extend(thoughts.chain(whole));
            }
            Some("refusal") => self.refusal += str_of(part, "refusal").unwrap_or(""),
            Some("image_url" | "image" | "output_image") => self.file(part),
            _ => self.say(part.as_str().or_else(|| str_of(part, "text")).unwrap_or("")),
        }
    }

    pub(super) fn say(&mut self, text: &str) {
        self.text += text;
        self.pieces.text(text);
    }

    /// An image, wherever a server puts its data.
    fn file(&mut self, part: &Value) {
        let places = ["/image_url/url", "/image_url", "/b64_json", "/data", "/url"];
        let data = places.iter().find_map(|path| part.pointer(path)?.as_str());
        data.or(part.as_str())
            .into_iter()
            .for_each(|data| self.pieces.file(data));
    }

    fn finish(self) -> Reply {
        let mut finish = self.finish.as_deref().map_or(Finish::Unknown, finish_of);
        let mut finish_raw = self.finish;
        if !self.refusal.is_empty() {
            finish = Finish::Refused;
            finish_raw = Some(format!("refusal: {}", self.refusal));
        }
        let logprobs = self.positions.of_answer(&self.text, &self.reasoning);
        Reply {
            text: self.text,
            reasoning: Some(self.reasoning).filter(|r| !r.is_empty()),
            finish,
            finish_raw,
            served_model: self.model,
            fingerprint: self.fingerprint,
            usage: self.usage,
            logprobs,
            parts: self.pieces.finish(),
        }
    }
}

/// `stop` and `length` are OpenAI's words; the others occur on servers that follow it.
fn finish_of(reason: &str) -> Finish {
    match reason {
        "stop" | "end_turn" | "eos" | "eos_token" | "stop_sequence" => Finish::Stop,
        "length" | "max_tokens" | "max_output_tokens" | "model_length" => Finish::Length,
        "content_filter" | "refusal" | "safety" | "sensitive" => Finish::Refused,
        _ => Finish::Other,
    }
}

/// Later counts win over earlier ones; a count that a chunk leaves out is kept.
fn read_usage(usage: &Value, before: Usage) -> Usage {
    let count = |path: &[&str]| count_at(usage, path);
    Usage {
        input: count(&["prompt_tokens"]).or(before.input),
        cached: count(&["prompt_tokens_details", "cached_tokens"])
            .or_else(|| count(&["prompt_cache_hit_tokens"]))
            .or(before.cached),
        output: count(&["completion_tokens"]).or(before.output),
        reasoning: count(&["completion_tokens_details", "reasoning_tokens"]).or(before.reasoning),
    }
}
