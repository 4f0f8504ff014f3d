//! Suites of all kinds, as far as commands need to tell them apart.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use verispec_model::{Instance, InstanceState, ModelEntry, Suite};
use verispec_suites::custom::{self, Choice, choice_state};
use verispec_suites::realunify::{self, ChoiceReader, ItemOutput, Output};
use verispec_suites::specv;
use verispec_suites::specv::outputs::{ModelFolders, ModelOutputs, OutputPart};

use crate::args::SuiteName;

/// A suite as read.
pub(crate) struct Loaded {
    /// The suite.
    pub(crate) suite: Suite,
    /// Folder of a checkout, or file of a custom suite.
    pub(crate) data: PathBuf,
    kind: Kind,
}

enum Kind {
    Specv,
    /// Multiple choices by track and id.
    Custom(BTreeMap<(String, String), Choice>),
    Realunify(Box<Realunify>),
}

/// Items behind the suite, and the suite as judges see it.
struct Realunify {
    data: Arc<realunify::Loaded>,
    judged: Suite,
}

impl Loaded {
    /// Loads a suite of a kind.
    pub(crate) fn load(name: SuiteName, path: &Path) -> anyhow::Result<Self> {
        match name {
            SuiteName::Specv => Ok(Self {
                suite: specv::load(path)?.suite,
                data: path.to_owned(),
                kind: Kind::Specv,
            }),
            SuiteName::Realunify => {
                let data = realunify::load(path)?;
                Ok(Self {
                    suite: data.suite.clone(),
                    data: path.to_owned(),
                    kind: Kind::Realunify(Box::new(Realunify {
                        judged: realunify::judged_suite(&data.suite),
                        data: Arc::new(data),
                    })),
                })
            }
            SuiteName::Custom => {
                let loaded = custom::load(path)?;
                let inside = path.is_dir().then(|| path.join(custom::FILE));
                Ok(Self {
                    suite: loaded.suite,
                    data: inside.unwrap_or_else(|| path.to_owned()),
                    kind: Kind::Custom(loaded.choices),
                })
            }
        }
    }

    /// Loads what a run's manifest names: custom suites are files, checkouts are folders.
    pub(crate) fn at(suite: &str, path: &Path) -> anyhow::Result<Self> {
        let name = match suite {
            _ if path.is_file() => SuiteName::Custom,
            "realunify" => SuiteName::Realunify,
            _ => SuiteName::Specv,
        };
        Self::load(name, path)
    }

    /// The items of RealUnify, if it is that.
    pub(crate) fn realunify(&self) -> Option<&Arc<realunify::Loaded>> {
        match &self.kind {
            Kind::Realunify(own) => Some(&own.data),
            Kind::Specv | Kind::Custom(_) => None,
        }
    }

    /// The suite as judges see it.
    pub(crate) fn judged(&self) -> &Suite {
        match &self.kind {
            Kind::Realunify(own) => &own.judged,
            Kind::Specv | Kind::Custom(_) => &self.suite,
        }
    }

    /// Whether this is a SpecV checkout.
    pub(crate) const fn is_specv(&self) -> bool {
        matches!(self.kind, Kind::Specv)
    }

    /// Models below a folder. `name` names the one whose own folder it may be; `declared` gives the
    /// tracks that the configuration says a model enters.
    pub(crate) fn discover(
        &self,
        outputs: &Path,
        name: Option<&str>,
        tracks: &[String],
        declared: impl Fn(&str) -> Option<Vec<String>>,
    ) -> anyhow::Result<BTreeMap<String, ModelEntry>> {
        match self.kind {
            Kind::Specv => {
                let found = specv::outputs::discover(&self.suite, outputs, name, tracks)?;
                let entry = |folders: ModelFolders| {
                    let flat = folders.tracks.iter().filter(|(_, dir)| *dir == outputs);
                    let flat = flat.map(|(track, _)| track.clone()).collect();
                    let entry = ModelEntry {
                        outputs: outputs.to_owned(),
                        tracks: declared(&folders.model).unwrap_or(flat),
                    };
                    (folders.model, entry)
                };
                Ok(found.into_iter().map(entry).collect())
            }
            Kind::Realunify(_) => {
                let found = realunify::discover(outputs, name)?;
                let entry = |(model, outputs): (String, PathBuf)| {
                    let tracks = declared(&model).unwrap_or_default();
                    (model, ModelEntry { outputs, tracks })
                };
                Ok(found.into_iter().map(entry).collect())
            }
            Kind::Custom(_) => {
                let found = custom::discover(&self.suite, outputs, name)?;
                let entry = |(model, outputs): (String, PathBuf)| {
                    let tracks = declared(&model).unwrap_or_default();
                    (model, ModelEntry { outputs, tracks })
                };
                Ok(found.into_iter().map(entry).collect())
            }
        }
    }

    /// A model's outputs.
    pub(crate) fn index(&self, name: &str, entry: &ModelEntry) -> anyhow::Result<ModelOutputs> {
        let (suite, folder) = (&self.suite, &entry.outputs);
        match &self.kind {
            Kind::Realunify(own) => Ok(realunify::index_model(
                &own.data,
                name,
                folder,
                &entry.tracks,
            )?),
            Kind::Specv => {
                let found = specv::outputs::discover(suite, folder, Some(name), &entry.tracks)?;
                let own = found.into_iter().find(|f| f.model == name);
                let own = own
                    .with_context(|| format!("{} holds no outputs of {name}", folder.display()))?;
                Ok(specv::outputs::index_model(suite, &own, &entry.tracks))
            }
            Kind::Custom(_) => Ok(custom::index_model(suite, name, folder, &entry.tracks)),
        }
    }

    /// The state of an output that needs no judge. `published` reads a choice of RealUnify as its
    /// release does.
    pub(crate) fn settled(
        &self,
        instance: &Instance,
        parts: &[OutputPart],
        published: bool,
    ) -> Option<InstanceState> {
        let choices = match &self.kind {
            Kind::Specv => return None,
            Kind::Realunify(own) => return own.settled(instance, parts, published),
            Kind::Custom(choices) => choices,
        };
        let choice = choices.get(&(instance.track.clone(), instance.id.clone()))?;
        let texts = parts.iter().filter_map(|part| match part {
            OutputPart::Text(text) => Some(&**text),
            OutputPart::Image(_) => None,
        });
        let text = texts.collect::<Vec<_>>().join("\n");
        Some(choice_state(
            &text,
            choice,
            instance.specifications.first()?,
        ))
    }
}

impl Realunify {
    /// Multiple choices are read from the model's text.
    fn settled(
        &self,
        instance: &Instance,
        parts: &[OutputPart],
        published: bool,
    ) -> Option<InstanceState> {
        let item = self.data.item_of(instance)?;
        item.choice()?;
        let last = match parts.first()? {
            OutputPart::Text(text) => Output::Text(text.to_string()),
            OutputPart::Image(path) => Output::Image(path.to_path_buf()),
        };
        let output = ItemOutput {
            last: Ok(last),
            middle: None,
        };
        let reader = match published {
            true => ChoiceReader::Published,
            false => ChoiceReader::Right,
        };
        Some(realunify::choice_state(item, &output, reader))
    }
}
