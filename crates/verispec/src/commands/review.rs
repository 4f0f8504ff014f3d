//! `verispec review`

mod items;

use std::future::{Future as _, poll_fn};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::Poll;

use anyhow::Context as _;
use serde_json::{Value, json};
use verispec_server::{
    ItemRow, Journal, Kind, Options, Person, Review, ReviewError, ReviewSet, export_rows, serve,
};

use super::specs;
use crate::args::{Cli, ReviewArgs};
use crate::exit::{Exit, usage};
use crate::output;
use crate::run::hash_cache;

pub(super) fn run(cli: &Cli, args: &ReviewArgs) -> anyhow::Result<Exit> {
    let (set, beside) = set(cli, args)?;
    let path = args.events.clone().unwrap_or(beside);
    if args.apply {
        let own = Journal::read(&path).map_err(wrong)?;
        let review = Review::new(set, own, &args.also, &[]).map_err(wrong)?;
        return specs::review::apply(cli, &args.what, &review);
    }
    if let Some(folder) = &args.export {
        let own = Journal::read(&path).map_err(wrong)?;
        let review = Review::new(set, own, &args.also, &[]).map_err(wrong)?;
        return export(cli, &review, folder);
    }
    let people = people(args)?;
    let (journal, state, torn) = Journal::open(&path).map_err(wrong)?;
    if let Some(torn) = torn {
        output::note(&format!(
            "{}: the last line was cut short by a crash before it was confirmed; it lies in {}",
            path.display(),
            torn.display()
        ));
    }
    let names: Vec<&str> = people.iter().map(|p| p.name.as_str()).collect();
    let review = Review::new(set, state, &args.also, &names).map_err(wrong)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(host(cli, args, review, journal, &people))
}

async fn host(
    cli: &Cli,
    args: &ReviewArgs,
    review: Review,
    journal: Journal,
    people: &[Person],
) -> anyhow::Result<Exit> {
    let events = journal.path().to_owned();
    let mut interrupt = pin!(tokio::signal::ctrl_c());
    // It listens from its first poll on: whoever sees the link may interrupt at once.
    if let Poll::Ready(interrupted) = poll_fn(|cx| Poll::Ready(interrupt.as_mut().poll(cx))).await {
        interrupted.context("cannot listen for Ctrl-C")?;
        return Ok(Exit::Ok);
    }
    let options = Options { port: args.port };
    let served = serve(review, journal, people, &options)
        .await
        .map_err(|e| {
            let error = wrong(e);
            error.context("another review may hold the port; choose one with --port")
        })?;
    if cli.json {
        let links: Vec<Value> = served
            .links
            .iter()
            .map(|(name, link)| json!({"annotator": name, "link": link}))
            .collect();
        output::json(&json!({"format": 1, "kind": "review", "links": links, "events": events}));
    } else {
        for (name, link) in &served.links {
            output::result(&format!("{name}: {link}"));
        }
    }
    output::note(&format!(
        "open the link in a browser on this machine; every action is in {} before the page goes \
         on; Ctrl+C ends",
        events.display()
    ));
    tokio::select! {
        ended = served.wait() => ended.map(|()| Exit::Ok).map_err(wrong),
        _ = interrupt => Ok(Exit::Ok),
    }
}

/// What is reviewed, and where its events lie unless said.
fn set(cli: &Cli, args: &ReviewArgs) -> anyhow::Result<(ReviewSet, PathBuf)> {
    let file = Path::new(&args.what);
    if file.is_file() && !args.apply {
        if args.sample.is_some() || args.likert.is_some() {
            return Err(usage(
                "--sample and --likert belong to a run, not to a review set",
            ));
        }
        let hashes = hash_cache(&cli.runs.join("review"), false);
        let set = ReviewSet::read(file, &hashes).map_err(wrong)?;
        let _ = hashes.save();
        return Ok((set, file.with_extension("events.jsonl")));
    }
    if let Some(dir) = specs::review::folder_of(cli, &args.what) {
        if args.sample.is_some() || args.likert.is_some() {
            return Err(usage(
                "--sample and --likert belong to a run, not to a set of specifications",
            ));
        }
        let (name, rows) = specs::review::items(&dir)?;
        return Ok((made(&name, rows, &dir)?, dir.join("review.events.jsonl")));
    }
    if args.apply {
        return Err(usage(format!(
            "--apply writes decisions into a set of verispec specs; {:?} is none in {}",
            args.what,
            cli.runs.display()
        )));
    }
    let (name, rows, dir) = if super::xtc::is_run(&cli.runs, &args.what) {
        super::xtc::items(cli, args)?
    } else {
        items::of_run(cli, args)?
    };
    let set = made(&name, rows, &dir)?;
    let beside = match (&args.sample, args.likert) {
        (Some(sample), None) => sample.with_extension("events.jsonl"),
        (Some(sample), Some(_)) => sample.with_extension("ratings.events.jsonl"),
        (None, None) => dir.join("review.events.jsonl"),
        (None, Some(_)) => dir.join("review.ratings.events.jsonl"),
    };
    Ok((set, beside))
}

/// A set made in memory; hashes of its images are kept in this folder.
fn made(name: &str, rows: Vec<ItemRow>, dir: &Path) -> anyhow::Result<ReviewSet> {
    let hashes = hash_cache(dir, false);
    let set = ReviewSet::new(name, rows, &hashes).map_err(wrong)?;
    // What cannot be kept is only made again.
    let _ = hashes.save();
    Ok(set)
}

/// One person each, however many roles.
fn people(args: &ReviewArgs) -> anyhow::Result<Vec<Person>> {
    let alone = args.adjudicator.is_empty() && args.annotator.len() == 1;
    let mut people: Vec<Person> = vec![];
    for name in args.annotator.iter().chain(&args.adjudicator) {
        let name = name.trim().to_owned();
        let odd = |c: char| !(c.is_alphanumeric() || " ._@-".contains(c));
        if name.is_empty() || name.chars().count() > 60 || name.contains(odd) {
            return Err(usage(format!(
                "annotator {name:?}: a name is letters, digits, blanks and . _ @ -, at most 60"
            )));
        }
        if people.iter().all(|p| p.name != name) {
            let adjudicates = alone || args.adjudicator.iter().any(|a| a.trim() == name);
            people.push(Person { name, adjudicates });
        }
    }
    Ok(people)
}

/// Writes a file for each kind that the set has.
fn export(cli: &Cli, review: &Review, folder: &Path) -> anyhow::Result<Exit> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut files = vec![];
    for kind in Kind::ALL {
        if !review.set.items().iter().any(|i| i.row.kind == kind) {
            continue;
        }
        let rows = export_rows(review, kind);
        let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
        let path = folder.join(kind.file());
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        files.push(path);
    }
    let conflicts = review.conflicts().count();
    if conflicts > 0 {
        output::note(&format!(
            "{conflicts} items are in conflict and stay unsettled"
        ));
    }
    if cli.json {
        let agreement = verispec_server::agreement(review);
        output::json(
            &json!({"format": 1, "kind": "review-export", "files": files,
                             "conflicts": conflicts, "agreement": agreement}),
        );
    } else {
        let files: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
        output::result(&files.join("\n"));
    }
    Ok(Exit::Ok)
}

/// Faults of files are the caller's to mend.
fn wrong(error: ReviewError) -> anyhow::Error {
    match error {
        ReviewError::Io { .. } | ReviewError::Page(_) => error.into(),
        other => usage(other.to_string()),
    }
}
