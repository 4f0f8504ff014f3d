//! Tables 0 to 5 and what goes with them, for terminals.

use verispec_graph::facts::FactKind;
use verispec_graph::metrics::{Consistency, Quadrant, Variant};
use verispec_suites::published::Publication;
use verispec_suites::xtc::{Cell, DatasetRow, Ends, ModelScore, Recall, Tables};

use super::published::rows;
use crate::number::{DASH, count, count64};
use crate::studies::{heading, number, p_value, remarks};
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// Headline facts: all, with g = 0 where nothing is matched.
const HEADLINE: Variant = Variant::ZeroUnmatched;

fn label(text: &str) -> Field {
    Field::from(clean_line(text))
}

fn dash() -> Field {
    Field::new(DASH, Tone::Faint)
}

fn share(value: Option<f64>) -> Field {
    value.map_or_else(dash, |v| Field::from(format!("{:.1}%", v * 100.0)))
}

/// All tables. With published ones, their rows stand below ours, marked.
#[must_use]
pub fn render_tables(tables: &Tables, published: Option<&Publication>, style: Style) -> String {
    let warned = remarks(&warnings(tables), style);
    render_numbers(tables, published, style) + &warned + &policies(tables, published, style)
}

/// All tables, without warnings and policies.
pub(super) fn render_numbers(
    tables: &Tables,
    published: Option<&Publication>,
    style: Style,
) -> String {
    let mut out = heading("Table 0: data", style) + &datasets(&tables.datasets, style);
    out += &heading("Table 1: generation G and matched nodes", style);
    out += &generation(tables, published, style);
    out += &heading("Table 2: understanding U", style);
    out += &understanding(tables, published, style);
    out += &heading(
        "Table 3: consistency CCTA (V3), beside its level by chance",
        style,
    );
    out += &consistency(tables, published, style);
    out += &heading("Table 4: AW-CCTA (V3)", style);
    out += &accuracy_weighted(tables, published, style);
    out += &heading("Table 5: quadrants (V3)", style);
    out += &quadrants(tables, style);
    out += &heading(
        "Variants: V1 raw, V2 matched facts only, V3 unmatched facts have g = 0",
        style,
    );
    out += &variants(tables, style);
    if tables
        .models
        .iter()
        .any(|m| m.coverage_by_dataset.len() > 1)
    {
        out += &heading("By data set (V3)", style);
        out += &by_dataset(tables, style);
    }
    out += &heading("Coverage: images, nodes, facts that do not count", style);
    out += &coverage(tables, style);
    out + &over_models(tables, published, style)
}

/// Data sets.
#[must_use]
pub fn render_datasets(rows: &[DatasetRow], style: Style) -> String {
    let mut out = datasets(rows, style);
    for row in rows.iter().filter(|r| !r.skipped.is_empty()) {
        let reasons: Vec<String> = row
            .skipped
            .iter()
            .map(|(why, n)| format!("{n} {why}"))
            .collect();
        let line = format!(
            "{}: became no fact: {}",
            clean_line(&row.dataset),
            reasons.join(", ")
        );
        out += &format!("{}\n", style.paint(&line, Tone::Faint));
    }
    out
}

/// Recall of extracted graphs on known scenes.
#[must_use]
pub fn render_recall(recall: &Recall, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("", Kind::Label)
        .column("known", Kind::Number)
        .column("found", Kind::Number)
        .column("recall", Kind::Number)
        .column("precision", Kind::Number);
    let mut row =
        |name: &str, all: usize, found: usize, recall: Option<f64>, precision: Option<f64>| {
            grid.row([
                label(name),
                count(all).into(),
                count(found).into(),
                number(recall, 3),
                number(precision, 3),
            ]);
        };
    row(
        "nodes",
        recall.nodes,
        recall.nodes_found,
        recall.node_recall(),
        recall.node_precision(),
    );
    row(
        "relations",
        recall.edges,
        recall.edges_found,
        recall.edge_recall(),
        None,
    );
    row(
        "attributes",
        recall.attributes,
        recall.attributes_found,
        recall.attribute_recall(),
        None,
    );
    let line = format!(
        "{} images, {} without a graph; a node is found with its label, a relation between the \
         right objects with its predicate, an attribute at the right object with a value in common",
        recall.images, recall.without_graph
    );
    grid.render(style) + &format!("{}\n", style.paint(&line, Tone::Faint))
}

