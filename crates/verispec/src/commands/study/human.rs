//! `verispec study human`

use std::path::Path;

use anyhow::Context as _;
use serde_json::{Value, json};
use verispec_report::studies::{HumanTrack, render_human, render_labelled};
use verispec_studies::human::sample::{Stratum, Verdict, sample, verdicts};
use verispec_studies::human::{
    Cells, Ratings, ablation, category_levels, ceiling, corrected, levels, missing,
};

use super::super::xtc;
use crate::args::{
    Cli, DrawArgs, HumanArgs, HumanCommand, HumanSubcommand, PolicyArgs, SampleArgs, StratumArg,
};
use crate::exit::{Exit, usage};
use crate::human_file::{self, Answer, Graded, Human};
use crate::levels::Scored;
use crate::{output, policy};

pub(super) fn run(cli: &Cli, command: &HumanCommand) -> anyhow::Result<Exit> {
    match &command.command {
        Some(HumanSubcommand::Sample(args)) => run_sample(cli, args),
        None => run_study(cli, &command.study),
    }
}

fn run_study(cli: &Cli, args: &HumanArgs) -> anyhow::Result<Exit> {
    let (Some(file), false) = (&args.human, args.run.is_empty()) else {
        return Err(usage(
            "name a run and what people said: RUN --human FILE; or draw a sample for them first: \
             sample RUN --out FILE",
        ));
    };
    let human = human_file::read(file)?;
    if args.run.iter().any(|name| xtc::is_run(&cli.runs, name)) {
        return xtc::study(cli, (args, file), human);
    }
    let read = |name: &String| Scored::read(cli, name, &args.policy, &args.reduce);
    let runs: Vec<Scored> = args.run.iter().map(read).collect::<anyhow::Result<_>>()?;
    match human {
        Human::Answers(answers) => labelled(cli, (args, file), &runs, &answers),
        Human::Ratings(Graded { tracks, .. }) => {
            let mut studies = vec![];
            for (track, ratings) in &tracks {
                let cells: Vec<Cells> = runs
                    .iter()
                    .map(|r| Cells::of_track(&r.table, track))
                    .collect();
                if cells.iter().all(|c| c.defined().next().is_none()) {
                    output::note(&format!(
                        "track {track:?} of {} has no score in any run",
                        file.display()
                    ));
                    continue;
                }
                let names = runs.iter().map(|r| r.manifest.run.as_str());
                let sets: Vec<(&str, &Cells)> = names.zip(&cells).collect();
                studies.push(HumanTrack {
                    categories: runs
                        .iter()
                        .filter(|r| policy::check_shares(&r.results).is_ok())
                        .map(|r| {
                            let levels = category_levels(&r.results, track, ratings);
                            (r.manifest.run.clone(), levels)
                        })
                        .collect(),
                    ..human_track(track, ratings, &sets, &args.draw)?
                });
            }
            if studies.is_empty() {
                return Err(usage("no rating is of an output that a run has scored"));
            }
            if cli.json {
                super::print_json("human", &runs.iter().collect::<Vec<_>>(), &studies)?;
            } else {
                output::table(&render_human(&studies, output::style()));
            }
            Ok(Exit::Ok)
        }
    }
}

/// What ratings of a track say of the scores of several runs; nothing by category.
pub(in crate::commands) fn human_track(
    track: &str,
    ratings: &Ratings,
    sets: &[(&str, &Cells)],
    draw: &DrawArgs,
) -> anyhow::Result<HumanTrack> {
    let several = sets.len() > 1;
    let ablated = || ablation(sets, ratings, draw.draws as usize, draw.seed, draw.level);
    let runs = sets
        .iter()
        .map(|(n, c)| ((*n).to_owned(), levels(c, ratings), missing(c, ratings)));
    Ok(HumanTrack {
        track: track.to_owned(),
        ceiling: ceiling(ratings),
        ablation: several.then(ablated).transpose()?,
        runs: runs.collect(),
        categories: vec![],
    })
}

fn labelled(
    cli: &Cli,
    (args, file): (&HumanArgs, &Path),
    runs: &[Scored],
    answers: &[Answer],
) -> anyhow::Result<Exit> {
    let mut studies = vec![];
    for run in runs {
        let all = verdicts(&run.results);
        let labels = human_file::matched(answers, &all, file)?;
        let study = corrected(&all, &labels, crate::levels::options(&args.draw));
        studies.push((run.manifest.run.clone(), study));
    }
    if cli.json {
        let of = |(run, study): &(String, _)| json!({"run": run, "labelled": study});
        let studies: Vec<Value> = studies.iter().map(of).collect();
        super::print_json("human-labels", &runs.iter().collect::<Vec<_>>(), &studies)?;
    } else {
        output::table(&render_labelled(&studies, output::style()));
    }
    Ok(Exit::Ok)
}

fn run_sample(cli: &Cli, args: &SampleArgs) -> anyhow::Result<Exit> {
    let plain = PolicyArgs::default();
    let run = Scored::read(cli, &args.run, &plain, &args.reduce)?;
    let all = verdicts(&run.results);
    if all.is_empty() {
        return Err(usage(format!("run {:?} has no verdict", args.run)));
    }
    let strata: Vec<Stratum> = args.strata.iter().map(|s| stratum(*s)).collect();
    let drawn = sample(&all, &strata, args.n, args.seed);
    let rows: Vec<Value> = drawn
        .iter()
        .map(|d| row(&all[d.index], &d.stratum, d.inclusion))
        .collect();
    write(&args.out, &rows)?;
    output::note(&format!(
        "{} of {} verdicts in {}: fill in the column human with Yes or No, without looking at \
         verdict",
        rows.len(),
        all.len(),
        args.out.display()
    ));
    if cli.json {
        let document = json!({"drawn": rows.len(), "verdicts": all.len(), "file": args.out});
        super::print_json("human-sample", &[&run], &document)?;
    }
    Ok(Exit::Ok)
}

const fn stratum(arg: StratumArg) -> Stratum {
    match arg {
        StratumArg::Model => Stratum::Model,
        StratumArg::Track => Stratum::Track,
        StratumArg::Dimension => Stratum::Dimension,
        StratumArg::Category => Stratum::Category,
        StratumArg::Verdict => Stratum::Verdict,
        StratumArg::Expected => Stratum::Expected,
    }
}

/// Columns of a sample, in the order of the file.
const COLUMNS: [&str; 11] = [
    "model",
    "track",
    "dimension",
    "instance",
    "spec",
    "question",
    "human",
    "verdict",
    "expected",
    "stratum",
    "inclusion",
];

fn row(verdict: &Verdict, stratum: &str, inclusion: f64) -> Value {
    json!({
        "model": verdict.model,
        "track": verdict.track,
        "dimension": verdict.dimension,
        "instance": verdict.instance,
        "spec": verdict.spec,
        "question": verdict.question,
        "human": "",
        "verdict": verdict.verdict.as_str(),
        "expected": verdict.expected.as_str(),
        "stratum": stratum,
        "inclusion": inclusion,
    })
}

fn write(path: &Path, rows: &[Value]) -> anyhow::Result<()> {
    let csv = path.extension().is_some_and(|e| e == "csv");
    let mut text = vec![];
    if csv {
        let mut writer = csv::Writer::from_writer(&mut text);
        writer.write_record(COLUMNS)?;
        for row in rows {
            let fields = COLUMNS.iter().map(|c| match &row[*c] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            });
            writer.write_record(fields)?;
        }
        writer.flush()?;
        drop(writer);
    } else {
        for row in rows {
            text.extend_from_slice(row.to_string().as_bytes());
            text.push(b'\n');
        }
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
