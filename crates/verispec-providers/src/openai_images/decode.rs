//! The answer of the images interface to a reply.

use serde_json::Value;
use verispec_model::{ApiError, ApiErrorKind, Finish, Reply, Usage};

use crate::errors;
use crate::json::{count_at, list_of, str_of};
use crate::made::Pieces;
use crate::message::RawResponse;
use crate::sse;

pub(super) fn decode(response: &RawResponse<'_>) -> Result<Reply, ApiError> {
    if !(200..300).contains(&response.status) {
        return errors::decode(response);
    }
    let chunks = sse::chunks(response.body);
    let Some(answer) = chunks.as_deref().and_then(<[Value]>::last) else {
        return Err(errors::malformed(
            response,
            "no answer of an images interface",
        ));
    };
    if let Some(outcome) = errors::in_band(answer, response.status) {
        return outcome;
    }
    if answer.get("data").is_none_or(|d| !d.is_array()) {
        return Err(errors::malformed(
            response,
            "no list of images in the answer",
        ));
    }
    let images = list_of(answer, "data");
    // One image is asked for; a server that sends several is read by its first.
    let first = images.first();
    let mut pieces = Pieces::default();
    match first.map(|image| (str_of(image, "b64_json"), str_of(image, "url"))) {
        Some((Some(data), _)) => pieces.file(data),
        Some((None, Some(data))) if data.starts_with("verispec-blob:") => pieces.file(data),
        Some((None, Some(_))) => return Err(address(response.status)),
        _ => {}
    }
    let count = |path: &[&str]| count_at(answer, path);
    Ok(Reply {
        finish: first.map_or(Finish::Unknown, |_| Finish::Stop),
        served_model: str_of(answer, "model").map(str::to_owned),
        usage: Usage {
            input: count(&["usage", "input_tokens"]),
            cached: count(&["usage", "input_tokens_details", "cached_tokens"]),
            output: count(&["usage", "output_tokens"]),
            reasoning: None,
        },
        parts: pieces.finish(),
        ..Reply::text("")
    })
}

/// The server named an address, from which nothing is fetched.
fn address(status: u16) -> ApiError {
    ApiError {
        kind: ApiErrorKind::BadRequest,
        status,
        code: None,
        param: Some("response_format".to_owned()),
        message: "the server answers with the address of an image instead of the image; set \
                  params = { response_format = \"b64_json\" }, or a model and server that send \
                  images themselves"
            .to_owned(),
    }
}
