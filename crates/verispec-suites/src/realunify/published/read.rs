//! How the release reads answers.

use serde_json::Value;

/// Lead-ins that are deleted wherever they occur, in this order, by case.
const LEAD_INS: [&str; 10] = [
    "The best answer is",
    "The correct answer is",
    "The answer is",
    "The answer",
    "The best option is",
    "The correct option is",
    "Best answer:",
    "Best option:",
    "Answer",
    "Answer is",
];

/// The letter of a multiple choice: lead-ins are deleted, then the first capital A, B, C or D
/// counts, inside words too. `None` where the release gives an empty text.
#[must_use]
pub fn extract(response: &str) -> Option<char> {
    let mut text = response.trim().to_owned();
    for lead_in in LEAD_INS {
        text = text.replace(lead_in, "");
    }
    text.chars().find(|c| ('A'..='D').contains(c))
}

/// A judge's reply in lower case; `yes` or `no` if it holds that anywhere, in this order.
#[must_use]
pub fn yes_no(reply: &str) -> String {
    let lower = reply.to_lowercase();
    ["yes", "no"]
        .into_iter()
        .find(|word| lower.contains(word))
        .map_or(lower.clone(), str::to_owned)
}

/// Whether a reply counts as the wanted answer, which is compared as it stands in the file.
#[must_use]
pub fn matches(reply: &str, wanted: &str) -> bool {
    yes_no(reply) == wanted
}

/// Whether a response makes the release give up its whole file: none, a number, an empty list.
/// A list counts by its first element.
#[must_use]
pub fn gives_up(response: Option<&Value>) -> bool {
    let first = match response {
        Some(Value::Array(list)) => list.first(),
        other => other,
    };
    !matches!(first, Some(Value::String(_)))
}
