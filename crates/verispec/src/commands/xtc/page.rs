//! `verispec xtc report`

use std::path::{Path, PathBuf};

use verispec_graph::metrics::{FactScore, Grade, Quadrant};
use verispec_report::xtc::{FactLine, GraphView, ImageCase, PageInput, write_page};
use verispec_suites::published::xtc as published;
use verispec_suites::xtc::{Drawn, Generated, Row, Said};

use super::pipeline::Graded;
use super::score::{ReadRun, read_all, tables_of};
use crate::args::Cli;
use crate::args::xtc::XtcReportArgs;
use crate::exit::{Exit, usage};
use crate::output;

pub(super) fn run(cli: &Cli, args: &XtcReportArgs) -> anyhow::Result<Exit> {
    let read = read_all(&cli.runs, &args.metric.run)?;
    let folder = folder(&read, args.out.as_deref())?;
    let tables = tables_of(&read, &args.metric);
    let (mut cases, mut omitted) = (vec![], 0);
    for run in &read {
        for tested in &run.tested {
            let shown = tested.images.len().min(args.pictures);
            omitted += tested.images.len() - shown;
            for (id, graded) in tested.images.iter().take(shown) {
                let place = (tested.bundle, tested.model.as_str());
                cases.extend(case(run, place, (*id, graded), args.metric.tau));
            }
        }
    }
    let names: Vec<&str> = read.iter().map(|r| r.manifest.run.as_str()).collect();
    let input = PageInput {
        title: names.join(", "),
        tables: &tables,
        published: args.with_published.then(published),
        cases,
        omitted,
    };
    let page = write_page(&input, &folder)?;
    if cli.json {
        output::json(&serde_json::json!({
            "format": 1, "kind": "xtc-report", "page": page, "images": input.cases.len(),
        }));
    } else {
        output::result(&page.display().to_string());
    }
    Ok(Exit::Ok)
}

/// One run has a place of its own; several, and folders of others, have none.
fn folder(read: &[ReadRun], out: Option<&Path>) -> anyhow::Result<PathBuf> {
    match (out, read) {
        (Some(out), _) => Ok(out.to_owned()),
        (None, [ReadRun { dir: Some(dir), .. }]) => Ok(dir.join("report")),
        (None, _) => Err(usage(
            "where to? several runs, and folders of the release, have no place of their own for a \
             page: give --out DIR",
        )),
    }
}

fn case<'r>(
    run: &'r ReadRun,
    (bundle, model): (usize, &'r str),
    (id, graded): (u64, &'r Graded),
    tau: f64,
) -> Option<ImageCase<'r>> {
    let bundle = run.bundles.get(bundle)?;
    let image = bundle.images.get(&id)?;
    let sheet = &graded.sheet;
    let dataset = bundle.dataset.as_str().into();
    let (scores, _) = sheet.scores(&dataset, &graded.grades);
    let facts = sheet
        .rows
        .iter()
        .zip(&scores)
        .map(|(row, score)| line(row, score, tau));
    let (seen, missing) = match &sheet.generated {
        Generated::Graph(graph) => (
            Some(GraphView {
                scene: &graph.scene,
                boxes: &graph.boxes,
            }),
            String::new(),
        ),
        Generated::NotGenerated => (None, "nothing was drawn".to_owned()),
        Generated::Unreadable { why } => (None, format!("no picture: {why}")),
        Generated::Pending => (None, "its graph is still to be made".to_owned()),
        Generated::Unknown { why } => (None, format!("no graph: {why}")),
    };
    Some(ImageCase {
        model,
        dataset: &bundle.dataset,
        image_id: id,
        original: image.picture.as_deref(),
        drawn: graded.picture.as_deref(),
        truth: GraphView {
            scene: &image.scene,
            boxes: &image.boxes,
        },
        seen,
        missing,
        matched: sheet.matched.as_ref(),
        facts: facts.collect(),
    })
}

fn line(row: &Row, score: &FactScore, tau: f64) -> FactLine {
    let state = |value: serde_json::Value| {
        let word = value
            .get("answer")
            .and_then(|a| a.get("status"))
            .or_else(|| value.get("state"));
        let word = word.and_then(|w| w.as_str()).unwrap_or_default();
        format!("({})", word.replace('_', " "))
    };
    let drawn = match &row.drawn {
        Drawn::Known { answer } => answer.text().map(str::to_owned),
        _ => None,
    };
    let said = match &row.said {
        Said::Known { answer } => answer.text().map(str::to_owned),
        _ => None,
    };
    let (g, u) = (score.generation.grade(), score.understanding.grade());
    let shown = |grade: Option<Grade>| {
        let score = grade.map(|g| format!("{:.1}", g.score()));
        score.unwrap_or_else(|| verispec_report::DASH.to_owned())
    };
    FactLine {
        question: row.fact.question.clone(),
        gold: row.fact.gold.clone(),
        drawn: drawn.unwrap_or_else(|| state(serde_json::to_value(&row.drawn).unwrap_or_default())),
        said: said.unwrap_or_else(|| state(serde_json::to_value(&row.said).unwrap_or_default())),
        g: shown(g),
        u: shown(u),
        agreed_wrong: g
            .zip(u)
            .is_some_and(|(g, u)| Quadrant::of(g, u, tau) == Quadrant::AlignedHallucination),
    }
}
