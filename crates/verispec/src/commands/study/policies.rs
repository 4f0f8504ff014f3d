//! `verispec study policies`

use std::borrow::Cow;
use std::collections::BTreeMap;

use verispec_model::score::{
    CategoryScore, CriticalRule, DependencyRule, MissingRule, ModelScore, Policy, Rules,
    ScoreTable, Scoring, UnjudgedRule, WeightRule, by_category,
};
use verispec_model::{Measure, Results};
use verispec_report::studies::{RankingEffects, render_policies};
use verispec_report::{RankBy, RankTable};
use verispec_studies::policies::{Scores, effect};

use crate::args::{Cli, PoliciesArgs, TableArgs};
use crate::commands::rank::rankings;
use crate::exit::{Exit, usage};
use crate::table::{Scored, scored};
use crate::{output, policy, reduce};

/// A way of scoring and what it is called beside the base.
struct Way {
    name: String,
    policy: Policy,
    number: Number,
}

/// Which number of a table is ranked.
enum Number {
    Score,
    Pooled,
    AllMet,
    Category(String),
}

/// Everything that is ranked.
struct Ranked<'a> {
    /// The base.
    table: &'a ScoreTable,
    /// Every way that applies, with its scores.
    ways: Vec<(Way, Cow<'a, ScoreTable>)>,
    /// Scores on each category under the base, where they were asked for.
    categories: &'a [CategoryScore],
}

pub(super) fn run(cli: &Cli, args: &PoliciesArgs) -> anyhow::Result<Exit> {
    let opening = TableArgs {
        across_versions: false,
        run: args.run.clone(),
        policy: args.policy.clone(),
        reduce: args.reduce.clone(),
        track: args.track.clone(),
        with_published: false,
        csv: false,
    };
    let made = scored(cli, &opening, !args.across_judges)?;
    let categories = match args.by_category {
        true => by_category(&made.results, made.policy),
        false => vec![],
    };
    let mut ways = ways(made.policy, &made.results);
    ways.extend(only(made.policy, &categories));
    let mut not_applicable = vec![];
    let mut ranked = Ranked {
        table: &made.table,
        ways: vec![],
        categories: &categories,
    };
    for way in ways {
        match applies(&way, &made) {
            Err(why) => not_applicable.push((way.name, why.to_string())),
            Ok(()) if way.policy == made.policy => {
                ranked.ways.push((way, Cow::Borrowed(&made.table)));
            }
            Ok(()) => {
                let table = policy::score(&made.results, way.policy);
                ranked.ways.push((way, Cow::Owned(table)));
            }
        }
    }
    let mut effects = vec![];
    for by in rankings(&made.table.all_tracks, args.track.as_deref()) {
        effects.extend(ranking(&by, &ranked)?);
    }
    if effects.is_empty() {
        return Err(usage(
            "fewer than two models can be ranked: `verispec rank` says why",
        ));
    }
    print(cli, &effects, &not_applicable, &made)?;
    output::leave(made);
    Ok(Exit::Ok)
}

/// Refuses what the results cannot be ranked by.
fn applies(way: &Way, made: &Scored) -> anyhow::Result<()> {
    if matches!(way.number, Number::Pooled | Number::Category(_)) {
        policy::check_shares(&made.results)?;
    }
    reduce::check_policy(way.policy, &made.results, &made.manifests)
}

fn print(
    cli: &Cli,
    rankings: &[RankingEffects],
    not_applicable: &[(String, String)],
    made: &Scored,
) -> anyhow::Result<()> {
    if cli.json {
        let runs: Vec<&str> = made.manifests.iter().map(|m| m.run.as_str()).collect();
        let reasons: BTreeMap<&str, &str> = not_applicable
            .iter()
            .map(|(policy, why)| (policy.as_str(), why.as_str()))
            .collect();
        output::json(&serde_json::json!({
            "format": 1, "kind": "policies", "runs": runs,
            "judge": made.context.judge,
            "study": {"rankings": rankings, "not_applicable": reasons},
        }));
    } else {
        output::table(&render_policies(rankings, not_applicable, output::style()));
    }
    Ok(())
}

