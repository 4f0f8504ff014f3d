//! `verispec rank`

use verispec_model::score::ScoreTable;
use verispec_report::{RankBy, RankTable, render_ranks};

use crate::args::{Cli, RankArgs, TableArgs};
use crate::exit::Exit;
use crate::table::scored;
use crate::{boards, output};

pub(super) fn run(cli: &Cli, args: &RankArgs) -> anyhow::Result<Exit> {
    if args.bradley_terry {
        return super::bradley_terry::run(cli, args);
    }
    let scored = scored(cli, &args.table, !args.across_judges)?;
    let args = &args.table;
    let ranks = ranks(&scored.table, args)?;
    let context = &scored.context;
    if cli.json {
        let ranks: Vec<_> = ranks
            .iter()
            .map(|r| verispec_report::json::rank(r, context))
            .collect();
        output::json(&serde_json::json!({"format": 1, "kind": "ranks", "ranks": ranks}));
    } else if args.csv {
        output::result(&verispec_report::csv::ranks(&ranks)?);
    } else {
        let style = output::style();
        output::table(&render_ranks(&ranks, context, style));
        if let Some(line) = &scored.kin {
            output::note(line);
        }
    }
    output::leave(scored);
    Ok(Exit::Ok)
}

/// The tables of ranks that were asked for.
pub(crate) fn ranks(table: &ScoreTable, args: &TableArgs) -> anyhow::Result<Vec<RankTable>> {
    let rankings = rankings(&table.all_tracks, args.track.as_deref());
    let build = |by: RankBy| {
        let external = match args.with_published {
            true => boards::rows(table, &by),
            false => vec![],
        };
        Ok(RankTable::build(table, &by, &external)?)
    };
    rankings.into_iter().map(build).collect()
}

/// The rankings of a table: the one asked for, else the average of a suite of several tracks and
/// each track.
pub(super) fn rankings(tracks: &[String], wanted: Option<&str>) -> Vec<RankBy> {
    if let Some(track) = wanted {
        return vec![RankBy::Track(track.to_owned())];
    }
    let average = (tracks.len() > 1).then_some(RankBy::Average);
    average
        .into_iter()
        .chain(tracks.iter().cloned().map(RankBy::Track))
        .collect()
}