fn datasets(rows: &[DatasetRow], style: Style) -> String {
    let mut grid = Grid::new();
    for (title, kind) in [
        ("data set", Kind::Label),
        ("images", Kind::Number),
        ("facts", Kind::Number),
        ("obj/img", Kind::Number),
        ("rel/img", Kind::Number),
        ("attr/img", Kind::Number),
        ("% obj", Kind::Number),
        ("% attr", Kind::Number),
        ("% rel", Kind::Number),
    ] {
        grid.column(title, kind);
    }
    for row in rows {
        let part = |kind| {
            let n = row.by_kind.get(&kind).copied().unwrap_or(0);
            share((row.facts > 0).then(|| n as f64 / row.facts as f64))
        };
        let mean = |of: fn(&verispec_graph::metrics::DatasetMeans) -> f64| {
            number(row.means.as_ref().map(of), 2)
        };
        grid.row([
            label(&row.dataset),
            count(row.images).into(),
            count(row.facts).into(),
            mean(|m| m.objects),
            mean(|m| m.relations),
            mean(|m| m.attributes),
            part(FactKind::Object),
            part(FactKind::Attribute),
            part(FactKind::Relation),
        ]);
    }
    grid.render(style)
}

fn numbers(model: &ModelScore, variant: Variant, kind: Option<FactKind>) -> Option<&Consistency> {
    model.cell(variant, kind)?.numbers.as_ref()
}

/// A number of a cell, with its interval where there is one.
fn with_ends(value: Option<f64>, ends: Option<Ends>) -> Field {
    match (value, ends) {
        (None, _) => dash(),
        (Some(v), None) => Field::from(format!("{v:.3}")),
        (Some(v), Some(e)) => Field::from(format!("{v:.3} [{:.3}, {:.3}]", e.low, e.high)),
    }
}

fn columns(grid: &mut Grid, titles: &[&str]) {
    grid.column("model", Kind::Label);
    for title in titles {
        grid.column(*title, Kind::Number);
    }
}

/// Rows of a published table below ours.
fn beside(grid: &mut Grid, published: Option<&Publication>, table: &str, wanted: &[Option<&str>]) {
    for (model, values) in rows(published, table, wanted) {
        let name = Field::new(format!("{} (published)", clean_line(&model)), Tone::Faint);
        let fields = values.into_iter().map(|v| match v {
            None => dash(),
            Some(v) => Field::new(v, Tone::Faint),
        });
        grid.row(std::iter::once(name).chain(fields));
    }
}

const GU: &str = "XTC-Bench generation G and understanding U";
const CONSISTENCY: &str = "XTC-Bench consistency";

fn generation(tables: &Tables, published: Option<&Publication>, style: Style) -> String {
    let mut grid = Grid::new();
    columns(
        &mut grid,
        &[
            "matched nodes",
            "G all",
            "G obj",
            "G attr",
            "G rel",
            "G (m)",
            "G attr (m)",
            "G rel (m)",
        ],
    );
    for model in &tables.models {
        let g = |variant, kind| number(numbers(model, variant, kind).map(|c| c.generation), 3);
        let all = model.cell(Variant::Raw, None);
        let ends = all.and_then(|c| c.intervals).and_then(|i| i.generation);
        let matched = Variant::MatchedOnly;
        grid.row([
            label(&model.model),
            share(model.match_ratio),
            with_ends(
                all.and_then(|c| c.numbers.as_ref()).map(|c| c.generation),
                ends,
            ),
            g(Variant::Raw, Some(FactKind::Object)),
            g(Variant::Raw, Some(FactKind::Attribute)),
            g(Variant::Raw, Some(FactKind::Relation)),
            g(matched, None),
            g(matched, Some(FactKind::Attribute)),
            g(matched, Some(FactKind::Relation)),
        ]);
    }
    let wanted = [
        Some("matched nodes %"),
        Some("G"),
        None,
        Some("G attr"),
        Some("G rel"),
        None,
        Some("G attr (m)"),
        Some("G rel (m)"),
    ];
    beside(&mut grid, published, GU, &wanted);
    grid.render(style)
}

