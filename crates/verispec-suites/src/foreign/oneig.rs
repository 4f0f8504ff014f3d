//! OneIG-Bench's alignment per prompt: `alignment_prompt_score_<mode>_<time>.csv`, a row a prompt
//! (`<class>_<key>`), a column a model, the share of questions met from 0 to 1.
//!
//! The script keeps no answer to a question, so a prompt has one grade. An empty cell is a prompt
//! without exactly one image that could be cut: the script's mean leaves it out, here it is
//! unjudged. `alignment_score_<mode>_<time>.csv` beside it states the means.

use std::collections::BTreeMap;

use verispec_model::Unjudged;

use super::Total;
use super::sheet::{File, Row, Said, Sheet, mean, number_of};
use crate::records::Problem;

pub(super) fn read(file: &File<'_>, problems: &mut Vec<Problem>) -> Vec<Sheet> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(file.text.as_bytes());
    let header = reader.headers().cloned().unwrap_or_default();
    let models: Vec<&str> = header.iter().skip(1).collect();
    if models.is_empty() || models.contains(&"alignment") {
        let message = "expected a header with an empty first column and a column for each model, \
                       as in alignment_prompt_score_*.csv";
        file.fault(problems, Some(1), "", message);
        return vec![];
    }
    let stated = stated(file);
    let mut sheets: Vec<Sheet> = models.iter().map(|model| sheet(file, model)).collect();
    for record in reader.records() {
        let line = |p: Option<&csv::Position>| p.and_then(|p| usize::try_from(p.line()).ok());
        let record = match record {
            Ok(record) => record,
            Err(e) => {
                file.fault(problems, line(e.position()), "", format!("not a row: {e}"));
                continue;
            }
        };
        let line = line(record.position());
        let prompt = record.get(0).unwrap_or_default().trim();
        let Some((class, _)) = prompt
            .rsplit_once('_')
            .filter(|_| record.len() == header.len())
        else {
            let message = format!(
                "expected `<class>_<key>` and a value for each of {} models, got {prompt:?} and \
                 {} values",
                models.len(),
                record.len().saturating_sub(1)
            );
            file.fault(problems, line, "", message);
            continue;
        };
        for (sheet, cell) in sheets.iter_mut().zip(record.iter().skip(1)) {
            let said = match (cell.trim(), number_of(cell)) {
                (_, Some(value)) => Said::Value(value),
                ("", None) => Said::Nothing(Unjudged::MissingId),
                (other, None) => {
                    let message =
                        format!("expected a number from 0 to 1 or nothing, got {other:?}");
                    file.fault(problems, line, &sheet.model, message);
                    continue;
                }
            };
            sheet.rows.push(Row {
                line: line.unwrap_or_default(),
                dimension: class.to_owned(),
                instance: prompt.to_owned(),
                question: "alignment".to_owned(),
                category: String::new(),
                said,
                raw: None,
            });
        }
    }
    for sheet in &mut sheets {
        let values = sheet.rows.iter().filter_map(|r| match r.said {
            Said::Value(v) => Some(v),
            Said::Nothing(_) => None,
        });
        let total = stated.get(&sheet.model).copied().zip(mean(values));
        sheet.totals = Vec::from_iter(total.map(|(stated, found)| Total {
            name: format!("{}: {}", file.name, sheet.model),
            stated,
            found,
        }));
    }
    sheets
}

fn sheet(file: &File<'_>, model: &str) -> Sheet {
    Sheet {
        file: file.name.clone(),
        model: model.to_owned(),
        track: file.choices.task.unwrap_or("alignment").to_owned(),
        rows: vec![],
        totals: vec![],
    }
}

/// Means by model, from the file of means beside this one.
fn stated(file: &File<'_>) -> BTreeMap<String, f64> {
    let stem = file.stem();
    let Some(rest) = stem.strip_prefix("alignment_prompt_score_") else {
        return BTreeMap::new();
    };
    let beside = file
        .path
        .with_file_name(format!("alignment_score_{rest}.csv"));
    let Ok(reader) = csv::Reader::from_path(beside) else {
        return BTreeMap::new();
    };
    let rows = reader.into_records().filter_map(Result::ok);
    rows.filter_map(|r| Some((r.get(0)?.to_owned(), number_of(r.get(1)?)?)))
        .collect()
}
