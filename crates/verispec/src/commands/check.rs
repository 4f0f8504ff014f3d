//! `verispec check`

use std::path::Path;

use verispec_model::OutputFailure;
use verispec_report::{CheckProblem, CheckReport, CheckRow, MissingInputs, render_check};
use verispec_suites::specv::outputs::{ModelOutputs, missing_references};

use crate::args::{Cli, TargetArgs};
use crate::config::Config;
use crate::exit::Exit;
use crate::judge::resolve;
use crate::money::prices;
use crate::output;
use crate::target::Target;

pub(super) fn run(cli: &Cli, args: &TargetArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let target = Target::from_args(args, &config)?;
    let judge = match args.judge.judge.is_some() || args.preset.is_some() {
        true => Some(resolve(args, &config)?),
        false => None,
    };
    let prices = prices(args.prices.as_deref())?;
    let report = CheckReport {
        suite: target.loaded.suite.name.clone(),
        revision: Some(target.loaded.suite.revision.clone()),
        inputs: inputs(&target),
        outputs: target.outputs.iter().flat_map(rows).collect(),
        problems: target.outputs.iter().flat_map(problems).collect(),
        price: judge
            .as_ref()
            .map(|j| super::check_price::price(&target, j, &prices))
            .transpose()?,
    };
    if cli.json {
        output::json(&verispec_report::json::check(&report));
    } else {
        output::result(&render_check(&report, cli.verbose > 0, output::style()));
    }
    let clean = report.inputs.missing == 0 && report.problems.is_empty();
    Ok(if clean { Exit::Ok } else { Exit::Incomplete })
}

fn inputs(target: &Target) -> MissingInputs {
    let suite = &target.loaded.suite;
    let missing = missing_references(suite);
    let mut instances: Vec<(&str, &str)> = missing
        .iter()
        .map(|(track, id, _)| (track.as_str(), id.as_str()))
        .collect();
    instances.dedup();
    let by_track = suite.tracks.iter().map(|t| {
        let n = missing
            .iter()
            .filter(|(track, _, _)| *track == t.name)
            .count();
        (t.name.clone(), n)
    });
    let by_track: Vec<(String, usize)> = by_track.filter(|(_, n)| *n > 0).collect();
    MissingInputs {
        expected: suite.instances().map(|i| i.references.len()).sum(),
        missing: missing.len(),
        instances: instances.len(),
        command: fetch_command(&by_track, &suite.root),
        by_track,
    }
}

/// The command that downloads what is missing.
fn fetch_command(by_track: &[(String, usize)], root: &Path) -> Option<String> {
    let tracks: Vec<&str> = by_track.iter().map(|(name, _)| name.as_str()).collect();
    let (tracks, root) = (tracks.join(","), root.display());
    (!tracks.is_empty())
        .then(|| format!("verispec fetch specv --what images --tracks {tracks} --data '{root}'"))
}

fn rows(model: &ModelOutputs) -> Vec<CheckRow> {
    let row =
        |(track, outputs): (&String, &verispec_suites::specv::outputs::TrackOutputs)| CheckRow {
            model: model.model.clone(),
            track: track.clone(),
            expected: outputs.instances.len(),
            matched: outputs.matched(),
            missing: outputs.failed(OutputFailure::Missing),
            unreadable: outputs.failed(OutputFailure::Unreadable)
                + outputs.failed(OutputFailure::Empty),
            unmatched: outputs.unmatched.len(),
        };
    model.tracks.iter().map(row).collect()
}

fn problems(model: &ModelOutputs) -> Vec<CheckProblem> {
    let mut problems = vec![];
    for (track, outputs) in &model.tracks {
        for (id, output) in &outputs.instances {
            let Err(problem) = output else { continue };
            let message = match problem.message.as_str() {
                "" => "no output".to_owned(),
                message => message.to_owned(),
            };
            problems.push(CheckProblem {
                kind: problem.failure.to_string(),
                model: model.model.clone(),
                place: format!("{track}/{id}"),
                message,
                nearest: None,
            });
        }
        for file in &outputs.unmatched {
            let name = file
                .path
                .file_name()
                .map(|n| n.to_string_lossy().into_owned());
            problems.push(CheckProblem {
                kind: "unmatched".into(),
                model: model.model.clone(),
                place: format!("{track}/{}", name.unwrap_or_default()),
                message: file.why.clone(),
                nearest: file.nearest.clone(),
            });
        }
    }
    problems
}
