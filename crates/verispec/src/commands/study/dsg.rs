//! `verispec study dsg`

use verispec_report::studies::{render_dsg, render_metrics};
use verispec_studies::dsg::{DsgOptions, metrics, study};
use verispec_suites::dsg::{load, read_tifa};

use crate::args::{Cli, DsgArgs};
use crate::exit::{Exit, usage};
use crate::output;

pub(super) fn run(cli: &Cli, args: &DsgArgs) -> anyhow::Result<Exit> {
    let data = load(&args.data).map_err(|error| usage(error.to_string()))?;
    if data.ratings.is_empty() {
        return Err(usage(format!(
            "{}: no human ratings (tifa160-likert-anns.csv): there is nothing to compare with",
            args.data.display()
        )));
    }
    let tifa = args.tifa.as_deref().map(read_tifa).transpose();
    let tifa = tifa.map_err(|error| usage(error.to_string()))?;
    let tifa = tifa.map(|images| metrics(&images));
    let options = DsgOptions {
        draws: args.draws as usize,
        seed: args.seed,
        level: args.level,
    };
    let study = study(&data, options)?;
    if cli.json {
        let mut document = serde_json::to_value(&study)?;
        document["tifa"] = serde_json::to_value(&tifa)?;
        super::print_json("dsg", &[], &document)?;
    } else {
        output::table(&render_dsg(&study, output::style()));
        if let Some(tifa) = &tifa {
            output::table(&render_metrics(tifa, output::style()));
        }
    }
    if args.faults {
        for fault in &data.warnings {
            output::note(&format!("warning: {fault}"));
        }
    }
    Ok(Exit::Ok)
}
