//! SpecV's result trees: `eval/<track>/results/<model>/<dimension>/<id>.json`.

use std::path::{Path, PathBuf};

use verispec_model::{Warning, parallel};

use super::items::{self, Checked};
use super::{Entry, ImportError, ImportKind, Imported};
use crate::specv::layout::{TRACKS, file_order, sort_by_order};
use crate::specv::load::{Folder, read_text};

/// Imports all models, dimensions and files of a checkout, of its `eval` folder, or of one
/// `eval/<track>/results` folder. `track` names the track where the path does not.
///
/// # Errors
/// Only what concerns the whole: no results there, a track that cannot be told, a folder that
/// cannot be listed. A broken file becomes an [`Entry`] that says so; all others keep their
/// verdicts.
pub fn import_tree(path: &Path, track: Option<&str>) -> Result<Imported, ImportError> {
    let mut imported = list_tree(path, track)?;
    let read = parallel::map(&imported.entries, read_file);
    imported.entries.clear();
    for (entry, warning) in read {
        imported.warnings.extend(warning);
        imported.entries.push(entry);
    }
    Ok(imported)
}

/// Lists what [`import_tree`] would read; [`to_results`](super::to_results) then reads each file
/// once and keeps none of its text.
///
/// # Errors
/// As [`import_tree`].
pub fn list_tree(path: &Path, track: Option<&str>) -> Result<Imported, ImportError> {
    let roots = results_folders(path, track)?;
    let mut folders = vec![];
    for (place, (track, results)) in roots.iter().enumerate() {
        let models = list(results)?.folders.into_iter();
        folders.extend(models.map(|model| (model, place, track, results)));
    }
    // As entries are sorted, so that not much is left to sort.
    folders.sort();
    let listed = parallel::map(&folders, |(model, _, track, results)| {
        list_model(track, results, model)
    });
    let (mut entries, mut warnings) = (vec![], vec![]);
    for of_model in listed {
        let (own, remarks) = of_model?;
        entries.extend(own);
        warnings.extend(remarks);
    }
    let tracks: Vec<String> = roots.into_iter().map(|(track, _)| track).collect();
    sort(&mut entries, &tracks);
    Ok(Imported {
        kind: ImportKind::SpecvResults,
        suite: "specv".to_owned(),
        source: path.display().to_string(),
        tracks,
        entries,
        warnings,
    })
}

/// Sorts by model, track (in the given order), dimension and file name.
pub(super) fn sort(entries: &mut [Entry], tracks: &[String]) {
    let place = |track: &str| tracks.iter().position(|t| t == track);
    let id = |e: &Entry| e.instance.clone().unwrap_or_default();
    entries.sort_by(|a, b| {
        a.model
            .cmp(&b.model)
            .then_with(|| place(&a.track).cmp(&place(&b.track)))
            .then_with(|| a.dimension.cmp(&b.dimension))
            .then_with(|| file_order(&id(a), &id(b)))
    });
}

/// Results folders by track, in board order.
fn results_folders(
    path: &Path,
    track: Option<&str>,
) -> Result<Vec<(String, PathBuf)>, ImportError> {
    if let Some(track) = track {
        let inside = [
            path.join("eval").join(track).join("results"),
            path.join(track).join("results"),
        ];
        let found = inside.into_iter().find(|p| p.is_dir());
        return Ok(vec![(
            track.to_owned(),
            found.unwrap_or_else(|| path.to_owned()),
        )]);
    }
    for eval in [path.join("eval"), path.to_owned()] {
        let found = tracks_below(&eval)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    // One track: its `results` folder, or the folder above it.
    let results = path.join("results");
    let (results, above) = if results.is_dir() {
        (results, path)
    } else {
        (path.to_owned(), path.parent().unwrap_or(path))
    };
    if results.file_name().is_none_or(|name| name != "results") || !results.is_dir() {
        if above.file_name().is_some_and(|name| name == "results") {
            return Err(ImportError::OneModel {
                path: path.to_owned(),
                results: above.to_owned(),
            });
        }
        return Err(ImportError::NotATree {
            path: path.to_owned(),
        });
    }
    let name = above.file_name().and_then(|name| name.to_str());
    match name.filter(|name| TRACKS.contains(name)) {
        Some(name) => Ok(vec![(name.to_owned(), results)]),
        None => Err(ImportError::UnknownTrack {
            path: path.to_owned(),
        }),
    }
}

fn tracks_below(eval: &Path) -> Result<Vec<(String, PathBuf)>, ImportError> {
    if !eval.is_dir() {
        return Ok(vec![]);
    }
    let mut names = list(eval)?.folders;
    names.retain(|name| eval.join(name).join("results").is_dir());
    sort_by_order(&mut names, &TRACKS);
    Ok(names
        .into_iter()
        .map(|name| (name.clone(), eval.join(name).join("results")))
        .collect())
}

fn list(folder: &Path) -> Result<Folder, ImportError> {
    Folder::read(folder).map_err(ImportError::io(folder))
}

/// Entries of some folder, and remarks.
type Listed = (Vec<Entry>, Vec<Warning>);

fn list_model(track: &str, results: &Path, model: &str) -> Result<Listed, ImportError> {
    let (mut entries, mut warnings) = (vec![], vec![]);
    let folder = results.join(model);
    let entry = Entry {
        model: model.to_owned(),
        track: track.to_owned(),
        dimension: None,
        instance: None,
        broken: None,
        failed: None,
        items: None,
        file: None,
    };
    let dimensions = list(&folder)?.folders;
    if dimensions.is_empty() {
        entries.push(entry.clone());
    }
    for dimension in dimensions {
        let path = folder.join(&dimension);
        let entry = Entry {
            dimension: Some(dimension),
            ..entry.clone()
        };
        list_dimension(&entry, &path, &mut entries, &mut warnings)?;
    }
    Ok((entries, warnings))
}

fn list_dimension(
    entry: &Entry,
    folder: &Path,
    entries: &mut Vec<Entry>,
    warnings: &mut Vec<Warning>,
) -> Result<(), ImportError> {
    let mut empty = true;
    for name in list(folder)?.files {
        let path = folder.join(&name);
        let Some(id) = name.strip_suffix(".json") else {
            warnings.push(Warning {
                kind: "stray-file".to_owned(),
                place: path.display().to_string(),
                message: "not read: not a .json file".to_owned(),
            });
            continue;
        };
        empty = false;
        entries.push(Entry {
            instance: Some(id.to_owned()),
            file: Some(path),
            ..entry.clone()
        });
    }
    if empty {
        entries.push(entry.clone());
    }
    Ok(())
}

/// Fills an entry from its file; entries of folders have none.
fn read_file(entry: &Entry) -> (Entry, Option<Warning>) {
    let mut entry = entry.clone();
    let Some(path) = entry.file.take() else {
        return (entry, None);
    };
    let shown = path.display();
    let checked = read_text(&path)
        .map_err(|message| format!("{shown}: {message}"))
        .and_then(|text| items::check(&text).map_err(|message| format!("{shown}{message}")));
    match checked {
        Ok(Checked { line, not_a_number }) => {
            entry.items = Some(line);
            (entry, not_a_number.then(|| mended(&path)))
        }
        Err(why) => {
            entry.broken = Some(why);
            (entry, None)
        }
    }
}

/// The remark about a file that only Python's reader takes.
pub(super) fn mended(path: &Path) -> Warning {
    Warning {
        kind: "not-a-number".to_owned(),
        place: path.display().to_string(),
        message: "holds NaN or an infinity, which is no JSON; read as text".to_owned(),
    }
}
