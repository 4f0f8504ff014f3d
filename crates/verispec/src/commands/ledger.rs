//! `verispec ledger`

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use verispec_engine::ledger::{RunLock, Union, union};
use verispec_model::{Manifest, RunSource, Shard, file_name};

use super::ledger_generation;
use crate::args::{Cli, LedgerCommand};
use crate::exit::{Exit, usage};
use crate::folder::apart_from_others;
use crate::output;
use crate::run::{MANIFEST_FILE, Run, read_manifest, write_manifest};
use crate::target::absolute;

pub(super) fn run(cli: &Cli, command: &LedgerCommand) -> anyhow::Result<Exit> {
    let LedgerCommand::Merge {
        from,
        into,
        data,
        outputs,
    } = command;
    let name = file_name(into);
    if let Some(sources) = ledger_generation::sources(&cli.runs, from)? {
        let data = data.as_deref().map(absolute).transpose()?;
        return ledger_generation::join(cli, sources, name, data);
    }
    let sources = sources(&cli.runs, from)?;
    let dir = cli.runs.join(&name);
    let place = Place {
        data: data.as_deref().map(absolute).transpose()?,
        outputs: outputs.as_deref().map(absolute).transpose()?,
    };
    let manifest = merged(&sources, name, &place)?;
    let lock = open(&cli.runs, &dir, &manifest, &sources)?;
    let folders: Vec<PathBuf> = sources.iter().map(|s| s.dir.clone()).collect();
    let done = union(&folders, &lock)?;
    let shards: Vec<_> = sources.iter().map(|s| s.manifest.filters.shard).collect();
    let next = format!("verispec score {}", manifest.run);
    tell(cli, &manifest.run, &done, &absent_shards(&shards), &next);
    Ok(Exit::Ok)
}

/// The runs to join, shards in order, so that the order of arguments makes no difference.
fn sources(runs: &Path, from: &[PathBuf]) -> anyhow::Result<Vec<Run>> {
    let open = |dir: &PathBuf| Run::open(runs, &dir.to_string_lossy());
    let mut sources: Vec<Run> = from.iter().map(open).collect::<Result<_, _>>()?;
    sources.sort_by(|a, b| {
        let key = |r: &Run| {
            (
                r.manifest.filters.shard,
                r.manifest.run.clone(),
                r.dir.clone(),
            )
        };
        key(a).cmp(&key(b))
    });
    if let Some(other) = sources
        .iter()
        .find(|s| s.manifest.source != RunSource::Judge)
    {
        return Err(usage(format!(
            "{} is an import; only runs of judges have a ledger",
            other.dir.display()
        )));
    }
    let first = neutral(&sources[0].manifest);
    for other in &sources[1..] {
        let is = neutral(&other.manifest);
        if is != first {
            return Err(usage(format!(
                "{} and {} are not of one run: {} differ",
                sources[0].dir.display(),
                other.dir.display(),
                difference(&first, &is)
            )));
        }
    }
    Ok(sources)
}

/// Where data and outputs lie on this machine, if it is said.
struct Place {
    data: Option<PathBuf>,
    outputs: Option<PathBuf>,
}

/// What has to agree: everything but the share, the machine and the time.
fn neutral(manifest: &Manifest) -> Manifest {
    let mut neutral = manifest.clone();
    neutral.run = String::new();
    neutral.created = String::new();
    neutral.verispec = String::new();
    neutral.data = None;
    neutral.filters.shard = None;
    for model in neutral.models.values_mut() {
        model.outputs = PathBuf::new();
    }
    neutral
}

fn difference(a: &Manifest, b: &Manifest) -> &'static str {
    match () {
        () if a.judge != b.judge || a.panel != b.panel => "judges",
        () if a.protocol != b.protocol => "protocols",
        () if (&a.suite, &a.suite_revision) != (&b.suite, &b.suite_revision) => "specifications",
        () if a.models != b.models => "models",
        () if a.filters != b.filters => "filters",
        () if a.encoder != b.encoder => "image encoders",
        () => "settings",
    }
}

