//! Scored tables of VLMEvalKit as TSV or CSV, one row a question.
//!
//! `index` names the question, `hit` (0 or 1) is what the judge made of `prediction`; tables of
//! other judges have `score` or a column of their own. The file is
//! `<model>/<model>_<dataset>….tsv`; `<same>_acc.csv` beside it states the share of hits.

use verispec_model::Unjudged;

use super::Total;
use super::sheet::{File, Row, Said, Sheet, mean, number_of};
use crate::records::Problem;

/// Columns that hold a score, the likelier first.
const SCORES: [&str; 2] = ["hit", "score"];
/// Columns that a table is divided by, the finer first.
const DIVISIONS: [&str; 2] = ["category", "l2-category"];

pub(super) fn read(file: &File<'_>, problems: &mut Vec<Problem>) -> Vec<Sheet> {
    let extension = file.path.extension().map(|e| e.to_ascii_lowercase());
    let delimiter = match extension.as_ref().and_then(|e| e.to_str()) {
        Some("tsv") => b'\t',
        Some("csv") => b',',
        other => {
            let message = format!(
                "a table with the extension tsv or csv is wanted, not {:?}; VLMEvalKit writes it \
                 with PRED_FORMAT=tsv, and a spreadsheet can be saved as one",
                other.unwrap_or_default()
            );
            file.fault(problems, None, "", message);
            return vec![];
        }
    };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .from_reader(file.text.as_bytes());
    let Ok(header) = reader.headers().cloned() else {
        file.fault(problems, Some(1), "", "no header");
        return vec![];
    };
    let Some(columns) = columns(file, &header, problems) else {
        return vec![];
    };
    let mut rows = vec![];
    for record in reader.records() {
        match record {
            Ok(record) => rows.extend(row(file, &record, header.len(), &columns, problems)),
            Err(error) => {
                let line = error
                    .position()
                    .and_then(|p| usize::try_from(p.line()).ok());
                file.fault(
                    problems,
                    line,
                    "",
                    format!("not a row of the table: {error}"),
                );
            }
        }
    }
    let Some((model, track)) = names(file, problems) else {
        return vec![];
    };
    let totals = totals(file, &rows);
    vec![Sheet {
        file: file.name.clone(),
        model,
        track,
        rows,
        totals,
    }]
}

/// Places of the columns that are read.
struct Columns {
    index: usize,
    score: usize,
    name: String,
    division: Option<usize>,
    prediction: Option<usize>,
}

fn columns(
    file: &File<'_>,
    header: &csv::StringRecord,
    problems: &mut Vec<Problem>,
) -> Option<Columns> {
    let place = |name: &str| header.iter().position(|h| h == name);
    let all = || header.iter().collect::<Vec<&str>>().join(", ");
    let index = place("index");
    if index.is_none() {
        let message = format!(
            "no such column; found {}: is this a table of VLMEvalKit?",
            all()
        );
        file.fault(problems, Some(1), "index", message);
    }
    let wanted = file.choices.metric;
    let name = wanted.or_else(|| SCORES.into_iter().find(|n| place(n).is_some()));
    let score = name.and_then(place);
    if score.is_none() {
        let message = match wanted {
            Some(_) => format!("no such column; found {}", all()),
            None => format!(
                "no column hit or score, so nothing is judged yet; found {}; --metric names \
                 another column of scores",
                all()
            ),
        };
        file.fault(problems, Some(1), wanted.unwrap_or("hit"), message);
    }
    Some(Columns {
        index: index?,
        score: score?,
        name: name?.to_owned(),
        division: DIVISIONS.into_iter().find_map(place),
        prediction: place("prediction"),
    })
}

fn row(
    file: &File<'_>,
    record: &csv::StringRecord,
    width: usize,
    columns: &Columns,
    problems: &mut Vec<Problem>,
) -> Option<Row> {
    let line = record
        .position()
        .and_then(|p| usize::try_from(p.line()).ok());
    if record.len() != width {
        let message = format!("{} fields, the header has {width}", record.len());
        file.fault(problems, line, "", message);
        return None;
    }
    let cell = |place: usize| record.get(place).unwrap_or_default().trim();
    let instance = cell(columns.index);
    if instance.is_empty() {
        file.fault(problems, line, "index", "empty");
        return None;
    }
    let said = match (cell(columns.score), number_of(cell(columns.score))) {
        (_, Some(value)) => Said::Value(value),
        ("" | "nan" | "NaN", None) => Said::Nothing(Unjudged::MissingId),
        (_, None) => Said::Nothing(Unjudged::Unparsed),
    };
    let division = columns.division.map(cell).filter(|d| !d.is_empty());
    let prediction = columns.prediction.map(cell).filter(|p| !p.is_empty());
    Some(Row {
        line: line.unwrap_or_default(),
        dimension: division.unwrap_or("all").to_owned(),
        instance: instance.to_owned(),
        question: columns.name.clone(),
        category: String::new(),
        said,
        raw: prediction.map(str::to_owned),
    })
}

/// Model and data set: the folder that the file's name begins with, and the rest of the name.
fn names(file: &File<'_>, problems: &mut Vec<Problem>) -> Option<(String, String)> {
    let stem = file.stem();
    let stem = stem.strip_suffix("_result").unwrap_or(&stem);
    let given = file.choices.model.map(str::to_owned);
    let folder = file.folders().find(|f| stem.starts_with(&format!("{f}_")));
    let Some(model) = given.or(folder) else {
        let message = "no folder above has the name that the file begins with; name the model \
                       with --model";
        file.fault(problems, None, "", message);
        return None;
    };
    let rest = stem.strip_prefix(&format!("{model}_"));
    let task = file.choices.task.or(rest).unwrap_or(stem);
    Some((model, task.to_owned()))
}

/// The share of hits that `<stem>_acc.csv` states, where it has one row.
fn totals(file: &File<'_>, rows: &[Row]) -> Vec<Total> {
    let stem = file.stem();
    let stem = stem.strip_suffix("_result").unwrap_or(&stem);
    let beside = file.path.with_file_name(format!("{stem}_acc.csv"));
    let stated = csv::Reader::from_path(beside).ok().and_then(|mut reader| {
        let place = reader.headers().ok()?.iter().position(|h| h == "Overall")?;
        let mut rows = reader.records();
        let only = rows.next()?.ok()?;
        if rows.next().is_some() {
            return None;
        }
        number_of(only.get(place)?)
    });
    let values = rows.iter().filter_map(|r| match r.said {
        Said::Value(v) => Some(v),
        Said::Nothing(_) => None,
    });
    let total = stated.zip(mean(values)).map(|(stated, found)| Total {
        name: format!("{}: Overall", file.name),
        stated,
        found,
    });
    total.into_iter().collect()
}
