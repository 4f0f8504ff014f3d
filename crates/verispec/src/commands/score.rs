//! `verispec score`

use verispec_report::{Context, ScoreOptions, render_scores, render_warnings};

use crate::args::{Cli, ScoreArgs};
use crate::exit::Exit;
use crate::{boards, output, policy, reduce, run};

pub(super) fn run(cli: &Cli, args: &ScoreArgs) -> anyhow::Result<Exit> {
    let (policy, reader) = policy::resolve(&args.policy, args.with_published);
    let (results, manifests) = run::read_all(&cli.runs, &args.run, reader, &args.reduce)?;
    reduce::check_policy(policy, &results, &manifests)?;
    policy::tell_preset(&args.policy);
    if args.with_published {
        boards::tell_origin();
    }
    let table = policy::score(&results, policy);
    policy::check_track(&table, args.track.as_deref())?;
    let context = Context::of(&manifests);
    if cli.json {
        output::json(&verispec_report::json::scores(&table, &context));
        return Ok(Exit::Ok);
    }
    if args.csv {
        output::result(&verispec_report::csv::scores(&table, &context)?);
        return Ok(Exit::Ok);
    }
    if args.verdicts {
        output::result(&verispec_report::csv::verdicts(&results, &context)?);
        return Ok(Exit::Ok);
    }
    let style = output::style();
    let options = ScoreOptions {
        track: args.track.clone(),
        extras: args.extras,
    };
    output::result(&render_scores(&table, &context, &options, style)?);
    if args.with_published {
        output::result(&boards::render(
            &table,
            args.track.as_deref(),
            &context,
            style,
        )?);
    }
    if !results.warnings.is_empty() {
        output::rendered_note(&render_warnings(&results.warnings, cli.verbose > 0, style));
    }
    Ok(Exit::Ok)
}
