//! `generateContent` answer, plain or streamed, to reply.

use serde_json::Value;
use verispec_model::{ApiError, Finish, Reply, Usage};

use crate::errors;
use crate::json::{count_at, list_of, str_of};
use crate::logprobs::Positions;
use crate::made::Pieces;
use crate::message::RawResponse;
use crate::sse;

pub(super) fn decode(response: &RawResponse<'_>) -> Result<Reply, ApiError> {
    if !(200..300).contains(&response.status) {
        return errors::decode(response);
    }
    let Some(chunks) = sse::chunks(response.body) else {
        return Err(errors::malformed(response, "no generateContent answer"));
    };
    let mut answer = Answer::default();
    for chunk in &chunks {
        if let Some(outcome) = errors::in_band(chunk, response.status) {
            return outcome;
        }
        answer.chunk(chunk);
    }
    if answer.answered {
        Ok(answer.finish())
    } else {
        Err(errors::malformed(response, "no candidate in the answer"))
    }
}

#[derive(Debug, Default)]
struct Answer {
    answered: bool,
    text: String,
    pieces: Pieces,
    reasoning: String,
    blocked: Option<String>,
    finish: Option<String>,
    model: Option<String>,
    usage: Usage,
    answer_tokens: Option<u64>,
    positions: Positions,
}

impl Answer {
    /// Later counts win over earlier ones; a count that a chunk leaves out is kept. Gemini counts
    /// thoughts beside the answer; here they are part of the output.
    fn count(&mut self, usage: &Value) {
        let set = |into: &mut Option<u64>, name| *into = count_at(usage, &[name]).or(*into);
        set(&mut self.usage.input, "promptTokenCount");
        set(&mut self.usage.cached, "cachedContentTokenCount");
        set(&mut self.usage.reasoning, "thoughtsTokenCount");
        set(&mut self.answer_tokens, "candidatesTokenCount");
        let counts = [self.answer_tokens, self.usage.reasoning];
        self.usage.output = counts.iter().flatten().copied().reduce(|a, b| a + b);
    }

    fn chunk(&mut self, chunk: &Value) {
        if let Some(model) = str_of(chunk, "modelVersion") {
            self.model = Some(model.to_owned());
        }
        if let Some(usage) = chunk.get("usageMetadata") {
            self.count(usage);
        }
        let block = chunk
            .pointer("/promptFeedback/blockReason")
            .and_then(Value::as_str);
        if let Some(reason) = block.filter(|r| *r != "BLOCK_REASON_UNSPECIFIED") {
            self.blocked = Some(reason.to_owned());
            self.answered = true;
        }
        // One answer is asked for; a server that sends several is read by its first.
        if let Some(candidate) = list_of(chunk, "candidates").first() {
            self.candidate(candidate);
        }
    }

    fn candidate(&mut self, candidate: &Value) {
        self.answered = true;
        let parts = candidate
            .get("content")
            .map_or(&[][..], |c| list_of(c, "parts"));
        for part in parts {
            let text = str_of(part, "text").unwrap_or("");
            if part.get("thought").and_then(Value::as_bool) == Some(true) {
                self.reasoning += text;
            } else {
                self.text += text;
                self.pieces.text(text);
                self.file(part);
            }
        }
        if let Some(result) = candidate.get("logprobsResult") {
            self.positions.gemini(result);
        }
        if let Some(reason) = str_of(candidate, "finishReason") {
            self.finish = Some(reason.to_owned());
        }
    }

    /// The file of a part, in the spelling of either interface.
    fn file(&mut self, part: &Value) {
        let data = ["/inlineData/data", "/inline_data/data"];
        let data = data.iter().find_map(|path| part.pointer(path)?.as_str());
        data.into_iter().for_each(|data| self.pieces.file(data));
    }

    fn finish(self) -> Reply {
        let finish = match (&self.blocked, self.finish.as_deref()) {
            (Some(_), _) => Finish::Refused,
            (None, Some(reason)) => finish_of(reason),
            (None, None) => Finish::Unknown,
        };
        let logprobs = self.positions.of_answer(&self.text, &self.reasoning);
        Reply {
            text: self.text,
            reasoning: Some(self.reasoning).filter(|r| !r.is_empty()),
            finish,
            finish_raw: self.blocked.or(self.finish),
            served_model: self.model,
            fingerprint: None,
            usage: self.usage,
            logprobs,
            parts: self.pieces.finish(),
        }
    }
}

/// The values of `FinishReason` in the REST reference that can end a text answer.
fn finish_of(reason: &str) -> Finish {
    match reason {
        "STOP" => Finish::Stop,
        "MAX_TOKENS" => Finish::Length,
        "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION"
        | "MODEL_ARMOR" => Finish::Refused,
        "" | "FINISH_REASON_UNSPECIFIED" => Finish::Unknown,
        _ => Finish::Other,
    }
}
