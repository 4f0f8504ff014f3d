//! The one JSON object that a reply holds.

use serde_json::{Map, Value};
use verispec_judge::reader::without_reasoning;

/// The JSON object with this member. Reasoning tags, fences and prose around it are skipped;
/// nothing is repaired.
///
/// # Errors
/// There is none, or there are several that differ: none is chosen.
pub(super) fn object_with(text: &str, member: &str) -> Result<Map<String, Value>, String> {
    let visible = without_reasoning(text);
    let mut found: Option<Map<String, Value>> = None;
    let mut at = 0;
    while let Some(next) = visible[at..].find('{').map(|i| at + i) {
        let mut values = serde_json::Deserializer::from_str(&visible[next..]).into_iter::<Value>();
        let Some(Ok(Value::Object(object))) = values.next() else {
            at = next + 1;
            continue;
        };
        at = next + values.byte_offset();
        if !object.contains_key(member) {
            continue;
        }
        if found.as_ref().is_some_and(|f| *f != object) {
            return Err(format!(
                "it holds several objects with {member:?} that differ"
            ));
        }
        found = Some(object);
    }
    found.ok_or_else(|| format!("it holds no JSON object with {member:?}"))
}

/// The list under a member, each element an object.
pub(super) fn list_of(
    object: &Map<String, Value>,
    member: &str,
) -> Result<Vec<Map<String, Value>>, String> {
    let list = object.get(member).and_then(Value::as_array);
    let list = list.ok_or_else(|| format!("{member:?} is no list"))?;
    let element = |(i, v): (usize, &Value)| {
        v.as_object()
            .cloned()
            .ok_or_else(|| format!("element {} of {member:?} is no object", i + 1))
    };
    list.iter().enumerate().map(element).collect()
}

/// A text member, trimmed; empty if absent.
pub(super) fn text_of(object: &Map<String, Value>, member: &str) -> String {
    let text = object.get(member).and_then(Value::as_str).unwrap_or("");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `Yes` or `No` under `expected_answer`.
pub(super) fn expected_of(object: &Map<String, Value>) -> Result<verispec_model::YesNo, String> {
    use verispec_model::YesNo;
    match text_of(object, "expected_answer").to_lowercase().as_str() {
        "yes" => Ok(YesNo::Yes),
        "no" => Ok(YesNo::No),
        other => Err(format!("expected_answer is {other:?}, not Yes or No")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_is_found_in_prose_and_never_chosen_among_two() {
        let get = |text: &str| object_with(text, "a").map(|o| Value::Object(o).to_string());
        assert_eq!(
            get("Sure:\n```json\n{\"a\": [1]}\n``` {\"b\": {\"a\": 2}}"),
            Ok("{\"a\":[1]}".into())
        );
        assert_eq!(
            get("<think>{\"a\": 1}</think> {\"a\": 2}"),
            Ok("{\"a\":2}".into())
        );
        assert_eq!(
            get("{\"a\": 2} and again {\"a\": 2}"),
            Ok("{\"a\":2}".into())
        );
        assert!(get("{\"a\": 1} {\"a\": 2}").is_err());
        assert!(get("{\"a\": [1, 2").is_err() && get("").is_err());
    }
}