fn understanding(tables: &Tables, published: Option<&Publication>, style: Style) -> String {
    let mut grid = Grid::new();
    columns(
        &mut grid,
        &[
            "U all",
            "U obj",
            "U attr",
            "U rel",
            "U attr (m)",
            "U rel (m)",
        ],
    );
    for model in &tables.models {
        let u = |variant, kind| number(numbers(model, variant, kind).map(|c| c.understanding), 3);
        let all = model.cell(Variant::Raw, None);
        let ends = all.and_then(|c| c.intervals).and_then(|i| i.understanding);
        grid.row([
            label(&model.model),
            with_ends(
                all.and_then(|c| c.numbers.as_ref())
                    .map(|c| c.understanding),
                ends,
            ),
            u(Variant::Raw, Some(FactKind::Object)),
            u(Variant::Raw, Some(FactKind::Attribute)),
            u(Variant::Raw, Some(FactKind::Relation)),
            u(Variant::MatchedOnly, Some(FactKind::Attribute)),
            u(Variant::MatchedOnly, Some(FactKind::Relation)),
        ]);
    }
    let wanted = ["U", "U obj", "U attr", "U rel", "U attr (m)", "U rel (m)"].map(Some);
    beside(&mut grid, published, GU, &wanted);
    grid.render(style)
}

fn consistency(tables: &Tables, published: Option<&Publication>, style: Style) -> String {
    let mut grid = Grid::new();
    columns(
        &mut grid,
        &["CCTA", "obj", "attr", "rel", "by chance", "corrected", "p"],
    );
    for model in &tables.models {
        let all = model.cell(HEADLINE, None);
        let ends = all.and_then(|c| c.intervals).and_then(|i| i.ccta);
        let of = |kind| number(numbers(model, HEADLINE, Some(kind)).map(|c| c.ccta), 3);
        let chance = all.and_then(|c| c.chance);
        grid.row([
            label(&model.model),
            with_ends(model.headline().map(|c| c.ccta), ends),
            of(FactKind::Object),
            of(FactKind::Attribute),
            of(FactKind::Relation),
            number(chance.map(|c| c.ccta), 3),
            number(chance.and_then(|c| c.corrected), 3),
            p_value(all.and_then(|c| c.p)),
        ]);
    }
    let wanted = [
        Some("CCTA"),
        None,
        Some("CCTA attr"),
        Some("CCTA rel"),
        None,
        None,
        None,
    ];
    beside(&mut grid, published, CONSISTENCY, &wanted);
    grid.render(style)
}

fn accuracy_weighted(tables: &Tables, published: Option<&Publication>, style: Style) -> String {
    let mut grid = Grid::new();
    columns(
        &mut grid,
        &["AW-CCTA", "obj", "attr", "rel", "MJA", "covariance"],
    );
    for model in &tables.models {
        let all = model.cell(HEADLINE, None);
        let ends = all.and_then(|c| c.intervals).and_then(|i| i.aw_ccta);
        let of = |kind| number(numbers(model, HEADLINE, Some(kind)).map(|c| c.aw_ccta), 3);
        grid.row([
            label(&model.model),
            with_ends(model.headline().map(|c| c.aw_ccta), ends),
            of(FactKind::Object),
            of(FactKind::Attribute),
            of(FactKind::Relation),
            number(model.headline().map(|c| c.mean_joint), 3),
            number(model.headline().map(|c| c.covariance), 3),
        ]);
    }
    let wanted = [
        Some("AW-CCTA"),
        None,
        Some("AW-CCTA attr"),
        Some("AW-CCTA rel"),
        None,
        None,
    ];
    beside(&mut grid, published, CONSISTENCY, &wanted);
    grid.render(style)
}

