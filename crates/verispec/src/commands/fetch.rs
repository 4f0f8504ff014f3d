//! `verispec fetch …`

use std::io::IsTerminal as _;
use std::path::Path;

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};
use secrecy::SecretString;
use verispec_engine::fetch::{
    DEFAULT_ENDPOINT, FetchEvent, FetchOptions, Fetched, Hub, Listing, RepoKind, Selection, fetch,
};
use verispec_suites::specv::{IMAGE_EXTENSIONS, TRACKS};

use crate::args::{Cli, FetchArgs, FetchCommand, RepoKindArg, SpecvFiles};
use crate::config::Config;
use crate::exit::{Exit, usage};
use crate::output;

/// Files that are listed when something is wrong with them; all are counted.
const SHOWN: usize = 20;

/// What is wanted, from where.
struct Wanted<'a> {
    kind: RepoKind,
    repo: &'a str,
    selection: Selection,
    into: &'a Path,
    how: &'a FetchArgs,
}

pub(super) fn run(cli: &Cli, command: &FetchCommand) -> anyhow::Result<Exit> {
    match command {
        FetchCommand::Specv {
            what,
            tracks,
            models,
            data,
            repo_id,
            how,
        } => {
            let config = Config::load(cli.config.as_deref())?;
            let into = config.data("specv", data.as_deref())?;
            let selection = specv_files(*what, tracks, models)?;
            let kind = RepoKind::Dataset;
            bring(
                cli,
                &Wanted {
                    kind,
                    repo: repo_id,
                    selection,
                    into: &into,
                    how,
                },
            )
        }
        FetchCommand::Repo {
            id,
            include,
            into,
            kind,
            how,
        } => {
            let selection = match include.is_empty() {
                true => Selection::default(),
                false => Selection::globs(include),
            };
            let kind = match kind {
                RepoKindArg::Dataset => RepoKind::Dataset,
                RepoKindArg::Model => RepoKind::Model,
            };
            bring(
                cli,
                &Wanted {
                    kind,
                    repo: id,
                    selection,
                    into,
                    how,
                },
            )
        }
    }
}

/// Images of tasks, or outputs of models. Task files and checklists are the checkout's own and
/// never among them.
fn specv_files(
    what: SpecvFiles,
    tracks: &[String],
    models: &[String],
) -> anyhow::Result<Selection> {
    if let Some(unknown) = tracks.iter().find(|t| !TRACKS.contains(&t.as_str())) {
        return Err(usage(format!(
            "there is no track {unknown:?}; tracks: {}",
            TRACKS.join(", ")
        )));
    }
    let all = TRACKS.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
    let tracks = if tracks.is_empty() { &all } else { tracks };
    let folders = tracks.iter();
    Ok(match what {
        SpecvFiles::Images if !models.is_empty() => {
            return Err(usage("--models goes with --what outputs"));
        }
        SpecvFiles::Images => Selection::globs(folders.map(|t| format!("eval_data/{t}/")))
            .with_extensions(&IMAGE_EXTENSIONS),
        SpecvFiles::Outputs if models.is_empty() => {
            Selection::globs(folders.map(|t| format!("model_outputs/{t}/")))
        }
        SpecvFiles::Outputs => Selection::globs(folders.flat_map(|t| {
            models
                .iter()
                .map(move |m| format!("model_outputs/{t}/{m}/"))
        })),
    })
}

fn bring(cli: &Cli, wanted: &Wanted<'_>) -> anyhow::Result<Exit> {
    let endpoint = set("HF_ENDPOINT").unwrap_or_else(|| DEFAULT_ENDPOINT.to_owned());
    let token = set("HF_TOKEN").map(SecretString::from);
    let hub = Hub::new(&endpoint, token.as_ref()).map_err(|e| usage(e.to_string()))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = runtime.context("cannot start the runtime")?;
    let exit = runtime.block_on(async {
        tokio::select! {
            exit = listed(cli, &hub, wanted) => exit,
            _ = tokio::signal::ctrl_c() => {
                output::note("stopped; the same command continues");
                Ok(Exit::Interrupted)
            }
        }
    });
    // A file that is being hashed for nobody need not be waited for.
    runtime.shutdown_background();
    exit
}

