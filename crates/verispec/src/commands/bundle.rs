//! `verispec bundle`: a run as one archive, for the review of artefacts.
//!
//! The archive holds everything that numbers are made from: description, ledger, binary outputs of
//! the judge, events, the configuration in this folder, and `SHA256SUMS` over all of them, so that
//! `sha256sum -c SHA256SUMS` checks an unpacked bundle. It holds no key: configuration names the
//! variables that keys are in. Equal content gives equal bytes.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::args::{BundleArgs, Cli};
use crate::exit::Exit;
use crate::output;
use crate::run::Run;

/// Files of a run that are of no use to others: the lock, and pages that can be made again.
const LEFT_OUT: [&str; 2] = ["run.lock", "report"];

/// Configuration beside the runs.
const CONFIG: [&str; 2] = ["verispec.toml", "prices.toml"];

pub(super) fn run(cli: &Cli, args: &BundleArgs) -> anyhow::Result<Exit> {
    let run = Run::open(&cli.runs, &args.run)?;
    let name = verispec_model::file_name(&run.manifest.run);
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{name}.zip")));
    let files = files(cli, &run.dir, &out)?;
    let draft = out.with_extension("zip.draft");
    let packed = pack(&draft, &name, &files);
    if let Err(error) = packed {
        // What is half written is of no use; the first error is the one to tell.
        let _ = std::fs::remove_file(&draft);
        return Err(error);
    }
    std::fs::rename(&draft, &out).with_context(|| format!("cannot write {}", out.display()))?;
    if cli.json {
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        output::json(&serde_json::json!({
            "format": 1, "kind": "bundle", "file": out, "files": names,
        }));
    } else {
        output::result(&format!("{} with {} files", out.display(), files.len() + 1));
    }
    Ok(Exit::Ok)
}

/// What goes in: names inside the bundle and files, sorted by name.
fn files(cli: &Cli, dir: &Path, out: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let mut found = vec![];
    collect(dir, "run", out, &mut found)?;
    let config = cli.config.clone().into_iter();
    for path in config.chain(CONFIG.map(PathBuf::from)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("config/{name}");
        if path.is_file() && found.iter().all(|(n, _)| *n != name) {
            found.push((name, path));
        }
    }
    found.sort();
    Ok(found)
}

fn collect(
    dir: &Path,
    prefix: &str,
    out: &Path,
    found: &mut Vec<(String, PathBuf)>,
) -> anyhow::Result<()> {
    let entries = std::fs::read_dir(dir);
    for entry in entries.with_context(|| format!("cannot read {}", dir.display()))? {
        let entry = entry.with_context(|| format!("cannot read {}", dir.display()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        let kind = entry.file_type()?;
        if LEFT_OUT.contains(&name.as_str()) || path == out || name.ends_with(".draft") {
            continue;
        }
        let inside = format!("{prefix}/{name}");
        if kind.is_dir() {
            collect(&path, &inside, out, found)?;
        } else if kind.is_file() {
            found.push((inside, path));
        }
    }
    Ok(())
}

fn pack(out: &Path, root: &str, files: &[(String, PathBuf)]) -> anyhow::Result<()> {
    let shown = out.display();
    if let Some(folder) = out.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make folder {}", folder.display()))?;
    }
    let file = File::create(out).with_context(|| format!("cannot write {shown}"))?;
    let mut archive = ZipWriter::new(file);
    // The format's zero of time, so that equal content gives equal bytes.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default())
        .large_file(true);
    let mut sums = String::new();
    for (name, path) in files {
        archive.start_file(format!("{root}/{name}"), options)?;
        let digest = copy(path, &mut archive)
            .with_context(|| format!("cannot pack {} into {shown}", path.display()))?;
        sums += &format!("{digest}  {name}\n");
    }
    archive.start_file(format!("{root}/SHA256SUMS"), options)?;
    archive.write_all(sums.as_bytes())?;
    archive
        .finish()
        .with_context(|| format!("cannot write {shown}"))?
        .sync_all()
        .with_context(|| format!("cannot write {shown}"))
}

/// Copies a file; gives its SHA-256 in hexadecimal.
fn copy(path: &Path, to: &mut impl std::io::Write) -> anyhow::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let n = file.read(&mut buffer)?;
        if n == 0 {
            let hex = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
            return Ok(hex);
        }
        hash.update(&buffer[..n]);
        to.write_all(&buffer[..n])?;
    }
}
