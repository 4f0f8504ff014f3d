//! From what was typed and configured to a judge: identity, address, key.

use secrecy::SecretString;
use verispec_model::{JudgeIdentity, Panel, PanelMember, Params, Structured};
use verispec_providers::command::COMMAND;
use verispec_providers::{ANTHROPIC_MAX_TOKENS, EMBEDDINGS};

use crate::args::{JudgeSpec, Preset, StructuredArg, SuiteName, TargetArgs};
use crate::config::{Config, FILE, JudgeConfig};
use crate::exit::usage;

/// A judge with everything needed to reach it.
#[derive(Debug)]
pub(crate) struct Judge {
    /// Who judges; part of every key.
    pub(crate) identity: JudgeIdentity,
    /// Addresses, any of which may be asked; none for the builtin judge.
    pub(crate) endpoints: Vec<String>,
    /// Key, if one is set.
    pub(crate) key: Option<SecretString>,
    /// Environment variables that may hold the key; the one that did alone, if one did.
    pub(crate) key_env: Vec<String>,
    /// Program and arguments; empty for all but `command` judges.
    pub(crate) command: Vec<String>,
    /// Requests in flight, if configured.
    pub(crate) max_concurrency: Option<usize>,
    /// Judges of a panel, in the order of `panel.members`; the fields above are then the first
    /// one's.
    pub(crate) members: Vec<Judge>,
    /// Who they are and how their verdicts become one; `None` for one judge.
    pub(crate) panel: Option<Panel>,
}

/// As what somebody is asked, by the name that was typed.
#[derive(Debug, Clone, Copy)]
struct Asked<'a> {
    role: Role,
    name: &'a str,
}

#[derive(Debug, Clone, Copy)]
enum Role {
    Judge,
    Model,
}

impl Role {
    const fn word(self) -> &'static str {
        match self {
            Self::Judge => "judge",
            Self::Model => "model",
        }
    }

    /// Where the configuration says how to reach it.
    const fn section(self) -> &'static str {
        match self {
            Self::Judge => "[judge.NAME]",
            Self::Model => "[model.NAME] generate",
        }
    }
}

impl Asked<'_> {
    /// A fault of the caller's, with who it is about.
    fn fault(self, what: &str) -> anyhow::Error {
        usage(format!("{} {}: {what}", self.role.word(), self.name))
    }
}

/// Name of the judge that runs in this process.
pub(crate) const BUILTIN: &str = "builtin";

/// Provider whose replies are images alone, so that it cannot judge.
const IMAGES: &str = "openai-images";

/// What a provider assumes when nothing is said: address, variables with address, key, model.
struct Defaults {
    provider: &'static str,
    endpoint: Option<&'static str>,
    endpoint_env: &'static [&'static str],
    key_env: &'static [&'static str],
    model_env: Option<&'static str>,
}

const DEFAULTS: [Defaults; 6] = [
    Defaults {
        provider: "openai",
        endpoint: Some("https://api.openai.com/v1"),
        endpoint_env: &["OPENAI_BASE_URL", "OPENAI_API_BASE"],
        key_env: &["OPENAI_API_KEY"],
        model_env: None,
    },
    Defaults {
        provider: IMAGES,
        endpoint: Some("https://api.openai.com/v1"),
        endpoint_env: &["OPENAI_BASE_URL", "OPENAI_API_BASE"],
        key_env: &["OPENAI_API_KEY"],
        model_env: None,
    },
    Defaults {
        provider: EMBEDDINGS,
        endpoint: Some("https://api.openai.com/v1"),
        endpoint_env: &["OPENAI_BASE_URL", "OPENAI_API_BASE"],
        key_env: &["OPENAI_API_KEY"],
        model_env: None,
    },
    Defaults {
        provider: "gemini",
        endpoint: Some("https://generativelanguage.googleapis.com/v1beta"),
        endpoint_env: &[],
        key_env: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        model_env: None,
    },
    Defaults {
        provider: "anthropic",
        endpoint: Some("https://api.anthropic.com"),
        endpoint_env: &["ANTHROPIC_BASE_URL"],
        key_env: &["ANTHROPIC_API_KEY"],
        model_env: None,
    },
    // Names of the variables: SpecV's released scripts.
    Defaults {
        provider: "gemini-dashscope",
        endpoint: None,
        endpoint_env: &["JUDGE_API_URL"],
        key_env: &["DASHSCOPE_API_KEY"],
        model_env: Some("JUDGE_MODEL"),
    },
];

