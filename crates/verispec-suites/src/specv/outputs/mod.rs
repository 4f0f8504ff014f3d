//! What models under test made, found by SpecV's layouts.
//!
//! ```text
//! model_outputs/<track>/<model>/<id>.{png,jpg,jpeg,webp,gif,bmp}   t2i, edit, many2one
//! model_outputs/<track>/<model>/<id>/response.json + its images    interleave, think_with_img
//! model_outputs/<track>/<model>/<id>.json                          understanding
//! ```
//!
//! Every instance of a track gets an entry: its parts, or why there is none. A broken output is
//! that output's failure and stops nothing. Files that belong to no instance are listed with the
//! nearest id, since a misnamed file would else cost the model a zero.

mod discover;
mod index;
mod locate;
mod names;
mod packed;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use verispec_model::{OutputFailure, Suite};

pub use super::published::OutputPart;
pub use discover::discover;
pub use locate::{LocateError, ModelFolders, locate, locate_model};
pub use packed::PackedOutput;
pub(crate) use packed::{hashed_images, images};

/// Why an instance has no usable output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputProblem {
    /// How it counts.
    pub failure: OutputFailure,
    /// File and what is wrong with it, in one line; empty for a missing file.
    pub message: String,
}

/// A file or folder among the outputs that belongs to no instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmatched {
    /// Where it is.
    pub path: PathBuf,
    /// What is wrong with it, in one line.
    pub why: String,
    /// Id that its name is nearest to, if any is near.
    pub nearest: Option<String>,
}

/// One model's outputs in one track.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrackOutputs {
    /// One entry per instance of the track, by id.
    pub instances: BTreeMap<String, Result<PackedOutput, OutputProblem>>,
    /// Files that belong to no instance, sorted by path.
    pub unmatched: Vec<Unmatched>,
}

impl TrackOutputs {
    /// Instances with a usable output.
    #[must_use]
    pub fn matched(&self) -> usize {
        self.instances.values().filter(|o| o.is_ok()).count()
    }

    /// Instances that failed in this way.
    #[must_use]
    pub fn failed(&self, failure: OutputFailure) -> usize {
        let is = |o: &&Result<_, OutputProblem>| matches!(o, Err(p) if p.failure == failure);
        self.instances.values().filter(is).count()
    }
}

/// One model's outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelOutputs {
    /// Model, the name of its folder.
    pub model: String,
    /// Tracks that it entered, by name: those it declares, else those with at least one output.
    pub tracks: BTreeMap<String, TrackOutputs>,
    /// Files in folders of tracks that it did not enter, by track: none is named like an id.
    pub strays: BTreeMap<String, Vec<Unmatched>>,
}

/// Indexes a model's folders for the tracks of a suite.
///
/// `declared` tracks are entered even when their folder is empty or absent; with none declared, a
/// track is entered when at least one output was found in it, usable or not, or a file that is
/// named like an id and may be meant for one. Other files alone do not enter a track.
#[must_use]
pub fn index_model(suite: &Suite, folders: &ModelFolders, declared: &[String]) -> ModelOutputs {
    let (mut tracks, mut strays) = (BTreeMap::new(), BTreeMap::new());
    let is_asked = |name: &String| declared.is_empty() || declared.contains(name);
    let asked = suite.tracks.iter().filter(|t| is_asked(&t.name));
    let asked: Vec<_> = asked
        .map(|track| (track, folders.tracks.get(&track.name).map(PathBuf::as_path)))
        .collect();
    for ((track, folder), found) in asked.iter().zip(index::index_tracks(&asked)) {
        let wanted = declared.contains(&track.name);
        let any = found.instances.values().any(|o| !is_absent(o))
            || found.unmatched.iter().any(|file| file.nearest.is_some());
        if wanted || (folder.is_some() && any) {
            tracks.insert(track.name.clone(), found);
        } else if !found.unmatched.is_empty() {
            strays.insert(track.name.clone(), found.unmatched);
        }
    }
    ModelOutputs {
        model: folders.model.clone(),
        tracks,
        strays,
    }
}

/// Whether there is nothing at all, not even a broken file.
pub(crate) fn is_absent<T>(output: &Result<T, OutputProblem>) -> bool {
    matches!(output, Err(p) if p.failure == OutputFailure::Missing && p.message.is_empty())
}

/// Reference images of a suite that are not on disk, in suite order: `(track, id, path)`.
#[must_use]
pub fn missing_references(suite: &Suite) -> Vec<(String, String, PathBuf)> {
    let absent = |path: &Path| !path.is_file();
    suite
        .instances()
        .flat_map(|i| i.references.iter().map(move |r| (i, r)))
        .filter(|(_, path)| absent(path))
        .map(|(i, path)| (i.track.clone(), i.id.clone(), path.clone()))
        .collect()
}
