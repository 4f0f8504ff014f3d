//! Error answers of all dialects, normalised.
//!
//! Shapes that occur: `{"error": {message, type, code, param}}` (OpenAI, llama.cpp, OpenRouter),
//! `{"error": {code, status, message, details}}` also inside an array (Gemini), `{"error": "…"}`
//! (Ollama, TGI), `{object: "error", message, type, param}` (older vLLM), `{code, message,
//! request_id}` (DashScope), `{type: "error", error: {type, message}}` (Anthropic), `{"detail": …}` (FastAPI), HTML pages of proxies, plain text.

use serde_json::Value;
use verispec_model::{ApiError, ApiErrorKind, Finish, Reply};

use crate::json::{list_of, str_of};
use crate::message::RawResponse;

/// Longest message kept, in characters.
const MESSAGE_CHARS: usize = 300;

/// Codes, lower case without `_` and `-`, that mean key or account, whatever the status: asking
/// again cannot help.
const ACCOUNT_CODES: &[&str] = &[
    "apikeyinvalid",
    "arrearage",
    "billingerror",
    "billinghardlimitreached",
    "insufficientbalance",
    "insufficientquota",
    "invalidapikey",
];

/// Codes that mean "this content is declined": a refusal of one request, not a broken one.
const REFUSAL_CODES: &[&str] = &[
    "contentfilter",
    "contentpolicyviolation",
    "datainspectionfailed",
    "moderationblocked",
    "responsibleaipolicyviolation",
];

/// Request fields that are recognised when a message quotes them.
const FIELDS: &[&str] = &[
    "cache_control",
    "contents",
    "extra_body",
    "frequency_penalty",
    "generationConfig",
    "generation_config",
    "image_url",
    "logprobs",
    "maxOutputTokens",
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "model",
    "n",
    "output_config",
    "presence_penalty",
    "reasoning_effort",
    "responseJsonSchema",
    "responseSchema",
    "response_format",
    "seed",
    "stop",
    "stop_sequences",
    "stream",
    "stream_options",
    "system",
    "temperature",
    "thinking",
    "thinkingConfig",
    "thinking_config",
    "topK",
    "topP",
    "top_k",
    "top_logprobs",
    "top_p",
];

/// What an HTTP status means for the next step.
///
/// 401, 402 and 403 are about key and account, 404 and its kin (and redirects, which are not
/// followed) about the address, 408, 409, 423, 425, 449 and 5xx pass by themselves, 429 asks for
/// patience, all other 4xx are about the request itself.
#[must_use]
pub const fn kind_of_status(status: u16) -> ApiErrorKind {
    match status {
        401..=403 => ApiErrorKind::Auth,
        300..=399 | 404 | 405 | 410 => ApiErrorKind::NotFound,
        429 => ApiErrorKind::RateLimit,
        408 | 409 | 423 | 425 | 449 | 500.. => ApiErrorKind::Server,
        400..=499 => ApiErrorKind::BadRequest,
        _ => ApiErrorKind::Malformed,
    }
}

/// Reads an answer whose status is not 2xx.
pub(crate) fn decode(response: &RawResponse<'_>) -> Result<Reply, ApiError> {
    let text = String::from_utf8_lossy(response.body);
    let shape = crate::json::parse(text.trim())
        .as_ref()
        .and_then(Shape::read);
    let Some(shape) = shape else {
        return Err(ApiError {
            kind: kind_of_status(response.status),
            status: response.status,
            code: None,
            param: None,
            message: page_message(response, &text),
        });
    };
    shape.settle(response.status, kind_of_status(response.status))
}

/// The error inside a successful response, if this value is one. A content filter's error is a
/// refusal here as well.
pub(crate) fn in_band(value: &Value, status: u16) -> Option<Result<Reply, ApiError>> {
    let named = value
        .get("error")
        .is_some_and(|e| e.is_object() || e.is_string());
    let marked = str_of(value, "object") == Some("error");
    let bare = ["code", "message"]
        .iter()
        .all(|k| str_of(value, k).is_some())
        && ["choices", "candidates"]
            .iter()
            .all(|k| value.get(k).is_none());
    if !(named || marked || bare) {
        return None;
    }
    let shape = Shape::read(value)?;
    let kind = shape.kind_in_band();
    Some(shape.settle(status, kind))
}

