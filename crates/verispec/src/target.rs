//! What is judged: suite, outputs, filters, protocol; from arguments or from a run's manifest.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use verispec_judge::protocol::{ChunkedJob, Reask};
use verispec_judge::reader::ReadOptions;
use verispec_media::HashCache;
use verispec_model::{Filters, JudgeIdentity, Manifest, ModelEntry, Panel, Suite, parallel};
use verispec_suites::realunify;
use verispec_suites::specv;
use verispec_suites::specv::outputs::ModelOutputs;
use verispec_suites::specv::published::{PublishedTrack, Templates, versioned_name};
use verispec_suites::specv::{Plan, PlanInput, Protocol};

use crate::args::{PartArgs, Preset, ProtocolName, ReaskArg, SuiteName, TargetArgs};
use crate::config::{Config, ModelConfig};
use crate::data::Loaded;
use crate::exit::usage;

/// A suite and what models made of it.
pub(crate) struct Target {
    /// The suite as read.
    pub(crate) loaded: Loaded,
    /// Models that take part, as the manifest keeps them.
    pub(crate) models: BTreeMap<String, ModelEntry>,
    /// Their outputs, in the order of names.
    pub(crate) outputs: Vec<ModelOutputs>,
    /// What is left out.
    pub(crate) filters: Filters,
    /// Protocol with version, for the manifest.
    pub(crate) protocol: String,
    /// How missing ids are asked again.
    pub(crate) reask: String,
    /// How often each request is made.
    pub(crate) repeats: u32,
    /// Judges of a panel by name; empty for one judge.
    pub(crate) members: Vec<(Arc<str>, Arc<JudgeIdentity>)>,
    /// Encoder of the run's images: this build's, or that of the build that made the run.
    pub(crate) encoder: String,
}

impl Target {
    /// From the command line.
    pub(crate) fn from_args(args: &TargetArgs, config: &Config) -> anyhow::Result<Self> {
        let root = absolute(&config.data(args.suite.as_str(), args.data.as_deref())?)?;
        let mut loaded = Loaded::load(args.suite, &root)?;
        loaded.suite.forget_records();
        let filters = filters(&args.filters.part, &loaded.suite)?;
        let models = models(args, config, &loaded)?;
        let outputs = index(&loaded, &models)?;
        let protocol = protocol_name(args);
        fits(protocol, &loaded)?;
        if !matches!(protocol, ProtocolName::SpecvPublished) {
            loaded.suite.forget_source_texts();
        }
        let reask = match args.reask.unwrap_or(ReaskArg::List) {
            _ if matches!(
                protocol,
                ProtocolName::SpecvPublished
                    | ProtocolName::RealunifyPublished
                    | ProtocolName::Holistic
            ) =>
            {
                "off"
            }
            ReaskArg::List => "list",
            ReaskArg::Single => "single",
            ReaskArg::Off => "off",
        };
        let protocol = match protocol {
            ProtocolName::Whole => verispec_judge::protocol::WHOLE.to_owned(),
            ProtocolName::Chunked(size) => ChunkedJob::protocol(size),
            ProtocolName::Independent => verispec_judge::protocol::INDEPENDENT.to_owned(),
            ProtocolName::Holistic => verispec_judge::protocol::HOLISTIC.to_owned(),
            ProtocolName::SpecvPublished => specv::published::PROTOCOL.to_owned(),
            ProtocolName::RealunifyPublished => realunify::published::PROTOCOL.to_owned(),
        };
        let reask = reask.to_owned();
        Ok(Self {
            loaded,
            models,
            outputs,
            filters,
            protocol,
            reask,
            repeats: args.repeats,
            members: vec![],
            encoder: verispec_media::ENCODER.to_owned(),
        })
    }

