//! `verispec batch export` and `verispec batch import`

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::json;
use verispec_engine::batch::{Export, Exported, FileReport, Imported, Limits, export, import};
use verispec_engine::ledger::{LEDGER_FILE, RunLock, Spending};
use verispec_media::{MediaCache, MediaCacheOptions};
use verispec_model::JudgeIdentity;
use verispec_providers::{BatchFormat, Dialect, batch_format, dialect};

use super::judge::{again, open_run};
use crate::args::{BatchCommand, BatchExportArgs, Cli};
use crate::config::Config;
use crate::exit::{Exit, usage};
use crate::judge::resolve;
use crate::money;
use crate::output;
use crate::run::{Run, hash_cache};
use crate::target::Target;

pub(super) fn run(cli: &Cli, command: &BatchCommand) -> anyhow::Result<Exit> {
    match command {
        BatchCommand::Export(args) => write(cli, args),
        BatchCommand::Import { run, files } => take(cli, run, files),
    }
}

fn write(cli: &Cli, args: &BatchExportArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let judge = resolve(&args.judge.target, &config)?;
    let target = Target::from_args(&args.judge.target, &config)?;
    let (dialect, format) = formats(&judge.identity)?;
    dialect
        .check_params(&judge.identity.params)
        .map_err(|e| usage(e.to_string()))?;
    if judge.identity.params.get("stream") == Some(&json!(true)) {
        return Err(usage("a batch cannot stream; leave stream out"));
    }
    if args.judge.canary.canary.is_some() {
        return Err(usage(
            "--canary asks the judge, a batch file asks nobody: run the canary by `verispec judge \
             --canary` on a small part first",
        ));
    }
    if args.judge.max_cost.is_some() {
        return Err(usage(
            "--max-cost watches calls; `verispec check` prices a batch before it is written",
        ));
    }
    let (lock, manifest) = open_run(&cli.runs, &args.judge, None, &target, &judge)?;
    let dir = lock.dir().to_owned();
    if manifest.judge.is_none() {
        return Err(usage(
            "batch files are written for one judge; export each member of the panel by itself",
        ));
    }
    let hashes = hash_cache(&dir, args.judge.target.rehash);
    let plan = target.plan(Arc::new(judge.identity.clone()), &hashes)?;
    hashes.save()?;
    let images = MediaCache::new(MediaCacheOptions::default());
    let how = Export {
        dialect,
        format,
        images: &images,
        reuse: args.judge.calls.reuse(&cli.runs, lock.dir())?,
        options: again(&args.judge, lock.dir(), &plan)?,
        limits: Limits {
            requests: args.max_requests,
            bytes: args.max_bytes,
        },
        again: args.again,
    };
    let place = (args.out.as_path(), manifest.run.as_str());
    let done = runtime()?.block_on(export(&plan.jobs, &lock, place, how))?;
    tell_export(cli, &manifest.run, &done);
    let whole = done.too_large.is_empty() && done.unsendable.is_empty();
    Ok(if whole { Exit::Ok } else { Exit::Incomplete })
}

fn take(cli: &Cli, name: &str, files: &[std::path::PathBuf]) -> anyhow::Result<Exit> {
    let run = Run::open(&cli.runs, name)?;
    let judge = run.manifest.judge.clone();
    let judge = judge.context("the run's manifest names no judge")?;
    let how = formats(&judge)?;
    let target = Target::from_manifest(&run.manifest)?;
    let lock = RunLock::acquire(&run.dir)?;
    let hashes = hash_cache(&run.dir, false);
    let plan = target.plan(Arc::new(judge.clone()), &hashes)?;
    let done = runtime()?.block_on(import(&plan.jobs, &lock, how, files))?;
    let spent = spent(&judge, &run.dir)?;
    tell_import(cli, &run.manifest.run, &done, spent);
    Ok(if done.wanted == 0 {
        Exit::Ok
    } else {
        Exit::Incomplete
    })
}

fn formats(
    judge: &JudgeIdentity,
) -> anyhow::Result<(&'static dyn Dialect, &'static dyn BatchFormat)> {
    let name = judge.provider.as_str();
    let both = dialect(name).zip(batch_format(name));
    both.ok_or_else(|| {
        usage(format!(
            "provider {name} has no batch files; openai (also for vllm run-batch), gemini and \
             anthropic have"
        ))
    })
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    let built = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    built.context("cannot start the runtime")
}

