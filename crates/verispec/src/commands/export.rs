//! `verispec export`

use verispec_model::RunSource;
use verispec_model::score::Policy;
use verispec_suites::specv::export::{ExportOptions, export};
use verispec_suites::specv::import::ImportReader;

use super::{export_realunify, export_tools};
use crate::args::{Cli, ExportArgs, ExportFormat, ExportUnjudgedArg};
use crate::data::Loaded;
use crate::exit::Exit;
use crate::run::Run;
use crate::{output, policy, reduce};

pub(super) fn run(cli: &Cli, args: &ExportArgs) -> anyhow::Result<Exit> {
    if let Some(format) = args.format.filter(|f| *f != ExportFormat::Own) {
        return export_tools::run(cli, args, format);
    }
    let run = Run::open(&cli.runs, &args.run)?.reduced(&args.reduce)?;
    // A result tree goes back out as its own scripts would read it; verdicts of other tools have
    // spellings of their own.
    let reader = match run.manifest.source {
        RunSource::SpecvResults { .. } => ImportReader::Published,
        _ => ImportReader::Default,
    };
    let read = run.read(Some(reader), true)?;
    if let Some(data) = read.loaded().and_then(Loaded::realunify) {
        return export_realunify::run(cli, args, &read, data);
    }
    reduce::check_export(&read.run.manifest, &read.results)?;
    let policy = Policy::published(policy::sum_rule(args.sum));
    let options = ExportOptions {
        unjudged_na: args.unjudged == Some(ExportUnjudgedArg::Na),
    };
    let report = export(&read.results, policy, &args.out, options)?;
    if cli.json {
        output::json(&serde_json::json!({
            "format": 1,
            "kind": "export",
            "folder": args.out,
            "result_files": report.result_files,
            "score_files": report.score_files,
            "written_na": report.written_na,
            "without_output": report.without_output,
            "unjudgeable": report.unjudgeable,
        }));
        return Ok(Exit::Ok);
    }
    output::result(&format!(
        "{} result files and {} score files in {}",
        report.result_files,
        report.score_files,
        args.out.display()
    ));
    let left = [
        (
            report.written_na,
            "specifications without a verdict written as N/A, which counts as wrong",
        ),
        (
            report.without_output,
            "instances without a file: the model gave no output",
        ),
        (
            report.unjudgeable,
            "instances without a file: nobody can judge them",
        ),
    ];
    for (n, what) in left.iter().filter(|(n, _)| *n > 0) {
        output::note(&format!("{n} {what}"));
    }
    Ok(Exit::Ok)
}
