//! The folder of a generation run: named, locked, described.

use std::path::Path;

use verispec_engine::ledger::RunLock;
use verispec_generate::{GENERATION_FILE, GENERATION_FORMAT, Generation};
use verispec_model::file_name;

use crate::args::GenerateArgs;
use crate::exit::usage;
use crate::folder;
use crate::run::MANIFEST_FILE;

/// Name of the run: as typed, else one that the same command makes again.
pub(super) fn name(args: &GenerateArgs, described: &Generation) -> String {
    let name = args.run.clone().unwrap_or_else(|| default_name(described));
    file_name(&folder::of_shard(name, args.shard))
}

fn default_name(described: &Generation) -> String {
    let mut neutral = described.neutral();
    // The shards of a run have one name.
    neutral.filters.shard = None;
    let start = format!("generate-{}-{}", described.suite.as_str(), described.model);
    folder::name_of(&start, &neutral)
}

/// The run, locked, with its description: a new one, or one with the same description to resume.
pub(super) fn open(
    runs: &Path,
    args: &GenerateArgs,
    mut described: Generation,
) -> anyhow::Result<(RunLock, Generation)> {
    described.run = name(args, &described);
    let lock = folder::locked(runs, &described.run)?;
    let dir = lock.dir();
    if dir.join(MANIFEST_FILE).is_file() {
        let name = &described.run;
        return Err(usage(format!(
            "run {name:?} exists and judges; choose another --run name"
        )));
    }
    let path = dir.join(GENERATION_FILE);
    if !path.is_file() {
        folder::write(&path, &described)?;
        return Ok((lock, described));
    }
    let format = |g: &Generation| g.format;
    let was = folder::read(&path, "a description", (GENERATION_FORMAT, format))?;
    match was.difference(&described) {
        None => Ok((lock, was)),
        Some(what) => Err(usage(format!(
            "run {:?} exists and makes something else ({what}); choose another --run name",
            described.run
        ))),
    }
}
