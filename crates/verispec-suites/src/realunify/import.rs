//! Scored files as results: they enter where every other tool's verdicts do.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use verispec_model::{Unjudged, Warning};

use super::error::RealUnifyError;
use super::layout::{Axis, Split, Way};
use super::load::Loaded;
use super::scored::read_scored;
use super::state::Outcome;
use super::suite::STRICT;
use crate::records::{Problem, records, text};
use crate::specv::import::{Entry, Failed, ImportKind, Imported};

/// A scored file: whose, of which split, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredFile {
    /// Model: the name of the file.
    pub model: String,
    /// Split.
    pub split: Split,
    /// The file.
    pub path: PathBuf,
}

/// Scored files at a path: the file itself, or every `.json` and `.jsonl` in a folder, sorted by
/// model and split. A folder that is named like a split says which it is, else the records do.
///
/// # Errors
/// [`RealUnifyError::UnknownSplit`] if nothing does, [`RealUnifyError::NoModels`] if there is no
/// file at all, or a file cannot be read.
pub fn scored_files(path: &Path, split: Option<Split>) -> Result<Vec<ScoredFile>, RealUnifyError> {
    let mut paths = vec![];
    if path.is_dir() {
        paths.extend(json_in(path));
        for split in Split::ALL {
            paths.extend(json_in(&path.join(split.stem())));
        }
    } else {
        paths.push(path.to_owned());
    }
    let mut found = vec![];
    for path in paths {
        let folder = path.parent().and_then(Path::file_name);
        let named = folder.and_then(|name| name.to_string_lossy().parse().ok());
        let split = match split.or(named) {
            Some(split) => split,
            None => split_of(&path)?,
        };
        let model = path.file_stem().unwrap_or_default();
        found.push(ScoredFile {
            model: model.to_string_lossy().into_owned(),
            split,
            path,
        });
    }
    if found.is_empty() {
        return Err(RealUnifyError::NoModels(path.to_owned()));
    }
    found.sort_by(|a, b| (&a.model, a.split).cmp(&(&b.model, b.split)));
    Ok(found)
}

fn json_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_json = |path: &PathBuf| {
        let extension = path.extension().and_then(|e| e.to_str());
        path.is_file() && extension.is_some_and(|e| e == "json" || e == "jsonl")
    };
    entries.map(|e| e.path()).filter(is_json).collect()
}

/// The split that a file's records are of, by the fields that they have.
///
/// # Errors
/// [`RealUnifyError::Broken`] if the file cannot be read, [`RealUnifyError::UnknownSplit`] if it can
/// and no record tells.
pub fn split_of(path: &Path) -> Result<Split, RealUnifyError> {
    let file = path.display().to_string();
    let text = text(path).map_err(|message| {
        RealUnifyError::Broken(vec![Problem {
            file: file.clone(),
            line: None,
            item: None,
            field: String::new(),
            message,
        }])
    })?;
    let mut problems = vec![];
    let records = records(&file, &text, true, &mut problems);
    let fields = [
        ("new_prompt", Axis::Ueg, Way::Step),
        ("edit_prompt", Axis::Geu, Way::Step),
        ("evaluation_prompt", Axis::Geu, Way::Direct),
        ("prompt", Axis::Ueg, Way::Direct),
    ];
    let mut maps = records.iter().filter_map(|r| r.fields.as_ref());
    let told = maps.find_map(|map| {
        let named = fields.iter().find(|(name, ..)| map.contains_key(*name));
        named.map(|(_, axis, way)| Split::new(*axis, *way))
    });
    told.ok_or_else(|| match problems.is_empty() {
        true => RealUnifyError::UnknownSplit(path.to_owned()),
        false => RealUnifyError::Broken(problems),
    })
}

/// Reads scored files as an import, one specification an item.
///
/// # Errors
/// As [`read_scored`].
pub fn import_scored(
    loaded: &Loaded,
    source: &Path,
    files: &[ScoredFile],
) -> Result<Imported, RealUnifyError> {
    let mut imported = Imported {
        kind: ImportKind::Verdicts,
        suite: loaded.suite.name.clone(),
        source: source.display().to_string(),
        tracks: loaded.suite.tracks.iter().map(|t| t.name.clone()).collect(),
        entries: vec![],
        warnings: vec![],
    };
    for file in files {
        let items = loaded.items(file.split);
        let scored = read_scored(items, &file.path)?;
        imported.warnings.extend(scored.warnings);
        if scored.nulls > 0 {
            imported.warnings.push(Warning {
                kind: "null".to_owned(),
                place: file.path.display().to_string(),
                message: format!("{} entries are null: unjudged, not wrong", scored.nulls),
            });
        }
        let results = scored.results.iter();
        imported.entries.extend(results.map(|r| Entry {
            model: file.model.clone(),
            track: file.split.track(),
            dimension: Some(r.task.clone()),
            instance: Some(r.id.clone()),
            broken: None,
            failed: failed(r.outcome),
            items: item(r.outcome).map(|item| json!([item]).to_string()),
            file: None,
        }));
    }
    imported.entries.sort_by(|a, b| {
        let key = |e: &Entry| (e.model.clone(), e.track.clone(), e.dimension.clone());
        key(a).cmp(&key(b)).then(a.instance.cmp(&b.instance))
    });
    Ok(imported)
}

const fn failed(outcome: Outcome) -> Option<Failed> {
    match outcome {
        Outcome::Failed(why) => Some(Failed::Output(why)),
        _ => None,
    }
}

/// A verdict on all questions together, or why there is none; `None` while it is pending.
fn item(outcome: Outcome) -> Option<Value> {
    let (answer, unjudged) = match outcome {
        Outcome::Correct => (Some("Yes"), None),
        Outcome::Wrong => (Some("No"), None),
        Outcome::Unjudged(why) => (None, Some(why)),
        Outcome::Unjudgeable => (None, Some(Unjudged::Unparsed)),
        Outcome::Failed(_) | Outcome::Pending => return None,
    };
    let mut item = json!({"id": 1, "category": STRICT, "expected_answer": "Yes", "answer": answer});
    if let Some(why) = unjudged {
        item["unjudged"] = why.as_str().into();
    }
    Some(item)
}
