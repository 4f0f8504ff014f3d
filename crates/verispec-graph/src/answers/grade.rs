//! Reading the grade of the text judge.

use serde_json::Value;

/// Why a reply holds no grade. It is the judge's failure: the fact is unjudged, never 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GradeError {
    /// The reply is no JSON object: prose, truncated, or with text around it.
    #[error("the reply is no JSON object")]
    NotAnObject,
    /// The object has no `score`.
    #[error("the reply has no score")]
    NoScore,
    /// The score is no whole number from 0 to 5.
    #[error("the score {found} is no whole number from 0 to 5")]
    BadScore {
        /// What stands there, as JSON.
        found: String,
    },
}

/// Reads `{"reasoning": .., "score": 0..=5}`. A code fence around it and a decimal point in `4.0`
/// are allowed; `true`, text, and numbers out of range are not.
///
/// # Errors
/// The reply holds no such grade.
pub fn read_grade(reply: &str) -> Result<u8, GradeError> {
    let value: Value =
        serde_json::from_str(unfenced(reply)).map_err(|_| GradeError::NotAnObject)?;
    let object = value.as_object().ok_or(GradeError::NotAnObject)?;
    let score = object.get("score").ok_or(GradeError::NoScore)?;
    let grade = score
        .as_f64()
        .filter(|s| s.fract() == 0.0 && (0.0..=5.0).contains(s));
    // In range by the filter, so that the conversion is exact.
    grade.map(|g| g as u8).ok_or_else(|| GradeError::BadScore {
        found: score.to_string(),
    })
}

/// The text inside a code fence, if all of the reply is one.
fn unfenced(reply: &str) -> &str {
    let trimmed = reply.trim();
    let inside = trimmed
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"));
    match inside.and_then(|rest| rest.split_once('\n')) {
        Some((_language, body)) => body.trim(),
        None => trimmed,
    }
}
