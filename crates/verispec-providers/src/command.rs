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
    out: Option<&'a str>,
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
    command_line_into(request, id, images, None)
}

/// As [`command_line`], for a program that makes files: `out` is the folder it may write them into.
///
/// # Errors
/// As there.
pub fn command_line_into(
    request: &Request,
    id: &str,
    images: &[ImageFile],
    out: Option<&str>,
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
        out,
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
    parts: Option<Vec<AnswerPart>>,
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

/// A piece of a reply: a text, or the path of a file, which is a reference once it was taken over.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerPart {
    text: Option<String>,
    image: Option<String>,
}

/// Replaces the paths of a reply's files by references that `keep` gives for them. `None` if it
/// names none, or is no reply.
///
/// # Errors
/// Those of `keep`.
pub fn take_files<E>(
    line: &[u8],
    keep: &mut dyn FnMut(&str) -> Result<crate::FileReference, E>,
) -> Result<Option<Vec<u8>>, E> {
    let Ok(mut answer) = serde_json::from_slice::<Value>(line) else {
        return Ok(None);
    };
    let parts = answer.get_mut("parts").and_then(Value::as_array_mut);
    let images = parts
        .into_iter()
        .flatten()
        .filter_map(|p| p.get_mut("image"));
    let mut any = false;
    for image in images {
        if let Some(path) = image.as_str() {
            *image = Value::String(keep(path)?.to_string());
            any = true;
        }
    }
    Ok(any.then(|| format!("{answer}\n").into_bytes()))
}

/// Texts and files of a reply.
fn pieces(parts: &[AnswerPart]) -> Result<(String, crate::made::Pieces), ApiError> {
    let (mut text, mut pieces) = (String::new(), crate::made::Pieces::default());
    for part in parts {
        match (&part.text, &part.image) {
            (Some(piece), None) => {
                text += piece;
                pieces.text(piece);
            }
            (None, Some(file)) if crate::FileReference::parse(file).is_some() => pieces.file(file),
            (None, Some(file)) => {
                let message = format!("a judge makes no files, and the reply names {file:?}");
                return Err(error(ApiErrorKind::BadRequest, message));
            }
            _ => {
                let message = "a part of a reply is either a text or an image".to_owned();
                return Err(error(ApiErrorKind::Malformed, message));
            }
        }
    }
    Ok((text, pieces))
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
    let (text, made) = match (answer.text, answer.parts) {
        (None, Some(parts)) => {
            let (text, made) = pieces(&parts)?;
            (Some(text), made)
        }
        (text, None) => (text, crate::made::Pieces::default()),
        (Some(_), Some(_)) => {
            let message = "a reply has either text or parts".to_owned();
            return Err(error(ApiErrorKind::Malformed, message));
        }
    };
    match (text, answer.error) {
        (None, Some(message)) if answer.retry => Err(error(ApiErrorKind::Server, message)),
        (None, Some(message)) => Err(error(ApiErrorKind::BadRequest, message)),
        (Some(text), None) => Ok(Reply {
            text,
            parts: made.finish(),
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
            let message = "a reply has text, parts or error".to_owned();
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