/// Works out the judge. Flags win over the file, the file over variables, variables over
/// defaults. The presence of a key never chooses anything.
pub(crate) fn resolve(target: &TargetArgs, config: &Config) -> anyhow::Result<Judge> {
    let judge = resolve_spec(&target.judge, specv_preset(target), config)?;
    if judge.identity.provider == EMBEDDINGS {
        return Err(usage(format!(
            "{} gives vectors of texts and cannot judge",
            judge.identity.model
        )));
    }
    Ok(judge)
}

/// Works out anybody who is asked by name: a judge, a model under test, an embedding endpoint.
pub(crate) fn resolve_name(name: &str, config: &Config) -> anyhow::Result<Judge> {
    let spec = JudgeSpec {
        judge: Some(name.to_owned()),
        ..JudgeSpec::default()
    };
    resolve_spec(&spec, None, config)
}

fn resolve_spec(
    spec: &JudgeSpec,
    preset: Option<Preset>,
    config: &Config,
) -> anyhow::Result<Judge> {
    let name = spec
        .judge
        .as_deref()
        .or_else(|| (preset == Some(Preset::Published)).then_some("gemini-dashscope"));
    let name = name.ok_or_else(|| {
        usage(format!(
            "who judges? give --judge NAME: one of {FILE} ({}), PROVIDER:MODEL such as \
             openai:gpt-4.1, or builtin",
            list(config.judge.keys())
        ))
    })?;
    let asked = Asked {
        role: Role::Judge,
        name,
    };
    let named = match config.judge.get(name) {
        Some(named) => named.clone(),
        None => by_name(asked)?,
    };
    if !named.members.is_empty() {
        return panel(name, &named, (spec, preset), config);
    }
    if named.provider == BUILTIN {
        return Ok(builtin());
    }
    if named.provider == IMAGES {
        return Err(asked.fault(&format!(
            "{IMAGES} makes images and cannot judge; it is for `verispec generate`"
        )));
    }
    if named.provider == COMMAND {
        return program(asked, &named, spec);
    }
    remote(asked, &named, spec, preset)
}

/// The preset, where it says who judges: RealUnify's release leaves its judge open.
fn specv_preset(target: &TargetArgs) -> Option<Preset> {
    target.preset.filter(|_| target.suite == SuiteName::Specv)
}

/// Works out a model under test, which is reached like a judge. `named` is what its configuration
/// says; without one the name is PROVIDER:MODEL.
pub(crate) fn resolve_model(
    name: &str,
    named: Option<JudgeConfig>,
    spec: &JudgeSpec,
) -> anyhow::Result<Judge> {
    let asked = Asked {
        role: Role::Model,
        name,
    };
    let named = named.map_or_else(|| by_name(asked), Ok)?;
    match named.provider.as_str() {
        BUILTIN => Err(asked.fault(&format!("{BUILTIN} is a judge and makes nothing"))),
        COMMAND => program(asked, &named, spec),
        _ => remote(asked, &named, spec, None),
    }
}

/// All judges of a panel. Each is worked out as if it judged alone.
fn panel(
    name: &str,
    named: &JudgeConfig,
    (spec, preset): (&JudgeSpec, Option<Preset>),
    config: &Config,
) -> anyhow::Result<Judge> {
    let asked = Asked {
        role: Role::Judge,
        name,
    };
    let refuse = |what: &str| Err(asked.fault(what));
    let only_members = JudgeConfig {
        members: named.members.clone(),
        reduce: named.reduce.clone(),
        min_valid: named.min_valid,
        ..JudgeConfig::default()
    };
    if *named != only_members {
        return refuse("a panel has members, reduce and min_valid, and nothing else");
    }
    if !spec.reach.endpoint.is_empty() || spec.reach.api_key_env.is_some() {
        return refuse("--endpoint and --api-key-env are for one judge; set them for each member");
    }
    let Some(reduce) = named.reduce.clone() else {
        return refuse("reduce is missing: majority, mean, unanimous or member:NAME");
    };
    let mut members: Vec<Judge> = vec![];
    for member in &named.members {
        if config
            .judge
            .get(member)
            .is_some_and(|j| !j.members.is_empty())
        {
            return refuse(&format!("member {member} is a panel itself"));
        }
        let alone = JudgeSpec {
            judge: Some(member.clone()),
            ..spec.clone()
        };
        let judge = resolve_spec(&alone, preset, config)?;
        if let Some(i) = members.iter().position(|m| m.identity == judge.identity) {
            let twin = &named.members[i];
            return refuse(&format!(
                "members {twin} and {member} are the same judge and would be asked once; for \
                 several answers of one judge there is --repeats"
            ));
        }
        members.push(judge);
    }
    let identities = named.members.iter().zip(&members);
    let panel = Panel {
        members: identities
            .map(|(name, judge)| PanelMember {
                name: name.clone(),
                judge: judge.identity.clone(),
            })
            .collect(),
        reduce,
        min_valid: named.min_valid,
    };
    crate::reduce::check_panel(&panel)?;
    Ok(Judge {
        identity: members[0].identity.clone(),
        endpoints: vec![],
        key: None,
        key_env: vec![],
        command: vec![],
        max_concurrency: None,
        members,
        panel: Some(panel),
    })
}

