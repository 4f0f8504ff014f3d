//! `verispec xtc audit`: graphs and grades of a run as people check them on the review page.

use std::collections::{BTreeMap, HashMap};
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

use super::manifest::find;
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
    words: Vec<Words>,
}

/// A piece of a statement.
enum Words {
    /// As it is.
    Text(String),
    /// An object, told apart from others of its label by its place.
    Object(String, Option<Bbox>),
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
    /// The statement; places are told where the size of the picture is known.
    fn statement(&self, size: Option<(u32, u32)>) -> String {
        let said = |words: &Words| match words {
            Words::Text(text) => text.clone(),
            Words::Object(label, at) => match at.zip(size) {
                Some((at, size)) => format!("{label} ({})", place(at, size)),
                None => label.clone(),
            },
        };
        self.words.iter().map(said).collect()
    }

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

type Boxes = BTreeMap<SegmentId, Bbox>;

/// What a graph says: objects, their attributes, relations. Numbered in this order from 1.
fn of_graph(
    (model, dataset, image): (&str, &str, u64),
    picture: &Path,
    scene: &SceneGraph,
    boxes: &Boxes,
) -> Vec<Claim> {
    let object = |at: usize| {
        let node = &scene.nodes[at];
        Words::Object(clean_label(&node.label), boxes.get(&node.id).copied())
    };
    let text = |words: &str| Words::Text(words.to_owned());
    let mut said: Vec<(&str, Vec<Words>)> = vec![];
    let nodes = 0..scene.nodes.len();
    said.extend(nodes.map(|at| ("object", vec![text("There is: "), object(at), text(".")])));
    for (at, node) in scene.nodes.iter().enumerate() {
        said.extend(node.attributes.iter().map(|(key, values)| {
            let line = format!(": its {} is {}.", readable_key(key), values.join(", "));
            ("attribute", vec![object(at), text(&line)])
        }));
    }
    said.extend(scene.edges.iter().map(|e| {
        let predicate = text(&format!(" {} ", clean_predicate(&e.predicate)));
        let words = vec![object(e.subject), predicate, object(e.object), text(".")];
        ("relation", words)
    }));
    let claim = |(spec, (kind, words)): (u32, (&str, Vec<Words>))| Claim {
        verdict: Verdict {
            model: model.to_owned(),
            track: dataset.to_owned(),
            dimension: kind.to_owned(),
            instance: image.to_string(),
            spec,
            question: String::new(),
            category: kind.to_owned(),
            expected: YesNo::Yes,
            verdict: YesNo::Yes,
            p_yes: None,
        },
        picture: picture.to_owned(),
        words,
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
    find(runs, name).is_ok()
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
    let drawn = args.sample.as_deref().map(sampled).transpose()?;
    let wanted = |id: &str| drawn.as_ref().is_none_or(|d| d.contains_key(id));
    let mut sizes = HashMap::new();
    let claims = material.claims.iter().filter(|c| wanted(&c.id()));
    let mut rows: Vec<ItemRow> = claims.map(|c| claim_row(c, &mut sizes)).collect();
    let answers = material.answers.iter().filter(|a| wanted(&a.id()));
    rows.extend(answers.map(answer_row));
    if let (Some(drawn), Some(path)) = (drawn, &args.sample) {
        take_over(&mut rows, drawn, path)?;
    }
    let dir = run.dir.clone().unwrap_or_else(|| cli.runs.clone());
    Ok((run.manifest.run.clone(), rows, dir))
}

type Sizes<'c> = HashMap<&'c Path, Option<(u32, u32)>>;

fn claim_row<'c>(claim: &'c Claim, sizes: &mut Sizes<'c>) -> ItemRow {
    let v = &claim.verdict;
    let size = *sizes.entry(&claim.picture).or_insert_with(|| {
        let info = probe(&claim.picture, &Limits::default());
        info.ok().map(|i| i.upright())
    });
    let statement = claim.statement(size);
    let mut row = ItemRow::new(Kind::Graph, &claim.id(), &v.track, &v.instance, &statement);
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

/// Rows of a sample by item, each with its line.
type Sample = HashMap<String, (usize, Row)>;

fn sampled(path: &Path) -> anyhow::Result<Sample> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| usage(format!("cannot read {}: {e}", path.display())))?;
    let mut found = Sample::new();
    for (line, at) in text.lines().zip(1..).filter(|(l, _)| !l.trim().is_empty()) {
        let wrong = |what: String| usage(format!("{}, line {at}: {what}", path.display()));
        let row: Row = serde_json::from_str(line).map_err(|e| wrong(e.to_string()))?;
        let id = row.id.clone();
        if found.insert(id.clone(), (at, row)).is_some() {
            return Err(wrong(format!("{id:?} stands twice")));
        }
    }
    Ok(found)
}

/// Puts items into the order of the sample, with their probabilities.
fn take_over(rows: &mut [ItemRow], mut drawn: Sample, path: &Path) -> anyhow::Result<()> {
    rows.sort_by_key(|r| drawn.get(&r.id).map(|(line, _)| *line));
    for item in rows {
        if let Some((_, row)) = drawn.remove(&item.id) {
            item.stratum = Some(row.stratum);
            item.inclusion = Some(row.inclusion);
        }
    }
    match drawn.into_iter().min_by_key(|(_, (line, _))| *line) {
        None => Ok(()),
        Some((id, (line, _))) => Err(usage(format!(
            "{}, line {line}: the run has no item {id:?}; is the sample of this run?",
            path.display()
        ))),
    }
}
