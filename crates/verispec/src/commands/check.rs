//! `verispec check`

use std::path::Path;
use std::sync::Arc;

use verispec_engine::ledger::LedgerReplies;
use verispec_judge::protocol::{INDEPENDENT, WHOLE};
use verispec_media::{HashCache, Limits, probe};
use verispec_model::{Job as _, OutputFailure, Part, Request};
use verispec_report::{
    CheckPrice, CheckProblem, CheckReport, CheckRow, MissingInputs, judge_line, render_check,
};
use verispec_suites::specv::Plan;
use verispec_suites::specv::outputs::{ModelOutputs, missing_references};

use crate::args::{Cli, TargetArgs};
use crate::config::Config;
use crate::exit::Exit;
use crate::judge::{BUILTIN, Judge, resolve};
use crate::output;
use crate::target::Target;

pub(super) fn run(cli: &Cli, args: &TargetArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let target = Target::from_args(args, &config)?;
    let judge = match args.judge.judge.is_some() || args.preset.is_some() {
        true => Some(resolve(args, &config)?),
        false => None,
    };
    let report = CheckReport {
        suite: target.loaded.suite.name.clone(),
        revision: Some(target.loaded.suite.revision.clone()),
        inputs: inputs(&target),
        outputs: target.outputs.iter().flat_map(rows).collect(),
        problems: target.outputs.iter().flat_map(problems).collect(),
        price: judge.as_ref().map(|j| price(&target, j)).transpose()?,
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

/// What a run would send, before any call.
fn price(target: &Target, judge: &Judge) -> anyhow::Result<CheckPrice> {
    let plan = target.plan(Arc::new(judge.identity.clone()), &HashCache::in_memory())?;
    let mut sizes = Sizes {
        judge,
        images: std::collections::HashMap::new(),
    };
    let (mut calls, mut bytes, mut tokens) = (0, 0, 0);
    for job in &plan.jobs {
        for request in job.step(&LedgerReplies::default()).ask {
            calls += 1;
            let (b, t) = sizes.of(&request);
            bytes += b;
            tokens += t;
        }
    }
    let local = judge.identity.provider == BUILTIN;
    Ok(CheckPrice {
        judge: Some(judge_line(&judge.identity)),
        protocol: Some(target.shown_protocol()),
        calls,
        calls_at_most: calls_at_most(target, &plan, calls),
        reused: 0,
        bytes: if local { 0 } else { bytes },
        tokens: (!local).then_some(tokens),
        tokens_note: (!local).then(|| {
            "first calls only: text by 4 characters a token, images by the provider's tile rule"
                .to_owned()
        }),
    })
}

/// First calls plus every repetition that a protocol may add; transport retries are apart.
fn calls_at_most(target: &Target, plan: &Plan, calls: usize) -> Option<usize> {
    match (target.protocol.as_str(), target.reask.as_str()) {
        (INDEPENDENT, _) => Some(calls * 2),
        (WHOLE, "off") => Some(calls * 2),
        (WHOLE, "list") => Some(calls * 3),
        (WHOLE, _) => None,
        _ => Some(plan.jobs.len() * 3),
    }
}

/// Sizes of requests; each image is looked at once.
struct Sizes<'a> {
    judge: &'a Judge,
    images: std::collections::HashMap<std::path::PathBuf, (u64, (u32, u32))>,
}

impl Sizes<'_> {
    /// Bytes on the wire and estimated prompt tokens.
    fn of(&mut self, request: &Request) -> (u64, u64) {
        let (mut bytes, mut texts, mut images) = (0, vec![], vec![]);
        for part in &request.parts {
            match part {
                Part::Text(text) => {
                    bytes += text.len() as u64;
                    texts.push(text.as_str());
                }
                Part::Image(image) => {
                    let (size, pixels) = self.image(&image.path);
                    bytes += size.div_ceil(3) * 4;
                    images.push(pixels);
                }
            }
        }
        let params = &self.judge.identity.params;
        let tokens = verispec_providers::dialect(&self.judge.identity.provider).map_or(0, |d| {
            verispec_providers::estimate_tokens(
                d,
                (&self.judge.identity.model, params),
                texts,
                &images,
            )
        });
        (bytes, tokens)
    }

    fn image(&mut self, path: &Path) -> (u64, (u32, u32)) {
        let look = || {
            let info = probe(path, &Limits::default());
            info.map_or((0, (0, 0)), |i| (i.bytes, (i.width, i.height)))
        };
        *self.images.entry(path.to_owned()).or_insert_with(look)
    }
}
