//! `command`: a judge that is any program, spoken to in JSON lines.
//!
//! One line a request, one line a reply. `docs/command-judge.md` describes both for people who
//! write such a program.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use verispec_model::{
    ApiError, ApiErrorKind, Finish, ImageRole, MAX_LOGPROB_POSITIONS, Part, Question, Reply,
    Request, Structured, TokenLogprob, Usage,
};

use crate::message::EncodeError;

/// Name of this provider in configuration, judge identities and ledgers.
pub const COMMAND: &str = "command";

/// Version of the lines, sent as `format`.
pub const COMMAND_FORMAT: u32 = 1;

/// An image as a program is told about it: the file as it is, nothing encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageFile {
    /// Absolute path.
    pub path: String,
    /// Media type by content.
    pub mime: String,
}

#[derive(Debug, Serialize)]
struct Line<'a> {
    format: u32,
    id: &'a str,
    protocol: &'a str,
    model: &'a str,
    parts: Vec<LinePart<'a>>,
    questions: &'a [Question],
    params: &'a verispec_model::Params,
    repeat: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'a Value>,
}

#[derive(Debug, Default, Serialize)]
struct LinePart<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<ImageRole>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<&'a str>,
}

/// A request as one line, its end included. `images` holds one entry per image part, in order.
///
/// # Errors
/// The number of images differs.
pub fn command_line(
    request: &Request,
    id: &str,
    images: &[ImageFile],
) -> Result<Vec<u8>, EncodeError> {
    crate::params::check_images(request, images.len())?;
    let judge = &request.judge;
    let mut images = images.iter();
    let parts = request.parts.iter().map(|part| match part {
        Part::Text(text) => LinePart {
            text: Some(text),
            ..LinePart::default()
        },
        Part::Image(image) => {
            let file = images.next();
            LinePart {
                image: file.map(|f| f.path.as_str()),
                mime: file.map(|f| f.mime.as_str()),
                role: Some(image.role),
                profile: Some(&image.profile),
                ..LinePart::default()
            }
        }
    });
    let wants_schema = judge.structured == Structured::JsonSchema;
    let line = Line {
        format: COMMAND_FORMAT,
        id,
        protocol: &request.protocol,
        model: &judge.model,
        parts: parts.collect(),
        questions: &request.questions,
        params: &judge.params,
        repeat: request.repeat,
        schema: request.schema.as_ref().filter(|_| wants_schema),
    };
    let mut line = serde_json::to_vec(&line).expect("strings and numbers always serialise");
    line.push(b'\n');
    Ok(line)
}

/// A reply line. A misspelt field is an error rather than a silent loss.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    id: String,
    text: Option<String>,
    reasoning: Option<String>,
    finish: Option<String>,
    model: Option<String>,
    fingerprint: Option<String>,
    #[serde(default)]
    usage: Usage,
    logprobs: Option<Vec<TokenLogprob>>,
    error: Option<String>,
    #[serde(default)]
    retry: bool,
}

/// Reads a reply line. With `expected`, the line has to carry this id.
///
/// # Errors
/// The program's own error: kind `Server` if it says `"retry": true`, else `BadRequest`; kind
/// `Malformed` for a line that is no reply, or the reply to something else.
pub fn command_reply(line: &[u8], expected: Option<&str>) -> Result<Reply, ApiError> {
    let answer: Answer = serde_json::from_slice(line)
        .map_err(|e| error(ApiErrorKind::Malformed, no_reply(line, &e)))?;
    if expected.is_some_and(|id| id != answer.id) {
        let message = format!(
            "the reply carries id {:?}, not that of the request",
            answer.id
        );
        return Err(error(ApiErrorKind::Malformed, message));
    }
    match (answer.text, answer.error) {
        (None, Some(message)) if answer.retry => Err(error(ApiErrorKind::Server, message)),
        (None, Some(message)) => Err(error(ApiErrorKind::BadRequest, message)),
        (Some(text), None) => Ok(Reply {
            text,
            reasoning: answer.reasoning,
            finish: answer.finish.as_deref().map_or(Finish::Stop, finish_of),
            finish_raw: answer.finish,
            served_model: answer.model,
            fingerprint: answer.fingerprint,
            usage: answer.usage,
            logprobs: answer.logprobs.map(|mut positions| {
                positions.truncate(MAX_LOGPROB_POSITIONS);
                positions
            }),
        }),
        _ => {
            let message = "a reply has either text or error".to_owned();
            Err(error(ApiErrorKind::Malformed, message))
        }
    }
}

fn no_reply(line: &[u8], why: &serde_json::Error) -> String {
    let text: String = String::from_utf8_lossy(line).chars().take(120).collect();
    format!("no reply line ({why}): {:?}", text.trim_end())
}

fn error(kind: ApiErrorKind, message: String) -> ApiError {
    ApiError {
        kind,
        status: 0,
        code: None,
        param: None,
        message,
    }
}

fn finish_of(word: &str) -> Finish {
    match word {
        "stop" => Finish::Stop,
        "length" => Finish::Length,
        "refused" => Finish::Refused,
        _ => Finish::Other,
    }
}
