//! Scores of WISE's first script, one prompt a line: consistency, realism and aesthetic quality,
//! each 0 to 2, or 999 where the judge gave none.
//!
//! The grade is its WiScore, (0.7 consistency + 0.2 realism + 0.1 aesthetic quality) / 2, 0 to 1
//! (arXiv:2503.07265, equation 1). A prompt with a 999 is unjudged; the scripts leave its whole
//! file out.

use serde_json::{Map, Value};
use verispec_model::Unjudged;

use super::sheet::{File, Row, Said, Sheet, id, number};
use crate::records::{Problem, Record, records};

/// Fields and weights.
const SCORES: [(&str, f64); 3] = [
    ("consistency", 0.7),
    ("realism", 0.2),
    ("aesthetic_quality", 0.1),
];
/// What the files of the three parts begin with, before the model's name.
const PARTS: [(&str, &str); 3] = [
    ("cultural_common_sense_", "culture"),
    ("spatio-temporal_reasoning_", "space-time"),
    ("natural_science_", "science"),
];
/// The judge gave no score.
const NONE: f64 = 999.0;

pub(super) fn read(file: &File<'_>, problems: &mut Vec<Problem>) -> Vec<Sheet> {
    let found = records(&file.name, file.text, false, problems);
    let rows = found.iter().filter_map(|record| {
        let fields = record.fields.as_ref()?;
        row(file, record, fields, problems)
    });
    let rows: Vec<Row> = rows.collect();
    let stem = file.stem();
    let stem = stem.strip_suffix("_scores").unwrap_or(&stem);
    let part = PARTS
        .iter()
        .find_map(|(start, track)| Some((stem.strip_prefix(start)?, *track)));
    let (model, track) = part.unwrap_or((stem, "wise"));
    vec![Sheet {
        file: file.name.clone(),
        model: file.choices.model.unwrap_or(model).to_owned(),
        track: file.choices.task.unwrap_or(track).to_owned(),
        rows,
        totals: vec![],
    }]
}

fn row(
    file: &File<'_>,
    record: &Record,
    fields: &Map<String, Value>,
    problems: &mut Vec<Problem>,
) -> Option<Row> {
    let line = Some(record.line);
    let instance = fields.get("prompt_id").and_then(id);
    if instance.is_none() {
        let message = "missing; a score of WISE has it: is this another format?";
        file.fault(problems, line, "prompt_id", message);
    }
    let mut points = Some(0.0);
    let (mut told, mut whole) = (vec![], true);
    for (name, weight) in SCORES {
        let value = fields.get(name).and_then(number);
        match value {
            Some(v) if v == NONE => points = None,
            Some(v) if (0.0..=2.0).contains(&v) => points = points.map(|p| p + weight * v),
            _ => {
                whole = false;
                let got = fields
                    .get(name)
                    .map_or("nothing".to_owned(), Value::to_string);
                let message = format!("expected a number from 0 to 2, or 999, got {got}");
                file.fault(problems, line, name, message);
            }
        }
        told.push(format!("{name} {}", value.unwrap_or(NONE)));
    }
    let instance = instance.filter(|_| whole)?;
    let subcategory = fields.get("Subcategory").and_then(Value::as_str);
    Some(Row {
        line: record.line,
        dimension: subcategory.unwrap_or("all").to_owned(),
        instance,
        question: "WiScore".to_owned(),
        category: String::new(),
        said: points.map_or(Said::Nothing(Unjudged::Unparsed), |p| Said::Value(p / 2.0)),
        raw: Some(told.join(", ")),
    })
}
