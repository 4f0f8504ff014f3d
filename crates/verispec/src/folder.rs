//! The folder of whatever this program keeps below `runs`: its name, its lock, its description.

use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use verispec_engine::ledger::RunLock;
use verispec_model::{Hash, Shard};

use crate::exit::usage;

/// A name that the same description makes again: what it starts with and a hash of all the rest.
pub(crate) fn name_of(start: &str, description: &impl Serialize) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name = start.replace(|c| !plain(c), "-");
    let name: String = name.chars().take(80).collect();
    let text = serde_json::to_string(description).unwrap_or_default();
    format!("{name}-{}", &Hash::of(text.as_bytes()).short()[..8])
}

/// The name of a run's share.
pub(crate) fn of_shard(name: String, shard: Option<Shard>) -> String {
    match shard {
        Some(shard) => format!("{name}.shard-{}-of-{}", shard.index(), shard.of()),
        None => name,
    }
}

/// Makes the folder if need be and locks it: before its description is looked at, so that of two
/// that begin at once, one describes it.
pub(crate) fn locked(runs: &Path, name: &str) -> anyhow::Result<RunLock> {
    apart_from_others(runs, name)?;
    let dir = runs.join(name);
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    Ok(RunLock::acquire(&dir)?)
}

/// Reads a description; `format` says which format one has, of which this version reads `known`.
pub(crate) fn read<T: DeserializeOwned>(
    path: &Path,
    what: &str,
    (known, format): (u32, fn(&T) -> u32),
) -> anyhow::Result<T> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let read: T = serde_json::from_str(&text)
        .with_context(|| format!("{shown} is not {what} of this version"))?;
    let found = format(&read);
    anyhow::ensure!(
        found == known,
        "{shown} has format {found}, this version reads {known}"
    );
    Ok(read)
}

/// Writes a description whole or not at all.
pub(crate) fn write(path: &Path, description: &impl Serialize) -> anyhow::Result<()> {
    let draft = path.with_extension("json.tmp");
    let text = serde_json::to_string_pretty(description)?;
    std::fs::write(&draft, text + "\n")
        .and_then(|()| std::fs::rename(&draft, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Where case does not count, runs whose names differ only by it would be one folder: the second
/// one is refused everywhere, so that runs can be moved.
pub(crate) fn apart_from_others(runs: &Path, name: &str) -> anyhow::Result<()> {
    let others = std::fs::read_dir(runs).into_iter().flatten().flatten();
    let twin = others
        .filter_map(|e| e.file_name().into_string().ok())
        .find(|other| other != name && verispec_model::same_file(other, name));
    match twin {
        None => Ok(()),
        Some(twin) => Err(usage(format!(
            "there is a run {twin:?}, whose name differs from {name:?} only by case; choose \
             another name"
        ))),
    }
}
