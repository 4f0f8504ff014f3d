//! Samples of lmms-eval (and of lm-evaluation-harness), one JSON object a line.
//!
//! `doc_id` names the document; every field that is none of the harness's own and holds a number,
//! or an object with a number `score`, is a metric of the task. The file is
//! `<date>_samples_<task>.jsonl` or `samples_<task>_<date>.jsonl` in a folder named after the
//! model; `<date>_results.json` beside it states the number of samples.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use verispec_model::Unjudged;

use super::Total;
use super::sheet::{File, Row, Said, Sheet, id, mean, number};
use crate::records::{Problem, Record, records};

/// Fields of the harness itself, and what tasks keep beside their metrics.
const OWN: [&str; 14] = [
    "doc_id",
    "doc",
    "doc_hash",
    "prompt_hash",
    "target",
    "target_hash",
    "arguments",
    "input",
    "resps",
    "filtered_resps",
    "filter",
    "metrics",
    "submission",
    "token_counts",
];

pub(super) fn read(file: &File<'_>, problems: &mut Vec<Problem>) -> Vec<Sheet> {
    let found = records(&file.name, file.text, false, problems);
    let Some(metric) = metric(file, &found, problems) else {
        return vec![];
    };
    let mut rows = vec![];
    for record in &found {
        let Some(fields) = &record.fields else {
            continue;
        };
        match fields.get("doc_id").and_then(id) {
            Some(instance) => rows.push(row(record, fields, instance, &metric)),
            None => file.fault(
                problems,
                Some(record.line),
                "doc_id",
                "missing; a sample of lmms-eval has it: is this another format?",
            ),
        }
    }
    let Some((model, track)) = names(file, problems) else {
        return vec![];
    };
    let totals = totals(file, &track, &metric, &rows);
    vec![Sheet {
        file: file.name.clone(),
        model,
        track,
        rows,
        totals,
    }]
}

fn row(record: &Record, fields: &Map<String, Value>, instance: String, metric: &str) -> Row {
    let said = match fields.get(metric).and_then(value) {
        Some(value) => Said::Value(value),
        None if fields.get(metric).is_none_or(Value::is_null) => Said::Nothing(Unjudged::MissingId),
        None => Said::Nothing(Unjudged::Unparsed),
    };
    let answer = fields.get("filtered_resps").map(|v| match v {
        Value::Array(list) if list.len() == 1 => text_of(&list[0]),
        other => text_of(other),
    });
    Row {
        line: record.line,
        dimension: "all".to_owned(),
        instance,
        question: metric.to_owned(),
        category: String::new(),
        said,
        raw: answer,
    }
}

fn text_of(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// A metric's value: a number, or the `score` of an object.
fn value(value: &Value) -> Option<f64> {
    match value {
        Value::Object(map) => map.get("score").and_then(number),
        Value::Number(_) | Value::Bool(_) => number(value),
        _ => None,
    }
}

/// The metric to read: the one that was named, or the only one there is.
fn metric(file: &File<'_>, found: &[Record], problems: &mut Vec<Problem>) -> Option<String> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for fields in found.iter().filter_map(|r| r.fields.as_ref()) {
        let metrics = fields
            .iter()
            .filter(|(name, v)| !OWN.contains(&name.as_str()) && value(v).is_some());
        names.extend(metrics.map(|(name, _)| name.as_str()));
    }
    let list = names.iter().copied().collect::<Vec<&str>>().join(", ");
    match (file.choices.metric, names.len()) {
        (Some(wanted), _) if names.contains(wanted) => Some(wanted.to_owned()),
        (Some(wanted), _) => {
            let there = if list.is_empty() { "none" } else { &list };
            let message = format!("no row has this metric; there are: {there}");
            file.fault(problems, None, wanted, message);
            None
        }
        (None, 1) => names.first().map(|n| (*n).to_owned()),
        (None, 0) => {
            let message = "no row has a metric (a number beside doc_id, target and \
                           filtered_resps): are these samples of lmms-eval?";
            file.fault(problems, None, "", message);
            None
        }
        (None, _) => {
            let message = format!("several metrics ({list}); choose one with --metric");
            file.fault(problems, None, "", message);
            None
        }
    }
}

/// Model and task, from the names of folder and file.
fn names(file: &File<'_>, problems: &mut Vec<Problem>) -> Option<(String, String)> {
    let stem = file.stem();
    let task = match (file.choices.task, stem.split_once("samples_")) {
        (Some(task), _) => Some(task.to_owned()),
        (None, Some((_, rest))) => Some(without_date(rest).to_owned()),
        (None, None) => None,
    };
    let model = match file.choices.model {
        Some(model) => Some(model.to_owned()),
        None => file.folders().next().filter(|f| f != "." && f != ".."),
    };
    if task.is_none() {
        let message = "the file is not named `..._samples_<task>.jsonl`; name the task with --task";
        file.fault(problems, None, "", message);
    }
    if model.is_none() {
        file.fault(
            problems,
            None,
            "",
            "no folder names the model; name it with --model",
        );
    }
    Some((model?, task?))
}

/// A task's name without the date that lm-evaluation-harness puts behind it.
fn without_date(rest: &str) -> &str {
    match rest.rsplit_once('_') {
        Some((task, date)) if date.starts_with("20") && date.contains('T') => task,
        _ => rest,
    }
}

/// What the results file beside it states: the number of samples, and the metric where it is
/// their mean.
fn totals(file: &File<'_>, task: &str, metric: &str, rows: &[Row]) -> Vec<Total> {
    let stem = file.stem();
    let date = stem.split_once("_samples_").map(|(date, _)| date);
    let beside = date.map(|d| file.path.with_file_name(format!("{d}_results.json")));
    let text = beside.and_then(|path| std::fs::read_to_string(path).ok());
    let Some(results) = text.and_then(|t| serde_json::from_str::<Value>(&t).ok()) else {
        return vec![];
    };
    let samples = &results["n-samples"][task];
    let effective = samples["effective"].as_f64();
    let values = rows.iter().filter_map(|r| match r.said {
        Said::Value(v) => Some(v),
        Said::Nothing(_) => None,
    });
    let stated = results["results"][task].as_object();
    let mean_stated = stated.and_then(|m| {
        let of_metric = |(k, _): &(&String, &Value)| k.split(',').next() == Some(metric);
        m.iter().find(of_metric)?.1.as_f64()
    });
    let total = |what: &str, stated: Option<f64>, found: Option<f64>| {
        Some(Total {
            name: format!("{}: {what}", file.name),
            stated: stated?,
            found: found?,
        })
    };
    [
        total("samples", effective, Some(rows.len() as f64)),
        total(metric, mean_stated, mean(values)),
    ]
    .into_iter()
    .flatten()
    .collect()
}
