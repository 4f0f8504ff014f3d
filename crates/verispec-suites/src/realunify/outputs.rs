//! What a model made, from the model's own copy of the files or from folders.
//!
//! ```text
//! <dir>/UEG_step.json                        records with `generated_image`, `response`, ...
//! <dir>/UEG_step/<task>/<index>.png          the same as files; .txt or .json for a response
//! <dir>/UEG_step/<task>/<index>.step.txt     what the first stage made (.step.png in GEU)
//! ```
//!
//! A broken output is that output's failure and stops nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use verispec_media::{Limits, probe, safe_join};
use verispec_model::{OutputFailure, Warning};

use super::error::RealUnifyError;
use super::item::Item;
use super::layout::{Axis, Split, Way};
use super::load;

/// Extensions of images.
pub(super) const IMAGES: [&str; 6] = ["png", "jpg", "jpeg", "webp", "gif", "bmp"];

/// Extensions of texts.
pub(super) const TEXTS: [&str; 2] = ["txt", "json"];

/// Largest response that is read, in bytes.
const MAX_TEXT: u64 = 4 << 20;

/// Something that a model made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// An image that was looked at and can be decoded.
    Image(PathBuf),
    /// A text that is not empty.
    Text(String),
}

/// Why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputProblem {
    /// How it counts.
    pub failure: OutputFailure,
    /// What is wrong, in one line; empty where nothing is there at all.
    pub message: String,
}

/// What a model made for one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemOutput {
    /// What counts: the image of UEG, the response of GEU.
    pub last: Result<Output, OutputProblem>,
    /// What the first stage of a stepwise run made, where that is known: the response of UEG, the
    /// edited image of GEU.
    pub middle: Option<Result<Output, OutputProblem>>,
}

/// What a model made for one file of items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SplitOutputs {
    /// One entry per item, by id.
    pub items: BTreeMap<String, ItemOutput>,
    /// Remarks.
    pub warnings: Vec<Warning>,
}

/// Reads what a model made for a split.
///
/// `dir` holds the file of the split with the model's fields filled in, or its folder; it may also
/// be the file itself. Records are found by task and index.
///
/// # Errors
/// Neither file nor folder is there, or the file cannot be read as records.
pub fn outputs(items: &[Item], split: Split, dir: &Path) -> Result<SplitOutputs, RealUnifyError> {
    let file = if dir.is_file() {
        Some(dir.to_owned())
    } else {
        load::file(dir, split)
    };
    if let Some(file) = file {
        return of_file(items, split, &file);
    }
    let folder = dir.join(split.stem());
    if !folder.is_dir() {
        return Err(RealUnifyError::NoOutputs {
            path: dir.to_owned(),
            split,
        });
    }
    let found = items.iter().map(|item| {
        let output = of_folder(item, &folder);
        (item.id.clone(), output)
    });
    Ok(SplitOutputs {
        items: found.collect(),
        warnings: vec![],
    })
}

fn of_file(items: &[Item], split: Split, file: &Path) -> Result<SplitOutputs, RealUnifyError> {
    let root = file.parent().unwrap_or(Path::new("."));
    let (mut warnings, mut problems) = (vec![], vec![]);
    let made = load::read(file, split, root, &mut warnings, &mut problems);
    if !problems.is_empty() {
        return Err(RealUnifyError::Broken(problems));
    }
    let mut by_id: BTreeMap<&str, &Item> = made.iter().map(|m| (m.id.as_str(), m)).collect();
    let mut found = SplitOutputs {
        items: BTreeMap::new(),
        warnings,
    };
    for item in items {
        let output = match by_id.remove(item.id.as_str()) {
            Some(made) if made.asks_as(item) => of_record(&made.record, split, root),
            Some(made) => {
                let message = "its record asks something else than the suite: not used";
                found.warn("other-item", file, made, message);
                nothing(OutputFailure::Missing, message)
            }
            None => nothing(OutputFailure::Missing, ""),
        };
        found.items.insert(item.id.clone(), output);
    }
    for stranger in by_id.into_values() {
        found.warn("unknown-item", file, stranger, "the suite has no such item");
    }
    Ok(found)
}

impl SplitOutputs {
    fn warn(&mut self, kind: &str, file: &Path, item: &Item, message: &str) {
        self.warnings.push(Warning {
            kind: kind.to_owned(),
            place: format!("{}:{}", file.display(), item.line),
            message: format!("{}: {message}", item.id),
        });
    }
}

fn nothing(failure: OutputFailure, message: &str) -> ItemOutput {
    ItemOutput {
        last: Err(problem(failure, message)),
        middle: None,
    }
}

