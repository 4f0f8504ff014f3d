//! From policy flags to a policy and a reader.

use verispec_model::score::{
    CriticalRule, DependencyRule, MissingRule, Policy, Rules, ScoreTable, Scoring, SumRule,
    UnjudgedRule, WeightRule, uniform,
};
use verispec_model::{InstanceState, Measure, Reading, Results, Specification, Unjudged};
use verispec_suites::specv;
use verispec_suites::specv::import::ImportReader;

use crate::args::{
    DependencyArg, MissingArg, PolicyArgs, Preset, ReaderArg, ScoringArg, SumArg, UnjudgedArg,
    WeightArg,
};
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
            ScoringArg::Strict => Scoring::Strict,
        };
    }
    if let Some(missing) = args.missing {
        policy.missing = missing_rule(missing);
    }
    if let Some(unjudged) = args.unjudged {
        policy.unjudged = unjudged_rule(unjudged);
    }
    policy.rules = rules(args);
    let reader = match (args.reader, args.preset) {
        (Some(ReaderArg::Default), _) => Some(ImportReader::Default),
        (Some(ReaderArg::Published), _) | (None, Some(Preset::Published)) => {
            Some(ImportReader::Published)
        }
        (None, None) => None,
    };
    (policy, reader)
}

/// The policy as it fits the results; `published` says that rows of SpecV's boards are to stand
/// beside. RealUnify's items count if everything in them is met; of a protocol that stops at the
/// first miss no share is known.
pub(crate) fn suited(
    mut policy: Policy,
    args: &PolicyArgs,
    published: bool,
    results: &Results,
) -> anyhow::Result<Policy> {
    if results.suite != REALUNIFY {
        return Ok(policy);
    }
    if published || args.scoring == Some(ScoringArg::Board) {
        return Err(usage(
            "board scoring is SpecV's own; RealUnify's published rows stand beside its scores in: \
             verispec study realunify RUN --with-published",
        ));
    }
    if args.scoring.is_none() && policy.rules.is_plain() {
        policy.scoring = Scoring::Strict;
    }
    if args.preset.is_some() {
        policy = Policy {
            missing: args.missing.map_or(MissingRule::Zero, missing_rule),
            unjudged: args.unjudged.map_or(UnjudgedRule::Exclude, unjudged_rule),
            empty_dimension_is_zero: false,
            ..policy
        };
    }
    Ok(policy)
}

/// Name of the suite whose items are all or nothing.
const REALUNIFY: &str = "realunify";

/// Refuses a share of specifications where those after the first miss were not asked.
pub(crate) fn check_shares(results: &Results) -> anyhow::Result<()> {
    if not_asked(results) {
        return Err(usage(
            "specifications after the first miss were not asked, so no share of them is known: \
             --scoring strict",
        ));
    }
    Ok(())
}

fn not_asked(results: &Results) -> bool {
    let skipped = Some(Reading::Unjudged(Unjudged::NotAsked));
    let tracks = results.models.iter().flat_map(|m| &m.tracks);
    let mut instances = tracks
        .flat_map(|t| &t.dimensions)
        .flat_map(|d| &d.instances);
    instances.any(|i| match &i.state {
        InstanceState::Generated(specs) => specs.iter().any(|s| s.reading == skipped),
        _ => false,
    })
}

const fn missing_rule(arg: MissingArg) -> MissingRule {
    match arg {
        MissingArg::Zero => MissingRule::Zero,
        MissingArg::Exclude => MissingRule::Exclude,
    }
}

fn rules(args: &PolicyArgs) -> Rules {
    Rules {
        dependencies: match args.dependencies {
            None | Some(DependencyArg::Ignore) => DependencyRule::Ignore,
            Some(DependencyArg::Direct) => DependencyRule::Direct,
            Some(DependencyArg::Transitive) => DependencyRule::Transitive,
        },
        weights: match args.weights {
            None | Some(WeightArg::Equal) => WeightRule::Equal,
            Some(WeightArg::Weight) => WeightRule::Weight,
            Some(WeightArg::Rating) => WeightRule::Rating,
        },
        critical: if args.critical {
            CriticalRule::Gate
        } else {
            CriticalRule::Ignore
        },
    }
}

/// Refuses what these results cannot be scored by: shares of specifications that were not all
/// asked, and rules that would change nothing and look like a result.
pub(crate) fn check_rules(policy: Policy, results: &Results) -> anyhow::Result<()> {
    if policy.scoring == Scoring::Uniform {
        check_shares(results)?;
    }
    let rules = policy.rules;
    if rules.is_plain() {
        return Ok(());
    }
    if matches!(policy.scoring, Scoring::Board | Scoring::Strict) {
        return Err(usage(
            "board and strict scoring have rules of their own: --dependencies, --weights and --critical \
             go with --scoring uniform",
        ));
    }
    if results.measure == Measure::Holistic {
        return Err(usage(
            "grades of whole outputs have no specifications: --dependencies, --weights and \
             --critical do not apply",
        ));
    }
    let specs: Vec<&Specification> = specifications(results).collect();
    let none = |has: fn(&Specification) -> bool| !specs.iter().any(|s| has(s));
    if rules.dependencies != DependencyRule::Ignore && none(|s| !s.rules.depends_on.is_empty()) {
        return Err(usage(
            "--dependencies: no specification of these results has `depends_on`",
        ));
    }
    if rules.critical != CriticalRule::Ignore && none(|s| s.rules.critical) {
        return Err(usage(
            "--critical: no specification of these results is `critical`",
        ));
    }
    let without = specs
        .iter()
        .filter(|s| !has_weight(s, rules.weights))
        .count();
    if without > 0 {
        return Err(usage(format!(
            "--weights: {without} of {} specifications have no number above 0 to weigh by",
            specs.len()
        )));
    }
    Ok(())
}

fn has_weight(spec: &Specification, rule: WeightRule) -> bool {
    let weight = match rule {
        WeightRule::Equal => Some(1.0),
        WeightRule::Weight => spec.rules.weight,
        WeightRule::Rating => spec.rating,
    };
    weight.is_some_and(|w| w > 0.0)
}

fn specifications(results: &Results) -> impl Iterator<Item = &Specification> {
    let tracks = results.models.iter().flat_map(|m| &m.tracks);
    let instances = tracks
        .flat_map(|t| &t.dimensions)
        .flat_map(|d| &d.instances);
    instances
        .filter_map(|i| match &i.state {
            InstanceState::Generated(specs) => Some(specs),
            _ => None,
        })
        .flatten()
        .map(|s| &*s.spec)
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
        Scoring::Uniform | Scoring::Strict | Scoring::Holistic => uniform(results, policy),
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
pub(crate) fn tell_preset(args: &PolicyArgs, policy: Policy) {
    if args.preset.is_some() && policy.scoring == Scoring::Strict {
        crate::output::note(
            "preset published: --scoring strict --missing zero --reader published; published \
             denominators and rounding are in: verispec study realunify RUN --preset published",
        );
    } else if args.preset.is_some() {
        crate::output::note(
            "preset published: --scoring board --missing exclude --unjudged na --reader published, \
             an empty dimension folder counts 0",
        );
    }
}
