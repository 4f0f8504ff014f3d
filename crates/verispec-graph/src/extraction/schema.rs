//! The JSON that a describing model answers with, one schema a supercategory.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::scene::Attributes;
use crate::vocabulary::Supercategory;

/// Whether every key must be answered. The same for both sides, or they are not comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// A key that cannot be seen is left out.
    #[default]
    Optional,
    /// Every key is answered, with `unknown` where it cannot be seen; the released way for
    /// generated images only.
    Forced,
}

/// JSON schema of an answer: first the reasoning as free text, then a list of texts a key.
#[must_use]
pub fn attribute_schema(of: &Supercategory, presence: Presence) -> Value {
    let mut properties = Map::new();
    properties.insert("visual_reasoning".to_owned(), json!({"type": "string"}));
    let values = match presence {
        Presence::Optional => json!({"type": "array", "items": {"type": "string"}}),
        Presence::Forced => json!({"type": "array", "items": {"type": "string"}, "minItems": 1}),
    };
    for key in of.keys {
        properties.insert((*key).to_owned(), values.clone());
    }
    let required: Vec<&str> = match presence {
        Presence::Optional => vec!["visual_reasoning"],
        Presence::Forced => properties.keys().map(String::as_str).collect(),
    };
    json!({
        "type": "object",
        "required": required,
        "additionalProperties": false,
        "properties": properties,
    })
}

/// Attributes of an answer, in the order of the schema; keys that were not asked are left out.
/// `None` if the answer is no JSON object or a value is neither a text nor a list of texts: then
/// the object is undescribed, which is not the same as having no attributes.
#[must_use]
pub fn read_attributes(of: &Supercategory, reply: &str) -> Option<Attributes> {
    let value: Value = serde_json::from_str(reply.trim()).ok()?;
    let object = value.as_object()?;
    let mut all = Attributes::new();
    for key in of.keys {
        let values = match object.get(*key) {
            None | Some(Value::Null) => continue,
            Some(Value::String(one)) => vec![one.clone()],
            Some(Value::Array(list)) => list
                .iter()
                .map(|v| v.as_str().map(str::to_owned))
                .collect::<Option<_>>()?,
            Some(_) => return None,
        };
        all.insert(key, values);
    }
    Some(all)
}