/// An answer that is not the dialect.
pub(crate) fn malformed(response: &RawResponse<'_>, why: &str) -> ApiError {
    let text = String::from_utf8_lossy(response.body);
    ApiError {
        kind: ApiErrorKind::Malformed,
        status: response.status,
        code: None,
        param: None,
        message: format!("{why}: {}", page_message(response, &text)),
    }
}

/// A refusal that came without a text.
pub(crate) fn refusal(why: String) -> Reply {
    Reply {
        finish: Finish::Refused,
        finish_raw: Some(why),
        ..Reply::text("")
    }
}

/// The fields of an error, wherever they stood.
#[derive(Debug, Default)]
struct Shape {
    /// Textual code, else the type.
    code: Option<String>,
    /// Every word that may say what happened: code, type, status, reasons of details.
    words: Vec<String>,
    /// Numeric code, where it is an HTTP status.
    number: Option<u16>,
    param: Option<String>,
    message: String,
    flagged: bool,
}

impl Shape {
    fn read(value: &Value) -> Option<Self> {
        let value = value
            .as_array()
            .map_or(Some(value), |items| items.first())?;
        match value.get("error") {
            Some(Value::String(message)) => Some(Self {
                message: shorten(message),
                ..Self::fields(value)
            }),
            Some(error @ Value::Object(_)) => Some(Self::fields(error)),
            _ if value.get("detail").is_some() => Some(Self::detail(&value["detail"])),
            _ if ["message", "msg"]
                .iter()
                .any(|k| str_of(value, k).is_some()) =>
            {
                Some(Self::fields(value))
            }
            _ => None,
        }
    }

    fn fields(error: &Value) -> Self {
        let details = list_of(error, "details");
        let words: Vec<String> = ["code", "type", "error_type", "status"]
            .iter()
            .filter_map(|k| str_of(error, k))
            .chain(error.pointer("/innererror/code").and_then(Value::as_str))
            .chain(details.iter().filter_map(|d| str_of(d, "reason")))
            .filter(|w| !w.is_empty())
            .map(str::to_owned)
            .collect();
        let number = error.get("code").and_then(|c| {
            c.as_u64()
                .or_else(|| c.as_str()?.parse().ok())
                .and_then(|n| u16::try_from(n).ok())
        });
        let mut message = ["message", "msg"]
            .iter()
            .find_map(|k| str_of(error, k))
            .map_or_else(|| error.to_string(), str::to_owned);
        if let Some(raw) = error.pointer("/metadata/raw") {
            message = format!("{message}: {}", raw.as_str().unwrap_or(&raw.to_string()));
        }
        let violation = details
            .iter()
            .flat_map(|d| list_of(d, "fieldViolations"))
            .find_map(|v| str_of(v, "field"));
        let param = str_of(error, "param")
            .filter(|p| !p.is_empty())
            .or(violation)
            .map(str::to_owned)
            .or_else(|| leading_field(&message))
            .or_else(|| quoted_field(&message));
        Self {
            code: words.first().cloned(),
            words,
            number: number.filter(|n| (400..600).contains(n)),
            param,
            message: shorten(&message),
            flagged: error.pointer("/metadata/flagged_input").is_some(),
        }
    }

    /// FastAPI: a text, or a list of `{loc: ["body", field, …], msg}`.
    fn detail(detail: &Value) -> Self {
        if let Some(text) = detail.as_str() {
            return Self {
                message: shorten(text),
                param: quoted_field(text),
                ..Self::default()
            };
        }
        let first = detail.get(0).unwrap_or(detail);
        let message = str_of(first, "msg").map_or_else(|| detail.to_string(), str::to_owned);
        let param = list_of(first, "loc")
            .iter()
            .filter_map(Value::as_str)
            .filter(|part| *part != "body")
            .collect::<Vec<_>>()
            .join(".");
        Self {
            code: str_of(first, "type").map(str::to_owned),
            param: Some(param).filter(|p| !p.is_empty()),
            message: shorten(&message),
            ..Self::default()
        }
    }