    /// From a run, which fixes everything; the data has to be what it was.
    pub(crate) fn from_manifest(manifest: &Manifest) -> anyhow::Result<Self> {
        let root = manifest
            .data
            .as_deref()
            .context("the run's manifest names no data folder")?;
        let loaded = Loaded::at(&manifest.suite, root)?;
        let (was, is) = (manifest.suite_revision.as_deref(), &loaded.suite.revision);
        if was.is_some_and(|was| was != is) {
            anyhow::bail!(
                "the data in {} has changed since this run was made (revision {} then, {is} now): \
                 verdicts would be read against other specifications; restore the data or judge anew",
                root.display(),
                was.unwrap_or_default()
            );
        }
        let outputs = index(&loaded, &manifest.models)?;
        Ok(Self {
            loaded,
            models: manifest.models.clone(),
            outputs,
            filters: manifest.filters.clone(),
            protocol: plain_protocol(manifest.protocol.as_deref().unwrap_or_default()),
            reask: manifest.reask.clone(),
            repeats: manifest.repeats,
            members: members(manifest.panel.as_ref()),
            encoder: match &manifest.encoder {
                Some(encoder) => encoder.clone(),
                None => verispec_media::ENCODER.to_owned(),
            },
        })
    }

    /// The same target for all judges of a panel.
    pub(crate) fn for_panel(mut self, panel: Option<&Panel>) -> Self {
        self.members = members(panel);
        self
    }

    /// Jobs of this target for a judge.
    pub(crate) fn plan(
        &self,
        judge: Arc<JudgeIdentity>,
        hashes: &HashCache,
    ) -> anyhow::Result<Plan> {
        self.plan_of(Cow::Borrowed(&self.outputs), judge, hashes)
    }

    /// The same of a target that has no further use for its outputs.
    pub(crate) fn into_plan(
        mut self,
        judge: Arc<JudgeIdentity>,
        hashes: &HashCache,
    ) -> anyhow::Result<Plan> {
        let outputs = std::mem::take(&mut self.outputs);
        self.plan_of(Cow::Owned(outputs), judge, hashes)
    }

    fn plan_of(
        &self,
        outputs: Cow<'_, [ModelOutputs]>,
        judge: Arc<JudgeIdentity>,
        hashes: &HashCache,
    ) -> anyhow::Result<Plan> {
        let published = self.protocol == realunify::published::PROTOCOL;
        let settled = |instance: &_, parts: &_| self.loaded.settled(instance, parts, published);
        // What is wrong with a file that cannot be read is told when its hash is asked for.
        let ahead = |files: &[PathBuf]| {
            parallel::map(files, |file| hashes.hash_file(file).is_ok());
        };
        let hash = |path: &Path| match hashes.hash_seen(path) {
            Some(hash) => Ok(hash),
            None => hashes.hash_file(path).map_err(|e| e.to_string()),
        };
        let input = PlanInput {
            suite: self.loaded.judged(),
            filters: &self.filters,
            judge,
            members: &self.members,
            repeats: self.repeats,
            protocol: self.protocol()?,
            hash: &hash,
            ahead: &ahead,
        };
        Ok(Plan::build(&input, outputs, &settled))
    }

    /// The protocol as it is shown: `specv-published` names the encoder where images of a judged
    /// track go through one that is not the release's.
    pub(crate) fn shown_protocol(&self) -> String {
        if self.protocol != specv::published::PROTOCOL {
            return self.protocol.clone();
        }
        let tracks = self.outputs.iter().flat_map(|m| m.tracks.keys());
        let judged = tracks.filter(|t| self.filters.wants_track(t));
        let names = judged.filter_map(|t| PublishedTrack::from_name(t));
        names
            .map(|track| versioned_name(track, &self.encoder))
            .find(|name| name.contains('+'))
            .unwrap_or_else(|| self.protocol.clone())
    }

