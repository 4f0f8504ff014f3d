//! From policy flags to a policy and a reader.

use verispec_model::Results;
use verispec_model::score::{
    MissingRule, Policy, ScoreTable, Scoring, SumRule, UnjudgedRule, uniform,
};
use verispec_suites::specv;
use verispec_suites::specv::import::ImportReader;

use crate::args::{MissingArg, PolicyArgs, Preset, ReaderArg, ScoringArg, SumArg, UnjudgedArg};
use crate::exit::usage;

/// Policy and reader. A preset sets all; single flags win over it. Published rows stand beside
/// `board` scores only, so `--with-published` asks for them.
pub(crate) fn resolve(args: &PolicyArgs, with_published: bool) -> (Policy, Option<ImportReader>) {
    let sum = sum_rule(args.sum);
    let mut policy = match args.preset {
        Some(Preset::Published) => Policy::published(sum),
        None => Policy {
            sum,
            ..Policy::default()
        },
    };
    if with_published {
        policy.scoring = Scoring::Board;
    }
    if let Some(scoring) = args.scoring {
        policy.scoring = match scoring {
            ScoringArg::Uniform => Scoring::Uniform,
            ScoringArg::Board => Scoring::Board,
        };
    }
    if let Some(missing) = args.missing {
        policy.missing = match missing {
            MissingArg::Zero => MissingRule::Zero,
            MissingArg::Exclude => MissingRule::Exclude,
        };
    }
    if let Some(unjudged) = args.unjudged {
        policy.unjudged = unjudged_rule(unjudged);
    }
    let reader = match (args.reader, args.preset) {
        (Some(ReaderArg::Default), _) => Some(ImportReader::Default),
        (Some(ReaderArg::Published), _) | (None, Some(Preset::Published)) => {
            Some(ImportReader::Published)
        }
        (None, None) => None,
    };
    (policy, reader)
}

/// Rule of `--unjudged`.
pub(crate) const fn unjudged_rule(arg: UnjudgedArg) -> UnjudgedRule {
    match arg {
        UnjudgedArg::Exclude => UnjudgedRule::Exclude,
        UnjudgedArg::Na => UnjudgedRule::Na,
    }
}

/// Rule of `--sum`.
pub(crate) fn sum_rule(arg: Option<SumArg>) -> SumRule {
    match arg {
        Some(SumArg::Plain) => SumRule::Plain,
        Some(SumArg::Compensated) => SumRule::Compensated,
        None => SumRule::default(),
    }
}

/// Scores by the rule of the policy.
pub(crate) fn score(results: &Results, policy: Policy) -> ScoreTable {
    match policy.scoring {
        Scoring::Uniform | Scoring::Holistic => uniform(results, policy),
        Scoring::Board => specv::board(results, policy),
    }
}

/// Refuses a track that the scores do not have.
pub(crate) fn check_track(table: &ScoreTable, track: Option<&str>) -> anyhow::Result<()> {
    match track.filter(|track| !table.all_tracks.iter().any(|t| t == track)) {
        None => Ok(()),
        Some(unknown) => Err(usage(format!(
            "--track: there is no {unknown:?}; there is {}",
            table.all_tracks.join(", ")
        ))),
    }
}

/// Says what a preset stands for, so that nobody has to look it up.
pub(crate) fn tell_preset(args: &PolicyArgs) {
    if args.preset.is_some() {
        crate::output::note(
            "preset published: --scoring board --missing exclude --unjudged na --reader published, \
             an empty dimension folder counts 0",
        );
    }
}
