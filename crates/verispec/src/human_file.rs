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
    /// Ratings of outputs.
    Ratings(Graded),
    /// Answers to specifications.
    Answers(Vec<Answer>),
}

/// Ratings of outputs.
#[derive(Default)]
pub(crate) struct Graded {
    /// By track.
    pub(crate) tracks: BTreeMap<String, Ratings>,
    /// Probability with which an output was drawn, where the file tells: by track, output and
    /// model.
    pub(crate) inclusion: HashMap<(String, String, String), f64>,
}

/// A verdict that a row is about, with the probability with which it was drawn, above 0.
pub(crate) struct Drawn {
    line: usize,
    model: String,
    track: String,
    instance: String,
    spec: u32,
    pub(crate) inclusion: f64,
    pub(crate) stratum: Option<String>,
}

/// A person's answer to one specification of one output.
pub(crate) struct Answer {
    of: Drawn,
    answer: YesNo,
}

/// Reads JSONL (`.jsonl`, `.json`, `.ndjson`) or CSV.
pub(crate) fn read(path: &Path) -> anyhow::Result<Human> {
    let rows = rows(path)?;
    let Some(first) = rows.first() else {
        return Err(usage(format!("{}: no rows", path.display())));
    };
    let at = |row: &Row, what: String| at(path, row.line, &what);
    if first.fields.contains_key("rating") {
        let mut graded = Graded::default();
        for row in &rows {
            let one = rating(row).map_err(|what| at(row, what))?;
            let ratings = graded.tracks.entry(one.track.clone()).or_default();
            ratings.set(&one.id, &one.model, &one.annotator, one.rating);
            if let Some(text) = row.get("inclusion") {
                let p = probability(&text).map_err(|what| at(row, what))?;
                graded.inclusion.insert((one.track, one.id, one.model), p);
            }
        }
        return Ok(Human::Ratings(graded));
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

/// Reads a sample as `study human sample` writes it, answered or not.
pub(crate) fn sampled(path: &Path) -> anyhow::Result<Vec<Drawn>> {
    let one = |row: &Row| drawn(row).map_err(|what| at(path, row.line, &what));
    rows(path)?.iter().map(one).collect()
}

fn at(path: &Path, line: usize, what: &str) -> anyhow::Error {
    usage(format!("{}, line {line}: {what}", path.display()))
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
    let of = drawn(row)?;
    Ok(Some(Answer { of, answer }))
}

fn drawn(row: &Row) -> Result<Drawn, String> {
    let inclusion = row.get("inclusion").ok_or(
        "no inclusion probability: labels of unknown probability correct nothing; draw them with \
         `verispec study human sample`, or write 1 where everything was labelled",
    )?;
    let inclusion = probability(&inclusion)?;
    let spec = row.need_either("spec", "specification")?;
    Ok(Drawn {
        line: row.line,
        model: row.need("model")?,
        track: row.need("track")?,
        instance: row.need_either("instance", "id")?,
        spec: spec
            .parse()
            .map_err(|_| format!("specification {spec:?} is no number"))?,
        inclusion,
        stratum: row.get("stratum"),
    })
}

fn probability(text: &str) -> Result<f64, String> {
    let p = text.parse().ok().filter(|p: &f64| *p > 0.0 && *p <= 1.0);
    p.ok_or_else(|| format!("inclusion {text:?} is no probability above 0"))
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
    let of = answers.iter().map(|a| &a.of);
    let mut found: BTreeMap<usize, HumanVerdict> = BTreeMap::new();
    for (a, index) in answers.iter().zip(places(of, verdicts, path)?) {
        let label = HumanVerdict {
            index,
            answer: a.answer,
            inclusion: a.of.inclusion,
        };
        if found.insert(index, label).is_some() {
            let what = "this verdict is answered twice; settle disagreement first";
            return Err(at(path, a.of.line, what));
        }
    }
    Ok(found.into_values().collect())
}

/// Which verdict each row is about; a row that names none of the run is an error.
pub(crate) fn places<'d>(
    drawn: impl IntoIterator<Item = &'d Drawn>,
    verdicts: &[Verdict],
    path: &Path,
) -> anyhow::Result<Vec<usize>> {
    let keys = verdicts.iter().map(Verdict::key);
    let places: HashMap<_, usize> = keys.zip(0..).collect();
    let place = |d: &Drawn| {
        let key = (
            d.model.as_str(),
            d.track.as_str(),
            d.instance.as_str(),
            d.spec,
        );
        let none = || {
            let what = format!(
                "the run has no verdict on specification {} of {}/{} by model {}; is the file of \
                 this run?",
                d.spec, d.track, d.instance, d.model
            );
            at(path, d.line, &what)
        };
        places.get(&key).copied().ok_or_else(none)
    };
    drawn.into_iter().map(place).collect()
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

#[cfg(test)]
mod tests {
    use super::sampled;

    #[test]
    fn samples_are_read_as_they_are_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let csv = folder.path().join("s.csv");
        let head =
            "model,track,dimension,instance,spec,question,human,verdict,expected,stratum,inclusion";
        std::fs::write(
            &csv,
            format!("{head}\nm,t2i,d,1,2,\"a, b\",,Yes,No,t2i/Yes,0.5\n"),
        )
        .unwrap();
        let found = sampled(&csv).unwrap();
        assert_eq!(
            (found[0].line, found[0].spec, found[0].inclusion),
            (2, 2, 0.5)
        );
        assert_eq!(found[0].stratum.as_deref(), Some("t2i/Yes"));
        let jsonl = folder.path().join("s.jsonl");
        let wrong = |text: &str| {
            std::fs::write(&jsonl, format!("\n{text}\n")).unwrap();
            sampled(&jsonl).err().unwrap().to_string()
        };
        let error = wrong("{\"model\": \"m\", \"inclusion\": 1, \"spec\": 1}");
        assert!(
            error.contains("line 2") && error.contains("track"),
            "{error}"
        );
        let error = wrong("{\"model\": \"m\", \"inclusion\": 1.5, \"spec\": 1}");
        assert!(error.contains("\"1.5\" is no probability"), "{error}");
    }
}
