//! How several opinions on one output become one: flags, checks, the rule of a run.

use clap::{Args, ValueEnum};
use verispec_model::score::{Policy, Scoring};
use verispec_model::{Manifest, Measure, Reduce, RepeatReduce, Results, Rule};

use crate::exit::usage;

/// Recombine what was asked, without a call.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ReduceArgs {
    /// How verdicts of a panel's judges become one: majority, mean, unanimous or member:NAME
    /// [default: as the run says].
    #[arg(long, value_name = "RULE")]
    pub(crate) ensemble: Option<Reduce>,
    /// Judges of a panel that have to give a valid verdict on a specification; with fewer it is
    /// unjudged [default: as the run says, else more than half].
    #[arg(long, value_name = "N")]
    pub(crate) min_valid: Option<usize>,
    /// How repeats of one judge become one [default: mean].
    #[arg(long, value_enum)]
    pub(crate) repeat_reduce: Option<RepeatArg>,
}

/// `--repeat-reduce`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RepeatArg {
    /// Mean of the repeats' rates.
    Mean,
    /// One verdict by majority; a tie is a conflict.
    Majority,
}

/// Puts the wanted rule in place of the run's own, so that everything made from the run is named
/// by the rule in force.
pub(crate) fn apply(manifest: &mut Manifest, args: &ReduceArgs) -> anyhow::Result<()> {
    if let Some(repeat) = args.repeat_reduce {
        manifest.repeat_reduce = match repeat {
            RepeatArg::Mean => RepeatReduce::Mean,
            RepeatArg::Majority => RepeatReduce::Majority,
        };
    }
    match &mut manifest.panel {
        Some(panel) => {
            if let Some(reduce) = &args.ensemble {
                panel.reduce = reduce.clone();
            }
            panel.min_valid = args.min_valid.or(panel.min_valid);
            check_panel(panel)?;
        }
        None if args.ensemble.is_some() || args.min_valid.is_some() => {
            return Err(usage(format!(
                "run {:?} asked one judge: --ensemble and --min-valid are for runs of a panel \
                 ([judge.NAME] with members)",
                manifest.run
            )));
        }
        None => {}
    }
    check_rule(manifest, args)
}

/// Whether a panel's rule fits its members.
pub(crate) fn check_panel(panel: &verispec_model::Panel) -> anyhow::Result<()> {
    let names: Vec<&str> = panel.members.iter().map(|m| m.name.as_str()).collect();
    if let Reduce::Member(name) = &panel.reduce
        && !names.contains(&name.as_str())
    {
        return Err(usage(format!(
            "no judge {name:?} in the panel; members: {}",
            names.join(", ")
        )));
    }
    match panel.min_valid {
        Some(n) if n == 0 || n > names.len() => Err(usage(format!(
            "min-valid {n}: the panel has {} judges",
            names.len()
        ))),
        _ => Ok(()),
    }
}

fn check_rule(manifest: &Manifest, args: &ReduceArgs) -> anyhow::Result<()> {
    let reduce = manifest.panel.as_ref().map(|p| &p.reduce);
    let one_verdict = matches!(reduce, Some(Reduce::Majority | Reduce::Unanimous));
    if one_verdict && manifest.repeats > 1 && args.repeat_reduce == Some(RepeatArg::Mean) {
        return Err(usage(
            "--ensemble majority and unanimous need one verdict from each judge: its repeats are \
             reduced by majority, not mean",
        ));
    }
    let by_vote = one_verdict || manifest.repeat_reduce == RepeatReduce::Majority;
    if by_vote && is_holistic(manifest) {
        return Err(usage(
            "grades are averaged, not voted on: use --ensemble mean (or member:NAME) and \
             --repeat-reduce mean for holistic runs",
        ));
    }
    Ok(())
}

fn is_holistic(manifest: &Manifest) -> bool {
    manifest.protocol.as_deref() == Some(verispec_judge::protocol::HOLISTIC)
}

/// Refuses runs with several verdicts on a specification where one is wanted.
pub(crate) fn check_one_verdict(manifest: &Manifest) -> anyhow::Result<()> {
    if one_verdict(manifest) {
        return Ok(());
    }
    Err(usage(format!(
        "an item is right or wrong by one verdict on each question; run {:?} has several: add \
         --repeat-reduce majority, or --ensemble majority, unanimous or member:NAME",
        manifest.run
    )))
}

/// The rule that a run's description holds.
pub(crate) fn rule(manifest: &Manifest) -> Rule {
    Rule {
        repeats: manifest.repeat_reduce,
        panel: manifest.panel.as_ref().map(|p| p.reduce.clone()),
        min_valid: manifest.panel.as_ref().and_then(|p| p.min_valid),
    }
}

/// Whether each specification has one verdict under the rule in force.
fn one_verdict(manifest: &Manifest) -> bool {
    let judges = manifest.panel.as_ref().map_or(1, |p| p.members.len());
    rule(manifest).opinions(judges, manifest.repeats as usize) == 1
}

/// Refuses the published rule for what it has no place for.
pub(crate) fn check_policy(
    policy: Policy,
    results: &Results,
    manifests: &[Manifest],
) -> anyhow::Result<()> {
    crate::policy::check_rules(policy, results)?;
    if policy.scoring != Scoring::Board {
        return Ok(());
    }
    if results.measure == Measure::Holistic {
        return Err(usage(
            "holistic grades have no board scores and no published rows beside them",
        ));
    }
    match manifests.iter().find(|m| !one_verdict(m)) {
        Some(manifest) => Err(usage(format!(
            "board scoring takes one verdict for each specification; run {:?} has several: add \
             --repeat-reduce majority, or --ensemble majority, unanimous or member:NAME",
            manifest.run
        ))),
        None => Ok(()),
    }
}

/// Refuses to export what released files have no place for.
pub(crate) fn check_export(manifest: &Manifest, results: &Results) -> anyhow::Result<()> {
    let policy = Policy::published(verispec_model::score::SumRule::default());
    check_policy(policy, results, std::slice::from_ref(manifest))
}
