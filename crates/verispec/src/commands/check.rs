//! `verispec check`

use std::path::Path;

use verispec_report::{CheckReport, MissingInputs, render_check};

use crate::args::{Cli, TargetArgs};
use crate::config::Config;
use crate::exit::Exit;
use crate::judge::resolve;
use crate::known::Ledgers;
use crate::money::prices;
use crate::output;
use crate::selection::Selection;
use crate::target::Target;

pub(super) fn run(cli: &Cli, args: &TargetArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let judge = match args.judge.judge.is_some() || args.preset.is_some() {
        true => Some((resolve(args, &config)?, Ledgers::open(&cli.runs)?)),
        false => None,
    };
    let target = Target::from_args(args, &config)?;
    let target = target.for_panel(judge.as_ref().and_then(|(j, _)| j.panel.as_ref()));
    let prices = prices(args.prices.as_deref())?;
    let selection = Selection::of(&target);
    for line in selection.strays() {
        output::note(&line);
    }
    let report = CheckReport {
        suite: target.loaded.suite.name.clone(),
        revision: Some(target.loaded.suite.revision.clone()),
        inputs: inputs(&selection, &target),
        outputs: selection.rows(),
        problems: selection.problems(),
        price: judge
            .map(|(j, ledgers)| {
                super::check_price::price((&cli.runs, ledgers), &target, &j, &prices)
            })
            .transpose()?,
    };
    if cli.json {
        output::json(&verispec_report::json::check(&report));
    } else {
        output::table(&render_check(&report, cli.verbose > 0, output::style()));
    }
    let clean = report.inputs.missing == 0 && report.problems.is_empty();
    Ok(if clean { Exit::Ok } else { Exit::Incomplete })
}

/// What is missing of the reference images, with where they belong and how to get them.
fn inputs(selection: &Selection<'_>, target: &Target) -> MissingInputs {
    let root = &target.loaded.suite.root;
    let inputs = selection.inputs();
    let example = selection.first_missing().unwrap_or_default();
    if inputs.missing > 0 && !target.loaded.is_specv() {
        output::note(&format!("input images are missing, for instance {example}"));
        return inputs;
    }
    if inputs.missing > 0 {
        output::note(&format!(
            "reference images are expected below {}, for instance {example}",
            root.join("eval_data").display()
        ));
    }
    MissingInputs {
        command: fetch_command(&inputs.by_track, root),
        ..inputs
    }
}

/// The command that downloads what is missing.
fn fetch_command(by_track: &[(String, usize)], root: &Path) -> Option<String> {
    let tracks: Vec<&str> = by_track.iter().map(|(name, _)| name.as_str()).collect();
    let (tracks, root) = (tracks.join(","), root.display());
    (!tracks.is_empty())
        .then(|| format!("verispec fetch specv --what images --tracks {tracks} --data '{root}'"))
}
