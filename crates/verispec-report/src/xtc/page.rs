//! The page: works offline, without a script, and asks nobody for anything.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};
use serde::Serialize;
use verispec_graph::matching::Matched;
use verispec_graph::scene::{Bbox, SceneGraph, SegmentId};
use verispec_suites::published::Publication;
use verispec_suites::xtc::Tables;

use super::charts::g_against_u;
use super::graph::{edge_marks, heading, marks, picture};
use super::tables::{render_numbers, warnings};
use crate::error::ReportError;
use crate::html::images::{ImageMode, ImageView, Images};
use crate::html::write::{digest, io, replace};
use crate::style::Style;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = concat!(
    include_str!("../html/templates/style/base.css"),
    include_str!("page.css")
);

/// Folder of pictures beside the page.
const DATA: &str = "report.data";
/// Longest side of a copied picture, pixels.
const SIDE: u32 = 640;

/// What a node or edge is, seen from its own graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeMark {
    /// It has a counterpart; both carry this number.
    Matched(usize),
    /// The original has it, the drawing does not.
    Missing,
    /// The drawing has it, the original does not.
    Invented,
}

/// A graph with what is known of where its nodes are.
#[derive(Debug, Clone, Copy)]
pub struct GraphView<'a> {
    /// The graph.
    pub scene: &'a SceneGraph,
    /// Box of each node, where known.
    pub boxes: &'a BTreeMap<SegmentId, Bbox>,
}

/// A fact as the page lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FactLine {
    /// The question.
    pub question: String,
    /// The gold answer.
    pub gold: String,
    /// What the drawing shows, or why nothing.
    pub drawn: String,
    /// What the model said, or how it failed.
    pub said: String,
    /// Score of the drawing.
    pub g: String,
    /// Score of the answer.
    pub u: String,
    /// Whether both are wrong.
    pub agreed_wrong: bool,
}

/// One image of one model.
#[derive(Debug, Clone)]
pub struct ImageCase<'a> {
    /// Model.
    pub model: &'a str,
    /// Data set.
    pub dataset: &'a str,
    /// Number of the image.
    pub image_id: u64,
    /// The original picture.
    pub original: Option<&'a Path>,
    /// The picture that the model drew.
    pub drawn: Option<&'a Path>,
    /// Graph of the original.
    pub truth: GraphView<'a>,
    /// Graph of the drawing; `None` where there is none.
    pub seen: Option<GraphView<'a>>,
    /// Why there is none.
    pub missing: String,
    /// What was matched.
    pub matched: Option<&'a Matched>,
    /// Facts.
    pub facts: Vec<FactLine>,
}

/// Everything on the page.
#[derive(Debug)]
pub struct PageInput<'a> {
    /// Heading.
    pub title: String,
    /// Numbers.
    pub tables: &'a Tables,
    /// Published rows beside.
    pub published: Option<&'a Publication>,
    /// Images.
    pub cases: Vec<ImageCase<'a>>,
    /// Images that are not shown.
    pub omitted: usize,
}

#[derive(Debug, Serialize)]
struct SideView {
    title: &'static str,
    image: ImageView,
    graph: Option<String>,
    missing: String,
}

#[derive(Debug, Serialize)]
struct CaseView {
    model: String,
    dataset: String,
    image_id: u64,
    counts: String,
    sides: Vec<SideView>,
    facts: Vec<FactLine>,
}

/// Writes `index.html` and the pictures that it shows into a folder, which is made if need be.
///
/// # Errors
/// A file cannot be written.
pub fn write_page(input: &PageInput<'_>, folder: &Path) -> Result<PathBuf, ReportError> {
    let copies = folder.join(DATA).join("images");
    fs::create_dir_all(&copies).map_err(io("cannot make folder", &copies))?;
    let mode = ImageMode::Link {
        root: None,
        copies: (copies, format!("{DATA}/images")),
    };
    let mut images = Images::new(folder, mode, SIDE);
    let cases = input.cases.iter().map(|c| case(c, &mut images));
    let cases = cases.collect::<Result<Vec<_>, _>>()?;
    let text = render(input, cases)?;
    let path = folder.join("index.html");
    replace(&path, text.as_bytes())?;
    Ok(path)
}

fn case(case: &ImageCase<'_>, images: &mut Images) -> Result<CaseView, ReportError> {
    let mut view = |path: Option<&Path>| match path {
        Some(path) => images.view(path),
        None => Ok(ImageView {
            url: None,
            name: String::new(),
            problem: Some("no picture"),
        }),
    };
    let graph = |of: GraphView<'_>, truth: bool, label: &str| {
        let nodes = marks(of.scene.nodes.len(), case.matched, truth);
        let edges = edge_marks(of.scene.edges.len(), case.matched, truth);
        picture(of.scene, of.boxes, (&nodes, &edges), label)
    };
    let sides = vec![
        SideView {
            title: "original",
            image: view(case.original)?,
            graph: Some(graph(case.truth, true, "graph of the original")),
            missing: String::new(),
        },
        SideView {
            title: "drawn",
            image: view(case.drawn)?,
            graph: case
                .seen
                .map(|seen| graph(seen, false, "graph of the drawing")),
            missing: case.missing.clone(),
        },
    ];
    Ok(CaseView {
        model: heading(case.model),
        dataset: case.dataset.to_owned(),
        image_id: case.image_id,
        counts: counts(case),
        sides,
        facts: case.facts.clone(),
    })
}

fn counts(case: &ImageCase<'_>) -> String {
    let Some(m) = case.matched else {
        return format!(
            "{} objects in the original, none matched",
            case.truth.scene.nodes.len()
        );
    };
    format!(
        "objects: {} matched, {} missing, {} invented · relations: {} matched, {} missing, {} invented",
        m.nodes.len(),
        m.missing_nodes.len(),
        m.invented_nodes.len(),
        m.edges.len(),
        m.missing_edges.len(),
        m.invented_edges.len()
    )
}

fn render(input: &PageInput<'_>, cases: Vec<CaseView>) -> Result<String, ReportError> {
    let failed = |source| ReportError::Template {
        page: "xtc.html".to_owned(),
        source,
    };
    let mut engine = Environment::new();
    engine.set_undefined_behavior(UndefinedBehavior::Strict);
    engine.set_auto_escape_callback(|_| AutoEscape::Html);
    engine.add_template("xtc.html", TEMPLATE).map_err(failed)?;
    let tables = input.tables;
    let policies: Vec<String> = tables
        .policies
        .iter()
        .map(|(a, b)| format!("{a}: {b}"))
        .collect();
    let omitted =
        (input.omitted > 0).then(|| format!("{} further images are not shown.", input.omitted));
    let facts: usize = tables.datasets.iter().map(|d| d.facts).sum();
    let values = context! {
        title => input.title.as_str(),
        version => env!("CARGO_PKG_VERSION"),
        subtitle => format!("{} models · {facts} facts", tables.models.len()),
        policy => policy(),
        style => Value::from_safe_string(STYLE.to_owned()),
        warnings => warnings(tables),
        chart => g_against_u(tables),
        tables => render_numbers(tables, input.published, Style::plain()),
        cases => Value::from(Serde(&cases)),
        omitted => omitted,
        policies => policies.join(" · "),
    };
    engine
        .get_template("xtc.html")
        .and_then(|t| t.render(values))
        .map_err(failed)
}

/// Content security policy: our own style and pictures beside the page, nothing else.
fn policy() -> String {
    let hash = digest(STYLE);
    format!(
        "default-src 'none'; img-src 'self' file: data:; style-src 'sha256-{hash}'; base-uri \
         'none'; form-action 'none'"
    )
}