impl Judge {
    /// The judges that are asked: the panel's members, or this one.
    pub(crate) fn each(&self) -> Vec<&Self> {
        match self.members.as_slice() {
            [] => vec![self],
            members => members.iter().collect(),
        }
    }
}

fn by_name(Asked { role, name }: Asked<'_>) -> anyhow::Result<JudgeConfig> {
    let (provider, model) = name.split_once(':').unwrap_or((name, ""));
    if ![BUILTIN, COMMAND].contains(&provider) && defaults(provider).is_none() {
        return Err(usage(format!(
            "no {} {name:?} in {FILE}, and no provider {provider:?}; providers: {}",
            role.word(),
            providers()
        )));
    }
    Ok(JudgeConfig {
        provider: provider.into(),
        model: model.into(),
        ..JudgeConfig::default()
    })
}

impl Judge {
    /// Whether this is a provider's own address, where nothing works without a key.
    pub(crate) fn is_public(&self) -> bool {
        let default = defaults(&self.identity.provider).and_then(|d| d.endpoint);
        let is_default = |e: &String| default == Some(e.trim_end_matches('/'));
        self.endpoints.iter().any(is_default)
    }

    /// All addresses, for people.
    pub(crate) fn address(&self) -> String {
        self.endpoints.join(", ")
    }
}

fn defaults(provider: &str) -> Option<&'static Defaults> {
    DEFAULTS.iter().find(|d| d.provider == provider)
}

/// Names of all providers.
fn providers() -> String {
    let remote = DEFAULTS.iter().map(|d| d.provider);
    list(remote.chain([COMMAND, BUILTIN]))
}

/// What the builtin judge can do depends on its weights, so they are part of who it is: replies
/// given without them are asked again once they are there.
fn builtin() -> Judge {
    let weights = crate::connect::weights();
    let reads_text = weights.as_ref().is_some_and(|w| w.ocr);
    let mut revision = if reads_text {
        "with-ocr"
    } else {
        "without-ocr"
    }
    .to_owned();
    // Without a detector the name is the one that older runs have.
    if weights.is_some_and(|w| w.detector) {
        revision = format!("{revision}-{}", verispec_vision::DETECTOR_NAME);
    }
    let identity = JudgeIdentity {
        provider: BUILTIN.into(),
        model: "builtin-1".into(),
        params: Params::new(),
        structured: Structured::None,
        revision: Some(revision),
    };
    Judge {
        identity,
        endpoints: vec![],
        key: None,
        key_env: vec![],
        command: vec![],
        max_concurrency: Some(2),
        members: vec![],
        panel: None,
    }
}

/// A judge that is a program. What it does is not known, so a changed program needs another
/// `revision`.
fn program(asked: Asked<'_>, named: &JudgeConfig, spec: &JudgeSpec) -> anyhow::Result<Judge> {
    if named.command.is_empty() {
        return Err(asked.fault(&format!(
            "which program? set command = [\"PROGRAM\", \"ARGUMENT\"] in {} of {FILE}",
            asked.role.section()
        )));
    }
    let model = if named.model.is_empty() {
        asked.name
    } else {
        &named.model
    };
    let identity = JudgeIdentity {
        provider: COMMAND.into(),
        model: model.into(),
        params: params(named, spec, None)?,
        structured: spec.structured.map_or(named.structured, structured),
        revision: named.revision.clone(),
    };
    Ok(Judge {
        identity,
        endpoints: vec![],
        key: None,
        key_env: vec![],
        command: named.command.clone(),
        max_concurrency: Some(named.max_concurrency.unwrap_or(1)),
        members: vec![],
        panel: None,
    })
}

