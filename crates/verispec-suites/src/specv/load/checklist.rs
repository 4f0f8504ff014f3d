//! One checklist file: the specifications of one instance.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use verispec_model::{SpecId, SpecRules, Specification, YesNo};

use super::error::{Faults, Source};
use super::fields::{Fields, describe};
use super::locate::Step;

/// Reads the specifications of a checklist; faults are collected, not thrown.
pub(super) fn specifications(text: &str, faults: &mut Faults<'_>) -> Vec<Specification> {
    let source = Source {
        text,
        first_line: 1,
    };
    let items = match serde_json::from_str(text) {
        Ok(Value::Array(items)) => items,
        Ok(other) => {
            let got = describe(&other);
            faults.at(
                source,
                &[],
                format!("expected an array of specifications, got {got}"),
            );
            return vec![];
        }
        Err(error) => {
            faults.syntax(source, &error);
            return vec![];
        }
    };
    if items.is_empty() {
        faults.at(
            source,
            &[],
            "no specifications; an output cannot be scored against none",
        );
    }
    let mut seen = BTreeMap::new();
    let mut specs = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let Value::Object(map) = item else {
            let got = describe(&item);
            faults.at(
                source,
                &[Step::Index(index)],
                format!("expected an object, got {got}"),
            );
            continue;
        };
        let path = vec![Step::Index(index)];
        let read = specification(&map, source, path, faults, &mut seen);
        specs.extend(read.map(|spec| Specification {
            record: map.into(),
            ..spec
        }));
    }
    specs
}

fn specification(
    map: &Map<String, Value>,
    source: Source<'_>,
    path: Vec<Step<'_>>,
    faults: &mut Faults<'_>,
    seen: &mut BTreeMap<SpecId, usize>,
) -> Option<Specification> {
    let index = match path[..] {
        [Step::Index(index)] => index,
        _ => 0,
    };
    let mut fields = Fields {
        map,
        source,
        path,
        faults,
    };
    let id = id(&mut fields);
    if let Some(id) = id
        && let Some(first) = seen.insert(id, index)
    {
        fields.fault(
            "id",
            format!("{id} is already the id of item [{first}]; ids are unique"),
        );
    }
    let question = question(&mut fields);
    let expected = expected(&mut fields);
    let category = fields
        .optional_string("category")
        .unwrap_or_default()
        .to_owned();
    let subcategory = fields
        .optional_string("subcategory")
        .unwrap_or_default()
        .to_owned();
    let rating = rating(&mut fields);
    let rules = SpecRules::of_record(map).unwrap_or_else(|(field, expected)| {
        fields.fault(field, expected);
        SpecRules::default()
    });
    Some(Specification {
        id: id?,
        question: question?,
        category,
        subcategory,
        expected: expected?,
        rating,
        rules,
        record: Default::default(),
    })
}

fn id(fields: &mut Fields<'_, '_, '_>) -> Option<SpecId> {
    let value = fields.map.get("id");
    let id = value
        .and_then(Value::as_u64)
        .and_then(|n| SpecId::try_from(n).ok());
    if id.is_none() {
        let got = value.map_or_else(|| "nothing".to_owned(), describe);
        fields.fault("id", format!("expected a whole number, got {got}"));
    }
    id
}

fn question(fields: &mut Fields<'_, '_, '_>) -> Option<String> {
    let text = fields.string("question")?;
    if text.trim().is_empty() {
        fields.fault("question", "empty; a specification needs a question");
        return None;
    }
    Some(text.to_owned())
}

fn expected(fields: &mut Fields<'_, '_, '_>) -> Option<YesNo> {
    match fields.string("expected_answer")? {
        "Yes" => Some(YesNo::Yes),
        "No" => Some(YesNo::No),
        other => {
            let message = format!("expected \"Yes\" or \"No\", got {other:?}");
            fields.fault("expected_answer", message);
            None
        }
    }
}

fn rating(fields: &mut Fields<'_, '_, '_>) -> Option<f64> {
    // `null` is written where nobody has rated: an edited or patched specification.
    let value = fields.map.get("score").filter(|v| !v.is_null())?;
    let rating = value.as_f64();
    if rating.is_none() {
        fields.fault(
            "score",
            format!("expected a number, got {}", describe(value)),
        );
    }
    rating
}
