//! Specifications of an instance.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use verispec_judge::reader::{AnswerWord, answer_word};
use verispec_model::{SpecId, SpecRules, Specification, YesNo};

use crate::records::{Fields, describe, filled};

/// Fields of a specification.
pub const SPECIFICATION_FIELDS: [&str; 10] = [
    "id",
    "question",
    "expected",
    "weight",
    "critical",
    "depends_on",
    "category",
    "subcategory",
    "rating",
    "metadata",
];

/// All specifications of an instance, with every fault kept.
pub(super) fn specifications(fields: &mut Fields<'_>, list: &[Value]) -> Vec<Specification> {
    let mut found: Vec<Specification> = vec![];
    for (place, value) in list.iter().enumerate() {
        let name = format!("specifications[{place}]");
        let Some(map) = value.as_object() else {
            let got = describe(value);
            fields.fault(&name, format!("expected {{\"question\": ...}}, got {got}"));
            continue;
        };
        let mut inner = fields.inner(map, &name);
        let Some(spec) = specification(&mut inner, map, place) else {
            continue;
        };
        if found.iter().any(|other| other.id == spec.id) {
            inner.fault(
                "id",
                format!("{} is already used in this instance", spec.id),
            );
        }
        found.push(spec);
    }
    // A broken specification would make those that presuppose it look wrong.
    if found.len() == list.len() {
        dependencies(fields, &found);
    }
    found
}

fn specification(
    fields: &mut Fields<'_>,
    map: &Map<String, Value>,
    place: usize,
) -> Option<Specification> {
    fields.known(&SPECIFICATION_FIELDS);
    let id = fields.optional("id", "a whole number from 1", |v| {
        SpecId::try_from(v.as_u64()?).ok().filter(|id| *id > 0)
    });
    let question = fields.string("question");
    let expected = fields.optional("expected", "\"yes\" or \"no\"", expected);
    let text = |fields: &mut Fields<'_>, name| {
        let found = fields.optional(name, "a text that is not empty", filled);
        found.unwrap_or_default()
    };
    let category = text(fields, "category");
    let subcategory = text(fields, "subcategory");
    let rating = fields.optional("rating", "a number", Value::as_f64);
    let rules = SpecRules::of_record(map).unwrap_or_else(|(field, expected)| {
        let got = map.get(field).map(describe).unwrap_or_default();
        fields.fault(field, format!("{expected}, got {got}"));
        SpecRules::default()
    });
    let by_place = SpecId::try_from(place + 1).ok();
    Some(Specification {
        id: id.or(by_place)?,
        question: question?,
        category,
        subcategory,
        expected: expected.unwrap_or(YesNo::Yes),
        rating,
        rules,
        record: map.clone().into(),
    })
}

fn expected(value: &Value) -> Option<YesNo> {
    let word = match value {
        Value::Bool(true) => AnswerWord::Yes,
        Value::Bool(false) => AnswerWord::No,
        Value::String(text) => answer_word(text)?,
        _ => return None,
    };
    match word {
        AnswerWord::Yes => Some(YesNo::Yes),
        AnswerWord::No => Some(YesNo::No),
        AnswerWord::Abstain => None,
    }
}

/// Dependencies name specifications that are there, and run in no circle.
fn dependencies(fields: &mut Fields<'_>, specs: &[Specification]) {
    let by_id: BTreeMap<SpecId, &Specification> = specs.iter().map(|s| (s.id, s)).collect();
    for (place, spec) in specs.iter().enumerate() {
        let field = format!("specifications[{place}].depends_on");
        let mut unknown = spec
            .rules
            .depends_on
            .iter()
            .filter(|id| !by_id.contains_key(id));
        if let Some(id) = unknown.next() {
            let ids: Vec<String> = by_id.keys().map(ToString::to_string).collect();
            let there = ids.join(", ");
            fields.fault(
                &field,
                format!("there is no specification {id}; there is {there}"),
            );
        } else if leads_to(spec.id, spec.id, &by_id) {
            let id = spec.id;
            fields.fault(
                &field,
                format!("specification {id} presupposes itself; break the circle"),
            );
        }
    }
}

fn leads_to(from: SpecId, to: SpecId, by_id: &BTreeMap<SpecId, &Specification>) -> bool {
    let (mut open, mut seen) = (vec![from], vec![]);
    while let Some(id) = open.pop() {
        for next in by_id.get(&id).into_iter().flat_map(|s| &s.rules.depends_on) {
            if *next == to {
                return true;
            }
            if !seen.contains(next) {
                seen.push(*next);
                open.push(*next);
            }
        }
    }
    false
}
