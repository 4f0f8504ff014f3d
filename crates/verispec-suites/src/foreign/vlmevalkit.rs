//! Scored tables of VLMEvalKit as a workbook, TSV or CSV, one row a question.
//!
//! `index` names the question, `hit` (0 or 1) is what the judge made of `prediction`; tables of
//! other judges have `score` or a column of their own. The file is
//! `<model>/<model>_<dataset>….xlsx`; `<same>_acc.csv` beside it states the share of hits.

use verispec_model::Unjudged;

use super::Total;
use super::sheet::{File, Row, Said, Sheet, mean, number_of};
use super::table::{self, Line};
use crate::records::Problem;

/// Column that names the question.
const INDEX: &str = "index";
/// Columns that hold a score, the likelier first.
const SCORES: [&str; 2] = ["hit", "score"];
/// Columns that a table is divided by, the finer first.
const DIVISIONS: [&str; 2] = ["category", "l2-category"];

pub(super) fn read(file: &File<'_>, problems: &mut Vec<Problem>) -> Vec<Sheet> {
    let Some(table) = table::read(file, INDEX, problems) else {
        return vec![];
    };
    let Some(columns) = columns(file, &table.header, problems) else {
        return vec![];
    };
    let width = table.header.len();
    let lines = table.lines.iter();
    let rows: Vec<Row> = lines
        .filter_map(|line| row(file, line, width, &columns, problems))
        .collect();
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

fn columns(file: &File<'_>, header: &[String], problems: &mut Vec<Problem>) -> Option<Columns> {
    let place = |name: &str| header.iter().position(|h| h == name);
    let all = || header.join(", ");
    let index = place(INDEX);
    if index.is_none() {
        let message = format!(
            "no such column; found {}: is this a table of VLMEvalKit?",
            all()
        );
        file.fault(problems, Some(1), INDEX, message);
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
    record: &Line,
    width: usize,
    columns: &Columns,
    problems: &mut Vec<Problem>,
) -> Option<Row> {
    let line = record.number;
    if record.cells.len() != width {
        let message = format!("{} fields, the header has {width}", record.cells.len());
        file.fault(problems, line, "", message);
        return None;
    }
    let cell = |place: usize| record.cells.get(place).map_or("", |c| c.trim());
    let instance = cell(columns.index);
    if instance.is_empty() {
        file.fault(problems, line, INDEX, "empty");
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
