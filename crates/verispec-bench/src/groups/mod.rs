//! Groups of figures, each in a file of its own.

mod cache;
mod encode;
mod growth;
mod judge;
mod peer;
mod resume;
mod score;
mod start;

use std::path::Path;

use serde::Deserialize;

use crate::args::{Cli, Command};
use crate::child::{Memory, Taken, run as run_child};
use crate::figure::{Figure, Report};
use crate::machine::Machine;
use crate::source::{Source, TRACKS};
use crate::table;
use crate::tools::Tools;

/// Group, title and introduction on the page.
pub(crate) const TITLES: &[(&str, &str, &str)] = &[
    ("start", "Start-up", start::TEXT),
    ("judge", "Judging, six tracks", judge::TEXT),
    ("encode", "PNG to JPEG", encode::TEXT),
    ("cache", "A finished run again", cache::TEXT),
    ("resume", "Many replies", resume::TEXT),
    ("growth", "Growth", growth::TEXT),
    ("score", "Scoring result files", score::TEXT),
    ("peer", "SpecV's own runner", peer::TEXT),
];

/// What all groups need.
pub(crate) struct Bench<'a> {
    pub(crate) cli: &'a Cli,
    pub(crate) tools: &'a Tools,
    pub(crate) source: Source,
    report: Report,
    group: &'static str,
}

type Group = fn(&mut Bench<'_>) -> anyhow::Result<()>;

const GROUPS: [(&str, Group); 8] = [
    ("start", start::run),
    ("encode", encode::run),
    ("cache", cache::run),
    ("score", score::run),
    ("resume", resume::run),
    ("growth", growth::run),
    ("judge", judge::run),
    ("peer", peer::run),
];

/// Runs the wanted groups.
pub(crate) fn run(cli: &Cli, tools: &Tools) -> anyhow::Result<Report> {
    let wanted = match cli.command {
        Command::Judge => "judge",
        Command::Encode => "encode",
        Command::Cache => "cache",
        Command::Resume => "resume",
        Command::Growth => "growth",
        Command::Start => "start",
        Command::Score => "score",
        Command::Peer => "peer",
        Command::All | Command::Load(_) | Command::Page { .. } => "",
    };
    let source = Source::find(&tools.work.dir.join("synthetic"))?;
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut bench = Bench {
        cli,
        tools,
        report: Report {
            machine: Machine::here(),
            commands: vec![command_line(&args)],
            notes: vec![],
            figures: vec![],
        },
        source,
        group: "",
    };
    let data = format!("data: {}", bench.source.what);
    bench.note(&data);
    for (name, group) in GROUPS {
        if wanted.is_empty() || wanted == name {
            bench.group = name;
            group(&mut bench)?;
        }
    }
    Ok(bench.report)
}

/// The command as others would type it: folders of this machine are left out.
fn command_line(args: &[String]) -> String {
    const FOLDERS: [&str; 4] = ["--work", "--programs", "--json", "--markdown"];
    let mut shown = vec!["cargo run --release -p verispec-bench --"];
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if FOLDERS.contains(&arg.as_str()) {
            args.next();
        } else if !FOLDERS.iter().any(|f| arg.starts_with(&format!("{f}="))) {
            shown.push(arg);
        }
    }
    shown.join(" ")
}

impl Bench<'_> {
    /// Takes a figure and says it. All of it takes an hour, so what is known is written at once.
    pub(crate) fn add(&mut self, figure: Figure) {
        let figure = figure.in_group(self.group);
        eprintln!("{}", table::line(&figure));
        self.report.figures.push(figure);
        if let Some(Err(error)) = self.cli.json.as_ref().map(|path| self.report.write(path)) {
            eprintln!("note: {error:#}");
        }
    }

    /// Something that a reader of the figures has to know.
    pub(crate) fn note(&mut self, text: &str) {
        eprintln!("note: {text}");
        if !self.report.notes.iter().any(|n| n == text) {
            self.report.notes.push(text.to_owned());
        }
    }

    /// Tracks that were asked for.
    pub(crate) fn tracks(&self) -> Vec<&'static str> {
        let wanted = &self.cli.tracks;
        let all = TRACKS.into_iter();
        all.filter(|t| wanted.is_empty() || wanted.iter().any(|w| w == t))
            .collect()
    }
}

/// What `verispec judge --json` says of a run.
#[derive(Debug, Deserialize)]
pub(crate) struct Judged {
    pub(crate) calls: u64,
    pub(crate) pending: u64,
    pub(crate) counters: Counters,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Counters {
    pub(crate) judged: u64,
    pub(crate) unjudged: u64,
    pub(crate) unjudgeable: u64,
}

/// Runs `verispec judge specv … --json` in `dir`, which holds the checkout; a run in which
/// something was left over is an error, since its time says nothing.
pub(crate) fn judge(
    tools: &Tools,
    dir: &Path,
    runs: &Path,
    args: &[&str],
) -> anyhow::Result<(Taken, Judged)> {
    std::fs::create_dir_all(runs)?;
    let mut command = tools.verispec(dir);
    command
        .args([
            "judge", "specv", "--data", ".", "--run", "r", "--json", "--runs",
        ])
        .arg(runs)
        .args(args);
    let (taken, text) = run_child(&mut command, runs, Memory::Own)?;
    let judged: Judged = serde_json::from_str(&text)?;
    let c = &judged.counters;
    anyhow::ensure!(
        judged.pending == 0 && c.unjudged == 0 && c.unjudgeable == 0 && c.judged > 0,
        "not everything was judged: {text}"
    );
    Ok((taken, judged))
}

/// Milliseconds of processor time per item.
pub(crate) fn ms_each(seconds: Option<f64>, items: usize) -> Option<f64> {
    #[allow(clippy::cast_precision_loss, reason = "counts of items")]
    seconds.map(|s| s * 1000.0 / items as f64)
}
