//! `verispec xtc audit`: graphs and grades of a run as people check them on the review page.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;
use verispec_graph::facts::readable_key;
use verispec_graph::metrics::Grade;
use verispec_graph::scene::{Bbox, SceneGraph, SegmentId};
use verispec_graph::vocabulary::{clean_label, clean_predicate};
use verispec_media::{Limits, probe};
use verispec_model::YesNo;
use verispec_server::{ItemRow, Kind, OutputRow};
use verispec_studies::human::sample::{Drawn, Verdict, draw};
use verispec_suites::xtc::{Generated, GradeReading};

use super::manifest::FILE;
use super::score::{ReadRun, read};
use crate::args::xtc::XtcAuditArgs;
use crate::args::{Cli, ReviewArgs};
use crate::exit::{Exit, usage};
use crate::output;

/// In place of a model's name where the graph is of the original picture.
pub(super) const ORIGINAL: &str = "(original)";

/// Something that a graph says of a picture.
pub(super) struct Claim {
    /// As a verdict that is always yes: of a model on an image, numbered inside it.
    pub(super) verdict: Verdict,
    picture: PathBuf,
}

/// An answer that the judge graded.
pub(super) struct GradedAnswer {
    pub(super) model: String,
    pub(super) dataset: String,
    /// The fact and whose answer it is; unique inside a data set and model.
    pub(super) instance: String,
    /// Whether the picture answers, or the model.
    side: &'static str,
    question: String,
    gold: String,
    answer: String,
    pub(super) grade: Grade,
}

impl Claim {
    fn id(&self) -> String {
        let v = &self.verdict;
        format!("graph/{}/{}/{}/{}", v.model, v.track, v.instance, v.spec)
    }
}

impl GradedAnswer {
    fn id(&self) -> String {
        format!("answer/{}/{}", self.model, self.instance)
    }
}

/// Everything of a run that people can check.
pub(super) struct Material {
    pub(super) claims: Vec<Claim>,
    pub(super) answers: Vec<GradedAnswer>,
}

impl Material {
    pub(super) fn of(run: &ReadRun) -> anyhow::Result<Self> {
        if run.tested.is_empty() {
            return Err(usage(format!(
                "run {:?} tested no model here: it holds neither graphs nor answers",
                run.manifest.run
            )));
        }
        Ok(Self {
            claims: claims(run),
            answers: answers(run),
        })
    }
}

fn claims(run: &ReadRun) -> Vec<Claim> {
    let mut all = vec![];
    for bundle in &run.bundles {
        for (id, image) in &bundle.images {
            if let Some(picture) = &image.picture {
                let place = (ORIGINAL, bundle.dataset.as_str(), *id);
                all.extend(of_graph(place, picture, &image.scene, &image.boxes));
            }
        }
    }
    for tested in &run.tested {
        let dataset = run.bundles[tested.bundle].dataset.as_str();
        for (id, graded) in &tested.images {
            if let (Generated::Graph(graph), Some(picture)) =
                (&graded.sheet.generated, &graded.picture)
            {
                let place = (tested.model.as_str(), dataset, *id);
                all.extend(of_graph(place, picture, &graph.scene, &graph.boxes));
            }
        }
    }
    all
}

type Boxes = std::collections::BTreeMap<SegmentId, Bbox>;

