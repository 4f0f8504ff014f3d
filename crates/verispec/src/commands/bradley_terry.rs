//! `verispec rank --bradley-terry`

use verispec_model::{Manifest, Results};
use verispec_report::Context;
use verispec_report::studies::render_wins;
use verispec_studies::matrix::{Clusters, Level, Matrix, Source};
use verispec_studies::wins::win_rankings;

use crate::args::{Cli, RankArgs};
use crate::data::Loaded;
use crate::exit::{Exit, usage};
use crate::{levels, output, policy, reduce, run};

pub(super) fn run(cli: &Cli, args: &RankArgs) -> anyhow::Result<Exit> {
    let (policy, reader) = policy::resolve(&args.table.policy, false);
    let table = &args.table;
    let (mut results, manifests) = run::read_all(&cli.runs, &table.run, reader, &table.reduce)?;
    let policy = policy::suited(policy, &table.policy, false, &results)?;
    reduce::check_policy(policy, &results, &manifests)?;
    if !args.across_judges {
        run::check_alike(&manifests)?;
    }
    if let Some(track) = &table.track {
        policy::check_track(&policy::score(&results, policy), Some(track))?;
        for model in &mut results.models {
            model.tracks.retain(|t| t.track == *track);
        }
    }
    let rankings = of(results, policy, &manifests, levels::options(&args.draw));
    if rankings.is_empty() {
        return Err(usage("no track has two models to compare"));
    }
    let context = Context::of(&manifests);
    if cli.json {
        let runs: Vec<&str> = manifests.iter().map(|m| m.run.as_str()).collect();
        output::json(&serde_json::json!({
            "format": 1, "kind": "bradley-terry", "runs": runs, "policy": policy,
            "rankings": rankings,
        }));
    } else {
        output::table(&render_wins(&rankings, &context, output::style()));
    }
    Ok(Exit::Ok)
}

/// Models that did not enter a track are not compared there.
fn of(
    results: Results,
    policy: verispec_model::score::Policy,
    manifests: &[Manifest],
    options: verispec_studies::compare::Options,
) -> Vec<verispec_studies::wins::WinRanking> {
    let loaded = manifests
        .iter()
        .find_map(|m| Loaded::at(&m.suite, m.data.as_deref()?).ok());
    let clusters = loaded.map_or_else(Clusters::new, |l| levels::clusters(&l.suite));
    let scores = policy::score(&results, policy);
    let level = Level {
        name: "all".to_owned(),
        family: None,
        group: "runs".to_owned(),
    };
    let source = Source {
        level,
        results: &results,
        scores: &scores,
    };
    let mut rankings = win_rankings(&Matrix::new(&[source], &clusters), options);
    rankings.retain(|r| r.models.len() > 1);
    rankings
}
