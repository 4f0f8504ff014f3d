//! What an XTC run is made of: `xtc.json` in its folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use verispec_graph::metrics::IdMatch;
use verispec_model::JudgeIdentity;
use verispec_suites::xtc::{
    BundleOptions, ExactAnswers, ExtractPolicy, SheetPolicy, UnderstandingImage,
};

use crate::exit::usage;
use crate::folder;

/// The description, inside the run's folder.
pub(super) const FILE: &str = "xtc.json";

/// Version of the file.
const FORMAT: u32 = 1;

/// A data set by name and folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Dataset {
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// Content of the bundle; empty for folders of scored files.
    pub(super) revision: String,
}

/// Who makes vectors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(super) enum EmbedderEntry {
    /// Counts of words; no model.
    BagOfWords,
    /// MiniLM in this process.
    Minilm,
    /// An endpoint.
    Endpoint {
        /// Who answers there.
        model: JudgeIdentity,
    },
}

impl EmbedderEntry {
    pub(super) fn shown(&self) -> String {
        match self {
            Self::BagOfWords => "bag-of-words-1".to_owned(),
            Self::Minilm => verispec_vision::EMBEDDER_NAME.to_owned(),
            Self::Endpoint { model } => format!("{}:{}", model.provider, model.model),
        }
    }
}

/// A model under test.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ModelEntry {
    /// Folder of its files by data set.
    pub(super) folders: BTreeMap<String, PathBuf>,
    /// Family.
    pub(super) family: Option<String>,
    /// Who is asked; answers come from a file otherwise.
    pub(super) ask: Option<JudgeIdentity>,
    /// Who draws; pictures come from a folder otherwise.
    pub(super) draw: Option<JudgeIdentity>,
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(super) enum Source {
    /// Models are put to the test here.
    Run(Box<RunSource>),
    /// Pictures are described.
    Extract {
        /// Folder of pictures.
        pictures: PathBuf,
        /// Segments and relation scores, where they come from elsewhere.
        scores: Option<(PathBuf, PathBuf)>,
        /// Who describes.
        extractor: JudgeIdentity,
        /// How.
        policy: ExtractPolicy,
    },
    /// Objects of original pictures are described for prompts.
    Describe {
        /// How the bundle is read.
        options: BundleOptions,
        /// Who describes.
        describer: JudgeIdentity,
    },
    /// Scored files of the release.
    Released {
        /// How ids are compared.
        ids: IdMatch,
    },
}

/// How models are put to the test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RunSource {
    pub(super) options: BundleOptions,
    pub(super) judge: JudgeIdentity,
    pub(super) extractor: Option<JudgeIdentity>,
    pub(super) embedder: EmbedderEntry,
    pub(super) extract: ExtractPolicy,
    pub(super) sheet: SheetPolicy,
    pub(super) understanding: UnderstandingImage,
    pub(super) exact: ExactAnswers,
    pub(super) seed: u64,
}

/// `xtc.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct XtcManifest {
    pub(super) format: u32,
    pub(super) verispec: String,
    pub(super) created: String,
    pub(super) run: String,
    pub(super) datasets: Vec<Dataset>,
    pub(super) models: BTreeMap<String, ModelEntry>,
    pub(super) source: Source,
}

impl XtcManifest {
    pub(super) fn new(
        datasets: Vec<Dataset>,
        models: BTreeMap<String, ModelEntry>,
        source: Source,
    ) -> Self {
        Self {
            format: FORMAT,
            verispec: env!("CARGO_PKG_VERSION").into(),
            created: crate::clock::now_rfc3339(),
            run: String::new(),
            datasets,
            models,
            source,
        }
    }

    /// What makes two runs the same, whenever and by whichever version they were made.
    fn neutral(&self) -> Self {
        Self {
            verispec: String::new(),
            created: String::new(),
            run: String::new(),
            ..self.clone()
        }
    }

    /// A name that the same command makes again.
    pub(super) fn default_name(&self, prefix: &str) -> String {
        folder::name_of(&format!("xtc-{prefix}"), &self.neutral())
    }

    /// Writes the description of a new run, or makes sure that the one that is there is the same.
    pub(super) fn settle(self, dir: &Path) -> anyhow::Result<Self> {
        let path = dir.join(FILE);
        if path.is_file() {
            let was = Self::read(dir)?;
            if was.neutral() != self.neutral() {
                return Err(usage(format!(
                    "run {:?} exists and is about something else ({}); choose another --run name",
                    self.run,
                    self.difference(&was)
                )));
            }
            return Ok(was);
        }
        folder::write(&path, &self)?;
        Ok(self)
    }

    fn difference(&self, was: &Self) -> &'static str {
        match () {
            () if self.datasets != was.datasets => "other data",
            () if self.models != was.models => "other models",
            () => "other settings",
        }
    }

    /// Reads the description of a run.
    pub(super) fn read(dir: &Path) -> anyhow::Result<Self> {
        let format = |m: &Self| m.format;
        folder::read(&dir.join(FILE), "an XTC run", (FORMAT, format))
    }
}

/// The folder of a run, by its name or path.
pub(super) fn find(runs: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let candidates = [PathBuf::from(name), runs.join(name)];
    let found = candidates.into_iter().find(|d| d.join(FILE).is_file());
    found.ok_or_else(|| {
        usage(format!(
            "no XTC run {name:?} in {}; `verispec xtc run` and `verispec xtc import` make one",
            runs.display()
        ))
    })
}
