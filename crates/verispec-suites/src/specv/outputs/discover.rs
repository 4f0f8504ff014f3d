//! Which of the layouts a folder of outputs has.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use unicode_normalization::UnicodeNormalization as _;
use verispec_model::{Suite, Track};

use super::super::layout::IMAGE_EXTENSIONS;
use super::super::published::PublishedTrack;
use super::locate::{LocateError, ModelFolders, locate, locate_model};

/// Finds outputs in any of the layouts, from the widest to the narrowest:
///
/// ```text
/// <root>/model_outputs/<track>/<model>/<id>…   a checkout: all its models
/// <root>/<track>/<model>/<id>…                 the same without the outer folder
/// <root>/<track>/<id>…                         one model's own folder
/// <root>/<id>…                                 one model, one track, told by the ids
/// ```
///
/// `model` names the model in the last two; without it the folder's own name does. `declared`
/// tracks are the only ones considered in the last.
///
/// # Errors
/// The folder cannot be listed, holds none of the layouts, or its ids fit several tracks.
pub fn discover(
    suite: &Suite,
    root: &Path,
    model: Option<&str>,
    declared: &[String],
) -> Result<Vec<ModelFolders>, LocateError> {
    if root.join("model_outputs").is_dir() {
        return locate(root);
    }
    let own_name = root
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let name = model
        .map(str::to_owned)
        .or(own_name)
        .unwrap_or_else(|| "model".to_owned());
    match locate_model(&name, root) {
        Ok(own) => {
            let is_own = own.tracks.iter().any(|(track, folder)| {
                suite
                    .track(track)
                    .is_some_and(|track| matches(track, folder) > 0)
            });
            if is_own { Ok(vec![own]) } else { locate(root) }
        }
        Err(none @ LocateError::NoOutputs { .. }) => {
            let track = track_of(suite, root, declared)?.ok_or(none)?;
            Ok(vec![ModelFolders {
                model: name,
                tracks: BTreeMap::from([(track, root.to_owned())]),
            }])
        }
        Err(other) => Err(other),
    }
}

/// The track whose ids a folder's entries carry.
fn track_of(
    suite: &Suite,
    folder: &Path,
    declared: &[String],
) -> Result<Option<String>, LocateError> {
    let considered = suite
        .tracks
        .iter()
        .filter(|track| declared.is_empty() || declared.contains(&track.name));
    let counted: Vec<(usize, &str)> = considered
        .map(|track| (matches(track, folder), track.name.as_str()))
        .collect();
    let most = counted.iter().map(|(n, _)| *n).max().unwrap_or(0);
    let best: Vec<String> = counted
        .iter()
        .filter(|(n, _)| *n == most)
        .map(|(_, name)| (*name).to_owned())
        .collect();
    match best.as_slice() {
        _ if most == 0 => Ok(None),
        [one] => Ok(Some(one.clone())),
        _ => Err(LocateError::SeveralTracks {
            path: folder.to_owned(),
            tracks: best,
        }),
    }
}

/// How many entries of a folder are laid out as outputs of a track's instances.
fn matches(track: &Track, folder: &Path) -> usize {
    let instances = track.dimensions.iter().flat_map(|d| &d.instances);
    let ids: BTreeSet<String> = instances.map(|i| i.id.nfc().collect()).collect();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter(|entry| {
        let name: String = entry.file_name().to_string_lossy().nfc().collect();
        is_output(track, &name, entry.path().is_dir(), &ids)
    });
    named.count()
}

