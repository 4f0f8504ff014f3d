//! `verispec study stability`

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context as _;
use verispec_report::studies::{PublishedStability, render_stability};
use verispec_studies::stability::{HumanScores, Intervals, Options, Selection, stability};
use verispec_suites::specv::boards;

use super::{nothing_in_common, print_json};
use crate::args::{Cli, FactorArg, IntervalsArg, StabilityArgs};
use crate::config::Config;
use crate::exit::{Exit, usage};
use crate::levels::{self, Families};
use crate::output;

/// What SpecV states over five judges, means over its six tracks.
fn published() -> Vec<PublishedStability> {
    let stated = &boards::values().stability;
    // Its cross-family mean is over one judge a family: no other number of pairs gives its values
    // for the eleven models of the edit track.
    let pairs = [
        (Selection::Intra, stated.intra_family),
        (Selection::CrossOnePerFamily, stated.cross_family),
    ];
    let rows = pairs.into_iter().flat_map(|(selection, pair)| {
        [("SpecV, holistic", pair.holistic), ("SpecV, SVP", pair.svp)].map(|(name, c)| {
            PublishedStability {
                name,
                selection,
                tau: c.tau,
                rho: c.rho,
            }
        })
    });
    rows.collect()
}

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
        intervals: match args.intervals {
            IntervalsArg::TrueScores => Intervals::TrueScores,
            IntervalsArg::Percentile => Intervals::Percentile,
        },
    };
    let study = stability(&matrix, &options);
    if cli.json {
        print_json("stability", &runs.iter().collect::<Vec<_>>(), &study)?;
    } else {
        let specv = runs[0].results.suite == "specv" && args.factor == FactorArg::Judge;
        let published = if specv { published() } else { vec![] };
        output::table(&render_stability(&study, &published, output::style()));
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
