//! `verispec import dsg`: one judge's answers as a run, so that every score and study works on
//! them.

use std::path::Path;

use serde_json::{Value, json};
use verispec_model::{InstanceState, Reading, Results, SpecResult, Warning};
use verispec_suites::dsg::{AnswerReader, load};
use verispec_suites::specv::import::{Entry, ImportKind, Imported};

use crate::args::ReaderArg;
use crate::exit::usage;

/// Reads the answers of a judge; the only one, if none is named. Gives its name too.
pub(super) fn read(
    dir: &Path,
    judge: Option<&str>,
    split: Option<&str>,
    reader: ReaderArg,
) -> anyhow::Result<(String, Imported)> {
    let data = load(dir).map_err(|error| usage(error.to_string()))?;
    let judges = data.judges();
    let judge = match (judge, &judges[..]) {
        (Some(judge), _) => judge,
        (None, [only]) => only,
        (None, _) => {
            return Err(usage(format!(
                "{}: holds answers of {} judges ({}); choose one with --judge",
                dir.display(),
                judges.len(),
                judges.join(", ")
            )));
        }
    };
    let reader = match reader {
        ReaderArg::Default => AnswerReader::Default,
        ReaderArg::Published => AnswerReader::Published,
    };
    let results = data
        .results(judge, reader, split)
        .map_err(|error| usage(error.to_string()))?;
    if results.models.is_empty() {
        return Err(usage(format!(
            "{}: no answers of {judge} on prompts of {}",
            dir.display(),
            split.unwrap_or("any source")
        )));
    }
    let others: Vec<String> = judges
        .iter()
        .filter(|name| **name != judge)
        .map(|name| format!("{name}_"))
        .collect();
    let concerns = |w: &Warning| !others.iter().any(|other| w.place.starts_with(other));
    let warnings = data
        .warnings
        .iter()
        .filter(|w| concerns(w))
        .cloned()
        .collect();
    let imported = Imported {
        kind: ImportKind::Verdicts,
        suite: results.suite.clone(),
        source: dir.display().to_string(),
        tracks: results.all_tracks.clone(),
        entries: entries(&results),
        warnings,
    };
    Ok((judge.to_owned(), imported))
}

/// Outputs with an answer, in the order of an import.
fn entries(results: &Results) -> Vec<Entry> {
    let mut entries = vec![];
    for model in &results.models {
        for track in &model.tracks {
            for dimension in &track.dimensions {
                for instance in &dimension.instances {
                    let InstanceState::Generated(specs) = &instance.state else {
                        continue;
                    };
                    let items: Vec<Value> = specs.iter().filter_map(item).collect();
                    if items.is_empty() {
                        continue;
                    }
                    entries.push(Entry {
                        model: model.model.clone(),
                        track: track.track.clone(),
                        dimension: Some(dimension.name.clone()),
                        instance: Some(instance.id.clone()),
                        broken: None,
                        failed: None,
                        items: Some(Value::from(items).to_string()),
                        file: None,
                    });
                }
            }
        }
    }
    entries
}

/// A specification with its verdict, or why there is none; `None` without an answer.
fn item(result: &SpecResult) -> Option<Value> {
    let spec = &result.spec;
    let mut item = json!({
        "id": spec.id,
        "question": spec.question,
        "category": spec.category,
        "subcategory": spec.subcategory,
        "expected_answer": spec.expected.as_str(),
        "raw": result.provenance.raw_answer,
    });
    if !spec.rules.depends_on.is_empty() {
        item["depends_on"] = json!(spec.rules.depends_on);
    }
    match (result.reading.as_ref()?, result.verdict()) {
        (_, Some(verdict)) => item["answer"] = verdict.as_str().into(),
        (Reading::Unjudged(why), None) => {
            item["answer"] = Value::Null;
            item["unjudged"] = why.as_str().into();
        }
        (Reading::Answer(_), None) => return None,
    }
    Some(item)
}
