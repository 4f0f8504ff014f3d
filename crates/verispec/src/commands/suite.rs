//! `verispec suite …`

use std::path::Path;

use anyhow::Context as _;
use verispec_report::{InspectDimension, InspectTrack, Inspection, SuiteCounts, render_inspect};
use verispec_suites::{custom, specv};

use super::inspect_realunify;
use crate::args::{Cli, FlipArgs, PatchArgs, SuiteCommand, SuiteName};
use crate::config::Config;
use crate::exit::{Exit, usage};
use crate::output;

pub(super) fn run(cli: &Cli, command: &SuiteCommand) -> anyhow::Result<Exit> {
    match command {
        SuiteCommand::Inspect { suite, data, all } => inspect(cli, *suite, data.as_deref(), *all),
        SuiteCommand::Validate { file } => validate(cli, file),
        SuiteCommand::Flip(args) => flip(cli, args),
        SuiteCommand::Patch(args) => patch(cli, args),
        SuiteCommand::New { file } => new(file),
    }
}

/// Writes the commented example.
fn new(file: &Path) -> anyhow::Result<Exit> {
    if file.exists() {
        return Err(usage(format!("{} exists already", file.display())));
    }
    std::fs::write(file, custom::EXAMPLE)
        .with_context(|| format!("cannot write {}", file.display()))?;
    output::result(&format!("verispec suite validate {}", file.display()));
    Ok(Exit::Ok)
}

/// Writes the suite with the keys of a random half turned round.
fn flip(cli: &Cli, args: &FlipArgs) -> anyhow::Result<Exit> {
    if args.suite != SuiteName::Specv {
        return Err(usage(
            "only SpecV's released prompts (protocol specv-published) show the key to the judge: \
             in other suites there is nothing to leak",
        ));
    }
    let config = Config::load(cli.config.as_deref())?;
    let root = config.data(args.suite.as_str(), args.data.as_deref())?;
    let done = specv::flip_keys(&root, &args.out, args.seed)?;
    if cli.json {
        output::json(&serde_json::json!({
            "format": 1, "kind": "suite-flip", "out": args.out, "seed": args.seed, "done": done,
        }));
        return Ok(Exit::Ok);
    }
    output::result(&format!(
        "{}: {} of {} expected answers turned round in {} instances; judge with --data {} and the \
         same --outputs, then: verispec study leak RUN FLIPPED-RUN",
        args.out.display(),
        done.flipped,
        done.specifications,
        done.instances,
        args.out.display(),
    ));
    Ok(Exit::Ok)
}

/// Writes the suite with the changes of a list.
fn patch(cli: &Cli, args: &PatchArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let root = config.data(args.suite.as_str(), args.data.as_deref())?;
    let done = match args.suite {
        SuiteName::Specv => specv::patch(&root, &args.list, &args.out)?,
        SuiteName::Custom => custom::patch(&root, &args.list, &args.out)?,
        SuiteName::Realunify => {
            return Err(usage(
                "RealUnify's items have no specifications to retire or repair: patches are for \
                 suites in SpecV's layout and your own",
            ));
        }
    };
    if cli.json {
        output::json(&serde_json::json!({
            "format": 1, "kind": "suite-patch", "out": args.out, "done": done,
        }));
    } else {
        output::result(&format!(
            "{}: {} specifications retired, {} worded anew in {} instances; {} (revision {}); judge \
             with --data {0}",
            args.out.display(),
            done.retired,
            done.repaired,
            done.instances,
            done.name,
            done.revision,
        ));
    }
    if done.unworded.is_empty() {
        return Ok(Exit::Ok);
    }
    output::note(&format!(
        "{} specifications to be repaired have no new words and stay as they are (add \"to\"): {}",
        done.unworded.len(),
        done.unworded.join(", ")
    ));
    Ok(Exit::Incomplete)
}

/// Lists everything that is wrong with a suite of one's own, or says what it holds.
fn validate(cli: &Cli, file: &Path) -> anyhow::Result<Exit> {
    let checked = custom::validate(file)?;
    let problems: Vec<String> = checked.problems.iter().map(ToString::to_string).collect();
    if cli.json {
        let suite = checked.loaded.as_ref().map(|l| {
            serde_json::json!({
                "name": l.suite.name,
                "revision": l.suite.revision,
                "instances": l.suite.instances().count(),
            })
        });
        output::json(&serde_json::json!({
            "format": 1,
            "kind": "suite-validate",
            "suite": suite,
            "problems": problems,
            "warnings": checked.warnings,
        }));
    } else {
        let style = verispec_report::Style::plain();
        if !checked.warnings.is_empty() {
            output::note(&verispec_report::render_warnings(
                &checked.warnings,
                true,
                style,
            ));
        }
        output::result(&match &checked.loaded {
            Some(loaded) => summary(loaded),
            None => problems.join("\n"),
        });
    }
    Ok(if problems.is_empty() {
        Exit::Ok
    } else {
        Exit::Error
    })
}

fn summary(loaded: &custom::Loaded) -> String {
    let suite = &loaded.suite;
    let specs: usize = suite.instances().map(|i| i.specifications.len()).sum();
    format!(
        "{} (revision {}): {} instances in {} tracks, {} multiple choices, {} specifications; no \
         problem",
        suite.name,
        suite.revision,
        suite.instances().count(),
        suite.tracks.len(),
        loaded.choices.len(),
        specs - loaded.choices.len(),
    )
}

fn inspect(cli: &Cli, suite: SuiteName, data: Option<&Path>, all: bool) -> anyhow::Result<Exit> {
    if suite == SuiteName::Custom {
        return Err(usage(
            "a custom suite is checked by: verispec suite validate FILE",
        ));
    }
    let config = Config::load(cli.config.as_deref())?;
    let root = config.data(suite.as_str(), data)?;
    if suite == SuiteName::Realunify {
        return inspect_realunify::run(cli, &root, all);
    }
    let loaded = specv::load(&root)?;
    let inspection = specv::inspect(&loaded);
    let shown = for_report(&inspection, &root);
    if cli.json {
        output::json(&verispec_report::json::inspect(&shown));
    } else {
        output::table(&render_inspect(
            &shown,
            all || cli.verbose > 0,
            output::style(),
        ));
    }
    Ok(Exit::Ok)
}

fn for_report(i: &specv::Inspection, root: &Path) -> Inspection {
    let track = |t: &specv::TrackInspection| InspectTrack {
        track: t.name.clone(),
        counts: SuiteCounts {
            always_yes: t.baseline.yes_uniform,
            always_no: t.baseline.no_uniform,
            ..counts(&t.counts)
        },
        dimensions: t.dimensions.iter().map(dimension).collect(),
    };
    Inspection {
        suite: i.suite.clone(),
        root: root.display().to_string(),
        revision: i.revision.clone(),
        tracks: i.tracks.iter().map(track).collect(),
        total: counts(&i.counts),
        warnings: i.warnings.clone(),
    }
}

fn dimension(d: &specv::DimensionInspection) -> InspectDimension {
    InspectDimension {
        dimension: d.name.clone(),
        counts: counts(&d.counts),
    }
}

pub(super) fn counts(c: &specv::Counts) -> SuiteCounts {
    SuiteCounts {
        instances: c.tasks,
        specifications: c.specs,
        mean: c.mean_k(),
        min: c.k_min,
        max: c.k_max,
        expected_no: c.expected_no,
        images: c.images,
        always_yes: None,
        always_no: None,
    }
}
