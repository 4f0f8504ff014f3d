//! One model's outputs in one track: which file belongs to which instance, and what is in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization as _;
use verispec_media::{Limits, probe};
use verispec_model::{OutputFailure, Track, parallel};

use super::super::layout::IMAGE_EXTENSIONS;
use super::super::published::{PublishedError, PublishedTrack, read_output};
use super::names::{Ids, unmatched};
use super::{OutputPart, OutputProblem, PackedOutput, TrackOutputs, is_absent};

/// A track's folder as it is listed, before any file is looked into.
struct Listed<'a> {
    track: &'a Track,
    kind: Option<PublishedTrack>,
    /// Where they all lie.
    folder: Arc<Path>,
    /// Files of the instances, in suite order.
    places: Vec<Option<PathBuf>>,
    /// What belongs to no instance, by name.
    rest: BTreeMap<String, PathBuf>,
}

fn ids(track: &Track) -> impl Iterator<Item = &str> {
    let instances = track.dimensions.iter().flat_map(|d| &d.instances);
    instances.map(|i| i.id.as_str())
}

impl<'a> Listed<'a> {
    fn new(track: &'a Track, folder: Option<&Path>) -> Self {
        let kind = PublishedTrack::from_name(&track.name);
        let mut rest = folder.map(list).unwrap_or_default();
        let mut place = |id| take(&mut rest, kind?, id);
        Self {
            places: ids(track).map(&mut place).collect(),
            folder: folder.unwrap_or(Path::new("")).into(),
            track,
            kind,
            rest,
        }
    }

    /// With what was read of each place.
    fn outputs(
        self,
        read: impl Iterator<Item = Result<PackedOutput, OutputProblem>>,
    ) -> TrackOutputs {
        let instances: BTreeMap<String, Result<PackedOutput, OutputProblem>> =
            ids(self.track).map(str::to_owned).zip(read).collect();
        let taken = instances.iter().filter(|(_, o)| !is_absent(o));
        let known = Ids {
            taken: taken.map(|(id, _)| id.nfc().collect()).collect(),
            all: ids(self.track).map(|id| id.nfc().collect()).collect(),
        };
        let rest = self.rest.into_iter();
        let unmatched = rest.map(|(name, path)| unmatched(self.kind, &name, path, &known));
        TrackOutputs {
            unmatched: unmatched.collect(),
            instances,
        }
    }
}

/// Indexes the folders of some tracks together, on all cores; without a folder, everything of a
/// track is missing.
pub(super) fn index_tracks(tracks: &[(&Track, Option<&Path>)]) -> Vec<TrackOutputs> {
    let listed = tracks
        .iter()
        .map(|(track, folder)| Listed::new(track, *folder));
    let listed: Vec<Listed<'_>> = listed.collect();
    let places = listed
        .iter()
        .flat_map(|l| l.places.iter().map(move |p| (l, p)));
    let places: Vec<_> = places.collect();
    let read = parallel::map(&places, |(listed, path)| match (listed.kind, path) {
        (Some(kind), Some(path)) => Ok(PackedOutput::below(&listed.folder, read(kind, path)?)),
        _ => Err(problem(OutputFailure::Missing, String::new())),
    });
    let mut read = read.into_iter();
    let outputs = |l: Listed<'_>| {
        let own = l.places.len();
        l.outputs(read.by_ref().take(own))
    };
    listed.into_iter().map(outputs).collect()
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

type Output = Result<Vec<OutputPart>, OutputProblem>;

fn read(track: PublishedTrack, path: &Path) -> Output {
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
