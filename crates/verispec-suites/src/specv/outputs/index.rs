//! One model's outputs in one track: which file belongs to which instance, and what is in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization as _;
use verispec_media::{Limits, probe};
use verispec_model::{OutputFailure, Track};

use super::super::layout::IMAGE_EXTENSIONS;
use super::super::parallel;
use super::super::published::{PublishedError, PublishedTrack, read_output};
use super::names::{Ids, unmatched};
use super::{OutputPart, OutputProblem, TrackOutputs, is_absent};

/// Indexes a track's folder; without a folder, everything is missing.
pub(super) fn index_track(track: &Track, folder: Option<&Path>) -> TrackOutputs {
    let kind = PublishedTrack::from_name(&track.name);
    let ids = || {
        track
            .dimensions
            .iter()
            .flat_map(|d| &d.instances)
            .map(|i| i.id.as_str())
    };
    let mut entries = folder.map(list).unwrap_or_default();
    let mut outputs = TrackOutputs::default();
    let mut place = |id| kind.and_then(|kind| Some((kind, take(&mut entries, kind, id)?)));
    let places: Vec<_> = ids().map(&mut place).collect();
    let read = parallel::map(&places, |place| match place {
        None => Err(problem(OutputFailure::Missing, String::new())),
        Some((kind, path)) => read(*kind, path),
    });
    outputs.instances = ids().map(str::to_owned).zip(read).collect();
    let taken = outputs.instances.iter().filter(|(_, o)| !is_absent(o));
    let known = Ids {
        taken: taken.map(|(id, _)| id.nfc().collect()).collect(),
        all: ids().map(|id| id.nfc().collect()).collect(),
    };
    outputs.unmatched = entries
        .into_iter()
        .map(|(name, path)| unmatched(kind, &name, path, &known))
        .collect();
    outputs
}

/// Entries of a folder by name in composed form, so that names written on systems that decompose
/// them are found; hidden files are left out.
fn list(dir: &Path) -> BTreeMap<String, PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let named = entries.map(|e| {
        (
            e.file_name().to_string_lossy().nfc().collect::<String>(),
            e.path(),
        )
    });
    named.filter(|(name, _)| !name.starts_with('.')).collect()
}

/// Takes the file of an instance out of the entries. Of several images the first extension in
/// the released order wins; the others stay behind and are reported.
fn take(
    entries: &mut BTreeMap<String, PathBuf>,
    track: PublishedTrack,
    id: &str,
) -> Option<PathBuf> {
    let id: String = id.nfc().collect();
    match track {
        PublishedTrack::Interleave | PublishedTrack::ThinkWithImg => {
            Some(entries.remove(&id)?.join("response.json"))
        }
        PublishedTrack::Understanding => entries.remove(&format!("{id}.json")),
        _ => IMAGE_EXTENSIONS
            .iter()
            .find_map(|ext| entries.remove(&format!("{id}.{ext}"))),
    }
}

fn read(track: PublishedTrack, path: &Path) -> Result<Vec<OutputPart>, OutputProblem> {
    if !path.is_file() {
        return Err(problem(
            OutputFailure::Missing,
            format!("{}: no such file", path.display()),
        ));
    }
    let mut parts = read_output(track, path).map_err(|e| match e {
        PublishedError::Output { failure, message } => problem(failure, message),
        PublishedError::Data(_) => problem(OutputFailure::Unreadable, e.to_string()),
    })?;
    for part in &parts {
        if let OutputPart::Image(image) = part {
            check_image(image)?;
        }
    }
    parts.shrink_to_fit();
    Ok(parts)
}

/// Refuses an image file that is absent or not usable.
fn check_image(path: &Path) -> Result<(), OutputProblem> {
    if !path.is_file() {
        return Err(problem(
            OutputFailure::Missing,
            format!("{}: no such file", path.display()),
        ));
    }
    let info = probe(path, &Limits::default());
    info.map(drop)
        .map_err(|e| problem(OutputFailure::Unreadable, e.to_string()))
}

const fn problem(failure: OutputFailure, message: String) -> OutputProblem {
    OutputProblem { failure, message }
}
