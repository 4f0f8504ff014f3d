//! What a generation run says at its end.

use verispec_engine::execute::{Executed, Summary};
use verispec_engine::ledger::RunLock;
use verispec_generate::{Generation, Made, State, SuiteKind};
use verispec_report::{GenerationSummary, RunCost, RunSummary, render_generation};

use crate::args::{Cli, GenerateArgs};
use crate::calls::run_summary;
use crate::exit::Exit;
use crate::output;

/// Counts of a finished execution.
pub(super) fn summary(
    lock: &RunLock,
    args: &GenerateArgs,
    described: &Generation,
    executed: &Executed<Made>,
    (retries, cost): (u64, Option<RunCost>),
) -> (GenerationSummary, Exit) {
    let mut summary = GenerationSummary {
        model: described.model.clone(),
        out: args.out.display().to_string(),
        replicates: described.replicates,
        expected: executed.readings.len(),
        ..GenerationSummary::default()
    };
    for made in &executed.readings {
        match &made.state {
            State::Generated => summary.generated += 1,
            State::Failed(_, failure) => {
                *summary.failed.entry(failure.kind.to_string()).or_default() += 1;
            }
            State::Pending(..) => summary.pending += 1,
            State::Data(_) => summary.data_failed += 1,
        }
    }
    let exit = exit(&executed.summary, &summary);
    summary.run = RunSummary {
        cost,
        exit: exit as u8,
        next: next(args, &summary, &executed.readings),
        ..run_summary(&described.run, lock.dir(), &executed.summary, retries)
    };
    (summary, exit)
}

fn exit(summary: &Summary, all: &GenerationSummary) -> Exit {
    match &summary.stopped {
        Some(reason) => Exit::of_stop(reason),
        None if !summary.is_complete() || all.pending > 0 => Exit::Incomplete,
        None if all.expected == all.data_failed => Exit::Incomplete,
        None => Exit::Ok,
    }
}

fn next(args: &GenerateArgs, summary: &GenerationSummary, made: &[Made]) -> Vec<String> {
    let mut next = vec![];
    let lost: Vec<&String> = made.iter().filter_map(|m| m.lost.as_ref()).collect();
    if let Some(first) = lost.first() {
        next.push(format!(
            "{} outputs were made and cannot be read here ({first}): put the files back, or the \
             same command with --retry error",
            lost.len()
        ));
    }
    if summary.pending > 0 {
        next.push("the same command again resumes".to_owned());
    }
    if !summary.failed.is_empty() {
        let kinds: Vec<&str> = summary.failed.keys().map(String::as_str).collect();
        next.push(format!("the same command with --retry {}", kinds.join(",")));
    }
    let judged = match args.suite.kind() {
        SuiteKind::Specv => Some("specv"),
        SuiteKind::Custom => Some("custom"),
        SuiteKind::Realunify => Some("realunify"),
        _ => None,
    };
    if let (Some(suite), 0) = (judged, summary.pending) {
        let folder = args.out.display();
        let one = match summary.replicates {
            0 | 1 => folder.to_string(),
            _ => format!("{folder}/replicate-0"),
        };
        next.push(format!(
            "verispec check {suite} --outputs {one} --models {}",
            summary.model
        ));
    }
    next
}

/// Prints the table or the document.
pub(super) fn print(cli: &Cli, summary: &GenerationSummary) {
    if cli.json {
        output::json(&verispec_report::json::generation(summary));
    } else {
        output::result(&render_generation(summary, output::style()));
    }
}
