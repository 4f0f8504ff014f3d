//! What a generation run says at its end.

use verispec_engine::execute::{Executed, StopReason, Summary};
use verispec_engine::ledger::{Outcome, RunLock};
use verispec_generate::{Generation, Made, State, SuiteKind};
use verispec_report::{GenerationSummary, RunCost, RunSummary, render_generation};

use super::super::judge::tokens;
use crate::args::{Cli, GenerateArgs};
use crate::exit::Exit;
use crate::output;

/// Counts of a finished execution.
pub(super) fn summary(
    lock: &RunLock,
    args: &GenerateArgs,
    described: &Generation,
    executed: &Executed<Made>,
    (retries, cost): (u64, Option<RunCost>),
) -> GenerationSummary {
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
    summary.run = calls(lock, described, &executed.summary, retries);
    summary.run.cost = cost;
    summary.run.exit = exit(&executed.summary, &summary) as u8;
    summary.run.next = next(args, &summary);
    summary
}

fn calls(lock: &RunLock, described: &Generation, s: &Summary, retries: u64) -> RunSummary {
    let settled: u64 = s.settled.values().sum();
    let answered = s.settled.get(&Outcome::Answered).copied().unwrap_or(0);
    let errors = s.calls.iter().filter(|(o, _)| !o.has_reply());
    RunSummary {
        run: described.run.clone(),
        folder: lock.dir().display().to_string(),
        calls: s.calls_made(),
        retries,
        reused: s.settled_before + s.reused,
        answered,
        failed: settled - answered,
        pending: s.pending,
        errors: errors.map(|(o, n)| (o.as_str().to_owned(), *n)).collect(),
        tokens: tokens(s),
        seconds: s.elapsed.as_secs_f64(),
        ..RunSummary::default()
    }
}

fn exit(summary: &Summary, all: &GenerationSummary) -> Exit {
    match &summary.stopped {
        Some(StopReason::Interrupted) => Exit::Interrupted,
        Some(StopReason::LongWait(_)) => Exit::Incomplete,
        Some(StopReason::Budget { .. }) => Exit::Budget,
        Some(_) => Exit::Error,
        None if !summary.is_complete() || all.pending > 0 => Exit::Incomplete,
        None if all.expected == all.data_failed => Exit::Incomplete,
        None => Exit::Ok,
    }
}

/// The code that the summary says.
pub(super) fn exit_of(code: u8) -> Exit {
    let all = [Exit::Ok, Exit::Incomplete, Exit::Budget, Exit::Interrupted];
    all.into_iter()
        .find(|e| *e as u8 == code)
        .unwrap_or(Exit::Error)
}

fn next(args: &GenerateArgs, summary: &GenerationSummary) -> Vec<String> {
    let mut next = vec![];
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
