//! What people said, from a file: ratings of outputs, or answers to specifications.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;
use verispec_model::YesNo;
use verispec_studies::human::sample::Verdict;
use verispec_studies::human::{HumanVerdict, Ratings};

use crate::exit::usage;

/// A row by column, texts trimmed.
struct Row {
    line: usize,
    fields: HashMap<String, String>,
}

/// What a file holds.
pub(crate) enum Human {
    /// Ratings of outputs by track.
    Ratings(BTreeMap<String, Ratings>),
    /// Answers to specifications.
    Answers(Vec<Answer>),
}

/// A person's answer to one specification of one output.
pub(crate) struct Answer {
    line: usize,
    model: String,
    track: String,
    instance: String,
    spec: u32,
    answer: YesNo,
    inclusion: f64,
}

/// Reads JSONL (`.jsonl`, `.json`, `.ndjson`) or CSV.
pub(crate) fn read(path: &Path) -> anyhow::Result<Human> {
    let rows = rows(path)?;
    let Some(first) = rows.first() else {
        return Err(usage(format!("{}: no rows", path.display())));
    };
    let at =
        |row: &Row, what: String| usage(format!("{}, line {}: {what}", path.display(), row.line));
    if first.fields.contains_key("rating") {
        let mut tracks: BTreeMap<String, Ratings> = BTreeMap::new();
        for row in &rows {
            let one = rating(row).map_err(|what| at(row, what))?;
            let ratings = tracks.entry(one.track).or_default();
            ratings.set(&one.id, &one.model, &one.annotator, one.rating);
        }
        return Ok(Human::Ratings(tracks));
    }
    let mut answers = vec![];
    for row in &rows {
        answers.extend(answer(row).map_err(|what| at(row, what))?);
    }
    if answers.is_empty() {
        return Err(usage(format!(
            "{}: no column \"rating\" and no answer in a column \"human\": fill in Yes or No",
            path.display()
        )));
    }
    Ok(Human::Answers(answers))
}

struct Rating {
    track: String,
    id: String,
    model: String,
    annotator: String,
    rating: f64,
}

fn rating(row: &Row) -> Result<Rating, String> {
    let rating = row.need("rating")?;
    Ok(Rating {
        track: row.need("track")?,
        id: row.need_either("id", "instance")?,
        model: row.need("model")?,
        annotator: row.get("annotator").unwrap_or_else(|| "people".to_owned()),
        rating: rating
            .parse()
            .ok()
            .filter(|r: &f64| r.is_finite())
            .ok_or_else(|| format!("rating {rating:?} is no number"))?,
    })
}

/// `None` for a row that nobody has answered yet.
fn answer(row: &Row) -> Result<Option<Answer>, String> {
    let Some(said) = row.get("human").or_else(|| row.get("answer")) else {
        return Ok(None);
    };
    let answer = match said.to_ascii_lowercase().as_str() {
        "yes" | "y" | "1" | "true" => YesNo::Yes,
        "no" | "n" | "0" | "false" => YesNo::No,
        _ => return Err(format!("answer {said:?} is neither Yes nor No")),
    };
    let inclusion = row.get("inclusion").ok_or(
        "no inclusion probability: labels of unknown probability correct nothing; draw them with \
         `verispec study human sample`, or write 1 where everything was labelled",
    )?;
    let inclusion = inclusion
        .parse()
        .ok()
        .filter(|p: &f64| *p > 0.0 && *p <= 1.0)
        .ok_or_else(|| format!("inclusion {inclusion:?} is no probability above 0"))?;
    let spec = row.need_either("spec", "specification")?;
    Ok(Some(Answer {
        line: row.line,
        model: row.need("model")?,
        track: row.need("track")?,
        instance: row.need_either("instance", "id")?,
        spec: spec
            .parse()
            .map_err(|_| format!("specification {spec:?} is no number"))?,
        answer,
        inclusion,
    }))
}

impl Row {
    fn get(&self, name: &str) -> Option<String> {
        self.fields.get(name).filter(|v| !v.is_empty()).cloned()
    }

    fn need(&self, name: &str) -> Result<String, String> {
        self.get(name).ok_or_else(|| format!("{name} is missing"))
    }

    fn need_either(&self, name: &str, other: &str) -> Result<String, String> {
        self.get(name)
            .or_else(|| self.get(other))
            .ok_or_else(|| format!("{name} is missing"))
    }
}

/// Finds the verdicts that were answered. Verdicts of the run that the file does not name stay
/// unlabelled; a row that names none of the run is an error.
pub(crate) fn matched(
    answers: &[Answer],
    verdicts: &[Verdict],
    path: &Path,
) -> anyhow::Result<Vec<HumanVerdict>> {
    let places: HashMap<_, usize> = verdicts
        .iter()
        .enumerate()
        .map(|(i, v)| (v.key(), i))
        .collect();
    let mut found: BTreeMap<usize, HumanVerdict> = BTreeMap::new();
    for a in answers {
        let key = (
            a.model.as_str(),
            a.track.as_str(),
            a.instance.as_str(),
            a.spec,
        );
        let index = *places.get(&key).ok_or_else(|| {
            usage(format!(
                "{}, line {}: the run has no verdict on specification {} of {}/{} by model {}",
                path.display(),
                a.line,
                a.spec,
                a.track,
                a.instance,
                a.model
            ))
        })?;
        let label = HumanVerdict {
            index,
            answer: a.answer,
            inclusion: a.inclusion,
        };
        if found.insert(index, label).is_some() {
            return Err(usage(format!(
                "{}, line {}: this verdict is answered twice; settle disagreement first",
                path.display(),
                a.line
            )));
        }
    }
    Ok(found.into_values().collect())
}

fn rows(path: &Path) -> anyhow::Result<Vec<Row>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = text.trim_start_matches('\u{FEFF}');
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    if ["jsonl", "ndjson", "json"].contains(&extension) {
        json_rows(text, path)
    } else {
        csv_rows(text, path)
    }
}

fn json_rows(text: &str, path: &Path) -> anyhow::Result<Vec<Row>> {
    let lines = text.lines().zip(1..).filter(|(l, _)| !l.trim().is_empty());
    lines
        .map(|(text, line)| {
            let value: Value = serde_json::from_str(text)
                .with_context(|| format!("{}, line {line}", path.display()))?;
            let object = value
                .as_object()
                .ok_or_else(|| usage(format!("{}, line {line}: no object", path.display())))?;
            let plain = |v: &Value| match v {
                Value::Null => String::new(),
                Value::String(text) => text.trim().to_owned(),
                other => other.to_string(),
            };
            let fields = object.iter().map(|(k, v)| (k.clone(), plain(v))).collect();
            Ok(Row { line, fields })
        })
        .collect()
}

fn csv_rows(text: &str, path: &Path) -> anyhow::Result<Vec<Row>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers()?.clone();
    let records = reader.records().collect::<Result<Vec<_>, _>>();
    let records = records.with_context(|| path.display().to_string())?;
    let row = |record: csv::StringRecord| {
        let fields = header.iter().zip(record.iter());
        Row {
            line: record.position().map_or(0, |p| p.line() as usize),
            fields: fields
                .map(|(k, v)| (k.trim().to_owned(), v.trim().to_owned()))
                .collect(),
        }
    };
    Ok(records.into_iter().map(row).collect())
}
