//! Where the folders of outputs are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::super::layout::TRACKS;

/// One model's folders by track.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelFolders {
    /// Model, the name of its folder.
    pub model: String,
    /// Folder of each track that has one.
    pub tracks: BTreeMap<String, PathBuf>,
}

/// No outputs where they were said to be.
#[derive(Debug, thiserror::Error)]
pub enum LocateError {
    /// A folder cannot be listed.
    #[error("cannot list {path}: {source}", path = path.display())]
    List {
        /// Folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Outputs whose ids occur in several tracks.
    #[error(
        "the ids in {path} fit the tracks {tracks}; name the one that is meant",
        path = path.display(), tracks = tracks.join(", ")
    )]
    SeveralTracks {
        /// Folder.
        path: PathBuf,
        /// Tracks that fit equally well.
        tracks: Vec<String>,
    },
    /// Nothing below the folder looks like outputs.
    #[error(
        "no outputs below {path}: expected model_outputs/<track>/<model>/, <track>/<model>/, \
         <track>/ of one model, or <id>.png, <id>.json and <id>/ of one model and track; a \
         track is one of {tracks}{hint}",
        path = path.display(), tracks = TRACKS.join(", ")
    )]
    NoOutputs {
        /// Folder.
        path: PathBuf,
        /// What the folder seems to be instead, after a line break; may be empty.
        hint: String,
    },
}

impl LocateError {
    fn no_outputs(path: &Path) -> Self {
        Self::NoOutputs {
            path: path.to_owned(),
            hint: hint(path).map_or_else(String::new, |hint| format!("\n{hint}")),
        }
    }
}

/// What a folder that has none of the layouts seems to be.
fn hint(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    let above = path.parent()?;
    if TRACKS.contains(&name.as_ref()) {
        let root = match above.file_name() {
            Some(outer) if outer == "model_outputs" => above.parent()?,
            _ => above,
        };
        return Some(format!(
            "this looks like the folder of the track {name}: give {} and --tracks {name}",
            root.display()
        ));
    }
    let inner = folders(path).ok()?;
    let (model, folder, track) = inner.iter().find_map(|(model, folder)| {
        let track = track_folders(folder).ok()?.into_iter().next()?;
        Some((model, folder, track))
    })?;
    Some(format!(
        "it holds {model}/{track}: folders of models are judged one by one; give {} and --models \
         {model}",
        folder.display()
    ))
}

/// Finds all models below a checkout (`model_outputs/<track>/<model>/`) or a folder of tracks
/// (`<track>/<model>/`), sorted by name.
///
/// # Errors
/// The folder cannot be listed, or holds neither layout.
pub fn locate(root: &Path) -> Result<Vec<ModelFolders>, LocateError> {
    let inner = root.join("model_outputs");
    let base = if inner.is_dir() {
        inner
    } else {
        root.to_owned()
    };
    let mut models: BTreeMap<String, ModelFolders> = BTreeMap::new();
    let mut any = false;
    for track in track_folders(&base)? {
        any = true;
        for (model, path) in folders(&base.join(&track))? {
            let entry = models.entry(model.clone()).or_default();
            entry.model = model;
            entry.tracks.insert(track.clone(), path);
        }
    }
    if !any {
        return Err(LocateError::no_outputs(root));
    }
    Ok(models.into_values().collect())
}

/// Finds the tracks of one model's own folder (`<track>/<id>.png` and the like).
///
/// # Errors
/// As [`locate`].
pub fn locate_model(model: &str, dir: &Path) -> Result<ModelFolders, LocateError> {
    let tracks: BTreeMap<String, PathBuf> = track_folders(dir)?
        .into_iter()
        .map(|t| (t.clone(), dir.join(t)))
        .collect();
    if tracks.is_empty() {
        return Err(LocateError::no_outputs(dir));
    }
    Ok(ModelFolders {
        model: model.to_owned(),
        tracks,
    })
}

fn track_folders(base: &Path) -> Result<Vec<String>, LocateError> {
    let names = folders(base)?.into_iter().map(|(name, _)| name);
    Ok(names.filter(|n| TRACKS.contains(&n.as_str())).collect())
}

/// Folders inside a folder, sorted, hidden ones left out.
fn folders(dir: &Path) -> Result<Vec<(String, PathBuf)>, LocateError> {
    let fail = |source| LocateError::List {
        path: dir.to_owned(),
        source,
    };
    let mut found = vec![];
    for entry in fs::read_dir(dir).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && entry.path().is_dir() {
            found.push((name, entry.path()));
        }
    }
    found.sort();
    Ok(found)
}