fn is_output(track: &Track, name: &str, is_folder: bool, ids: &BTreeSet<String>) -> bool {
    let stem = |extensions: &[&str]| {
        let (stem, extension) = name.rsplit_once('.')?;
        extensions
            .contains(&extension.to_lowercase().as_str())
            .then_some(stem)
    };
    match PublishedTrack::from_name(&track.name) {
        Some(PublishedTrack::Interleave | PublishedTrack::ThinkWithImg) => {
            is_folder && ids.contains(name)
        }
        Some(PublishedTrack::Understanding) => {
            !is_folder && stem(&["json"]).is_some_and(|stem| ids.contains(stem))
        }
        Some(_) => !is_folder && stem(&IMAGE_EXTENSIONS).is_some_and(|stem| ids.contains(stem)),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use verispec_model::{Dimension, Instance};

    use super::*;

    fn suite() -> Suite {
        let track = |name: &str, ids: &[&str]| Track {
            name: name.to_owned(),
            dimensions: vec![Dimension {
                name: "d".to_owned(),
                instances: ids
                    .iter()
                    .map(|id| {
                        Arc::new(Instance {
                            track: name.to_owned(),
                            dimension: "d".to_owned(),
                            id: (*id).to_owned(),
                            prompt: String::new(),
                            references: vec![],
                            specifications: vec![],
                            source_text: "[]".into(),
                        })
                    })
                    .collect(),
            }],
        };
        let tracks = vec![
            track("understanding", &["q_1"]),
            track("t2i", &["a_1", "b_1"]),
            track("many2one", &["comp_1", "x_1"]),
            track("edit", &["x_1"]),
            track("interleave", &["comp_1"]),
        ];
        Suite {
            name: "specv".to_owned(),
            root: PathBuf::new(),
            revision: String::new(),
            tracks,
        }
    }

    fn found(files: &[&str], declared: &[&str]) -> Result<Vec<(String, Vec<String>)>, String> {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("my_model");
        for file in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        let declared: Vec<String> = declared.iter().map(|t| (*t).to_owned()).collect();
        let models = discover(&suite(), &root, None, &declared).map_err(|e| e.to_string())?;
        let tracks = |m: &ModelFolders| m.tracks.keys().cloned().collect();
        Ok(models
            .iter()
            .map(|m| (m.model.clone(), tracks(m)))
            .collect())
    }

    fn one(model: &str, tracks: &[&str]) -> Vec<(String, Vec<String>)> {
        vec![(
            model.to_owned(),
            tracks.iter().map(|t| (*t).to_owned()).collect(),
        )]
    }

    #[test]
    fn every_layout_is_told_from_the_others() {
        let checkout = found(&["model_outputs/t2i/m/a_1.png"], &[]);
        assert_eq!(checkout, Ok(one("m", &["t2i"])));
        assert_eq!(
            found(&["t2i/m/a_1.png", "edit/m/x_1.png"], &[]),
            Ok(one("m", &["edit", "t2i"]))
        );
        let own = found(&["t2i/a_1.png", "interleave/comp_1/response.json"], &[]);
        assert_eq!(own, Ok(one("my_model", &["interleave", "t2i"])));
        assert_eq!(
            found(&["interleave/comp_1/response.json"], &[]),
            Ok(one("my_model", &["interleave"]))
        );
        assert_eq!(
            found(&["a_1.png", "notes.txt"], &[]),
            Ok(one("my_model", &["t2i"]))
        );
        assert_eq!(
            found(&["comp_1.png"], &[]),
            Ok(one("my_model", &["many2one"]))
        );
        assert_eq!(
            found(&["comp_1/response.json"], &[]),
            Ok(one("my_model", &["interleave"]))
        );
        assert_eq!(
            found(&["q_1.json"], &[]),
            Ok(one("my_model", &["understanding"]))
        );
    }

    #[test]
    fn a_folder_that_fits_several_tracks_needs_a_word() {
        let error = found(&["x_1.png"], &[]).unwrap_err();
        assert!(error.contains("many2one, edit"), "{error}");
        assert_eq!(
            found(&["x_1.png"], &["edit"]),
            Ok(one("my_model", &["edit"]))
        );
        assert!(
            found(&["z.png"], &[])
                .unwrap_err()
                .contains("no outputs below")
        );
    }
}
