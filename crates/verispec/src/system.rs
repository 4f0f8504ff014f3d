//! From what was typed and configured to the system under test.

use std::sync::Arc;

use verispec_generate::System;

use crate::args::GenerateArgs;
use crate::config::{Config, FILE, GenerateConfig};
use crate::exit::usage;
use crate::judge::{Judge, resolve_model};

/// A system with everything needed to reach its models.
pub(crate) struct Target {
    /// Its name, under which outputs are judged.
    pub(crate) name: String,
    /// Who is asked for what.
    pub(crate) system: System,
    /// Its models, in the order of [`System::models`].
    pub(crate) models: Vec<Judge>,
}

/// Works out the system: one model, or the two that `understand` and `generate` name.
pub(crate) fn resolve(args: &GenerateArgs, config: &Config) -> anyhow::Result<Target> {
    let name = args.model.as_str();
    let configured = generate_of(name, config)?;
    let pair = configured.and_then(|g| Some((g.understand.as_ref()?, g.generate.as_ref()?)));
    let (system, models) = match (pair, configured) {
        (Some((understand, generate)), Some(all)) => {
            only_pair(name, all, args)?;
            let understand = part(name, understand, args, config)?;
            let generate = part(name, generate, args, config)?;
            mixed(understand, generate)
        }
        (None, Some(g)) if g.understand.is_some() || g.generate.is_some() => {
            let what = "a mixed system names both understand and generate";
            return Err(usage(format!("model {name}: {what}")));
        }
        (_, one) => {
            let model = resolve_model(name, one.map(GenerateConfig::one), &args.spec())?;
            (System::one(Arc::new(model.identity.clone())), vec![model])
        }
    };
    Ok(Target {
        name: named(name, config, &models),
        system,
        models,
    })
}

/// The name of the configuration, else the last part of the model's id.
fn named(name: &str, config: &Config, models: &[Judge]) -> String {
    let id = models.first().map(|m| m.identity.model.as_str());
    match id {
        Some(id) if !config.model.contains_key(name) => {
            id.rsplit('/').next().unwrap_or(id).to_owned()
        }
        _ => name.to_owned(),
    }
}

fn mixed(understand: Judge, generate: Judge) -> (System, Vec<Judge>) {
    let system = System {
        understand: Arc::new(understand.identity.clone()),
        generate: Arc::new(generate.identity.clone()),
    };
    let models = match system.is_mixed() {
        true => vec![understand, generate],
        false => vec![understand],
    };
    (system, models)
}

/// What the configuration says about making outputs.
fn generate_of<'a>(name: &str, config: &'a Config) -> anyhow::Result<Option<&'a GenerateConfig>> {
    match config.model.get(name) {
        None => Ok(None),
        Some(model) => model.generate.as_ref().map(Some).ok_or_else(|| {
            let what = "says where its outputs are, not how they are made; add generate = {...}";
            usage(format!("[model.{name}] of {FILE} {what}"))
        }),
    }
}

/// One of a mixed system's models.
fn part(whole: &str, name: &str, args: &GenerateArgs, config: &Config) -> anyhow::Result<Judge> {
    let configured = generate_of(name, config)?;
    if configured.is_some_and(|g| g.understand.is_some() || g.generate.is_some()) {
        return Err(usage(format!(
            "model {whole}: its part {name} is mixed itself"
        )));
    }
    resolve_model(name, configured.map(GenerateConfig::one), &args.spec())
}

fn only_pair(name: &str, all: &GenerateConfig, args: &GenerateArgs) -> anyhow::Result<()> {
    let pair = GenerateConfig {
        understand: all.understand.clone(),
        generate: all.generate.clone(),
        ..GenerateConfig::default()
    };
    let refuse = |what: &str| Err(usage(format!("model {name}: {what}")));
    if *all != pair {
        return refuse("a mixed system has understand and generate, and nothing else");
    }
    if !args.reach.endpoint.is_empty() || args.reach.api_key_env.is_some() {
        return refuse("--endpoint and --api-key-env are for one model; set them for each part");
    }
    Ok(())
}
