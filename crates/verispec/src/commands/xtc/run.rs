//! `verispec xtc run`

use std::path::Path;

use serde_json::json;
use verispec_engine::ledger::RunLock;
use verispec_suites::xtc::{Bundle, has_graphs};

use super::driver::{Asked, Driver, StageLine};
use super::inputs;
use super::look::Looker;
use super::manifest::{EmbedderEntry, RunSource, Source, XtcManifest};
use super::pipeline::{Pipeline, facts};
use super::vectors::INSTEAD;
use crate::args::Cli;
use crate::args::xtc::{XtcCallArgs, XtcRunArgs};
use crate::config::Config;
use crate::embedder::Minilm;
use crate::exit::{Exit, usage};
use crate::folder;
use crate::judge::resolve_name;
use crate::output;
use crate::purse::Spent;
use crate::run::hash_cache;

/// Name of the embedder that needs no model.
const BAG: &str = "bag-of-words";
/// Name of the embedder that runs in this process.
const MINILM: &str = "minilm";

/// Who makes vectors.
enum EmbedderPart {
    Words,
    Minilm,
    Asked(Box<Asked>),
}

/// Everybody who is asked, by part.
struct Cast {
    judge: Asked,
    extractor: Option<Asked>,
    embedder: EmbedderPart,
    /// Model under test, whether it draws, and who it is.
    models: Vec<(String, bool, Asked)>,
}

pub(super) fn run(cli: &Cli, args: &XtcRunArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let cast = cast(args, &config)?;
    let bundles = inputs::bundles(&args.bundle)?;
    let mut models = inputs::models(args, &config, &bundles)?;
    for (name, draws, asked) in &cast.models {
        let entry = models.entry(name.clone()).or_default();
        let slot = if *draws {
            &mut entry.draw
        } else {
            &mut entry.ask
        };
        *slot = Some(asked.judge.identity.clone());
    }
    let source = source(args, &cast);
    let extracts = source.extractor.is_some();
    let manifest = XtcManifest::new(
        inputs::datasets(&bundles),
        models,
        Source::Run(Box::new(source)),
    );
    if !extracts {
        needs_no_extractor(&manifest)?;
    }
    let name = args.run.clone();
    let name =
        name.unwrap_or_else(|| manifest.default_name(&plain(&cast.judge.judge.identity.model)));
    let (lock, manifest) = open(&cli.runs, &name, manifest)?;
    let Source::Run(source) = &manifest.source else {
        anyhow::bail!("run {name:?} is of another kind");
    };
    let everybody = cast.everybody();
    let mut driver = Driver::live(&cli.runs, &lock, everybody, &args.calls)?;
    let hashes = hash_cache(lock.dir(), false);
    let mut pipeline = Pipeline {
        dir: lock.dir(),
        manifest: &manifest,
        source,
        bundles: &bundles,
        looker: Looker::new(&hashes),
        notes: vec![],
    };
    let tested = pipeline.run(&mut driver)?;
    pipeline.notes.iter().for_each(|n| output::note(n));
    hashes.save()?;
    let pending = facts(&tested, &bundles).iter().map(|m| m.pending).sum();
    let counts = (pending, driver.spent()?);
    tell(cli, &manifest, &driver, &bundles, (counts, &args.calls));
    Ok(if args.calls.purse.dry_run {
        Exit::Ok
    } else {
        driver.exit()
    })
}

/// Locks the folder of a run and settles what it is about.
pub(super) fn open(
    runs: &Path,
    name: &str,
    mut manifest: XtcManifest,
) -> anyhow::Result<(RunLock, XtcManifest)> {
    manifest.run = verispec_model::file_name(name);
    let judged = runs.join(&manifest.run).join(crate::run::MANIFEST_FILE);
    if judged.is_file() {
        return Err(usage(format!(
            "run {name:?} is no XTC run; choose another --run name"
        )));
    }
    let lock = folder::locked(runs, &manifest.run)?;
    let manifest = manifest.settle(lock.dir())?;
    Ok((lock, manifest))
}

/// A model's name as part of a folder's.
pub(super) fn plain(name: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    name.replace(|c| !keep(c), "-").chars().take(60).collect()
}

fn cast(args: &XtcRunArgs, config: &Config) -> anyhow::Result<Cast> {
    let asked = |name: &str| Asked::new(resolve_name(name, config)?);
    let mut models = vec![];
    for (draws, flag, texts) in [(false, "--ask", &args.ask), (true, "--draw", &args.draw)] {
        for text in texts {
            let (model, judge) = inputs::named(text, flag)?;
            let asked = asked(judge)?;
            if draws && asked.judge.command.is_empty() {
                return Err(usage(format!(
                    "--draw {text}: only programs draw here (provider = \"command\"); pictures of \
                     others come from a folder: --model {model}=DIR"
                )));
            }
            models.push((model.to_owned(), draws, asked));
        }
    }
    Ok(Cast {
        judge: asked(&args.judge)?,
        extractor: args.extractor.as_deref().map(asked).transpose()?,
        embedder: match args.embedder.as_str() {
            BAG => EmbedderPart::Words,
            MINILM => {
                // What is not installed is said before anything is asked.
                Minilm::installed(INSTEAD)?;
                EmbedderPart::Minilm
            }
            name => EmbedderPart::Asked(Box::new(embedder(asked(name)?)?)),
        },
        models,
    })
}

