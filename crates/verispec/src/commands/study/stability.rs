//! `verispec study stability`

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context as _;
use verispec_report::studies::{PublishedStability, render_stability};
use verispec_studies::stability::{HumanScores, Options, Selection, stability};

use super::{nothing_in_common, print_json};
use crate::args::{Cli, FactorArg, StabilityArgs};
use crate::config::Config;
use crate::exit::{Exit, usage};
use crate::levels::{self, Families};
use crate::output;

/// SpecV (ECCV 2026), rank stability over five judges, means over its six tracks.
const PUBLISHED: [PublishedStability; 4] = [
    PublishedStability {
        name: "SpecV, holistic",
        selection: Selection::Intra,
        tau: 0.805,
        rho: 0.920,
    },
    PublishedStability {
        name: "SpecV, SVP",
        selection: Selection::Intra,
        tau: 0.867,
        rho: 0.948,
    },
    PublishedStability {
        name: "SpecV, holistic",
        selection: Selection::CrossOnePerFamily,
        tau: 0.856,
        rho: 0.942,
    },
    PublishedStability {
        name: "SpecV, SVP",
        selection: Selection::CrossOnePerFamily,
        tau: 0.902,
        rho: 0.965,
    },
];

pub(super) fn run(cli: &Cli, args: &StabilityArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let families = Families::new(&config, &args.levels.family);
    let mut runs = levels::read_all(cli, &args.levels)?;
    let levels = if args.factor == FactorArg::Repeat {
        let [run] = runs.as_slice() else {
            return Err(usage("--factor repeat takes one run"));
        };
        let (repeats, levels) = levels::repeats(run)?;
        runs = repeats;
        levels
    } else {
        levels::levels(&runs, args.factor, &families)
    };
    if runs.len() < 2 {
        return Err(usage(
            "stability needs two runs or more, or one run and --factor repeat",
        ));
    }
    let matrix = levels::matrix(&runs, levels);
    nothing_in_common(&matrix)?;
    let draw = levels::options(&args.draw);
    let options = Options {
        draws: draw.draws,
        seed: draw.seed,
        level: draw.level,
        human: match &args.human {
            Some(path) => read_human(path)?,
            None => HumanScores::new(),
        },
    };
    let study = stability(&matrix, &options);
    if cli.json {
        print_json("stability", &runs.iter().collect::<Vec<_>>(), &study)?;
    } else {
        let specv = runs[0].results.suite == "specv" && args.factor == FactorArg::Judge;
        let published = if specv { &PUBLISHED[..] } else { &[] };
        output::result(&render_stability(&study, published, output::style()));
    }
    Ok(Exit::Ok)
}

/// Mean ratings by track and model.
fn read_human(path: &Path) -> anyhow::Result<HumanScores> {
    let mut reader =
        csv::Reader::from_path(path).with_context(|| format!("cannot read {}", path.display()))?;
    let header = reader.headers()?.clone();
    let column = |name: &str| {
        header.iter().position(|h| h.trim() == name).ok_or_else(|| {
            usage(format!(
                "{}: no column {name:?}; track, model and rating are needed",
                path.display()
            ))
        })
    };
    let (track, model, rating) = (column("track")?, column("model")?, column("rating")?);
    let mut sums: HashMap<(String, String), (f64, usize)> = HashMap::new();
    for (line, record) in reader.records().enumerate() {
        let record = record.with_context(|| path.display().to_string())?;
        let field = |i: usize| record.get(i).unwrap_or("").trim();
        let value: f64 = field(rating)
            .parse()
            .ok()
            .filter(|v: &f64| v.is_finite())
            .ok_or_else(|| {
                usage(format!(
                    "{}, line {}: rating {:?} is no number",
                    path.display(),
                    line + 2,
                    field(rating)
                ))
            })?;
        let key = (field(track).to_owned(), field(model).to_owned());
        let sum = sums.entry(key).or_default();
        sum.0 += value;
        sum.1 += 1;
    }
    Ok(sums
        .into_iter()
        .map(|(key, (sum, n))| (key, sum / n as f64))
        .collect())
}
