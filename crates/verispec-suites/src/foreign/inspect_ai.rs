//! Logs of inspect_ai as JSON (`inspect log convert --to json`, or `--log-format json`).
//!
//! `samples[].scores.<scorer>.value` is a grade letter (C correct, P partial, I incorrect, N no
//! answer), a number or a truth value; letters count 1, 0.5, 0 and 0, as its `value_to_float` does.
//! A sample that ended in an error, or that its scorer left out, is unjudged. Repeats (`epoch`) of
//! a sample are specifications of one instance, so that its score is their mean.
//! `results.scores[].metrics.accuracy` or `.mean` and `results.total_samples` are the log's own totals.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use verispec_model::Unjudged;

use super::Total;
use super::sheet::{File, Row, Said, Sheet, id, mean, number};
use crate::records::Problem;

pub(super) fn read(file: &File<'_>, problems: &mut Vec<Problem>) -> Vec<Sheet> {
    if file.text.starts_with("PK") {
        let message = "an .eval archive; `inspect log convert --to json` makes the JSON log of it";
        file.fault(problems, None, "", message);
        return vec![];
    }
    let Some(whole) = file.object(problems) else {
        return vec![];
    };
    let expected = "the description of the evaluation, as in a log of inspect_ai";
    let eval = file.field(problems, &whole, ("", "eval"), expected, Value::as_object);
    let expected = "a list of samples (a log that was written without them has no verdicts)";
    let samples = file.field(problems, &whole, ("", "samples"), expected, Value::as_array);
    let (Some(eval), Some(samples)) = (eval, samples) else {
        return vec![];
    };
    let name = |problems: &mut Vec<Problem>, given: Option<&str>, field| match given {
        Some(given) => Some(given.to_owned()),
        None => file
            .field(problems, eval, ("eval.", field), "a name", Value::as_str)
            .map(str::to_owned),
    };
    let model = name(problems, file.choices.model, "model");
    let track = name(problems, file.choices.task, "task");
    let scorer = scorer(file, samples, problems);
    let (Some(model), Some(track), Some(scorer)) = (model, track, scorer) else {
        return vec![];
    };
    let mut rows = vec![];
    for (place, sample) in samples.iter().enumerate() {
        let prefix = format!("samples[{place}].");
        match sample.as_object() {
            Some(sample) => rows.extend(row(file, sample, (&prefix, place), &scorer, problems)),
            None => file.fault(problems, None, &prefix, "expected an object"),
        }
    }
    let totals = totals(file, &whole, &scorer, &rows);
    vec![Sheet {
        file: file.name.clone(),
        model,
        track,
        rows,
        totals,
    }]
}

/// The scorer to read: the one that was named, or the only one there is.
fn scorer(file: &File<'_>, samples: &[Value], problems: &mut Vec<Problem>) -> Option<String> {
    let scores = samples.iter().filter_map(|s| s.get("scores")?.as_object());
    let names: BTreeSet<&str> = scores.flat_map(Map::keys).map(String::as_str).collect();
    let list = names.iter().copied().collect::<Vec<&str>>().join(", ");
    let message = match (file.choices.metric, names.len()) {
        (Some(wanted), _) if names.contains(wanted) => return Some(wanted.to_owned()),
        (None, 1) => return names.first().map(|n| (*n).to_owned()),
        (Some(wanted), _) => format!("no scorer {wanted:?}; there are: {list}"),
        (None, 0) => "no sample has a score".to_owned(),
        (None, _) => format!("several scorers ({list}); choose one with --metric"),
    };
    file.fault(problems, None, "samples[].scores", message);
    None
}

fn row(
    file: &File<'_>,
    sample: &Map<String, Value>,
    (prefix, place): (&str, usize),
    scorer: &str,
    problems: &mut Vec<Problem>,
) -> Option<Row> {
    let instance = file.field(
        problems,
        sample,
        (prefix, "id"),
        "a text or whole number",
        id,
    )?;
    let epoch = sample.get("epoch").and_then(Value::as_u64).unwrap_or(1);
    let score = sample.get("scores").and_then(|s| s.get(scorer));
    let error = sample.get("error").and_then(|e| e.get("message"));
    let text = |name: &str| score?.get(name)?.as_str().map(str::to_owned);
    let said = match (score.and_then(|s| s.get("value")), error) {
        (None, Some(_)) => Said::Nothing(Unjudged::ProviderError),
        (None | Some(Value::Null), _) => Said::Nothing(Unjudged::MissingId),
        (Some(value), _) => {
            let Some(value) = grade(value) else {
                let field = format!("{prefix}scores.{scorer}.value");
                let message =
                    format!("expected C, P, I, N, a number or a truth value, got {value}");
                file.fault(problems, None, &field, message);
                return None;
            };
            Said::Value(value)
        }
    };
    let error = error.and_then(Value::as_str).map(str::to_owned);
    Some(Row {
        line: place + 1,
        dimension: "all".to_owned(),
        instance,
        question: format!("{scorer}, epoch {epoch}"),
        category: String::new(),
        said,
        raw: text("explanation").or_else(|| text("answer")).or(error),
    })
}

fn grade(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("C") => Some(1.0),
        Some("P") => Some(0.5),
        Some("I" | "N") => Some(0.0),
        _ => number(value),
    }
}

fn totals(file: &File<'_>, whole: &Map<String, Value>, scorer: &str, rows: &[Row]) -> Vec<Total> {
    let Some(results) = whole.get("results") else {
        return vec![];
    };
    let scores = results.get("scores").and_then(Value::as_array);
    let own = |s: &&Value| s.get("name").and_then(Value::as_str) == Some(scorer);
    let own = scores.and_then(|s| s.iter().find(own));
    let metric = |name: &str| own?.pointer(&format!("/metrics/{name}/value"));
    // Metrics are made of the samples' means over their epochs.
    let mut samples: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in rows {
        if let Said::Value(value) = row.said {
            samples.entry(&row.instance).or_default().push(value);
        }
    }
    let means = samples.values().filter_map(|v| mean(v.iter().copied()));
    let found = mean(means);
    let total = |what: &str, stated: Option<&Value>, found: Option<f64>| {
        Some(Total {
            name: format!("{}: {what}", file.name),
            stated: stated?.as_f64()?,
            found: found?,
        })
    };
    let all = results.get("total_samples");
    [
        total("results.total_samples", all, Some(rows.len() as f64)),
        total("accuracy", metric("accuracy"), found),
        total("mean", metric("mean"), found),
    ]
    .into_iter()
    .flatten()
    .collect()
}