/// One ranking under all ways; `None` where fewer than two models can be ranked.
fn ranking(by: &RankBy, all: &Ranked<'_>) -> anyhow::Result<Option<RankingEffects>> {
    let ranked = RankTable::build(all.table, by, &[])?;
    let base: Scores = ranked
        .rows
        .iter()
        .map(|row| (row.model.clone(), row.score.value))
        .collect();
    if base.len() < 2 {
        return Ok(None);
    }
    let mut effects = vec![effect(&all.table.policy.to_string(), &base, &base)];
    for (way, table) in &all.ways {
        let mut scores: Scores = table
            .models
            .iter()
            .filter_map(|m| Some((m.model.clone(), number(m, by, way, table, all.categories)?)))
            .collect();
        // Who cannot be ranked at all is not left out by this way of scoring.
        scores.retain(|model, _| base.contains_key(model));
        // Not every track has every category, and an average of a few tracks is none.
        if !scores.is_empty() {
            effects.push(effect(&way.name, &base, &scores));
        }
    }
    Ok(Some(RankingEffects {
        by: ranked.by,
        effects,
    }))
}

/// What a way of scoring ranks a model by, percent.
fn number(
    model: &ModelScore,
    by: &RankBy,
    way: &Way,
    table: &ScoreTable,
    categories: &[CategoryScore],
) -> Option<f64> {
    let of_track = |track: &str| -> Option<f64> {
        let entered = model.track(track)?;
        match &way.number {
            Number::Score => entered.score.as_ref().map(|s| s.value),
            Number::Pooled => entered.pooled,
            Number::AllMet => entered.all_met,
            Number::Category(name) => categories
                .iter()
                .find(|c| c.model == model.model && c.track == track && c.category == *name)
                .and_then(|c| c.score.as_ref())
                .map(|s| s.value),
        }
    };
    match (by, &way.number) {
        (RankBy::Track(track), _) => of_track(track),
        (RankBy::Average, Number::Score) => model.average.as_ref().map(|s| s.value),
        (RankBy::Average, _) => {
            let all: Option<Vec<f64>> = table.all_tracks.iter().map(|t| of_track(t)).collect();
            let all = all.filter(|all| !all.is_empty())?;
            Some(all.iter().sum::<f64>() / all.len() as f64)
        }
    }
}

/// Every way that changes one choice of the base.
fn ways(base: Policy, results: &Results) -> Vec<Way> {
    let with = |name: &str, policy: Policy| Way {
        name: name.to_owned(),
        policy,
        number: Number::Score,
    };
    let rules = |name: &str, rules: Rules| with(name, Policy { rules, ..base });
    let plain = base.rules;
    let dependencies = |dependencies| Rules {
        dependencies,
        ..plain
    };
    let weights = |weights| Rules { weights, ..plain };
    let critical = |critical| Rules { critical, ..plain };
    let missing = |missing| Policy { missing, ..base };
    let unjudged = |unjudged| Policy { unjudged, ..base };
    let mut ways = vec![
        with("missing=zero", missing(MissingRule::Zero)),
        with("missing=exclude", missing(MissingRule::Exclude)),
        with("unjudged=exclude", unjudged(UnjudgedRule::Exclude)),
        with("unjudged=na", unjudged(UnjudgedRule::Na)),
        rules("weights=weight", weights(WeightRule::Weight)),
        rules("weights=rating", weights(WeightRule::Rating)),
        rules("dependencies=direct", dependencies(DependencyRule::Direct)),
        rules(
            "dependencies=transitive",
            dependencies(DependencyRule::Transitive),
        ),
        rules("critical=gate", critical(CriticalRule::Gate)),
    ];
    let scoring = |scoring| Policy { scoring, ..base };
    let mut rules = vec![];
    if results.measure == Measure::Specifications {
        rules.push(with("scoring=uniform", scoring(Scoring::Uniform)));
        rules.push(with("scoring=strict", scoring(Scoring::Strict)));
    }
    // The rule is of SpecV's tracks.
    if results.suite == "specv" {
        rules.push(with("scoring=board", scoring(Scoring::Board)));
        rules.push(with("preset published", Policy::published(base.sum)));
    }
    ways.splice(0..0, rules);
    ways.retain(|way| way.policy != base);
    for (name, number) in [("pooled", Number::Pooled), ("all-met", Number::AllMet)] {
        ways.push(Way {
            number,
            ..with(name, base)
        });
    }
    ways
}

/// Each category alone.
fn only(base: Policy, categories: &[CategoryScore]) -> Vec<Way> {
    let mut names: Vec<&String> = categories
        .iter()
        .map(|c| &c.category)
        .filter(|c| !c.is_empty())
        .collect();
    names.sort();
    names.dedup();
    let way = |name: &String| Way {
        name: format!("only {name}"),
        policy: base,
        number: Number::Category(name.clone()),
    };
    names.into_iter().map(way).collect()
}