/// The description of the joined run: of the first one whose data is on this machine.
fn merged(sources: &[Run], name: String, place: &Place) -> anyhow::Result<Manifest> {
    let here = |s: &&Run| s.manifest.data.as_ref().is_some_and(|d| d.exists());
    let best = sources.iter().find(here).or(sources.first());
    let mut manifest = best.context("no run is named")?.manifest.clone();
    let created = sources.iter().map(|s| s.manifest.created.clone()).min();
    manifest.created = created.unwrap_or_default();
    manifest.run = name;
    manifest.filters.shard = None;
    let was = manifest.data.clone();
    if let Some(data) = &place.data {
        manifest.data = Some(data.clone());
    }
    for model in manifest.models.values_mut() {
        // Outputs inside the data folder move with it.
        let inside = was
            .as_ref()
            .and_then(|was| model.outputs.strip_prefix(was).ok().map(Path::to_owned));
        if let Some(outputs) = &place.outputs {
            model.outputs.clone_from(outputs);
        } else if let (Some(data), Some(inside)) = (&place.data, inside) {
            model.outputs = data.components().chain(inside.components()).collect();
        }
    }
    Ok(manifest)
}

/// Makes the joined run, or takes one that was joined before.
fn open(runs: &Path, dir: &Path, manifest: &Manifest, sources: &[Run]) -> anyhow::Result<RunLock> {
    let real = |d: &Path| d.canonicalize().ok();
    if let Some(own) = sources
        .iter()
        .find(|s| real(dir).is_some() && real(&s.dir) == real(dir))
    {
        return Err(usage(format!(
            "{} cannot be merged into itself; choose another --into name",
            own.dir.display()
        )));
    }
    apart_from_others(runs, &manifest.run)?;
    if dir.join(MANIFEST_FILE).is_file() {
        let was = read_manifest(dir)?;
        if neutral(&was) != neutral(manifest) {
            return Err(usage(format!(
                "run {:?} exists and its {} differ; choose another --into name",
                manifest.run,
                difference(&neutral(&was), &neutral(manifest))
            )));
        }
    }
    std::fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let lock = RunLock::acquire(dir)?;
    write_manifest(dir, manifest)?;
    Ok(lock)
}

/// Shards that are not among the sources, if these are shards.
pub(super) fn absent_shards(sources: &[Option<Shard>]) -> Vec<String> {
    let shards: Vec<_> = sources.iter().flatten().collect();
    let Some(of) = shards.first().map(|s| s.of()) else {
        return vec![];
    };
    if shards.len() < sources.len() || shards.iter().any(|s| s.of() != of) {
        // Other splits overlap in ways that only the jobs know.
        return vec![];
    }
    let there = |i: &u32| shards.iter().any(|s| s.index() == *i);
    (1..=of)
        .filter(|i| !there(i))
        .map(|i| format!("{i}/{of}"))
        .collect()
}

pub(super) fn tell(cli: &Cli, run: &str, done: &Union, absent: &[String], next: &str) {
    if !absent.is_empty() {
        output::note(&format!("shards that are not there: {}", absent.join(", ")));
    }
    for (key, job) in done.conflicts.iter().take(10) {
        output::note(&format!(
            "conflict: {job}, request {}: different replies; the first one counts",
            key.short()
        ));
    }
    if cli.json {
        let entry = |(key, job): &(verispec_model::Hash, String)| serde_json::json!({"job": job, "request": key.to_string()});
        let conflicts: Vec<_> = done.conflicts.iter().map(entry).collect();
        output::json(&serde_json::json!({
            "format": 1, "kind": "ledger-merge", "run": run,
            "requests": done.requests, "attempts": done.attempts, "known": done.known,
            "conflicts": conflicts, "absent_shards": absent,
        }));
        return;
    }
    output::result(&format!(
        "{run}: {} requests and {} attempts added, {} attempts were there, {} conflicts\n\
         next: {next}",
        done.requests,
        done.attempts,
        done.known,
        done.conflicts.len(),
    ));
}