fn embedder(asked: Asked) -> anyhow::Result<Asked> {
    if asked.judge.identity.provider == verispec_providers::EMBEDDINGS {
        return Ok(asked);
    }
    Err(usage(format!(
        "--embedder: {} gives no vectors; {BAG}, {MINILM}, or provider {}",
        asked.judge.identity.model,
        verispec_providers::EMBEDDINGS
    )))
}

impl Cast {
    fn everybody(&self) -> Vec<&Asked> {
        let models = self.models.iter().map(|(_, _, asked)| asked);
        let embedder = match &self.embedder {
            EmbedderPart::Asked(asked) => Some(&**asked),
            EmbedderPart::Words | EmbedderPart::Minilm => None,
        };
        let rest = self.extractor.iter().chain(embedder).chain(models);
        std::iter::once(&self.judge).chain(rest).collect()
    }
}

fn source(args: &XtcRunArgs, cast: &Cast) -> RunSource {
    let identity = |asked: &Asked| asked.judge.identity.clone();
    RunSource {
        options: inputs::options(&args.bundle.options),
        judge: identity(&cast.judge),
        extractor: cast.extractor.as_ref().map(identity),
        embedder: match &cast.embedder {
            EmbedderPart::Words => EmbedderEntry::BagOfWords,
            EmbedderPart::Minilm => EmbedderEntry::Minilm,
            EmbedderPart::Asked(asked) => EmbedderEntry::Endpoint {
                model: identity(asked),
            },
        },
        extract: inputs::graph_policy(&args.graph),
        sheet: inputs::sheet_policy(args),
        understanding: inputs::understanding(args),
        exact: inputs::exact(args),
        seed: args.seed,
    }
}

/// Without an extractor every model needs graphs that were made elsewhere.
fn needs_no_extractor(manifest: &XtcManifest) -> anyhow::Result<()> {
    for (name, model) in &manifest.models {
        let mut folders = model.folders.values();
        if model.draw.is_some() || folders.any(|f| !has_graphs(f, name)) {
            return Err(usage(format!(
                "model {name}: its pictures have no graphs yet (sg_with_attributes/); name who \
                 makes them with --extractor"
            )));
        }
    }
    Ok(())
}

fn tell(
    cli: &Cli,
    manifest: &XtcManifest,
    driver: &Driver<'_>,
    bundles: &[Bundle],
    ((open_facts, spent), calls): ((usize, Option<Spent>), &XtcCallArgs),
) {
    let facts: usize = bundles.iter().map(Bundle::facts).sum();
    let next = format!("verispec xtc score {}", manifest.run);
    if cli.json {
        let exit = if calls.purse.dry_run {
            Exit::Ok
        } else {
            driver.exit()
        };
        output::json(&json!({
            "format": 1,
            "kind": "xtc-run",
            "run": manifest.run,
            "folder": cli.runs.join(&manifest.run),
            "facts": facts,
            "models": manifest.models.keys().collect::<Vec<_>>(),
            "stages": driver.stages,
            "pending_requests": driver.pending(),
            "pending_facts": open_facts,
            "spent_usd": spent.map(|s| s.money.as_dollars()),
            "replies_without_counts": spent.map(|s| s.unknown),
            "exit": exit as u8,
        }));
        return;
    }
    let models = manifest.models.len();
    let mut lines = vec![format!(
        "run {}: {models} models, {facts} facts each, {} images",
        manifest.run,
        bundles.iter().map(|b| b.images.len()).sum::<usize>()
    )];
    lines.extend(driver.stages.iter().map(|s| stage(s, calls.purse.dry_run)));
    if let Some(spent) = spent {
        lines.push(format!("  {}", spent.line()));
    }
    if driver.pending() > 0 && !calls.purse.dry_run {
        lines.push("next: the same command again resumes".to_owned());
    } else if !calls.purse.dry_run {
        lines.push(format!("next: {next}"));
    }
    output::result(&lines.join("\n"));
}

/// One line a stage.
pub(super) fn stage(line: &StageLine, dry: bool) -> String {
    let StageLine {
        stage,
        jobs,
        calls,
        reused,
        pending,
        tokens,
        expected,
    } = line;
    if dry {
        let price = expected.map_or_else(String::new, |usd| format!(", about ${usd:.2}"));
        return format!("  {stage:<8} {jobs} jobs, {pending} requests at first{price}");
    }
    let mut text = format!("  {stage:<8} {jobs} jobs, {calls} calls");
    for (n, what) in [(reused, "reused"), (pending, "pending")] {
        if *n > 0 {
            text.push_str(&format!(", {n} {what}"));
        }
    }
    if tokens.0 + tokens.1 > 0 {
        text.push_str(&format!(", {} tokens in, {} out", tokens.0, tokens.1));
    }
    text
}
