//! From sheets to one import.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::sheet::{Row, Said, Sheet};
use super::{Choices, Foreign, ForeignError, Format, Unvalued};
use crate::records::Problem;
use crate::specv::import::{Entry, ImportKind, Imported};

/// Scale where none is given.
const UNIT: (f64, f64) = (0.0, 1.0);

pub(super) fn foreign(
    format: Format,
    paths: &[PathBuf],
    mut sheets: Vec<Sheet>,
    choices: Choices<'_>,
    mut problems: Vec<Problem>,
) -> Result<Foreign, ForeignError> {
    sheets.sort_by(|a, b| (&a.model, &a.track).cmp(&(&b.model, &b.track)));
    let range = choices.range.unwrap_or(UNIT);
    check_twice(&sheets, &mut problems);
    check_values(&sheets, range, &mut problems);
    let is_verdict = |row: &Row| match row.said {
        Said::Value(v) => v == range.0 || v == range.1,
        Said::Nothing(_) => true,
    };
    let rows = || sheets.iter().flat_map(|s| &s.rows);
    let kind = if rows().all(is_verdict) {
        ImportKind::Verdicts
    } else {
        ImportKind::Grades
    };
    let mut entries = vec![];
    for sheet in &sheets {
        entries.extend(of_sheet(sheet, kind, range, &mut problems));
    }
    let valued = |row: &&Row| matches!(row.said, Said::Value(_));
    let valued = rows().filter(valued).count();
    if problems.is_empty() && valued == 0 {
        let file = paths.first().map(|p| p.display().to_string());
        problems.push(fault(
            &file.unwrap_or_default(),
            None,
            "",
            "no row has a value".to_owned(),
        ));
    }
    if !problems.is_empty() {
        return Err(ForeignError(problems));
    }
    let mut tracks: Vec<String> = sheets.iter().map(|s| s.track.clone()).collect();
    tracks.sort();
    tracks.dedup();
    let source: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
    Ok(Foreign {
        imported: Imported {
            kind,
            suite: format.suite().to_owned(),
            source: source.join(", "),
            tracks,
            entries,
            warnings: vec![],
        },
        valued,
        unvalued: sheets.iter().flat_map(unvalued).collect(),
        totals: sheets.iter().flat_map(|s| s.totals.clone()).collect(),
    })
}

fn fault(file: &str, line: Option<usize>, field: &str, message: String) -> Problem {
    Problem {
        file: file.to_owned(),
        line,
        item: None,
        field: field.to_owned(),
        message,
    }
}

/// Two files of the same model and track are a mistake: nobody can say which counts.
fn check_twice(sheets: &[Sheet], problems: &mut Vec<Problem>) {
    for pair in sheets.windows(2) {
        if (&pair[0].model, &pair[0].track) == (&pair[1].model, &pair[1].track) {
            let (other, model, track) = (&pair[0].file, &pair[1].model, &pair[1].track);
            let message = format!(
                "model {model:?} in {track:?}, as {other} is: leave one out, or name the model"
            );
            problems.push(fault(&pair[1].file, None, "", message));
        }
    }
}

fn check_values(sheets: &[Sheet], (low, high): (f64, f64), problems: &mut Vec<Problem>) {
    for sheet in sheets {
        for row in &sheet.rows {
            let Said::Value(value) = row.said else {
                continue;
            };
            if !(low..=high).contains(&value) {
                let message = format!(
                    "{value} is outside the scale {low} to {high}; --range LOW,HIGH gives another"
                );
                problems.push(fault(&sheet.file, Some(row.line), &row.question, message));
            }
        }
    }
}

fn unvalued(sheet: &Sheet) -> Vec<Unvalued> {
    let without = sheet.rows.iter().filter_map(|row| match row.said {
        Said::Value(_) => None,
        Said::Nothing(why) => Some(Unvalued {
            place: format!("{}:{}", sheet.file, row.line),
            why: match &row.raw {
                Some(raw) => format!("{}: unjudged ({why}): {raw}", row.instance),
                None => format!("{}: unjudged ({why})", row.instance),
            },
        }),
    });
    without.collect()
}

/// Instances of a sheet, each with its items in file order.
fn of_sheet(
    sheet: &Sheet,
    kind: ImportKind,
    range: (f64, f64),
    problems: &mut Vec<Problem>,
) -> Vec<Entry> {
    let mut groups: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in &sheet.rows {
        let key = (row.dimension.as_str(), row.instance.as_str());
        groups.entry(key).or_default().push(row);
    }
    let mut entries = vec![];
    for ((dimension, instance), rows) in groups {
        check_repeats(sheet, &rows, kind, problems);
        let items = rows
            .iter()
            .zip(1..)
            .map(|(row, id)| item(row, id, kind, range));
        entries.push(Entry {
            model: sheet.model.clone(),
            track: sheet.track.clone(),
            dimension: Some(dimension.to_owned()),
            instance: Some(instance.to_owned()),
            broken: None,
            failed: None,
            items: Some(Value::from(items.collect::<Vec<Value>>()).to_string()),
            file: None,
        });
    }
    entries
}

/// A second value for the same thing: nobody can say which counts.
fn check_repeats(sheet: &Sheet, rows: &[&Row], kind: ImportKind, problems: &mut Vec<Problem>) {
    for (place, row) in rows.iter().enumerate() {
        let same = |r: &&&Row| kind == ImportKind::Grades || r.question == row.question;
        if let Some(first) = rows[..place].iter().find(same) {
            let message = format!(
                "a second value for {:?}, which has one on line {}; are files mixed?",
                row.instance, first.line
            );
            problems.push(fault(&sheet.file, Some(row.line), &row.question, message));
        }
    }
}

fn item(row: &Row, id: usize, kind: ImportKind, range: (f64, f64)) -> Value {
    let mut item = json!({
        "id": id,
        "question": row.question,
        "category": row.category,
        "subcategory": "",
        "expected_answer": "Yes",
    });
    if let Some(raw) = &row.raw {
        item["raw"] = raw.as_str().into();
    }
    if kind == ImportKind::Grades {
        item["range"] = json!([range.0, range.1]);
    }
    match (row.said, kind) {
        (Said::Nothing(why), _) => {
            item["answer"] = Value::Null;
            item["unjudged"] = why.as_str().into();
        }
        (Said::Value(value), ImportKind::Grades) => item["grade"] = value.into(),
        (Said::Value(value), _) => {
            item["answer"] = if value == range.1 { "Yes" } else { "No" }.into();
        }
    }
    item
}
