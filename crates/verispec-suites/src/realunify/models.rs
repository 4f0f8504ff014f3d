//! Whose outputs lie where.
//!
//! ```text
//! <root>/<model>/UEG_step.json  or  <root>/<model>/UEG_step/<task>/<index>.png    several models
//! <root>/UEG_step.json          or  <root>/UEG_step/<task>/<index>.png            one model
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use verispec_model::OutputFailure;

use super::error::RealUnifyError;
use super::item::Item;
use super::layout::{Axis, Split};
use super::load::{self, Loaded};
use super::outputs::{IMAGES, ItemOutput, Output, OutputProblem as Problem, TEXTS, outputs};
use crate::specv::outputs::{
    ModelOutputs, OutputPart, OutputProblem, PackedOutput, TrackOutputs, Unmatched, is_absent,
};

/// A model's name and the folder with its outputs.
pub type ModelFolder = (String, PathBuf);

/// Finds the models below a folder, sorted by name. `model` names the one whose own folder it is;
/// without it the folder's name does.
///
/// # Errors
/// [`RealUnifyError::NoModels`] if neither the folder nor one in it holds a file or folder of a
/// split.
pub fn discover(root: &Path, model: Option<&str>) -> Result<Vec<ModelFolder>, RealUnifyError> {
    if holds_split(root) {
        let own = root.file_name().map(|n| n.to_string_lossy().into_owned());
        let name = model.map(str::to_owned).or(own);
        let name = name.unwrap_or_else(|| "model".to_owned());
        return Ok(vec![(name, root.to_owned())]);
    }
    let inner = [root.join("model_outputs"), root.to_owned()];
    for folder in inner.iter().filter(|f| f.is_dir()) {
        let found = models_in(folder);
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Err(RealUnifyError::NoModels(root.to_owned()))
}

fn models_in(folder: &Path) -> Vec<ModelFolder> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.map(|e| (e.file_name().to_string_lossy().into_owned(), e.path()));
    let mut found: Vec<ModelFolder> = named
        .filter(|(name, path)| !name.starts_with('.') && path.is_dir() && holds_split(path))
        .collect();
    found.sort();
    found
}

fn holds_split(folder: &Path) -> bool {
    Split::ALL
        .into_iter()
        .any(|split| load::file(folder, split).is_some() || folder.join(split.stem()).is_dir())
}

/// Indexes a model's folder. A split is entered when at least one output was found, usable or not,
/// or when `declared` names its track.
///
/// # Errors
/// A file with the model's fields cannot be read as records.
pub fn index_model(
    loaded: &Loaded,
    model: &str,
    folder: &Path,
    declared: &[String],
) -> Result<ModelOutputs, RealUnifyError> {
    let mut found = ModelOutputs {
        model: model.to_owned(),
        tracks: BTreeMap::new(),
        strays: BTreeMap::new(),
    };
    for (split, items) in &loaded.items {
        let track = split.track();
        let wanted = declared.contains(&track);
        if !declared.is_empty() && !wanted {
            continue;
        }
        let own = match of_split(items, *split, folder) {
            Err(RealUnifyError::NoOutputs { .. }) if wanted => absent(items),
            Err(RealUnifyError::NoOutputs { .. }) => continue,
            other => other?,
        };
        if wanted || own.instances.values().any(|o| !is_absent(o)) {
            found.tracks.insert(track, own);
        } else if !own.unmatched.is_empty() {
            found.strays.insert(track, own.unmatched);
        }
    }
    Ok(found)
}

fn of_split(items: &[Item], split: Split, folder: &Path) -> Result<TrackOutputs, RealUnifyError> {
    let made = outputs(items, split, folder)?;
    let from_file = load::file(folder, split);
    let strangers = match &from_file {
        Some(file) => made
            .warnings
            .iter()
            .filter(|w| w.kind == "unknown-item")
            .map(|w| unmatched(file, &w.message))
            .collect(),
        None => strangers(items, split, &folder.join(split.stem())),
    };
    let instances = made.items.into_iter();
    Ok(TrackOutputs {
        instances: instances.map(|(id, output)| (id, part(output))).collect(),
        unmatched: strangers,
    })
}

fn unmatched(path: &Path, why: &str) -> Unmatched {
    Unmatched {
        path: path.to_owned(),
        why: why.to_owned(),
        nearest: None,
    }
}

fn absent(items: &[Item]) -> TrackOutputs {
    let missing = || {
        Err(OutputProblem {
            failure: OutputFailure::Missing,
            message: String::new(),
        })
    };
    TrackOutputs {
        instances: items.iter().map(|i| (i.id.clone(), missing())).collect(),
        unmatched: vec![],
    }
}

/// What counts, as a part that a judge is shown or a reader reads.
fn part(output: ItemOutput) -> Result<PackedOutput, OutputProblem> {
    match output.last {
        Ok(Output::Image(path)) => Ok(vec![OutputPart::Image(path.into())].into()),
        Ok(Output::Text(text)) => Ok(vec![OutputPart::Text(text.into())].into()),
        Err(Problem { failure, message }) => Err(OutputProblem { failure, message }),
    }
}

/// Files below a split's folder that belong to no item: a misnamed one would else cost a zero.
fn strangers(items: &[Item], split: Split, folder: &Path) -> Vec<Unmatched> {
    let (last, middle): (&[&str], &[&str]) = match split.axis {
        Axis::Ueg => (&IMAGES, &TEXTS),
        Axis::Geu => (&TEXTS, &IMAGES),
    };
    let known: BTreeSet<PathBuf> = items
        .iter()
        .flat_map(|item| {
            let last = last.iter().map(move |ext| format!("{}.{ext}", item.id));
            let middle = middle
                .iter()
                .map(move |ext| format!("{}.step.{ext}", item.id));
            last.chain(middle).map(move |name| folder.join(name))
        })
        .collect();
    let mut files = vec![];
    files_below(folder, &mut files);
    files.sort();
    let strange = files.iter().filter(|path| !known.contains(*path));
    strange
        .map(|path| unmatched(path, "no item has this task and index"))
        .collect()
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        match entry.file_type() {
            _ if hidden => {}
            Ok(kind) if kind.is_dir() => files_below(&entry.path(), found),
            _ => found.push(entry.path()),
        }
    }
}