    fn protocol(&self) -> anyhow::Result<Protocol> {
        let reask = match self.reask.as_str() {
            "single" => Reask::Single,
            "off" => Reask::Off,
            _ => Reask::List,
        };
        let size = ChunkedJob::size_of(&self.protocol);
        if let Some(size) = size {
            return Ok(Protocol::Chunked {
                size,
                reask,
                read: ReadOptions::default(),
            });
        }
        let templates = || Templates::load(&self.loaded.suite.root).map(Arc::new);
        Ok(match self.protocol.as_str() {
            verispec_judge::protocol::WHOLE => Protocol::Whole {
                reask,
                read: ReadOptions::default(),
            },
            verispec_judge::protocol::INDEPENDENT => Protocol::Independent,
            verispec_judge::protocol::HOLISTIC => Protocol::Holistic,
            realunify::published::PROTOCOL => Protocol::Polled {
                data: self
                    .loaded
                    .realunify()
                    .context("this is RealUnify's own protocol")?
                    .clone(),
            },
            specv::published::PROTOCOL => Protocol::Published {
                templates: templates()?,
                encoder: self.encoder.as_str().into(),
            },
            other => anyhow::bail!("this version does not know the protocol {other:?}"),
        })
    }
}

fn members(panel: Option<&Panel>) -> Vec<(Arc<str>, Arc<JudgeIdentity>)> {
    let members = panel.into_iter().flat_map(|p| &p.members);
    members
        .map(|m| (m.name.as_str().into(), Arc::new(m.judge.clone())))
        .collect()
}

/// A protocol's name without the encoder that a manifest shows with it.
fn plain_protocol(shown: &str) -> String {
    match shown.split_once('+') {
        Some((name, encoder)) => {
            let version = encoder.rfind('@').map_or("", |at| &encoder[at..]);
            format!("{name}{version}")
        }
        None => shown.to_owned(),
    }
}

/// The protocol that arguments ask for.
fn protocol_name(args: &TargetArgs) -> ProtocolName {
    args.protocol.unwrap_or(match (args.preset, args.suite) {
        (Some(Preset::Published), SuiteName::Realunify) => ProtocolName::RealunifyPublished,
        (Some(Preset::Published), _) => ProtocolName::SpecvPublished,
        (None, SuiteName::Realunify) => ProtocolName::Independent,
        (None, _) => ProtocolName::Whole,
    })
}

/// Refuses a protocol that the suite cannot be judged by.
fn fits(protocol: ProtocolName, loaded: &Loaded) -> anyhow::Result<()> {
    let realunify = loaded.realunify().is_some();
    let wrong = match protocol {
        ProtocolName::SpecvPublished if !loaded.is_specv() => {
            "protocol specv-published (preset published) is SpecV's own; custom suites take whole, \
             chunked:N, independent or holistic"
        }
        ProtocolName::RealunifyPublished if !realunify => {
            "protocol realunify-published is RealUnify's own"
        }
        ProtocolName::Holistic if realunify => {
            "RealUnify asks yes/no questions and multiple choices; a holistic grade answers neither"
        }
        _ => return Ok(()),
    };
    Err(usage(wrong))
}

/// An absolute path without links, so that a run can be read from anywhere.
pub(crate) fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    path.canonicalize()
        .with_context(|| format!("no such folder: {}", path.display()))
}

/// Models of the command line, else of the configuration, else of the checkout itself.
fn models(
    args: &TargetArgs,
    config: &Config,
    loaded: &Loaded,
) -> anyhow::Result<BTreeMap<String, ModelEntry>> {
    let mut found = BTreeMap::new();
    if args.outputs.is_none() {
        // A model that only says how it is asked has no outputs yet.
        let made = |model: &ModelConfig| !model.outputs.as_os_str().is_empty();
        for (name, model) in config.model.iter().filter(|(_, m)| made(m)) {
            let outputs = absolute(&model.outputs)?;
            found.insert(
                name.clone(),
                ModelEntry {
                    outputs,
                    tracks: model.tracks.clone(),
                },
            );
        }
    }
    if found.is_empty() {
        found = discovered(args, config, loaded)?;
    }
    keep_wanted(&mut found, &args.filters.models)?;
    check_tracks(&found, &loaded.suite)?;
    Ok(found)
}

