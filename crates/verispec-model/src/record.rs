//! A specification's record as its file has it, packed.

use serde_json::{Map, Value};

/// The fields of a record in file order, kept as JSON text: a suite holds tens of thousands, few
/// are looked at again, and as a map each takes several times the room.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpecRecord(Option<Box<str>>);

impl SpecRecord {
    /// Whether no record was kept.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The fields, in file order; none where no record was kept.
    #[must_use]
    pub fn fields(&self) -> Map<String, Value> {
        let text = self.0.as_deref().unwrap_or("{}");
        // Written from a map, so it reads as one.
        serde_json::from_str(text).unwrap_or_default()
    }
}

impl From<Map<String, Value>> for SpecRecord {
    fn from(fields: Map<String, Value>) -> Self {
        let text = (!fields.is_empty()).then(|| Value::Object(fields).to_string());
        Self(text.map(String::into_boxed_str))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_stay_in_order_and_nothing_is_empty() {
        let Value::Object(map) = json!({"z": 1, "a": "ü\n", "score": 9.0, "n": null}) else {
            unreachable!()
        };
        let record = SpecRecord::from(map.clone());
        assert_eq!(record.fields(), map);
        assert!(record.fields().keys().eq(["z", "a", "score", "n"]));
        assert!(SpecRecord::from(Map::new()).is_empty());
        assert!(SpecRecord::default().fields().is_empty());
    }

    proptest! {
        #[test]
        fn any_number_comes_back(x in proptest::num::f64::NORMAL, n in any::<i64>(), text in ".*") {
            let map = Map::from_iter([("x".to_owned(), json!(x)), (text, json!(n))]);
            prop_assert_eq!(SpecRecord::from(map.clone()).fields(), map);
        }
    }
}