async fn listed(cli: &Cli, hub: &Hub, wanted: &Wanted<'_>) -> anyhow::Result<Exit> {
    let how = wanted.how;
    let listing = hub.list(wanted.kind, wanted.repo, &how.revision).await?;
    let targets = listing.targets(&wanted.selection, wanted.into)?;
    let bytes: u64 = targets.iter().map(|(entry, _)| entry.size).sum();
    if targets.is_empty() {
        anyhow::bail!(
            "{} at {} lists {} files, none of which is wanted",
            wanted.repo,
            how.revision,
            listing.entries.len()
        );
    }
    let files = targets.len();
    output::note(&format!(
        "{} at {} ({}): {files} files, {}",
        wanted.repo,
        how.revision,
        &listing.commit.get(..8).unwrap_or(&listing.commit),
        size(bytes)
    ));
    let fetched = match how.dry_run {
        true => None,
        false => Some(download(hub, &listing, wanted, bytes).await?),
    };
    tell(cli, wanted, &listing, (files, bytes), fetched.as_ref());
    Ok(exit(fetched.as_ref()))
}

async fn download(
    hub: &Hub,
    listing: &Listing,
    wanted: &Wanted<'_>,
    bytes: u64,
) -> anyhow::Result<Fetched> {
    let options = FetchOptions {
        concurrency: wanted.how.concurrency,
        attempts: wanted.how.max_retries.saturating_add(1),
        replace: wanted.how.replace,
    };
    let bar = bar(bytes);
    let observe = |event: &FetchEvent<'_>| match event {
        FetchEvent::Received { bytes } => bar.inc(*bytes),
        FetchEvent::Finished {
            bytes,
            was_there: true,
            ..
        } => bar.inc(*bytes),
        FetchEvent::Finished { path, .. } => bar.set_message((*path).to_owned()),
        FetchEvent::Retry { path, reason } => bar.suspend(|| {
            output::note(&format!("again: {path}: {reason}"));
        }),
    };
    let fetched = fetch(
        hub,
        listing,
        &wanted.selection,
        wanted.into,
        options,
        &observe,
    )
    .await;
    bar.finish_and_clear();
    Ok(fetched?)
}

/// Bytes on a terminal; silent elsewhere.
fn bar(bytes: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(bytes);
    let template = "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta} {wide_msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// 0 all are there; 1 a file cannot be had; 3 the same command may bring the rest, or a file of
/// other content was kept.
fn exit(fetched: Option<&Fetched>) -> Exit {
    match fetched {
        Some(f) if f.failed.iter().any(|f| !f.transient) => Exit::Error,
        Some(f) if !f.failed.is_empty() || !f.kept.is_empty() => Exit::Incomplete,
        _ => Exit::Ok,
    }
}

fn tell(
    cli: &Cli,
    wanted: &Wanted<'_>,
    listing: &Listing,
    (files, bytes): (usize, u64),
    fetched: Option<&Fetched>,
) {
    if cli.json {
        let failure = |f: &verispec_engine::fetch::FileFailure| {
            serde_json::json!({
                "path": f.path, "reason": f.reason, "transient": f.transient,
            })
        };
        output::json(&serde_json::json!({
            "format": 1,
            "kind": "fetch",
            "repo": listing.repo,
            "revision": wanted.how.revision,
            "commit": listing.commit,
            "folder": wanted.into,
            "dry_run": fetched.is_none(),
            "files": files,
            "bytes": bytes,
            "downloaded": fetched.map_or(0, |f| f.downloaded),
            "present": fetched.map_or(0, |f| f.present),
            "kept": fetched.map_or(&[][..], |f| &f.kept),
            "failed": fetched.map_or(vec![], |f| f.failed.iter().map(failure).collect()),
        }));
        return;
    }
    let Some(fetched) = fetched else {
        return;
    };
    list(
        "kept, has other content (--replace gets it anew)",
        fetched.kept.iter().cloned(),
    );
    list(
        "failed",
        fetched
            .failed
            .iter()
            .map(|f| format!("{}: {}", f.path, f.reason)),
    );
    output::result(&format!(
        "{} downloaded, {} already there, {} kept, {} failed",
        fetched.downloaded,
        fetched.present,
        fetched.kept.len(),
        fetched.failed.len()
    ));
}

fn list(what: &str, lines: impl ExactSizeIterator<Item = String>) {
    let more = lines.len().saturating_sub(SHOWN);
    for line in lines.take(SHOWN) {
        output::note(&format!("{what}: {line}"));
    }
    if more > 0 {
        output::note(&format!("{what}: … and {more} more"));
    }
}

/// An environment variable that is set to something.
fn set(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|v| !v.trim().is_empty())
}

/// Decimal units, as hubs print them.
fn size(bytes: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < units.len() {
        value /= 1_000.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} B"),
        _ if value < 9.95 => format!("{value:.1} {}", units[unit]),
        _ => format!("{value:.0} {}", units[unit]),
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (16_400_000_000, "16 GB"),
            (999_600, "1.0 MB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