fn problem(failure: OutputFailure, message: impl Into<String>) -> OutputProblem {
    OutputProblem {
        failure,
        message: message.into(),
    }
}

/// What the fields of a record say. Paths are relative to `root` and stay below it.
fn of_record(record: &Map<String, Value>, split: Split, root: &Path) -> ItemOutput {
    let image = |field: &str| image_field(record.get(field), root);
    let response = || response_field(record.get("response"));
    let stepwise = split.way == Way::Step;
    let (last, middle) = match split.axis {
        Axis::Ueg => (image("generated_image"), stepwise.then(response)),
        Axis::Geu => (response(), stepwise.then(|| image("edit_image"))),
    };
    ItemOutput { last, middle }
}

fn image_field(value: Option<&Value>, root: &Path) -> Result<Output, OutputProblem> {
    let text = match value {
        None | Some(Value::Null) => return Err(problem(OutputFailure::Missing, "")),
        Some(Value::String(text)) if text.trim().is_empty() => {
            return Err(problem(OutputFailure::Missing, ""));
        }
        Some(Value::String(text)) => text,
        Some(_) => return Err(problem(OutputFailure::Unreadable, "the path is no text")),
    };
    let below = Path::new(text).strip_prefix(root).ok();
    let relative = below.and_then(Path::to_str).unwrap_or(text);
    let path =
        safe_join(root, relative).map_err(|e| problem(OutputFailure::Unreadable, e.to_string()))?;
    image(&path)
}

fn image(path: &Path) -> Result<Output, OutputProblem> {
    if !path.exists() {
        let message = format!("{}: not there", path.display());
        return Err(problem(OutputFailure::Missing, message));
    }
    match probe(path, &Limits::default()) {
        Ok(_) => Ok(Output::Image(path.to_owned())),
        Err(error) => Err(problem(OutputFailure::Unreadable, error.to_string())),
    }
}

/// A text, or the first element of a list of texts.
fn response_field(value: Option<&Value>) -> Result<Output, OutputProblem> {
    let value = match value {
        Some(Value::Array(list)) => list.first(),
        other => other,
    };
    match value {
        None | Some(Value::Null) => Err(problem(OutputFailure::Missing, "")),
        Some(Value::String(text)) if text.trim().is_empty() => {
            Err(problem(OutputFailure::Empty, "an empty response"))
        }
        Some(Value::String(text)) => Ok(Output::Text(text.clone())),
        Some(_) => Err(problem(
            OutputFailure::Unreadable,
            "the response is no text",
        )),
    }
}

fn of_folder(item: &Item, folder: &Path) -> ItemOutput {
    let (last, middle) = match item.split.axis {
        Axis::Ueg => (image_of(item, folder, ""), text_of(item, folder, ".step")),
        Axis::Geu => (text_of(item, folder, ""), image_of(item, folder, ".step")),
    };
    ItemOutput {
        last,
        middle: (item.split.way == Way::Step).then_some(middle),
    }
}

/// Files `<task>/<index><mark>.<extension>` that exist.
fn first_of(item: &Item, folder: &Path, mark: &str, extensions: &[&str]) -> Option<PathBuf> {
    let paths = extensions.iter().filter_map(|ext| {
        let below = format!("{}{mark}.{ext}", item.id);
        safe_join(folder, &below).ok()
    });
    paths.into_iter().find(|path| path.exists())
}

fn image_of(item: &Item, folder: &Path, mark: &str) -> Result<Output, OutputProblem> {
    match first_of(item, folder, mark, &IMAGES) {
        Some(path) => image(&path),
        None => Err(problem(OutputFailure::Missing, "")),
    }
}

fn text_of(item: &Item, folder: &Path, mark: &str) -> Result<Output, OutputProblem> {
    let Some(path) = first_of(item, folder, mark, &TEXTS) else {
        return Err(problem(OutputFailure::Missing, ""));
    };
    let fail = |why: String| {
        problem(
            OutputFailure::Unreadable,
            format!("{}: {why}", path.display()),
        )
    };
    let size = fs::metadata(&path).map_err(|e| fail(e.to_string()))?.len();
    if size > MAX_TEXT {
        return Err(fail(format!("{size} bytes; at most {MAX_TEXT} are read")));
    }
    let text = crate::records::text(&path).map_err(fail)?;
    if path.extension().is_some_and(|ext| ext == "json") {
        let value: Value = serde_json::from_str(&text).map_err(|e| fail(e.to_string()))?;
        return response_field(value.get("response"));
    }
    response_field(Some(&Value::String(text)))
}