    fn settle(self, status: u16, kind: ApiErrorKind) -> Result<Reply, ApiError> {
        if self.flagged || self.has_word(REFUSAL_CODES) {
            let code = self.code.unwrap_or_else(|| "flagged".to_owned());
            return Ok(refusal(format!("{code}: {}", self.message)));
        }
        let kind = if self.has_word(ACCOUNT_CODES) {
            ApiErrorKind::Auth
        } else {
            kind
        };
        Err(ApiError {
            kind,
            status,
            code: self.code,
            param: self.param,
            message: self.message,
        })
    }

    fn has_word(&self, known: &[&str]) -> bool {
        self.words
            .iter()
            .any(|word| known.contains(&plain(word).as_str()))
    }

    /// The status of the HTTP answer says nothing here: a numeric code decides, then the words.
    /// What says nothing at all is taken as passing.
    fn kind_in_band(&self) -> ApiErrorKind {
        if let Some(number) = self.number {
            return kind_of_status(number);
        }
        let words = self
            .words
            .iter()
            .map(|w| plain(w))
            .collect::<Vec<_>>()
            .join(" ");
        let has = |parts: &[&str]| parts.iter().any(|p| words.contains(p));
        if has(&[
            "ratelimit",
            "throttl",
            "resourceexhausted",
            "toomanyrequests",
        ]) {
            ApiErrorKind::RateLimit
        } else if has(&[
            "authentication",
            "unauthenticated",
            "permission",
            "unauthorized",
        ]) {
            ApiErrorKind::Auth
        } else if has(&["notfound"]) {
            ApiErrorKind::NotFound
        } else if has(&["invalid", "badrequest"]) {
            ApiErrorKind::BadRequest
        } else {
            ApiErrorKind::Server
        }
    }
}

/// Lower case without `_`, `-` and `.`: providers spell the same code in all these ways.
fn plain(word: &str) -> String {
    word.to_lowercase().replace(['_', '-', '.'], "")
}

/// A request field that stands before a colon, as in `messages.0.content: …` (Anthropic).
fn leading_field(message: &str) -> Option<String> {
    let (path, _) = message.split_once(": ")?;
    let first = path.split(['.', '[']).next()?;
    let whole = path.bytes().all(|b| b.is_ascii_graphic());
    (whole && FIELDS.contains(&first)).then(|| path.to_owned())
}

/// A request field that the message quotes, or that pydantic names as `('body', 'FIELD')`.
fn quoted_field(message: &str) -> Option<String> {
    let pieces: Vec<&str> = message.split(['\'', '"', '`']).collect();
    let quoted = || pieces.iter().skip(1).step_by(2).copied();
    let after_body = quoted().skip_while(|p| *p != "body").nth(1);
    quoted()
        .map(|p| p.split(['[', '.']).next().unwrap_or(p))
        .find(|p| FIELDS.contains(p))
        .or(after_body)
        .map(str::to_owned)
}

fn page_message(response: &RawResponse<'_>, text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return "empty body".to_owned();
    }
    let html = text.starts_with('<')
        || response
            .content_type
            .is_some_and(|t| t.starts_with("text/html"));
    if html {
        let title = tag_text(text, "<title").unwrap_or_default();
        return shorten(format!("HTML page {title}").trim());
    }
    shorten(text)
}

/// Text of the first element that starts with `open`, without regard to case.
fn tag_text<'a>(html: &'a str, open: &str) -> Option<&'a str> {
    let start = html.to_ascii_lowercase().find(open)?;
    let rest = html.get(start..)?.split_once('>')?.1;
    rest.split_once('<').map(|(text, _)| text.trim())
}

/// One line of at most [`MESSAGE_CHARS`] characters.
fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
#[path = "errors/tests.rs"]
mod tests;