/// What a graph says: objects, their attributes, relations. Numbered in this order from 1.
fn of_graph(
    (model, dataset, image): (&str, &str, u64),
    picture: &Path,
    scene: &SceneGraph,
    boxes: &Boxes,
) -> Vec<Claim> {
    let size = probe(picture, &Limits::default()).map(|i| (i.width, i.height));
    let size = size.ok();
    let named: Vec<String> = scene
        .nodes
        .iter()
        .map(|n| {
            let label = clean_label(&n.label);
            let place = boxes.get(&n.id).zip(size).map(|(b, size)| place(*b, size));
            place.map_or_else(|| label.clone(), |place| format!("{label} ({place})"))
        })
        .collect();
    let mut said: Vec<(&str, String)> = vec![];
    said.extend(named.iter().map(|n| ("object", format!("There is: {n}."))));
    for (node, name) in scene.nodes.iter().zip(&named) {
        said.extend(node.attributes.iter().map(|(key, values)| {
            let (key, values) = (readable_key(key), values.join(", "));
            ("attribute", format!("{name}: its {key} is {values}."))
        }));
    }
    said.extend(scene.edges.iter().map(|e| {
        let predicate = clean_predicate(&e.predicate);
        let line = format!("{} {predicate} {}.", named[e.subject], named[e.object]);
        ("relation", line)
    }));
    let claim = |(spec, (kind, question)): (u32, (&str, String))| Claim {
        verdict: Verdict {
            model: model.to_owned(),
            track: dataset.to_owned(),
            dimension: kind.to_owned(),
            instance: image.to_string(),
            spec,
            question,
            category: kind.to_owned(),
            expected: YesNo::Yes,
            verdict: YesNo::Yes,
            p_yes: None,
        },
        picture: picture.to_owned(),
    };
    (1..).zip(said).map(claim).collect()
}

/// Where a box is, for people: in percent of the picture from its upper left corner.
fn place(b: Bbox, (width, height): (u32, u32)) -> String {
    let share = |n: f64, side: u32| {
        (100.0 * n / f64::from(side.max(1)))
            .round()
            .clamp(0.0, 100.0)
    };
    format!(
        "{}-{} % from the left, {}-{} % from the top",
        share(b.x1, width),
        share(b.x2 + 1.0, width),
        share(b.y1, height),
        share(b.y2 + 1.0, height)
    )
}

fn answers(run: &ReadRun) -> Vec<GradedAnswer> {
    let mut all = vec![];
    for tested in &run.tested {
        let dataset = &run.bundles[tested.bundle].dataset;
        for graded in tested.images.values() {
            let items = graded.sheet.to_grade().into_iter().zip(&graded.grades);
            all.extend(items.filter_map(|(((row, drawn), item), grade)| {
                let GradeReading::Graded(grade) = grade else {
                    return None;
                };
                let side = if drawn { "drawn" } else { "said" };
                let fact = &graded.sheet.rows[row].fact.key;
                Some(GradedAnswer {
                    model: tested.model.clone(),
                    dataset: dataset.clone(),
                    instance: format!("{fact}/{side}"),
                    side,
                    question: item.question,
                    gold: item.gold,
                    answer: item.answer,
                    grade: *grade,
                })
            }));
        }
    }
    all
}

/// A row of a sample.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    /// The item.
    id: String,
    /// Stratum.
    stratum: String,
    /// Probability with which it was drawn.
    inclusion: f64,
}

pub(super) fn run(cli: &Cli, args: &XtcAuditArgs) -> anyhow::Result<Exit> {
    let run = read(&cli.runs, &args.run)?;
    let material = Material::of(&run)?;
    let (claims, answers) = (&material.claims, &material.answers);
    let of_claim = |c: &Claim| format!("{}/{}", c.verdict.model, c.verdict.dimension);
    let graphs = draw(claims.iter().map(of_claim), args.graphs, args.seed);
    let of_answer = |a: &GradedAnswer| format!("{}/{}", a.model, a.side);
    // Another stream than that of graphs.
    let seed = args.seed.wrapping_add(1 << 32);
    let graded = draw(answers.iter().map(of_answer), args.answers, seed);
    let row = |id: String, d: &Drawn| Row {
        id,
        stratum: d.stratum.clone(),
        inclusion: d.inclusion,
    };
    let rows = graphs.iter().map(|d| row(claims[d.index].id(), d));
    let rows = rows.chain(graded.iter().map(|d| row(answers[d.index].id(), d)));
    let rows: Vec<Row> = rows.collect();
    let mut text = String::new();
    for row in &rows {
        text += &serde_json::to_string(row)?;
        text.push('\n');
    }
    std::fs::write(&args.out, text)
        .map_err(|e| usage(format!("cannot write {}: {e}", args.out.display())))?;
    let counts = json!({
        "claims": {"drawn": graphs.len(), "all": claims.len()},
        "answers": {"drawn": graded.len(), "all": answers.len()},
    });
    if cli.json {
        output::json(&json!({
            "format": 1, "kind": "xtc-audit", "run": run.manifest.run, "file": args.out,
            "graphs": counts["claims"], "answers": counts["answers"],
        }));
    } else {
        output::result(&format!(
            "{}: {} of {} statements of graphs, {} of {} graded answers\n\
             next: verispec review {} --sample {} --annotator NAME",
            args.out.display(),
            graphs.len(),
            claims.len(),
            graded.len(),
            answers.len(),
            args.run,
            args.out.display()
        ));
    }
    Ok(Exit::Ok)
}

