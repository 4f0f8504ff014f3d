//! `verispec study …`

mod dsg;
mod human;
mod leak;
mod policies;
mod realunify;
mod stability;

use anyhow::Context as _;
use serde::Serialize;
use verispec_model::Measure;
use verispec_report::studies::{render_drift, render_family, render_items};
use verispec_studies::drift::{drift, self_noise};
use verispec_studies::family::family;
use verispec_studies::items::{Thresholds, items, patches};

pub(super) use human::human_track;

use crate::args::{Cli, DriftArgs, FactorArg, FamilyArgs, ItemsArgs, StudyCommand};
use crate::config::Config;
use crate::exit::{Exit, usage};
use crate::levels::{self, Families, Scored};
use crate::output;
use crate::reduce::ReduceArgs;

pub(super) fn run(cli: &Cli, command: &StudyCommand) -> anyhow::Result<Exit> {
    match command {
        StudyCommand::Stability(args) => stability::run(cli, args),
        StudyCommand::Drift(args) => run_drift(cli, args),
        StudyCommand::Human(command) => human::run(cli, command),
        StudyCommand::Family(args) => run_family(cli, args),
        StudyCommand::Items(args) => run_items(cli, args),
        StudyCommand::Leak(args) => leak::run(cli, args),
        StudyCommand::Policies(args) => policies::run(cli, args),
        StudyCommand::Dsg(args) => dsg::run(cli, args),
        StudyCommand::Realunify(args) => realunify::run(cli, args),
    }
}

/// Prints a study as one document.
pub(super) fn print_json(
    kind: &str,
    runs: &[&Scored],
    study: &impl Serialize,
) -> anyhow::Result<()> {
    let runs: Vec<&str> = runs.iter().map(|r| r.manifest.run.as_str()).collect();
    let study = serde_json::to_value(study).context("cannot write the study")?;
    output::json(&serde_json::json!({"format": 1, "kind": kind, "runs": runs, "study": study}));
    Ok(())
}

fn run_drift(cli: &Cli, args: &DriftArgs) -> anyhow::Result<Exit> {
    let read = |name| Scored::read(cli, name, &args.policy, &ReduceArgs::default());
    let runs = [read(&args.before)?, read(&args.after)?];
    let identity = |r: &Scored| (r.manifest.judge.clone(), r.manifest.protocol.clone());
    if identity(&runs[0]) != identity(&runs[1]) {
        output::note(
            "the runs differ in judge or protocol: what follows is a difference of judges, not \
             drift of one",
        );
    }
    let levels = levels::levels(&runs, FactorArg::Run, &Families::default());
    let matrix = levels::matrix(&runs, levels);
    nothing_in_common(&matrix)?;
    let options = levels::options(&args.draw);
    let study = drift(&matrix, options);
    let noise = runs.iter().find_map(|r| self_noise(&r.results, options));
    if cli.json {
        let study = serde_json::json!({"drift": study, "self_noise": noise});
        print_json("drift", &[&runs[0], &runs[1]], &study)?;
    } else {
        output::table(&render_drift(&study, noise.as_ref(), output::style()));
    }
    Ok(Exit::Ok)
}

fn nothing_in_common(matrix: &verispec_studies::matrix::Matrix) -> anyhow::Result<()> {
    if matrix.tracks.is_empty() {
        return Err(usage(
            "the runs have no model and track in common; models are matched by name",
        ));
    }
    Ok(())
}

fn run_family(cli: &Cli, args: &FamilyArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let families = Families::new(&config, &args.levels.family);
    let runs = levels::read_all(cli, &args.levels)?;
    let levels = levels::levels(&runs, FactorArg::Judge, &families);
    if levels.iter().all(|l| l.family.is_none()) {
        return Err(usage(
            "no judge's family is known: give --family JUDGE=FAMILY and --family MODEL=FAMILY, or \
             set family in [judge.NAME] and [model.NAME] of verispec.toml",
        ));
    }
    let matrix = levels::matrix(&runs, levels);
    nothing_in_common(&matrix)?;
    let study = family(&matrix, families.models(), levels::options(&args.draw));
    if cli.json {
        print_json("family", &runs.iter().collect::<Vec<_>>(), &study)?;
    } else {
        output::table(&render_family(&study, output::style()));
    }
    Ok(Exit::Ok)
}

fn run_items(cli: &Cli, args: &ItemsArgs) -> anyhow::Result<Exit> {
    let runs = levels::read_all(cli, &args.levels)?;
    if let Some(run) = runs.iter().find(|r| r.results.measure == Measure::Holistic) {
        return Err(usage(format!(
            "run {:?} holds grades of whole outputs, no verdicts on specifications",
            run.manifest.run
        )));
    }
    let levels = levels::levels(&runs, FactorArg::Run, &Families::default());
    let matrix = levels::matrix(&runs, levels);
    nothing_in_common(&matrix)?;
    let thresholds = Thresholds {
        least_verdicts: args.least_verdicts,
        discrimination: args.discrimination,
        disagreement: args.disagreement,
    };
    let study = items(&matrix, thresholds);
    if let Some(path) = &args.out {
        let mut lines = String::new();
        let patches = patches(&study);
        for patch in &patches {
            lines += &serde_json::to_string(patch)?;
            lines.push('\n');
        }
        std::fs::write(path, lines).with_context(|| format!("cannot write {}", path.display()))?;
        output::note(&format!("{} lines in {}", patches.len(), path.display()));
    }
    if cli.json {
        print_json("items", &runs.iter().collect::<Vec<_>>(), &study)?;
    } else {
        output::table(&render_items(&study, args.all, output::style()));
    }
    Ok(Exit::Ok)
}
