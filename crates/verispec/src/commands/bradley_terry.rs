//! `verispec rank --bradley-terry`

use verispec_report::studies::render_wins;
use verispec_studies::matrix::{Clusters, Level, Matrix, Source};
use verispec_studies::wins::win_rankings;

use crate::args::{Cli, RankArgs};
use crate::exit::{Exit, usage};
use crate::table::{Scored, scored};
use crate::{levels, output};

pub(super) fn run(cli: &Cli, args: &RankArgs) -> anyhow::Result<Exit> {
    let mut made = scored(cli, &args.table, !args.across_judges)?;
    if let Some(track) = &args.table.track {
        for model in &mut made.results.models {
            model.tracks.retain(|t| t.track == *track);
        }
    }
    let rankings = of(&made, levels::options(&args.draw));
    if rankings.is_empty() {
        return Err(usage("no track has two models to compare"));
    }
    if cli.json {
        let runs: Vec<&str> = made.manifests.iter().map(|m| m.run.as_str()).collect();
        output::json(&serde_json::json!({
            "format": 1, "kind": "bradley-terry", "runs": runs, "policy": made.policy,
            "rankings": rankings,
        }));
    } else {
        output::table(&render_wins(&rankings, &made.context, output::style()));
    }
    output::leave(made);
    Ok(Exit::Ok)
}

/// Models that did not enter a track are not compared there.
fn of(
    made: &Scored,
    options: verispec_studies::compare::Options,
) -> Vec<verispec_studies::wins::WinRanking> {
    let suite = made.suite.as_ref();
    let clusters = suite.map_or_else(Clusters::new, |l| levels::clusters(&l.suite));
    let level = Level {
        name: "all".to_owned(),
        family: None,
        group: "runs".to_owned(),
    };
    let source = Source {
        level,
        results: &made.results,
        scores: &made.table,
    };
    let mut rankings = win_rankings(&Matrix::new(&[source], &clusters), options);
    rankings.retain(|r| r.models.len() > 1);
    rankings
}