/// Whether a name stands for an XTC run.
pub(crate) fn is_run(runs: &Path, name: &str) -> bool {
    let places = [PathBuf::from(name), runs.join(name)];
    places.iter().any(|d| d.join(FILE).is_file())
}

/// Name, items and folder of a run for the review page.
pub(crate) fn items(
    cli: &Cli,
    args: &ReviewArgs,
) -> anyhow::Result<(String, Vec<ItemRow>, PathBuf)> {
    if args.likert.is_some() {
        return Err(usage("--likert rates outputs of judged runs, not XTC runs"));
    }
    let run = read(&cli.runs, &args.what)?;
    let material = Material::of(&run)?;
    let mut rows: Vec<ItemRow> = material.claims.iter().map(claim_row).collect();
    rows.extend(material.answers.iter().map(answer_row));
    if let Some(path) = &args.sample {
        rows = sampled(path, rows)?;
    }
    let dir = run.dir.clone().unwrap_or_else(|| cli.runs.clone());
    Ok((run.manifest.run.clone(), rows, dir))
}

fn claim_row(claim: &Claim) -> ItemRow {
    let v = &claim.verdict;
    let mut row = ItemRow::new(Kind::Graph, &claim.id(), &v.track, &v.instance, &v.question);
    row.model = Some(v.model.clone());
    row.dimension = Some(v.dimension.clone());
    row.category = Some(v.category.clone());
    row.spec = Some(v.spec);
    row.expected = Some(v.expected);
    row.verdict = Some(v.verdict);
    row.output = vec![OutputRow {
        text: None,
        image: Some(claim.picture.clone()),
    }];
    row
}

/// What the judge saw and nothing else: no picture.
fn answer_row(answer: &GradedAnswer) -> ItemRow {
    let id = answer.id();
    let mut row = ItemRow::new(
        Kind::Answer,
        &id,
        &answer.dataset,
        &answer.instance,
        &answer.question,
    );
    row.model = Some(answer.model.clone());
    row.gold = Some(answer.gold.clone());
    row.answer = Some(answer.answer.clone());
    row
}

/// The items that a sample names, with their probabilities.
fn sampled(path: &Path, rows: Vec<ItemRow>) -> anyhow::Result<Vec<ItemRow>> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| usage(format!("cannot read {}: {e}", path.display())))?;
    let mut known: std::collections::HashMap<String, ItemRow> =
        rows.into_iter().map(|r| (r.id.clone(), r)).collect();
    let mut found = vec![];
    for (line, at) in text.lines().zip(1..).filter(|(l, _)| !l.trim().is_empty()) {
        let wrong = |what: String| usage(format!("{}, line {at}: {what}", path.display()));
        let row: Row = serde_json::from_str(line).map_err(|e| wrong(e.to_string()))?;
        let item = known.remove(&row.id);
        let mut item = item.ok_or_else(|| {
            wrong(format!(
                "the run has no item {:?}, or the sample names it twice; is the sample of this \
                 run?",
                row.id
            ))
        })?;
        item.stratum = Some(row.stratum);
        item.inclusion = Some(row.inclusion);
        found.push(item);
    }
    Ok(found)
}
