//! `verispec report`

use std::path::PathBuf;

use verispec_model::score::Policy;
use verispec_report::html::{HtmlOptions, write_report};
use verispec_report::{Context, OutputPart, RankBy, RankTable, ReportInput, views};
use verispec_suites::specv::outputs;

use crate::args::{Cli, ReportArgs};
use crate::exit::Exit;
use crate::run::{Read, Run};
use crate::{output, policy};

pub(super) fn run(cli: &Cli, args: &ReportArgs) -> anyhow::Result<Exit> {
    let read = Run::open(&cli.runs, &args.run)?
        .reduced(&args.reduce)?
        .read(None, false)?;
    let dir = args
        .out
        .clone()
        .unwrap_or_else(|| read.run.dir.join("report"));
    let files = write(&read, &dir, args.inline)?;
    if cli.json {
        output::json(&serde_json::json!({"format": 1, "kind": "report", "files": files}));
    } else if let Some(first) = files.first() {
        output::result(&first.display().to_string());
    }
    Ok(Exit::Ok)
}

/// Writes the pages of a run.
pub(super) fn write(
    read: &Read,
    dir: &std::path::Path,
    inline: bool,
) -> anyhow::Result<Vec<PathBuf>> {
    let table = policy::score(&read.results, Policy::default());
    let context = Context::of(std::slice::from_ref(&read.run.manifest));
    let by = match table.all_tracks.as_slice() {
        [only] => RankBy::Track(only.clone()),
        _ => RankBy::Average,
    };
    let rank = RankTable::build(&table, &by, &[])?;
    let outputs = |model: &str, track: &str, id: &str| output_parts(read, model, track, id);
    let input = ReportInput {
        context: &context,
        scores: &table,
        rank: Some(&rank),
        instances: views(
            &read.results,
            read.loaded().map(|l| &l.suite),
            &table,
            outputs,
        ),
        warnings: &read.results.warnings,
    };
    let options = HtmlOptions {
        inline,
        ..HtmlOptions::default()
    };
    Ok(write_report(&input, dir, &options)?)
}

/// What a model made for an instance, where it is at hand.
pub(super) fn output_parts(read: &Read, model: &str, track: &str, id: &str) -> Vec<OutputPart> {
    let models = read.target.iter().flat_map(|t| &t.outputs);
    let found = models
        .filter(|m| m.model == model)
        .find_map(|m| m.tracks.get(track)?.instances.get(id));
    let parts = found
        .and_then(|o| o.as_ref().ok())
        .map(Vec::as_slice)
        .unwrap_or_default();
    parts
        .iter()
        .map(|part| match part {
            outputs::OutputPart::Text(text) => OutputPart::Text(text.clone()),
            outputs::OutputPart::Image(path) => OutputPart::Image(path.clone()),
        })
        .collect()
}
