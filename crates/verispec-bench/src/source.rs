//! The suite that is judged: the released text where a checkout is at hand, else a synthetic one
//! of the same form.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Deserialize;

use crate::synthetic;

/// Tracks in the order of the tables.
pub(crate) const TRACKS: [&str; 6] = [
    "t2i",
    "edit",
    "many2one",
    "interleave",
    "think_with_img",
    "understanding",
];

/// A suite on disk.
#[derive(Debug)]
pub(crate) struct Source {
    /// Folder with `eval_data`, `eval_checklist` and `eval`.
    pub(crate) root: PathBuf,
    /// What it is, for the page.
    pub(crate) what: String,
    /// Instances by track, sorted by dimension and id.
    pub(crate) tracks: HashMap<String, Vec<Instance>>,
}

/// One instance.
#[derive(Debug, Clone)]
pub(crate) struct Instance {
    pub(crate) dimension: String,
    pub(crate) id: String,
    /// Input images, relative to `eval_data/<track>`.
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) specifications: usize,
}

#[derive(Deserialize)]
struct Task {
    id: String,
    #[serde(default)]
    question_img: Vec<PathBuf>,
}

impl Source {
    /// From `SPECV_CHECKOUT`, else the test data, else written to `own`.
    pub(crate) fn find(own: &Path) -> anyhow::Result<Self> {
        if let Some(root) = checkout() {
            return Self::load(root, "SpecV's released text, from SPECV_CHECKOUT");
        }
        let test = verispec_testkit::data::test_data().map(|d| d.join("data/SpecV"));
        if let Some(root) = test.filter(|d| d.join("eval_checklist").is_dir()) {
            return Self::load(root, "SpecV's released text, from the test data");
        }
        if !own.join("eval_checklist").is_dir() {
            synthetic::write(own)?;
        }
        Self::load(
            own.to_owned(),
            "a synthetic suite in SpecV's form: no checkout and no test data are at hand",
        )
    }

    fn load(root: PathBuf, what: &str) -> anyhow::Result<Self> {
        let mut tracks = HashMap::new();
        for track in TRACKS {
            let instances = instances(&root, track)
                .with_context(|| format!("track {track} of {}", root.display()))?;
            anyhow::ensure!(!instances.is_empty(), "track {track} holds no instance");
            tracks.insert(track.to_owned(), instances);
        }
        Ok(Self {
            root,
            what: what.to_owned(),
            tracks,
        })
    }

    pub(crate) fn instances(&self, track: &str) -> &[Instance] {
        self.tracks.get(track).map_or(&[], Vec::as_slice)
    }
}

/// The folder that `SPECV_CHECKOUT` names, if it holds SpecV's code.
pub(crate) fn checkout() -> Option<PathBuf> {
    let root = PathBuf::from(std::env::var_os("SPECV_CHECKOUT")?);
    root.join("eval/t2i/run_eval.py").is_file().then_some(root)
}

fn instances(root: &Path, track: &str) -> anyhow::Result<Vec<Instance>> {
    let mut inputs = HashMap::new();
    for file in sorted(&root.join("eval_data").join(track))? {
        if file.extension().is_some_and(|e| e == "jsonl") {
            for line in fs::read_to_string(&file)?.lines() {
                // Lines that the loaders skip need no inputs either.
                if let Ok(task) = serde_json::from_str::<Task>(line) {
                    inputs.insert(task.id, task.question_img);
                }
            }
        }
    }
    let mut found = vec![];
    for folder in sorted(&root.join("eval_checklist").join(track))? {
        if !folder.is_dir() {
            continue;
        }
        for file in sorted(&folder)? {
            let name = |p: &Path| p.file_stem().map(|n| n.to_string_lossy().into_owned());
            let (Some(id), Some(dimension)) = (name(&file), name(&folder)) else {
                continue;
            };
            let Some(images) = inputs.get(&id) else {
                continue;
            };
            let items: Vec<serde_json::Value> = serde_json::from_str(&fs::read_to_string(&file)?)
                .with_context(|| file.display().to_string())?;
            found.push(Instance {
                dimension,
                id,
                inputs: images.clone(),
                specifications: items.len(),
            });
        }
    }
    Ok(found)
}

/// Entries of a folder in order.
pub(crate) fn sorted(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).with_context(|| dir.display().to_string())?;
    let mut paths = entries
        .map(|e| Ok(e?.path()))
        .collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