/// What the run has cost so far; `None` when no price is known.
fn spent(judge: &JudgeIdentity, dir: &Path) -> anyhow::Result<Option<f64>> {
    let table = money::prices(None)?;
    let Some(price) = money::price_of(&table, judge) else {
        return Ok(None);
    };
    let spending = Spending::load(&dir.join(LEDGER_FILE))?;
    Ok(Some(money::spent(&price, &spending).as_dollars()))
}

fn tell_export(cli: &Cli, run: &str, done: &Exported) {
    if cli.json {
        let file = |(path, requests, bytes): &(std::path::PathBuf, usize, u64)| json!({"path": path.display().to_string(), "requests": requests, "bytes": bytes});
        let files: Vec<_> = done.files.iter().map(file).collect();
        output::json(&json!({
            "format": verispec_report::json::FORMAT, "kind": "batch-export",
            "verispec": env!("CARGO_PKG_VERSION"), "run": run, "files": files,
            "requests": done.requests, "reused": done.reused, "out": done.out,
            "too_large": done.too_large, "unsendable": done.unsendable,
        }));
        return;
    }
    let mut text = format!(
        "run      {run}\nwritten  {} requests in {} files, {} replies reused\n",
        done.requests,
        done.files.len(),
        done.reused
    );
    for (path, requests, bytes) in &done.files {
        text += &format!("  {}  {requests} requests, {bytes} bytes\n", path.display());
    }
    if done.out > 0 {
        text += &format!(
            "left out {} requests in earlier files of which nothing has come back; import their \
             results, or write them again with --again\n",
            done.out
        );
    }
    for job in &done.too_large {
        text += &format!("too large for a file: {job}\n");
    }
    for why in &done.unsendable {
        text += &format!("cannot be sent: {why}\n");
    }
    if done.requests > 0 {
        text += &format!("next     verispec batch import {run} RESULT-FILES\n");
    }
    output::result(&text);
}

fn tell_import(cli: &Cli, run: &str, done: &Imported, spent: Option<f64>) {
    if cli.json {
        let files: Vec<_> = done.files.iter().map(file_json).collect();
        output::json(&json!({
            "format": verispec_report::json::FORMAT, "kind": "batch-import",
            "verispec": env!("CARGO_PKG_VERSION"), "run": run, "files": files,
            "wanted": done.wanted, "out": done.out, "spent": spent,
        }));
        return;
    }
    let mut text = format!("run      {run}\n");
    for file in &done.files {
        text += &file_text(file);
    }
    if let Some(spent) = spent {
        text += &format!("cost     ${spent:.4} in all\n");
    }
    text += &match (done.wanted, done.out) {
        (0, _) => format!("next     verispec score {run}\n"),
        (wanted, 0) => {
            format!("next     batch export again: {wanted} requests make the next wave\n")
        }
        (wanted, out) => format!(
            "next     batch export again: {} requests make the next wave; {out} are in files of \
             which nothing has come back\n",
            wanted - out
        ),
    };
    output::result(&text);
}

/// What was counted, with names.
fn counts(file: &FileReport) -> Vec<(String, u64)> {
    let taken = file.taken.iter().map(|(o, n)| (o.to_string(), *n));
    let rest = [
        ("expired", file.expired),
        ("cancelled", file.cancelled),
        ("duplicates", file.duplicates),
        ("unknown", file.unknown),
        ("corrupt", file.corrupt),
    ];
    taken
        .chain(rest.map(|(name, n)| (name.to_owned(), n)))
        .collect()
}

fn file_json(file: &FileReport) -> serde_json::Value {
    let taken: serde_json::Map<_, _> = file
        .taken
        .iter()
        .map(|(o, n)| (o.to_string(), json!(n)))
        .collect();
    json!({
        "path": file.path.display().to_string(), "lines": file.lines, "taken": taken,
        "expired": file.expired, "cancelled": file.cancelled, "duplicates": file.duplicates,
        "unknown": file.unknown, "corrupt": file.corrupt, "notes": file.notes,
    })
}

fn file_text(file: &FileReport) -> String {
    let counted = counts(file).into_iter().filter(|(_, n)| *n > 0);
    let counted: Vec<String> = counted.map(|(name, n)| format!("{n} {name}")).collect();
    let path = file.path.display();
    let mut text = format!(
        "taken    {path}: {} lines, {}\n",
        file.lines,
        counted.join(", ")
    );
    for note in &file.notes {
        let plain: String = note
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        text += &format!("  {plain}\n");
    }
    text
}
