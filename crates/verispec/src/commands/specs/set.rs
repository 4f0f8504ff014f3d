//! A set on disk: its folder, its manifest, the tasks that it is for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum as _;
use verispec_engine::ledger::RunLock;
use verispec_model::file_name;
use verispec_specs::ser::{Stage, Task};
use verispec_specs::set::{PromptHash, SET_FORMAT, SetManifest, Settings, Version, Which};
use verispec_suites::specv::selected;

use crate::args::SuiteName;
use crate::data::Loaded;
use crate::exit::usage;
use crate::folder;
use crate::run::hash_cache;

/// The manifest inside the set's folder.
pub(super) const SET_FILE: &str = "specs.json";

/// A set that this process alone works on, or only looks at.
pub(super) struct OpenSet {
    /// None for one that is only looked at: nothing of it is written.
    pub(super) lock: Option<RunLock>,
    pub(super) dir: PathBuf,
    pub(super) manifest: SetManifest,
}

impl OpenSet {
    /// A new set, or the one of this name; `look` makes and locks none.
    pub(super) fn create(
        runs: &Path,
        name: &str,
        settings: Settings,
        look: bool,
    ) -> anyhow::Result<Self> {
        let name = file_name(name);
        let lock = match look {
            true => None,
            false => Some(folder::locked(runs, &name)?),
        };
        let dir = runs.join(&name);
        if dir.join(SET_FILE).is_file() {
            let manifest = read(&dir)?;
            if let Some(what) = differs(&manifest.settings, &settings) {
                return Err(usage(format!(
                    "set {name:?} exists with other {what}; choose another --set name"
                )));
            }
            return Ok(Self {
                lock,
                dir,
                manifest,
            });
        }
        if dir.join(crate::run::MANIFEST_FILE).is_file() {
            return Err(usage(format!(
                "{name:?} is a judge run; choose another --set name"
            )));
        }
        let prompt = |stage: Stage| PromptHash {
            protocol: stage.protocol().to_owned(),
            template: stage.template(),
        };
        let manifest = SetManifest {
            format: SET_FORMAT,
            name,
            verispec: env!("CARGO_PKG_VERSION").into(),
            settings,
            prompts: Stage::ALL.into_iter().map(prompt).collect(),
            versions: vec![],
            instances: vec![],
        };
        let set = Self {
            lock,
            dir,
            manifest,
        };
        set.write()?;
        Ok(set)
    }

    /// The set of this name; `look` does not lock it.
    pub(super) fn open(runs: &Path, name: &str, look: bool) -> anyhow::Result<Self> {
        let dir = runs.join(file_name(name));
        if !dir.join(SET_FILE).is_file() {
            return Err(usage(format!(
                "no set {name:?} in {}; make one with verispec specs generate --set {name}",
                runs.display()
            )));
        }
        let lock = match look {
            true => None,
            false => Some(RunLock::acquire(&dir)?),
        };
        let manifest = read(&dir)?;
        Ok(Self {
            lock,
            dir,
            manifest,
        })
    }

    /// Notes the current version if it is a new one.
    pub(super) fn note_version(&mut self) {
        let specs = self
            .manifest
            .instances
            .iter()
            .filter_map(|i| i.specs(&Which::Complete).ok());
        let counts: Vec<usize> = specs.map(|s| s.len()).collect();
        let version = self.manifest.version(&Which::Complete);
        let known = self
            .manifest
            .versions
            .last()
            .is_some_and(|v| v.version == version);
        if !known && !counts.is_empty() {
            self.manifest.versions.push(Version {
                version,
                created: crate::clock::now_rfc3339(),
                instances: counts.len(),
                specifications: counts.iter().sum(),
            });
        }
    }

    /// Writes the manifest whole or not at all; not that of a set which is only looked at.
    pub(super) fn write(&self) -> anyhow::Result<()> {
        match self.lock {
            None => Ok(()),
            Some(_) => folder::write(&self.dir.join(SET_FILE), &self.manifest),
        }
    }

    /// The suite as it is now, and its tasks.
    pub(super) fn tasks(&self) -> anyhow::Result<Vec<Arc<Task>>> {
        self.tasks_of(&load(&self.manifest.settings)?)
    }

    /// The tasks of a suite that is read already.
    pub(super) fn tasks_of(&self, loaded: &Loaded) -> anyhow::Result<Vec<Arc<Task>>> {
        tasks(&self.manifest.settings, &self.dir, loaded)
    }
}

/// The data of a set as it is now.
pub(super) fn load(settings: &Settings) -> anyhow::Result<Loaded> {
    let name = SuiteName::from_str(&settings.suite, false);
    let name = name.map_err(|_| usage(format!("suite {:?} is not known", settings.suite)))?;
    Loaded::load(name, &settings.data)
}

fn tasks(settings: &Settings, dir: &Path, loaded: &Loaded) -> anyhow::Result<Vec<Arc<Task>>> {
    let hashes = hash_cache(dir, false);
    let hash = |path: &Path| hashes.hash_file(path).map_err(|e| e.to_string());
    let tasks = selected(&loaded.suite, &settings.filters).map(|i| Task::of(i, &hash));
    let tasks: Result<Vec<Task>, String> = tasks.collect();
    let tasks = tasks.map_err(|e| anyhow::anyhow!("{e}; fetch the images of the benchmark"))?;
    // A set that is only looked at may have no folder yet, and gets none.
    if dir.is_dir() {
        hashes.save()?;
    }
    if tasks.is_empty() {
        return Err(usage("the filters leave no instance"));
    }
    Ok(tasks.into_iter().map(Arc::new).collect())
}

/// The tasks, if they are what the set was generated from.
pub(super) fn unchanged(manifest: &SetManifest, dir: &Path) -> anyhow::Result<Vec<Arc<Task>>> {
    let settings = &manifest.settings;
    let tasks = tasks(settings, dir, &load(settings)?)?;
    let now = tasks.iter().map(|t| (t.place(), t.input()));
    let was = manifest.instances.iter().map(|i| (i.place(), i.input));
    if !now.eq(was) {
        return Err(usage(format!(
            "the data is not what the set was generated from, or not all of it has been; run \
             verispec specs generate or verispec specs update {}",
            manifest.name
        )));
    }
    Ok(tasks)
}

/// Reads a set's manifest.
pub(super) fn read(dir: &Path) -> anyhow::Result<SetManifest> {
    let format = |m: &SetManifest| m.format;
    folder::read(&dir.join(SET_FILE), "a set", (SET_FORMAT, format))
}

/// What of the first stage's settings differs.
fn differs(was: &Settings, is: &Settings) -> Option<&'static str> {
    match () {
        () if was.suite != is.suite || was.data != is.data => Some("data"),
        () if was.filters != is.filters => Some("filters"),
        () if was.generators != is.generators => Some("generators"),
        () if was.taxonomies != is.taxonomies => Some("taxonomies"),
        () if was.seed != is.seed => Some("seed"),
        () => None,
    }
}
