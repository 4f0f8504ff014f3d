//! The folder of a generation run: named, locked, described.

use std::path::Path;

use anyhow::Context as _;
use verispec_engine::ledger::RunLock;
use verispec_generate::{GENERATION_FILE, GENERATION_FORMAT, Generation};
use verispec_model::{Hash, file_name};

use crate::args::GenerateArgs;
use crate::exit::usage;
use crate::run::{MANIFEST_FILE, apart_from_others};

/// Name of the run: as typed, else one that the same command makes again.
pub(super) fn name(args: &GenerateArgs, described: &Generation) -> String {
    let name = args.run.clone().unwrap_or_else(|| default_name(described));
    file_name(&match args.shard {
        Some(shard) => format!("{name}.shard-{}-of-{}", shard.index(), shard.of()),
        None => name,
    })
}

fn default_name(described: &Generation) -> String {
    let mut neutral = described.neutral();
    // The shards of a run have one name.
    neutral.filters.shard = None;
    let text = serde_json::to_string(&neutral).unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name = format!("generate-{}-{}", described.suite.as_str(), described.model);
    let name = name.replace(|c| !plain(c), "-");
    let name: String = name.chars().take(80).collect();
    format!("{name}-{}", &Hash::of(text.as_bytes()).short()[..8])
}

/// The run, locked, with its description: a new one, or one with the same description to resume.
pub(super) fn open(
    runs: &Path,
    args: &GenerateArgs,
    mut described: Generation,
) -> anyhow::Result<(RunLock, Generation)> {
    described.run = name(args, &described);
    let dir = runs.join(&described.run);
    apart_from_others(runs, &described.run)?;
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let lock = RunLock::acquire(&dir)?;
    if dir.join(MANIFEST_FILE).is_file() {
        let name = &described.run;
        return Err(usage(format!(
            "run {name:?} exists and judges; choose another --run name"
        )));
    }
    let path = dir.join(GENERATION_FILE);
    if !path.is_file() {
        write(&path, &described)?;
        return Ok((lock, described));
    }
    let was = read(&path)?;
    match was.difference(&described) {
        None => Ok((lock, was)),
        Some(what) => Err(usage(format!(
            "run {:?} exists and makes something else ({what}); choose another --run name",
            described.run
        ))),
    }
}

fn read(path: &Path) -> anyhow::Result<Generation> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let was: Generation = serde_json::from_str(&text)
        .with_context(|| format!("{shown} is not a description of this version"))?;
    if was.format != GENERATION_FORMAT {
        anyhow::bail!(
            "{shown} has format {}, this version reads {GENERATION_FORMAT}",
            was.format
        );
    }
    Ok(was)
}

/// Written whole or not at all.
fn write(path: &Path, described: &Generation) -> anyhow::Result<()> {
    let draft = path.with_extension("json.tmp");
    let text = serde_json::to_string_pretty(described)?;
    let fail = || format!("cannot write {}", path.display());
    std::fs::write(&draft, text + "\n").with_context(fail)?;
    std::fs::rename(&draft, path).with_context(fail)
}
