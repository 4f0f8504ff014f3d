//! What models made for a suite of one's own.
//!
//! ```text
//! <root>/<model>/<track>/<id>.<ext>   several models
//! <root>/<track>/<id>.<ext>           one model
//! <root>/<id>.<ext>                   one model; the track's folder may be left out everywhere
//! ```
//!
//! An image is told by its extension; every other file is a text. `<id>/` with files in it is an
//! output of several parts, in the order of their names. A broken output is that output's failure
//! and stops nothing; files that belong to no instance are listed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization as _;
use verispec_media::{Limits, probe};
use verispec_model::{OutputFailure, Suite, Track};

use super::error::CustomError;
use crate::specv::outputs::{
    ModelOutputs, OutputPart, OutputProblem, PackedOutput, TrackOutputs, Unmatched, is_absent,
};

/// Extensions of images, in the order in which they are taken where an id has several files.
const IMAGES: [&str; 6] = ["png", "jpg", "jpeg", "webp", "gif", "bmp"];

/// Largest text that is read, in bytes.
const MAX_TEXT: u64 = 4 << 20;

/// Finds the models below a folder: name and folder, sorted by name. `model` names the one whose
/// own folder it is; without it the folder's name does.
///
/// # Errors
/// [`CustomError::NoOutputs`] if no file in any of the layouts is named like an id.
pub fn discover(
    suite: &Suite,
    root: &Path,
    model: Option<&str>,
) -> Result<BTreeMap<String, PathBuf>, CustomError> {
    if holds_outputs(suite, root) {
        let own = root.file_name().map(|n| n.to_string_lossy().into_owned());
        let name = model.map(str::to_owned).or(own);
        let name = name.unwrap_or_else(|| "model".to_owned());
        return Ok(BTreeMap::from([(name, root.to_owned())]));
    }
    let inner = entries(root).into_iter();
    let models: BTreeMap<String, PathBuf> = inner
        .filter(|(_, path)| path.is_dir() && holds_outputs(suite, path))
        .collect();
    if models.is_empty() {
        return Err(CustomError::NoOutputs(root.to_owned()));
    }
    Ok(models)
}

/// Whether a folder, or a track's folder in it, has an entry that is named like an id.
fn holds_outputs(suite: &Suite, folder: &Path) -> bool {
    suite.tracks.iter().any(|track| {
        let own = [folder.join(&track.name), folder.to_owned()];
        own.iter().any(|dir| {
            let names = entries(dir);
            ids(track).any(|id| names.keys().any(|name| belongs(name, id)))
        })
    })
}

/// Indexes a model's folder. `declared` tracks are entered even without any output; with none
/// declared, a track is entered when at least one output was found in it, usable or not.
#[must_use]
pub fn index_model(suite: &Suite, model: &str, folder: &Path, declared: &[String]) -> ModelOutputs {
    let mut found = ModelOutputs {
        model: model.to_owned(),
        tracks: BTreeMap::new(),
        strays: BTreeMap::new(),
    };
    let mut flat = entries(folder);
    flat.retain(|name, path| !(path.is_dir() && suite.track(name).is_some()));
    for track in &suite.tracks {
        let wanted = declared.contains(&track.name);
        if !declared.is_empty() && !wanted {
            continue;
        }
        let own = folder.join(&track.name);
        let mut outputs = if own.is_dir() {
            let mut inside = entries(&own);
            let mut outputs = take_all(track, &mut inside);
            outputs.unmatched = inside.into_values().map(unmatched).collect();
            outputs
        } else {
            take_all(track, &mut flat)
        };
        outputs.unmatched.sort_by(|a, b| a.path.cmp(&b.path));
        let any = outputs.instances.values().any(|o| !is_absent(o));
        if wanted || any {
            found.tracks.insert(track.name.clone(), outputs);
        } else if !outputs.unmatched.is_empty() {
            found.strays.insert(track.name.clone(), outputs.unmatched);
        }
    }
    if let Some(first) = found.tracks.values_mut().next() {
        first.unmatched.extend(flat.into_values().map(unmatched));
    }
    found
}

fn unmatched(path: PathBuf) -> Unmatched {
    Unmatched {
        why: "no instance has this id, or another file was taken for it".to_owned(),
        nearest: None,
        path,
    }
}

fn ids(track: &Track) -> impl Iterator<Item = &str> {
    let instances = track.dimensions.iter().flat_map(|d| &d.instances);
    instances.map(|i| i.id.as_str())
}

/// Entries of a folder by name in composed form; hidden ones are left out.
fn entries(dir: &Path) -> BTreeMap<String, PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let named = entries.map(|e| {
        let name = e.file_name().to_string_lossy().nfc().collect::<String>();
        (name, e.path())
    });
    named.filter(|(name, _)| !name.starts_with('.')).collect()
}

/// Whether an entry is `<id>` or `<id>.<extension>`.
fn belongs(name: &str, id: &str) -> bool {
    let id: String = id.nfc().collect();
    let rest = name.strip_prefix(id.as_str());
    rest.is_some_and(|rest| {
        let extension = rest.strip_prefix('.');
        rest.is_empty() || extension.is_some_and(|e| !e.is_empty() && !e.contains('.'))
    })
}

fn take_all(track: &Track, entries: &mut BTreeMap<String, PathBuf>) -> TrackOutputs {
    let mut outputs = TrackOutputs::default();
    for id in ids(track) {
        let mut own: Vec<String> = entries.keys().filter(|n| belongs(n, id)).cloned().collect();
        own.sort_by_key(|name| rank(name));
        let path = own.first().and_then(|name| entries.remove(name));
        let output = match path {
            None => Err(problem(OutputFailure::Missing, String::new())),
            Some(path) => read(&path),
        };
        outputs.instances.insert(id.to_owned(), output);
    }
    outputs
}

/// Images before texts, in a fixed order.
fn rank(name: &str) -> (usize, String) {
    let extension = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let place = IMAGES.iter().position(|e| *e == extension);
    (place.unwrap_or(IMAGES.len()), name.to_owned())
}

fn read(path: &Path) -> Result<PackedOutput, OutputProblem> {
    if !path.is_dir() {
        return Ok(vec![part(path)?].into());
    }
    let files = entries(path);
    if files.is_empty() {
        let message = format!("{}: an empty folder", path.display());
        return Err(problem(OutputFailure::Empty, message));
    }
    let parts = files.values().map(|file| part(file));
    Ok(parts.collect::<Result<Vec<OutputPart>, _>>()?.into())
}

fn part(path: &Path) -> Result<OutputPart, OutputProblem> {
    let unreadable = |why: String| {
        problem(
            OutputFailure::Unreadable,
            format!("{}: {why}", path.display()),
        )
    };
    let extension = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    if IMAGES.contains(&extension.as_str()) {
        return match probe(path, &Limits::default()) {
            Ok(_) => Ok(OutputPart::Image(path.into())),
            Err(error) => Err(problem(OutputFailure::Unreadable, error.to_string())),
        };
    }
    let size = fs::metadata(path)
        .map_err(|e| unreadable(e.to_string()))?
        .len();
    if size > MAX_TEXT {
        return Err(unreadable(format!(
            "{size} bytes; at most {MAX_TEXT} are read"
        )));
    }
    let text = crate::records::text(path).map_err(unreadable)?;
    if text.trim().is_empty() {
        return Err(problem(
            OutputFailure::Empty,
            format!("{}: empty", path.display()),
        ));
    }
    Ok(OutputPart::Text(text.into()))
}

const fn problem(failure: OutputFailure, message: String) -> OutputProblem {
    OutputProblem { failure, message }
}
