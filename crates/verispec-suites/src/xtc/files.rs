//! Reading folders of the release's layout.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use verispec_graph::import::{ImportError, Lines, merged_graph};
use verispec_graph::scene::{ImageId, MergedGraph};

use super::error::XtcError;

/// Folder of complete graphs: groups, relations, attributes.
pub(super) const COMPLETE: &str = "sg_with_attributes";
/// Endings of pictures.
const PICTURES: [&str; 4] = ["png", "jpg", "jpeg", "webp"];
/// Levels of folders that are searched for pictures.
const DEPTH: usize = 6;

pub(super) fn text(path: &Path) -> Result<String, XtcError> {
    std::fs::read_to_string(path).map_err(XtcError::io(path))
}

pub(super) fn json(path: &Path) -> Result<Value, XtcError> {
    let text = text(path)?;
    serde_json::from_str(&text).map_err(|source| {
        XtcError::Import(ImportError::Json {
            file: path.display().to_string(),
            source,
        })
    })
}

/// Reads a file line by line; says so if the last line is torn.
pub(super) fn lines<T>(
    path: &Path,
    read: impl Fn(&str, &str) -> Result<Lines<T>, ImportError>,
    notes: &mut Vec<String>,
) -> Result<Vec<T>, XtcError> {
    let found = read(&path.display().to_string(), &text(path)?)?;
    if found.torn {
        notes.push(format!(
            "{}: the last line is torn and left out",
            path.display()
        ));
    }
    Ok(found.records)
}

/// Entries of a folder, sorted by name.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, XtcError> {
    let listed = std::fs::read_dir(folder).map_err(XtcError::io(folder))?;
    let paths = listed.map(|e| e.map(|e| e.path()));
    let mut paths = paths
        .collect::<Result<Vec<_>, _>>()
        .map_err(XtcError::io(folder))?;
    paths.sort();
    Ok(paths)
}

/// Files `scene-graph_<number>.json` of a folder, sorted by name.
pub(super) fn graph_files(folder: &Path) -> Result<Vec<PathBuf>, XtcError> {
    let is_graph = |p: &PathBuf| {
        let name = p.file_name().map(|n| n.to_string_lossy().into_owned());
        name.is_some_and(|n| n.starts_with("scene-graph_") && n.ends_with(".json"))
    };
    Ok(entries(folder)?.into_iter().filter(is_graph).collect())
}

/// The merged graphs of a folder by image.
///
/// # Errors
/// The folder or a file cannot be read, or two files are of one image.
pub fn merged_graphs(folder: &Path) -> Result<BTreeMap<ImageId, MergedGraph>, XtcError> {
    let mut all = BTreeMap::new();
    for path in graph_files(folder)? {
        let graph = merged_graph(&path.display().to_string(), &json(&path)?)?;
        if let Some(twice) = all.insert(graph.image_id, graph) {
            let what = format!("a second graph of image {}", twice.image_id);
            return Err(XtcError::folder(path, what));
        }
    }
    Ok(all)
}

/// Pictures below a folder by the number that their name is (`000000213422.jpg` is 213422).
/// Pictures with another name are counted.
///
/// # Errors
/// The folder cannot be read, or two pictures have one number.
pub fn pictures(folder: &Path) -> Result<(BTreeMap<ImageId, PathBuf>, usize), XtcError> {
    let (mut all, mut others) = (BTreeMap::new(), 0);
    collect(folder, DEPTH, &mut all, &mut others)?;
    Ok((all, others))
}

fn collect(
    folder: &Path,
    depth: usize,
    all: &mut BTreeMap<ImageId, PathBuf>,
    others: &mut usize,
) -> Result<(), XtcError> {
    for path in entries(folder)? {
        if path.is_dir() {
            if depth > 0 {
                collect(&path, depth - 1, all, others)?;
            }
            continue;
        }
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        if !ending.is_some_and(|e| PICTURES.contains(&e.as_str())) {
            continue;
        }
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
        match stem.and_then(|s| number(&s)) {
            None => *others += 1,
            Some(id) => {
                if let Some(first) = all.insert(id, path.clone()) {
                    let what = format!("is image {id}, and so is {}", first.display());
                    return Err(XtcError::folder(path, what));
                }
            }
        }
    }
    Ok(())
}

fn number(stem: &str) -> Option<ImageId> {
    let digits = !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| stem.parse().ok()).flatten()
}
