//! `verispec ledger merge` of runs of `generate`.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use verispec_engine::ledger::union;
use verispec_generate::{GENERATION_FILE, GENERATION_FORMAT, Generation};
use verispec_model::file_name;

use super::ledger::{absent_shards, tell};
use crate::args::Cli;
use crate::exit::{Exit, usage};
use crate::folder;
use crate::run::MANIFEST_FILE;

/// A run of `generate`, which has nothing to score but replies and files to join.
pub(super) struct Made {
    dir: PathBuf,
    described: Generation,
}

/// These runs, if they make outputs instead of judging them.
pub(super) fn sources(runs: &Path, from: &[PathBuf]) -> anyhow::Result<Option<Vec<Made>>> {
    let place = |name: &PathBuf| {
        let own = runs.join(file_name(&name.to_string_lossy()));
        let candidates = [name.clone(), runs.join(name), own];
        let is_one = |dir: &PathBuf| dir.join(GENERATION_FILE).is_file();
        candidates.into_iter().find(is_one)
    };
    let dirs: Vec<PathBuf> = from.iter().filter_map(place).collect();
    if dirs.is_empty() {
        return Ok(None);
    }
    if dirs.len() < from.len() {
        return Err(usage(format!(
            "{} makes outputs and others do not; merge them apart",
            dirs[0].display()
        )));
    }
    let open = |dir: PathBuf| {
        let described = read(&dir.join(GENERATION_FILE))?;
        Ok(Made { dir, described })
    };
    let mut sources: Vec<Made> = dirs.into_iter().map(open).collect::<anyhow::Result<_>>()?;
    sources.sort_by_key(|s| (s.described.filters.shard, s.described.run.clone()));
    Ok(Some(sources))
}

/// Joins runs of `generate`; the same command under the joined name then writes the whole tree.
pub(super) fn join(
    cli: &Cli,
    mut sources: Vec<Made>,
    name: String,
    data: Option<PathBuf>,
) -> anyhow::Result<Exit> {
    let shards: Vec<_> = sources.iter().map(|s| s.described.filters.shard).collect();
    for source in &mut sources {
        let described = &mut source.described;
        described.filters.shard = None;
        described.data = data.clone().unwrap_or(described.data.clone());
    }
    let (first, others) = sources.split_first().context("no run is named")?;
    let unlike = others
        .iter()
        .find_map(|s| Some((&s.dir, first.described.difference(&s.described)?)));
    if let Some((other, what)) = unlike {
        return Err(usage(format!(
            "{} and {} are not of one run: {what}",
            first.dir.display(),
            other.display()
        )));
    }
    let lock = folder::locked(&cli.runs, &name)?;
    let path = lock.dir().join(GENERATION_FILE);
    let was = path.is_file().then(|| read(&path)).transpose()?;
    let is_other = lock.dir().join(MANIFEST_FILE).is_file()
        || was.is_some_and(|was| was.difference(&first.described).is_some());
    if is_other
        || sources
            .iter()
            .any(|s| s.dir.canonicalize().ok() == lock.dir().canonicalize().ok())
    {
        return Err(usage(format!(
            "run {name:?} exists and is something else; choose another --into name"
        )));
    }
    let created = sources.iter().map(|s| &s.described.created).min();
    let joined = Generation {
        run: name.clone(),
        created: created.cloned().unwrap_or_default(),
        ..first.described.clone()
    };
    folder::write(&path, &joined)?;
    let folders: Vec<PathBuf> = sources.iter().map(|s| s.dir.clone()).collect();
    let done = union(&folders, &lock)?;
    let next = format!("verispec generate with the same arguments and --run {name}");
    tell(cli, &name, &done, &absent_shards(&shards), &next);
    Ok(Exit::Ok)
}

fn read(path: &Path) -> anyhow::Result<Generation> {
    let format = |g: &Generation| g.format;
    folder::read(path, "a description", (GENERATION_FORMAT, format))
}