fn remote(
    asked: Asked<'_>,
    named: &JudgeConfig,
    spec: &JudgeSpec,
    preset: Option<Preset>,
) -> anyhow::Result<Judge> {
    let defaults = defaults(&named.provider).ok_or_else(|| {
        let (provider, all) = (&named.provider, providers());
        asked.fault(&format!("no provider {provider:?}; providers: {all}"))
    })?;
    let env = |names: &[&str]| {
        names
            .iter()
            .find_map(|n| std::env::var(n).ok().filter(|v| !v.is_empty()))
    };
    let model = Some(named.model.clone())
        .filter(|m| !m.is_empty())
        .or_else(|| env(defaults.model_env.as_slice()))
        .ok_or_else(|| asked.fault(&format!("which model? write {}:MODEL", named.provider)))?;
    let mut endpoints = spec.reach.endpoint.clone();
    if endpoints.is_empty() {
        endpoints.extend(named.endpoint.clone());
        let more = named.endpoints.iter();
        endpoints.extend(more.filter(|e| named.endpoint.as_ref() != Some(e)).cloned());
    }
    if endpoints.is_empty() {
        endpoints.extend(env(defaults.endpoint_env).or(defaults.endpoint.map(str::to_owned)));
    }
    if endpoints.is_empty() {
        return Err(asked.fault(&format!(
            "where is it? give --endpoint URL or set {}",
            list(defaults.endpoint_env)
        )));
    }
    let key_env = spec
        .reach
        .api_key_env
        .clone()
        .or_else(|| named.api_key_env.clone());
    let key_names: Vec<String> = match &key_env {
        Some(variable) => vec![variable.clone()],
        None => defaults.key_env.iter().map(|n| (*n).to_owned()).collect(),
    };
    let key = key_names.iter().find_map(|n| Some((n.clone(), env(&[n])?)));
    if let (Some(variable), None) = (&key_env, &key) {
        return Err(asked.fault(&format!(
            "environment variable {variable} is not set; export it or put it into .env"
        )));
    }
    let identity = JudgeIdentity {
        provider: named.provider.clone(),
        model,
        params: params(named, spec, preset)?,
        structured: spec.structured.map_or(named.structured, structured),
        revision: named.revision.clone(),
    };
    Ok(Judge {
        identity,
        endpoints,
        key_env: key
            .as_ref()
            .map_or(key_names, |(name, _)| vec![name.clone()]),
        key: key.map(|(_, key)| SecretString::from(key)),
        command: vec![],
        max_concurrency: named.max_concurrency,
        members: vec![],
        panel: None,
    })
}

fn params(named: &JudgeConfig, spec: &JudgeSpec, preset: Option<Preset>) -> anyhow::Result<Params> {
    let mut params = Params::new();
    if preset == Some(Preset::Published) {
        params.extend(verispec_suites::specv::published::published_params());
    }
    for (name, value) in &named.params {
        let value = serde_json::to_value(value)
            .map_err(|e| usage(format!("{FILE}: params.{name}: {e}")))?;
        params.insert(name.clone(), value);
    }
    let flags = [
        (
            "temperature",
            spec.reach.temperature.map(|t| serde_json::json!(t)),
        ),
        (
            "max_tokens",
            spec.reach.max_tokens.map(|n| serde_json::json!(n)),
        ),
        ("seed", spec.seed.map(|n| serde_json::json!(n))),
    ];
    params.extend(
        flags
            .into_iter()
            .filter_map(|(name, v)| Some((name.to_owned(), v?))),
    );
    if named.provider == "anthropic" {
        // The interface wants a limit, so it is part of who judges, and doubled after a cut reply.
        params
            .entry("max_tokens".into())
            .or_insert(ANTHROPIC_MAX_TOKENS.into());
    }
    Ok(params)
}

const fn structured(arg: StructuredArg) -> Structured {
    match arg {
        StructuredArg::None => Structured::None,
        StructuredArg::JsonObject => Structured::JsonObject,
        StructuredArg::JsonSchema => Structured::JsonSchema,
    }
}

fn list<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> String {
    let names: Vec<String> = names.into_iter().map(|n| n.as_ref().to_owned()).collect();
    if names.is_empty() {
        "none yet".into()
    } else {
        names.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str, named: Option<JudgeConfig>) -> String {
        let error = resolve_model(name, named, &JudgeSpec::default()).unwrap_err();
        error.to_string()
    }

    /// Names are the user's and stay as they are.
    #[test]
    fn faults_of_models_speak_of_models() {
        assert_eq!(
            said("builtin", None),
            "model builtin: builtin is a judge and makes nothing"
        );
        assert!(said("no judge here", None).starts_with("no model \"no judge here\" in"));
        let program = JudgeConfig {
            provider: COMMAND.into(),
            ..JudgeConfig::default()
        };
        let error = said("my judge x", Some(program));
        assert!(
            error.starts_with("model my judge x: which program?"),
            "{error}"
        );
        assert!(error.contains("in [model.NAME] generate of"), "{error}");
    }
}
