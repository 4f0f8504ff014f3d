//! `verispec gate`

use std::path::Path;

use anyhow::Context as _;
use verispec_report::junit::{Case, Outcome, Suite};
use verispec_report::studies::{gate_line, render_gate};
use verispec_studies::compare::{Gate, GateOptions, Require, gate};

use super::compare::{Pair, alone, pair};
use crate::args::{Cli, GateArgs, RequireArg};
use crate::exit::Exit;
use crate::output;

pub(super) fn run(cli: &Cli, args: &GateArgs) -> anyhow::Result<Exit> {
    let sides = (args.baseline.as_str(), args.run.as_str());
    let asked = (&args.policy, &args.reduce, args.across_judges);
    let Pair {
        matrix,
        shown,
        mut warnings,
        lacking: [new, lacking],
    } = pair(cli, sides, asked, &args.track)?;
    let found = gate(&matrix, &lacking, options(args));
    let [baseline, candidate] = &shown;
    warnings.extend(new.iter().map(|l| alone(l, candidate)));
    if let Some(path) = &args.junit {
        write_junit(path, &found, candidate, baseline)?;
    }
    if cli.json {
        output::json(&serde_json::json!({
            "format": 1,
            "kind": "gate",
            "run": candidate,
            "baseline": baseline,
            "warnings": warnings,
            "gate": found,
        }));
    } else {
        let names = (candidate.as_str(), baseline.as_str());
        output::table(&render_gate(&found, names, &warnings, output::style()));
    }
    if found.passed {
        return Ok(Exit::Ok);
    }
    for check in found.checks.iter().filter(|c| !c.passed) {
        output::note(&format!("gate failed: {}: {}", check.name, check.reason));
    }
    Ok(Exit::Gate)
}

const fn options(args: &GateArgs) -> GateOptions {
    GateOptions {
        require: match args.require {
            RequireArg::NotWorse => Require::NotWorse,
            RequireArg::Better => Require::Better,
        },
        min_delta: args.min_delta,
        alpha: args.alpha,
        min_common: args.min_common,
        each_track: args.each_track,
        draws: args.draws as usize,
        seed: args.seed,
    }
}

fn write_junit(path: &Path, gate: &Gate, run: &str, baseline: &str) -> anyhow::Result<()> {
    let cases = gate.checks.iter().map(|check| Case {
        class: "verispec.gate".to_owned(),
        name: check.name.clone(),
        outcome: if check.passed {
            Outcome::Passed
        } else {
            Outcome::Failed(check.reason.clone())
        },
        text: gate_line(check),
    });
    let suite = Suite {
        name: format!("verispec gate: {run} against {baseline}"),
        cases: cases.collect(),
    };
    std::fs::write(path, suite.to_xml()).with_context(|| format!("cannot write {}", path.display()))
}
