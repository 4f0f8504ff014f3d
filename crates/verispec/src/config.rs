//! `verispec.toml`, below the command line and above built-in defaults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Deserialize;
use verispec_model::{Reduce, Structured};

use crate::exit::usage;

/// File that is read when `--config` is not given.
pub(crate) const FILE: &str = "verispec.toml";

/// The whole file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    /// Judges by name.
    pub(crate) judge: BTreeMap<String, JudgeConfig>,
    /// Models under test by name.
    pub(crate) model: BTreeMap<String, ModelConfig>,
    /// Suites by name.
    pub(crate) suite: BTreeMap<String, SuiteConfig>,
}

/// `[judge.NAME]`.
#[derive(Debug, Clone, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct JudgeConfig {
    /// Dialect.
    pub(crate) provider: String,
    /// Model id.
    pub(crate) model: String,
    /// Address.
    pub(crate) endpoint: Option<String>,
    /// Program and arguments, for the provider `command`.
    pub(crate) command: Vec<String>,
    /// Addresses that serve the same model; requests are spread over them.
    pub(crate) endpoints: Vec<String>,
    /// Name of the environment variable with the key.
    pub(crate) api_key_env: Option<String>,
    /// Family, for studies.
    pub(crate) family: Option<String>,
    /// Parameters to send.
    pub(crate) params: BTreeMap<String, toml::Value>,
    /// Structured output.
    pub(crate) structured: Structured,
    /// Requests in flight.
    pub(crate) max_concurrency: Option<usize>,
    /// Revision of self-hosted weights, part of the judge's identity.
    pub(crate) revision: Option<String>,
    /// Judges of a panel by name; nothing but `reduce` and `min_valid` stands beside it.
    pub(crate) members: Vec<String>,
    /// How the members' verdicts become one.
    pub(crate) reduce: Option<Reduce>,
    /// Members that have to give a valid verdict.
    pub(crate) min_valid: Option<usize>,
}

/// `[model.NAME]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ModelConfig {
    /// Folder of outputs: `<track>/<id>.png` and the like below it.
    pub(crate) outputs: PathBuf,
    /// Family, for studies.
    pub(crate) family: Option<String>,
    /// Tracks that the model enters; default: those with an output.
    pub(crate) tracks: Vec<String>,
    /// How it is asked to make outputs.
    pub(crate) generate: Option<GenerateConfig>,
}

/// `generate` of `[model.NAME]`: one model, or the names of one for each ability.
#[derive(Debug, Clone, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct GenerateConfig {
    /// Dialect.
    pub(crate) provider: String,
    /// Model id.
    pub(crate) model: String,
    /// Address.
    pub(crate) endpoint: Option<String>,
    /// Program and arguments, for the provider `command`.
    pub(crate) command: Vec<String>,
    /// Addresses that serve the same model.
    pub(crate) endpoints: Vec<String>,
    /// Name of the environment variable with the key.
    pub(crate) api_key_env: Option<String>,
    /// Parameters to send.
    pub(crate) params: BTreeMap<String, toml::Value>,
    /// Requests in flight.
    pub(crate) max_concurrency: Option<usize>,
    /// Revision of self-hosted weights.
    pub(crate) revision: Option<String>,
    /// Model that makes texts; nothing but `generate` stands beside it.
    pub(crate) understand: Option<String>,
    /// Model that makes images.
    pub(crate) generate: Option<String>,
}

impl GenerateConfig {
    /// The part that names one model, which is reached like a judge.
    pub(crate) fn one(&self) -> JudgeConfig {
        JudgeConfig {
            provider: self.provider.clone(),
            model: self.model.clone(),
            endpoint: self.endpoint.clone(),
            command: self.command.clone(),
            endpoints: self.endpoints.clone(),
            api_key_env: self.api_key_env.clone(),
            params: self.params.clone(),
            max_concurrency: self.max_concurrency,
            revision: self.revision.clone(),
            ..JudgeConfig::default()
        }
    }
}

/// `[suite.NAME]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SuiteConfig {
    /// Folder of the suite's data.
    pub(crate) data: PathBuf,
}

impl Config {
    /// Reads `path`, or [`FILE`] in the working folder if that exists.
    pub(crate) fn load(path: Option<&Path>) -> anyhow::Result<Self> {
        let path = match path {
            Some(path) => path,
            None if Path::new(FILE).exists() => Path::new(FILE),
            None => return Ok(Self::default()),
        };
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text)
            .map_err(|e| usage(format!("{}: {}", path.display(), e.to_string().trim_end())))
    }

    /// Folder of a suite's data: from the command line, else from the file.
    pub(crate) fn data(&self, suite: &str, flag: Option<&Path>) -> anyhow::Result<PathBuf> {
        let configured = || self.suite.get(suite).map(|s| s.data.clone());
        flag.map(Path::to_path_buf).or_else(configured).ok_or_else(|| {
            usage(format!(
                "where is the data of {suite}? give --data DIR (a checkout of the benchmark), or \
                 set [suite.{suite}] data in {FILE}"
            ))
        })
    }
}
