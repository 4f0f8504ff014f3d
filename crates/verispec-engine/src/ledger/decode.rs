//! Stored bytes to replies.

use verispec_model::{ApiError, ApiErrorKind, Reply};
use verispec_providers::RawResponse;
use verispec_providers::command::{COMMAND, command_reply};

/// Dialect name of replies made inside the process: the body is a [`Reply`] as JSON.
pub const IN_PROCESS: &str = "in-process";

/// Reads a response in the dialect of this name.
///
/// # Errors
/// The provider's error, or `Malformed` for an unknown dialect.
pub fn decode(dialect: &str, response: &RawResponse<'_>) -> Result<Reply, ApiError> {
    let malformed = |message: String| ApiError {
        kind: ApiErrorKind::Malformed,
        status: response.status,
        code: None,
        param: None,
        message,
    };
    if dialect == IN_PROCESS {
        return serde_json::from_slice(response.body).map_err(|e| malformed(e.to_string()));
    }
    if dialect == COMMAND {
        return command_reply(response.body, None);
    }
    match verispec_providers::dialect(dialect) {
        Some(d) => d.decode(response),
        None => Err(malformed(format!("no dialect is called {dialect:?}"))),
    }
}
