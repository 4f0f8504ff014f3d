//! `verispec study human` over XTC runs: graphs and grades against people.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde_json::{Value, json};
use verispec_report::studies::{render_grades, render_human, render_labelled};
use verispec_studies::human::sample::Verdict;
use verispec_studies::human::{
    Cells, CorrectedGrades, HumanGrade, JudgedAnswer, corrected, corrected_grades,
};

use super::super::study::human_track;
use super::audit::{GradedAnswer, Material};
use super::score::read;
use crate::args::{Cli, HumanArgs};
use crate::exit::{Exit, usage};
use crate::human_file::{self, Answer, Graded, Human};
use crate::output;

/// A run by name with what people can check of it.
struct Checked {
    name: String,
    material: Material,
}

pub(crate) fn study(
    cli: &Cli,
    (args, file): (&HumanArgs, &Path),
    human: Human,
) -> anyhow::Result<Exit> {
    let open = |name: &String| {
        let run = read(&cli.runs, name)?;
        anyhow::Ok(Checked {
            material: Material::of(&run)?,
            name: run.manifest.run,
        })
    };
    let runs: Vec<Checked> = args.run.iter().map(open).collect::<anyhow::Result<_>>()?;
    match human {
        Human::Answers(answers) => graphs(cli, (args, file), runs, &answers),
        Human::Ratings(graded) => grades(cli, (args, file), &runs, &graded),
    }
}

/// Share of what graphs say that people confirm.
fn graphs(
    cli: &Cli,
    (args, file): (&HumanArgs, &Path),
    runs: Vec<Checked>,
    answers: &[Answer],
) -> anyhow::Result<Exit> {
    let mut studies = vec![];
    for run in runs {
        let claims = run.material.claims.into_iter();
        let all: Vec<Verdict> = claims.map(|c| c.verdict).collect();
        let labels = human_file::matched(answers, &all, file)?;
        let study = corrected(&all, &labels, crate::levels::options(&args.draw));
        studies.push((run.name, study));
    }
    if cli.json {
        let of = |(run, study): &(String, _)| json!({"run": run, "labelled": study});
        let studies: Vec<Value> = studies.iter().map(of).collect();
        output::json(&json!({"format": 1, "kind": "xtc-human-graphs", "studies": studies}));
    } else {
        output::table(&render_labelled(&studies, output::style()));
    }
    Ok(Exit::Ok)
}

fn grades(
    cli: &Cli,
    (args, file): (&HumanArgs, &Path),
    runs: &[Checked],
    graded: &Graded,
) -> anyhow::Result<Exit> {
    let mut tracks = vec![];
    for (track, ratings) in &graded.tracks {
        let cells: Vec<Cells> = runs
            .iter()
            .map(|r| cells(&r.material.answers, track))
            .collect();
        let names = runs.iter().map(|r| r.name.as_str());
        let sets: Vec<(&str, &Cells)> = names.zip(&cells).collect();
        tracks.push(human_track(track, ratings, &sets, &args.draw)?);
    }
    let mut means: Vec<(String, Vec<CorrectedGrades>)> = vec![];
    for run in runs {
        let (judged, labels) = labels(&run.material.answers, graded, file)?;
        means.push((
            run.name.clone(),
            corrected_grades(&judged, &labels, args.draw.level),
        ));
    }
    if cli.json {
        let of = |(run, grades): &(String, _)| json!({"run": run, "grades": grades});
        let means: Vec<Value> = means.iter().map(of).collect();
        output::json(&json!({
            "format": 1, "kind": "xtc-human-grades", "levels": tracks, "means": means,
        }));
    } else {
        let style = output::style();
        output::table(&(render_human(&tracks, style) + &render_grades(&means, style)));
    }
    Ok(Exit::Ok)
}

fn cells(answers: &[GradedAnswer], track: &str) -> Cells {
    let mut cells = Cells::default();
    for answer in answers.iter().filter(|a| a.dataset == track) {
        cells.set(&answer.instance, &answer.model, Some(answer.grade.score()));
    }
    cells
}

/// All graded answers, and people's grades of some: each a mean over people.
fn labels(
    answers: &[GradedAnswer],
    graded: &Graded,
    file: &Path,
) -> anyhow::Result<(Vec<JudgedAnswer>, Vec<HumanGrade>)> {
    let key = |a: &GradedAnswer| (a.dataset.clone(), a.instance.clone(), a.model.clone());
    let places: HashMap<_, usize> = answers
        .iter()
        .enumerate()
        .map(|(i, a)| (key(a), i))
        .collect();
    let judged = answers.iter().map(|a| JudgedAnswer {
        model: a.model.clone(),
        score: a.grade.score(),
    });
    let mut found: BTreeMap<usize, HumanGrade> = BTreeMap::new();
    for (track, ratings) in &graded.tracks {
        for cell in ratings.cells() {
            let key = (track.clone(), cell.item.clone(), cell.model.clone());
            let index = *places.get(&key).ok_or_else(|| {
                usage(format!(
                    "{}: the run has no graded answer {:?} of model {}",
                    file.display(),
                    cell.item,
                    cell.model
                ))
            })?;
            let inclusion = graded.inclusion.get(&key).copied().ok_or_else(|| {
                usage(format!(
                    "{}: {:?} of model {} has no inclusion probability: draw answers with \
                     `verispec xtc audit`, or write 1 where all were graded",
                    file.display(),
                    cell.item,
                    cell.model
                ))
            })?;
            // A grade of 0-5, as the page asks for it.
            let Some(score) = ratings.mean(cell).map(|g| g / 5.0) else {
                continue;
            };
            if !(0.0..=1.0).contains(&score) {
                let what = "grades are 0 to 5";
                return Err(usage(format!(
                    "{}: {:?}: {what}",
                    file.display(),
                    cell.item
                )));
            }
            found.insert(
                index,
                HumanGrade {
                    index,
                    score,
                    inclusion,
                },
            );
        }
    }
    Ok((judged.collect(), found.into_values().collect()))
}
