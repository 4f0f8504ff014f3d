//! `verispec score`

use verispec_model::score::by_category;
use verispec_report::{ScoreOptions, render_categories, render_scores, render_warnings};

use crate::args::{Cli, ScoreArgs};
use crate::exit::Exit;
use crate::table::{Scored, scored};
use crate::{boards, output, policy};

pub(super) fn run(cli: &Cli, args: &ScoreArgs) -> anyhow::Result<Exit> {
    let made = scored(cli, &args.table, false)?;
    print(cli, args, &made)?;
    output::leave(made);
    Ok(Exit::Ok)
}

fn print(cli: &Cli, args: &ScoreArgs, made: &Scored) -> anyhow::Result<()> {
    let Scored {
        results,
        table,
        context,
        kin,
        ..
    } = made;
    let mut categories = vec![];
    if args.by_category {
        policy::check_shares(results)?;
        let wanted = |track: &String| args.table.track.as_ref().is_none_or(|t| t == track);
        categories = by_category(results, table.policy);
        categories.retain(|c| wanted(&c.track));
    }
    if cli.json {
        output::json(&verispec_report::json::Scores {
            table,
            context,
            categories: args.by_category.then_some(categories.as_slice()),
        });
        return Ok(());
    }
    if args.table.csv {
        output::result(&verispec_report::csv::scores(table, context)?);
        return Ok(());
    }
    if args.verdicts {
        output::result(&verispec_report::csv::verdicts(results, context)?);
        return Ok(());
    }
    let style = output::style();
    let options = ScoreOptions {
        track: args.table.track.clone(),
        extras: args.extras,
    };
    output::table(&render_scores(table, context, &options, style)?);
    if args.by_category {
        output::table(&render_categories(&categories, style));
    }
    if args.table.with_published {
        output::table(&boards::render(
            table,
            args.table.track.as_deref(),
            context,
            style,
        )?);
    }
    if let Some(line) = kin {
        output::note(line);
    }
    if !results.warnings.is_empty() {
        output::rendered_note(&render_warnings(&results.warnings, cli.verbose > 0, style));
    }
    Ok(())
}
