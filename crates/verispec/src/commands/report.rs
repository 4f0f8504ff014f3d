//! `verispec report`

use std::path::{Path, PathBuf};

use verispec_model::score::{Counters, Policy};
use verispec_report::html::{HtmlOptions, write_report, write_single};
use verispec_report::{Judged, Judging, OutputPart, ReportInput, coverage, csv, paper};
use verispec_suites::specv::outputs;

use crate::args::{Cli, ReportArgs, ReportFormat};
use crate::exit::Exit;
use crate::run::Read;
use crate::side_by_side::{self, Column};
use crate::{output, policy, statistics};

pub(super) fn run(cli: &Cli, args: &ReportArgs) -> anyhow::Result<Exit> {
    let (policy, reader) = policy::resolve(&args.policy, false);
    let reads = side_by_side::read(cli, &args.run, reader, &args.reduce)?;
    let policy = match reads.first() {
        Some(read) => policy::suited(policy, &args.policy, false, &read.results)?,
        None => policy,
    };
    let columns = side_by_side::columns(&reads, policy)?;
    policy::tell_preset(&args.policy, policy);
    if args.methods {
        output::result(&methods(&reads, &columns)?);
        return Ok(Exit::Ok);
    }
    if args.format == ReportFormat::Parquet {
        return super::parquet::run(cli, &columns, &folder(args, &reads));
    }
    if args.format != ReportFormat::Html {
        output::result(&tables(args, &reads, &columns)?);
        return Ok(Exit::Ok);
    }
    let files = if args.single_file {
        let file = single_file(args, &reads);
        let options = HtmlOptions::default();
        vec![with_input(&reads, &columns, |input| {
            Ok(write_single(input, &file, &options)?)
        })?]
    } else {
        let dir = folder(args, &reads);
        let options = options(&dir, args.copy_images);
        with_input(&reads, &columns, |input| {
            Ok(write_report(input, &dir, &options)?)
        })?
    };
    if cli.json {
        output::json(&serde_json::json!({"format": 1, "kind": "report", "files": files}));
    } else if let Some(first) = files.first() {
        output::result(&first.display().to_string());
    }
    Ok(Exit::Ok)
}

/// Tables for a paper, one a judge.
fn tables(args: &ReportArgs, reads: &[Read], columns: &[Column]) -> anyhow::Result<String> {
    let suite = reads.iter().find_map(Read::loaded).map(|l| &l.suite);
    let stats = statistics::of(columns, suite);
    let track = args.track.as_deref();
    let mut out = vec![];
    for column in columns {
        policy::check_track(&column.scores, track)?;
        let (scores, context) = (&column.scores, &column.context);
        let with = (column.name.as_str(), &stats);
        out.push(match args.format {
            ReportFormat::Md => paper::markdown(scores, context, track, with)?,
            ReportFormat::Latex => paper::latex(scores, context, track, with)?,
            ReportFormat::Csv | ReportFormat::Html | ReportFormat::Parquet => {
                csv::scores(scores, context)?
            }
        });
    }
    if args.format == ReportFormat::Csv {
        // One header: rows say which judge they are of.
        for more in out.iter_mut().skip(1) {
            *more = more
                .split_once('\n')
                .map(|(_, rows)| rows.to_owned())
                .unwrap_or_default();
        }
        return Ok(out.concat());
    }
    Ok(out.join("\n"))
}

/// The paragraph on judge and protocol, one a run.
fn methods(reads: &[Read], columns: &[Column]) -> anyhow::Result<String> {
    let mut out = vec![];
    for read in reads {
        let manifest = &read.run.manifest;
        let column = columns
            .iter()
            .find(|c| c.manifests.iter().any(|m| m.run == manifest.run));
        let mut counters = Counters::default();
        let models = column.iter().flat_map(|c| &c.scores.models);
        models.for_each(|m| counters += &m.counters);
        out.push(verispec_report::methods(
            manifest,
            &Judging {
                served: side_by_side::served(read)?,
                days: None,
                policy: column
                    .map(|c| c.scores.policy.to_string())
                    .unwrap_or_default(),
                coverage: coverage(counters.coverage()),
            },
        ));
    }
    Ok(out.join("\n"))
}

fn folder(args: &ReportArgs, reads: &[Read]) -> PathBuf {
    let default = || match reads {
        [one] => one.run.dir.join("report"),
        _ => PathBuf::from("report"),
    };
    args.out.clone().unwrap_or_else(default)
}

fn single_file(args: &ReportArgs, reads: &[Read]) -> PathBuf {
    let out = folder(args, reads);
    let is_file = out
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("html"));
    if is_file {
        out
    } else {
        out.join("report.html")
    }
}

/// Images are linked where page and image lie below this folder, else copied.
fn options(dir: &Path, copy: bool) -> HtmlOptions {
    HtmlOptions {
        root: std::env::current_dir()
            .ok()
            .filter(|_| !copy && dir.is_relative()),
        ..HtmlOptions::default()
    }
}

/// Writes the page of one run under the default policy; images are linked from `root`.
pub(super) fn write(read: &Read, dir: &Path, root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let reads = std::slice::from_ref(read);
    let columns = side_by_side::columns(reads, Policy::default())?;
    let options = HtmlOptions {
        root: Some(root.to_owned()),
        ..HtmlOptions::default()
    };
    with_input(reads, &columns, |input| {
        Ok(write_report(input, dir, &options)?)
    })
}

/// Puts together what a page shows.
fn with_input<T>(
    reads: &[Read],
    columns: &[Column],
    write: impl FnOnce(&ReportInput<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let outputs =
        |model: &str, track: &str, id: &str| side_by_side::outputs(reads, model, track, id);
    let judged: anyhow::Result<Vec<Judged<'_>>> = columns.iter().map(Column::judged).collect();
    let runs: anyhow::Result<Vec<_>> = reads.iter().map(side_by_side::card).collect();
    let suite = reads.iter().find_map(Read::loaded).map(|l| &l.suite);
    write(&ReportInput {
        judged: judged?,
        suite,
        outputs: &outputs,
        runs: runs?,
        statistics: statistics::of(columns, suite),
    })
}

/// What a model made for an instance, where it is at hand.
pub(crate) fn output_parts(read: &Read, model: &str, track: &str, id: &str) -> Vec<OutputPart> {
    let models = read.target.iter().flat_map(|t| &t.outputs);
    let found = models
        .filter(|m| m.model == model)
        .find_map(|m| m.tracks.get(track)?.instances.get(id));
    let output = found.and_then(|o| o.as_ref().ok());
    let parts = output.map(outputs::PackedOutput::parts).unwrap_or_default();
    parts
        .iter()
        .map(|part| match part {
            outputs::OutputPart::Text(text) => OutputPart::Text(text.to_string()),
            outputs::OutputPart::Image(path) => OutputPart::Image(path.to_path_buf()),
        })
        .collect()
}
