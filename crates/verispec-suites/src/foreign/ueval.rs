//! Results of UEval's script: per item, criteria on the text and on the images, each met or not.
//!
//! `items[].{text,image}_results[].criteria_met` is true, false or "not sure". The script counts
//! everything but true as unmet; here "not sure" is the judge's abstention. Text and images are two
//! tracks, as their rates are never mixed.

use serde_json::{Map, Value};
use verispec_model::Unjudged;

use super::Total;
use super::sheet::{File, Row, Said, Sheet, id, mean};
use crate::records::Problem;

pub(super) fn read(file: &File<'_>, problems: &mut Vec<Problem>) -> Vec<Sheet> {
    let Some(whole) = file.object(problems) else {
        return vec![];
    };
    let expected = "a list of items, as UEval's script writes it";
    let items = file.field(problems, &whole, ("", "items"), expected, Value::as_array);
    let Some(items) = items else { return vec![] };
    let mut sheets = ["text", "image"].map(|track| Sheet {
        file: file.name.clone(),
        model: file
            .choices
            .model
            .map_or_else(|| file.stem(), str::to_owned),
        track: track.to_owned(),
        rows: vec![],
        totals: vec![],
    });
    for (place, item) in items.iter().enumerate() {
        let prefix = format!("items[{place}].");
        let Some(item) = item.as_object() else {
            file.fault(problems, None, &prefix, "expected an object");
            continue;
        };
        let name = file.field(problems, item, (&prefix, "id"), "an id", id);
        let Some(name) = name else { continue };
        for sheet in &mut sheets {
            part(file, sheet, (item, &prefix), (place + 1, &name), problems);
        }
    }
    for sheet in &mut sheets {
        summary(file, &whole, sheet);
    }
    sheets.into_iter().filter(|s| !s.rows.is_empty()).collect()
}

/// The criteria on the text or on the images of one item.
fn part(
    file: &File<'_>,
    sheet: &mut Sheet,
    (item, prefix): (&Map<String, Value>, &str),
    (line, name): (usize, &str),
    problems: &mut Vec<Problem>,
) {
    let list = format!("{}_results", sheet.track);
    let expected = "a list of criteria";
    let found = file.field(problems, item, (prefix, &list), expected, Value::as_array);
    let (mut met, mut all) = (0_u32, 0_u32);
    for (place, criterion) in found.into_iter().flatten().enumerate() {
        let field = format!("{prefix}{list}[{place}].");
        let Some(criterion) = criterion.as_object() else {
            file.fault(problems, None, &field, "expected an object");
            continue;
        };
        let text = criterion.get("criterion").and_then(Value::as_str);
        let Some(said) = criterion.get("criteria_met").map(said) else {
            file.fault(problems, None, &format!("{field}criteria_met"), "missing");
            continue;
        };
        all += 1;
        met += u32::from(said == Said::Value(1.0));
        sheet.rows.push(Row {
            line,
            dimension: "all".to_owned(),
            instance: name.to_owned(),
            // A list may hold a criterion twice; its place tells which is meant.
            question: format!("{}. {}", place + 1, text.unwrap_or_default()),
            category: sheet.track.clone(),
            said,
            raw: criterion
                .get("raw_response")
                .and_then(Value::as_str)
                .map(str::to_owned),
        });
    }
    let score = item.get(&format!("{}_score", sheet.track));
    for (what, found) in [("met", met), ("total", all)] {
        let stated = score.and_then(|s| s.get(what)).and_then(Value::as_f64);
        let name = format!("{}: {prefix}{}_score.{what}", file.name, sheet.track);
        sheet.totals.extend(stated.map(|stated| Total {
            name,
            stated,
            found: f64::from(found),
        }));
    }
}

fn said(value: &Value) -> Said {
    let text = match value {
        Value::Bool(true) => "true".to_owned(),
        Value::Bool(false) => "false".to_owned(),
        Value::Number(n) => n.to_string(),
        Value::String(text) => text.trim().to_lowercase(),
        _ => String::new(),
    };
    match text.as_str() {
        "true" | "yes" | "y" | "1" => Said::Value(1.0),
        "false" | "no" | "n" | "0" => Said::Value(0.0),
        "not sure" | "unsure" | "unknown" => Said::Nothing(Unjudged::Abstained),
        _ => Said::Nothing(Unjudged::Unparsed),
    }
}

/// The average of the items' rates, as the script makes it: what is not true is unmet.
fn summary(file: &File<'_>, whole: &Map<String, Value>, sheet: &mut Sheet) {
    let name = format!("{}_avg_rate", sheet.track);
    let stated = whole.get("summary").and_then(|s| s.get(&name));
    let mut rates: Vec<(&str, u32, u32)> = vec![];
    for row in &sheet.rows {
        let met = u32::from(row.said == Said::Value(1.0));
        match rates.last_mut() {
            Some((id, m, n)) if *id == row.instance => (*m, *n) = (*m + met, *n + 1),
            _ => rates.push((&row.instance, met, 1)),
        }
    }
    let rates = rates.iter().map(|(_, m, n)| f64::from(*m) / f64::from(*n));
    let total = stated.and_then(Value::as_f64).zip(mean(rates));
    sheet.totals.extend(total.map(|(stated, found)| Total {
        name: format!("{}: summary.{name}", file.name),
        stated,
        found,
    }));
}