fn quadrants(tables: &Tables, style: Style) -> String {
    let mut grid = Grid::new();
    columns(
        &mut grid,
        &[
            "AC both right",
            "AH both wrong",
            "GD drawing alone",
            "UD answer alone",
            "CIR",
        ],
    );
    for model in &tables.models {
        let of = |q| share(model.headline().and_then(|c| c.quadrants.share(q)));
        grid.row([
            label(&model.model),
            of(Quadrant::AlignedCompetence),
            of(Quadrant::AlignedHallucination),
            of(Quadrant::GenerationDominant),
            of(Quadrant::UnderstandingDominant),
            number(model.headline().and_then(|c| c.integrity), 3),
        ]);
    }
    grid.render(style)
}

const fn short(variant: Variant) -> &'static str {
    match variant {
        Variant::Raw => "V1",
        Variant::MatchedOnly => "V2",
        Variant::ZeroUnmatched => "V3",
    }
}

fn number_fields(cell: &Cell) -> Vec<Field> {
    let c = cell.numbers.as_ref();
    vec![
        c.map_or_else(dash, |c| count64(c.n).into()),
        number(c.map(|c| c.generation), 3),
        number(c.map(|c| c.understanding), 3),
        with_ends(cell.gap, cell.intervals.and_then(|i| i.gap)),
        number(c.map(|c| c.ccta), 3),
        number(c.map(|c| c.aw_ccta), 3),
    ]
}

fn variants(tables: &Tables, style: Style) -> String {
    let mut grid = Grid::new();
    columns(
        &mut grid,
        &["variant", "facts", "G", "U", "G-U", "CCTA", "AW-CCTA"],
    );
    for model in &tables.models {
        for variant in Variant::ALL {
            if let Some(cell) = model.cell(variant, None) {
                let head = [label(&model.model), Field::from(short(variant))];
                grid.row(head.into_iter().chain(number_fields(cell)));
            }
        }
    }
    grid.render(style)
}

fn by_dataset(tables: &Tables, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("data set", Kind::Label);
    columns(&mut grid, &["facts", "G", "U", "G-U", "CCTA", "AW-CCTA"]);
    for model in &tables.models {
        let cells = model
            .cells
            .iter()
            .filter(|c| c.variant == HEADLINE && c.kind.is_none());
        for cell in cells {
            if let Some(dataset) = &cell.dataset {
                let head = [label(dataset), label(&model.model)];
                grid.row(head.into_iter().chain(number_fields(cell)));
            }
        }
    }
    grid.render(style)
}

fn coverage(tables: &Tables, style: Style) -> String {
    let mut grid = Grid::new();
    columns(
        &mut grid,
        &[
            "images",
            "matched",
            "not drawn",
            "no picture",
            "empty",
            "failed",
            "nodes",
            "found",
        ],
    );
    grid.column("facts that do not count (V3)", Kind::Text);
    for model in &tables.models {
        let c = &model.coverage;
        let dropped = model.cell(HEADLINE, None).map(|c| &c.dropped);
        let reasons = dropped.into_iter().flatten().map(|(why, n)| {
            let name = serde_json::to_value(why).unwrap_or_default();
            format!(
                "{n} {}",
                name.as_str().unwrap_or_default().replace('_', " ")
            )
        });
        let reasons: Vec<String> = reasons.collect();
        let ns = [
            c.images,
            c.matched_images,
            c.not_generated,
            c.unreadable,
            c.empty,
            c.failed,
            c.gt_nodes,
            c.matched_nodes,
        ];
        let fields = ns.into_iter().map(|n| Field::from(count(n)));
        let last = if reasons.is_empty() {
            "none".to_owned()
        } else {
            reasons.join(", ")
        };
        grid.row(
            std::iter::once(label(&model.model))
                .chain(fields)
                .chain([Field::from(last)]),
        );
    }
    grid.render(style)
}