/// Models found below one folder, whichever layout it has.
fn discovered(
    args: &TargetArgs,
    config: &Config,
    loaded: &Loaded,
) -> anyhow::Result<BTreeMap<String, ModelEntry>> {
    let root = &loaded.suite.root;
    let outputs = match &args.outputs {
        Some(dir) => absolute(dir)?,
        None if root.join("model_outputs").is_dir() => root.clone(),
        None => {
            return Err(usage(format!(
                "where are the outputs? give --outputs DIR, set [model.NAME] outputs in {}, or \
                 put model_outputs/ into {}",
                crate::config::FILE,
                root.display()
            )));
        }
    };
    // One name can only be meant for a folder that has none of its own.
    let name = match args.filters.models.as_slice() {
        [one] => Some(one.as_str()),
        _ => None,
    };
    let declared = |model: &str| config.model.get(model).map(|m| m.tracks.clone());
    loaded.discover(&outputs, name, &args.filters.part.tracks, declared)
}

fn keep_wanted(found: &mut BTreeMap<String, ModelEntry>, wanted: &[String]) -> anyhow::Result<()> {
    let known: Vec<&str> = found.keys().map(String::as_str).collect();
    if known.is_empty() {
        return Err(usage("there are no models among the outputs"));
    }
    if let Some(unknown) = wanted.iter().find(|w| !known.contains(&w.as_str())) {
        let known = known.join(", ");
        return Err(usage(format!(
            "--models: there is no {unknown:?}; there is {known}"
        )));
    }
    if !wanted.is_empty() {
        found.retain(|name, _| wanted.contains(name));
    }
    Ok(())
}

/// A declared track that the suite lacks is a slip of the pen, not a track less.
fn check_tracks(models: &BTreeMap<String, ModelEntry>, suite: &Suite) -> anyhow::Result<()> {
    let tracks: Vec<&str> = suite.tracks.iter().map(|t| t.name.as_str()).collect();
    models
        .iter()
        .try_for_each(|(name, model)| known(&format!("tracks of {name}"), &model.tracks, &tracks))
}

fn index(
    loaded: &Loaded,
    models: &BTreeMap<String, ModelEntry>,
) -> anyhow::Result<Vec<ModelOutputs>> {
    let index = |(name, entry): (&String, &ModelEntry)| loaded.index(name, entry);
    models.iter().map(index).collect()
}

/// Filters, with every name checked: a filter that selects nothing is a slip.
pub(crate) fn filters(args: &PartArgs, suite: &Suite) -> anyhow::Result<Filters> {
    let tracks: Vec<&str> = suite.tracks.iter().map(|t| t.name.as_str()).collect();
    let dims: Vec<&str> = suite
        .tracks
        .iter()
        .flat_map(|t| &t.dimensions)
        .map(|d| d.name.as_str())
        .collect();
    let ids: Vec<&str> = suite.instances().map(|i| i.id.as_str()).collect();
    known("--tracks", &args.tracks, &tracks)?;
    known("--dims", &args.dims, &dims)?;
    known("--ids", &args.ids, &ids)?;
    if args.limit == Some(0) {
        return Err(usage("--limit 0 leaves nothing to do"));
    }
    let filters = Filters {
        tracks: args.tracks.clone(),
        dims: args.dims.clone(),
        ids: args.ids.clone(),
        limit: args.limit,
        shard: None,
    };
    let wanted = suite.instances().any(|i| {
        filters.wants_track(&i.track)
            && filters.wants_dimension(&i.dimension)
            && filters.wants_id(&i.id)
    });
    if wanted {
        Ok(filters)
    } else {
        Err(usage("these filters together select no instance"))
    }
}

fn known(flag: &str, given: &[String], names: &[&str]) -> anyhow::Result<()> {
    let Some(unknown) = given.iter().find(|g| !names.contains(&g.as_str())) else {
        return Ok(());
    };
    let hint = if names.len() <= 40 {
        format!("; there is {}", names.join(", "))
    } else {
        String::new()
    };
    Err(usage(format!(
        "{flag}: there is no {unknown:?} in this suite{hint}"
    )))
}
