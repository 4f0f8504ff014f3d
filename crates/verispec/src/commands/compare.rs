//! `verispec compare`

use verispec_report::studies::render_compare;
use verispec_studies::compare::{Lacking, compare};
use verispec_studies::matrix::{Level, Matrix};

use crate::args::{Cli, CompareArgs, PolicyArgs};
use crate::exit::{Exit, usage};
use crate::levels::{self, Scored};
use crate::output;
use crate::reduce::ReduceArgs;

/// Name that both models get, so that they are matched.
const MODEL: &str = "model";

pub(super) fn run(cli: &Cli, args: &CompareArgs) -> anyhow::Result<Exit> {
    let sides = (args.first.as_str(), args.second.as_str());
    let asked = (&args.policy, &args.reduce, args.across_judges);
    let Pair {
        matrix,
        shown,
        mut warnings,
        lacking,
    } = pair(cli, sides, asked, &[])?;
    let [first, second] = &lacking;
    warnings.extend(second.iter().map(|l| alone(l, &shown[0])));
    warnings.extend(first.iter().map(|l| alone(l, &shown[1])));
    let study = compare(&matrix, levels::options(&args.draw));
    if cli.json {
        let document = serde_json::json!({
            "format": 1,
            "kind": "compare",
            "first": shown[0],
            "second": shown[1],
            "warnings": warnings,
            "study": study,
        });
        output::json(&document);
    } else {
        let names = (shown[0].as_str(), shown[1].as_str());
        output::table(&render_compare(&study, names, &warnings, output::style()));
    }
    Ok(Exit::Ok)
}

/// Two models side by side, under one name.
pub(super) struct Pair {
    /// Both as levels, the first one first.
    pub(super) matrix: Matrix,
    /// What they are called in tables.
    pub(super) shown: [String; 2],
    /// In what their runs differ besides the model.
    pub(super) warnings: Vec<String>,
    /// What the first, and what the second, did not enter although the other did.
    pub(super) lacking: [Vec<Lacking>; 2],
}

/// Says that a track stands on one side alone.
pub(super) fn alone(lacking: &Lacking, who: &str) -> String {
    let Lacking { track, instances } = lacking;
    format!("track {track}: {who} alone entered it ({instances} instances); it is not compared")
}

/// Reads two models of the same run or of two; one side may be `:MODEL` of the other's run. With
/// `tracks` only those are looked at.
pub(super) fn pair(
    cli: &Cli,
    (first, second): (&str, &str),
    (policy, reduce, across_judges): (&PolicyArgs, &ReduceArgs, bool),
    tracks: &[String],
) -> anyhow::Result<Pair> {
    let (mut first_run, first_model) = split(first);
    let (mut second_run, second_model) = split(second);
    if second_run.is_empty() {
        second_run = first_run;
    } else if first_run.is_empty() {
        first_run = second_run;
    }
    let read = |name| Scored::read(cli, name, policy, reduce);
    let first = read(first_run)?;
    let other = (second_run != first_run).then(|| read(second_run));
    let other = other.transpose()?;
    let second = other.as_ref().unwrap_or(&first);
    let names = [pick(&first, first_model)?, pick(second, second_model)?];
    if names[0] == names[1] && first.manifest.run == second.manifest.run {
        return Err(usage("both sides are the same model of the same run"));
    }
    let mut warnings = differences(&first, second);
    if !warnings.is_empty() && !across_judges {
        return Err(usage(format!(
            "the runs differ in more than the model ({}); add --across-judges to compare all the \
             same",
            warnings.join("; ")
        )));
    }
    let shown = [shown(&first, &names, 0), shown(second, &names, 1)];
    let mut runs = [first.only(&names[0], MODEL), second.only(&names[1], MODEL)];
    check_tracks(tracks, &runs)?;
    if !tracks.is_empty() {
        runs.iter_mut().for_each(|run| run.keep(tracks));
    }
    let level = |name: &String| Level {
        name: name.clone(),
        family: None,
        group: "compare".to_owned(),
    };
    let matrix = levels::matrix(&runs, shown.iter().map(level).collect());
    if matrix.tracks.is_empty() {
        return Err(usage("the two have no track in common"));
    }
    warnings
        .iter_mut()
        .for_each(|w| *w = format!("the runs differ: {w}"));
    let [first, second] = &runs;
    Ok(Pair {
        lacking: [lacking(first, second), lacking(second, first)],
        matrix,
        shown,
        warnings,
    })
}

/// Refuses a track that neither side's suite has.
fn check_tracks(wanted: &[String], runs: &[Scored; 2]) -> anyhow::Result<()> {
    let known = |track: &&String| runs.iter().any(|r| r.table.all_tracks.contains(track));
    match wanted.iter().find(|t| !known(t)) {
        None => Ok(()),
        unknown => crate::policy::check_track(&runs[0].table, unknown.map(String::as_str)),
    }
}

/// What a side did not enter although the other did.
fn lacking(side: &Scored, other: &Scored) -> Vec<Lacking> {
    let entered = |run: &Scored, track: &str| -> usize {
        let tracks = run.results.models.iter().flat_map(|m| &m.tracks);
        let of = tracks.filter(|t| t.track == track);
        of.flat_map(|t| &t.dimensions)
            .map(|d| d.instances.len())
            .sum()
    };
    let tracks = other.results.all_tracks.iter();
    tracks
        .filter(|track| entered(side, track) == 0)
        .map(|track| Lacking {
            track: track.clone(),
            instances: entered(other, track),
        })
        .filter(|lacking| lacking.instances > 0)
        .collect()
}

/// `RUN` or `RUN:MODEL`. A run's name holds no colon.
fn split(text: &str) -> (&str, Option<&str>) {
    match text.split_once(':') {
        Some((run, model)) => (run, Some(model)),
        None => (text, None),
    }
}

/// The model that is meant.
fn pick(run: &Scored, wanted: Option<&str>) -> anyhow::Result<String> {
    let names: Vec<&str> = run
        .results
        .models
        .iter()
        .map(|m| m.model.as_str())
        .collect();
    let run = &run.manifest.run;
    match (wanted, names.as_slice()) {
        (Some(name), _) if names.contains(&name) => Ok(name.to_owned()),
        (Some(name), _) => Err(usage(format!(
            "run {run:?} has no model {name:?}; it has {}",
            names.join(", ")
        ))),
        (None, [only]) => Ok((*only).to_owned()),
        (None, _) => Err(usage(format!(
            "run {run:?} has several models: write {run}:MODEL with one of {}",
            names.join(", ")
        ))),
    }
}

/// The model, with its run where both have the same name.
fn shown(run: &Scored, names: &[String; 2], i: usize) -> String {
    if names[0] == names[1] {
        format!("{} ({})", names[i], run.manifest.run)
    } else {
        names[i].clone()
    }
}

/// In what the runs differ besides the model.
fn differences(first: &Scored, second: &Scored) -> Vec<String> {
    let (a, b) = (&first.manifest, &second.manifest);
    let unlike = [
        ("judge", a.judge != b.judge || a.panel != b.panel),
        ("protocol", a.protocol != b.protocol),
        ("reader", a.reader != b.reader),
        ("suite", a.suite != b.suite),
        ("version of the suite", a.suite_revision != b.suite_revision),
        ("number of repeats", a.repeats != b.repeats),
        ("measure", first.results.measure != second.results.measure),
    ];
    let found = unlike.into_iter().filter(|(_, differ)| *differ);
    found.map(|(what, _)| format!("another {what}")).collect()
}