fn over_models(tables: &Tables, published: Option<&Publication>, style: Style) -> String {
    let mut out = String::new();
    if !tables.families.is_empty() || published.is_some() {
        out += &heading("Families: unweighted means over models (V3)", style);
        let mut grid = Grid::new();
        grid.column("family", Kind::Label);
        for title in ["models", "G", "U", "G-U", "CCTA", "AW-CCTA"] {
            grid.column(title, Kind::Number);
        }
        for row in &tables.families {
            let m = &row.mean;
            let values = [
                m.generation,
                m.understanding,
                m.generation - m.understanding,
                m.ccta,
                m.aw_ccta,
            ];
            let values = values.into_iter().map(|v| number(Some(v), 3));
            let head = [label(&row.family), count(row.n).into()];
            grid.row(head.into_iter().chain(values));
        }
        let wanted = [
            None,
            Some("G"),
            Some("U"),
            Some("G-U"),
            Some("CCTA"),
            Some("AW-CCTA"),
        ];
        beside(&mut grid, published, "XTC-Bench families", &wanted);
        out += &grid.render(style);
    }
    let c = &tables.correlations;
    let rho = |v: Option<f64>| v.map_or_else(|| DASH.to_owned(), |v| format!("{v:.3}"));
    let mut line = format!(
        "Spearman's rho over {} models: G with AW-CCTA {}, U with AW-CCTA {}, G with U {}",
        c.n,
        rho(c.generation),
        rho(c.understanding),
        rho(c.sides)
    );
    if !c.why.is_empty() {
        line += &format!(" ({})", c.why.join("; "));
    }
    out + &format!("\n{line}\n")
}

/// What must not be overlooked.
pub(super) fn warnings(tables: &Tables) -> Vec<String> {
    let mut all = vec![];
    for model in &tables.models {
        if let (true, Some(c)) = (model.coherent_hallucination, model.headline()) {
            let right = c.integrity.unwrap_or_default() * 100.0;
            all.push(format!(
                "{}: coherent hallucination: where drawing and answer agree, only {right:.1} % is \
                 right; CCTA {:.3} rewards being wrong twice, read AW-CCTA {:.3}",
                model.model, c.ccta, c.aw_ccta
            ));
        }
        if let Some(corrected) = model.cell(HEADLINE, None).and_then(|c| c.chance?.corrected)
            && corrected <= 0.0
        {
            all.push(format!(
                "{}: its consistency is no better than chance",
                model.model
            ));
        }
        if model.pending > 0 {
            all.push(format!(
                "{}: {} facts wait for a reply; the numbers are not complete",
                model.model, model.pending
            ));
        }
        if let Some((low, high)) = model.match_bounds.filter(|(low, high)| low < high) {
            all.push(format!(
                "{}: the graphs of {} images are unknown; matched nodes are between {:.1} and {:.1} %",
                model.model, model.coverage.failed, low * 100.0, high * 100.0
            ));
        }
    }
    all
}

fn policies(tables: &Tables, published: Option<&Publication>, style: Style) -> String {
    let mut lines: Vec<String> = tables
        .policies
        .iter()
        .map(|(name, value)| format!("{name}: {}", clean_line(value)))
        .collect();
    if let Some(published) = published {
        lines.push(format!("published rows: {}", clean_line(&published.source)));
    }
    format!("\n{}\n", style.paint(&lines.join(" | "), Tone::Faint))
}
