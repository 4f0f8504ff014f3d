//! `verispec rank`

use verispec_report::{RankBy, RankTable, render_ranks};

use crate::args::{Cli, RankArgs};
use crate::exit::Exit;
use crate::table::{Scored, scored};
use crate::{boards, output};

pub(super) fn run(cli: &Cli, args: &RankArgs) -> anyhow::Result<Exit> {
    if args.bradley_terry {
        return super::bradley_terry::run(cli, args);
    }
    let Scored {
        table,
        context,
        kin,
        ..
    } = scored(cli, &args.table, !args.across_judges)?;
    let args = &args.table;
    let mut ranks = vec![];
    for by in rankings(&table.all_tracks, args.track.as_deref()) {
        let external = if args.with_published {
            boards::rows(&table, &by)
        } else {
            vec![]
        };
        ranks.push(RankTable::build(&table, &by, &external)?);
    }
    if cli.json {
        let ranks: Vec<_> = ranks
            .iter()
            .map(|r| verispec_report::json::rank(r, &context))
            .collect();
        output::json(&serde_json::json!({"format": 1, "kind": "ranks", "ranks": ranks}));
    } else if args.csv {
        output::result(&verispec_report::csv::ranks(&ranks)?);
    } else {
        let style = output::style();
        output::table(&render_ranks(&ranks, &context, style));
        if let Some(line) = kin {
            output::note(&line);
        }
    }
    Ok(Exit::Ok)
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
