//! `study realunify`

mod paper;

use verispec_studies::realunify::{
    Accuracy, Axis, AxisStudy, Denominator, HumanRows, ModelStudy, Paired, RealUnifyStudy,
    RunScore, published_percent,
};

use super::published::grid as published_grid;
use super::{heading, p_text};
use crate::number::DASH;
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::tables::render_warnings;
use crate::text::clean_line;

pub use paper::{realunify_csv, realunify_latex, realunify_markdown};

/// Columns of the main table, without that of the models.
const COLUMNS: [&str; 6] = [
    "UEG direct",
    "UEG step",
    "GEU direct",
    "GEU step",
    "total direct",
    "total step",
];

/// The main table, then each model: scores side by side, differences, what follows from them,
/// judge minus people. `all` lists every warning instead of the first few of each kind.
#[must_use]
pub fn render_realunify(study: &RealUnifyStudy, all: bool, style: Style) -> String {
    let mut out = heading("Accuracy, percent, rounded as published", style);
    out += &main(study).render(style);
    for model in &study.models {
        for axis in &model.axes {
            let title = format!("{} {}: items right, percent", model.model, axis.axis);
            out += &heading(&title, style);
            out += &scores(axis).render(style);
        }
        out += &differences(model, style);
        out += &bottlenecks(model, style);
        out += &people(model, style);
    }
    for table in &study.published {
        let title = format!("Published: {} ({})", table.name, table.unit);
        out += &heading(&title, style);
        out += &published_grid(table).render(style);
    }
    if !study.warnings.is_empty() {
        out += &format!("\n{}", render_warnings(&study.warnings, all, style));
    }
    out + &footer(study, style)
}

fn label(text: &str) -> Field {
    Field::from(clean_line(text))
}

fn number(text: &str) -> Field {
    let tone = if text == DASH || text == "-" {
        Tone::Faint
    } else {
        Tone::Plain
    };
    Field::new(text, tone)
}

fn main(study: &RealUnifyStudy) -> Grid {
    let mut grid = Grid::new();
    grid.column("model", Kind::Label);
    for column in COLUMNS {
        grid.column(column, Kind::Number);
    }
    for model in &study.models {
        let cells = model.main.cells.iter().map(|c| number(c));
        grid.row(std::iter::once(label(&model.model)).chain(cells));
    }
    grid
}

/// Tasks with their subtasks, then the axis; one column a run.
fn scores(axis: &AxisStudy) -> Grid {
    let mut grid = Grid::new();
    grid.column("task", Kind::Label);
    for run in &axis.runs {
        grid.column(format!("{} (right/of)", clean_line(&run.run)), Kind::Number);
    }
    for (name, accuracies) in rows(axis) {
        grid.row(std::iter::once(label(&name)).chain(accuracies.into_iter().map(accuracy)));
    }
    let each = |of: &dyn Fn(&RunScore) -> Field| axis.runs.iter().map(of).collect::<Vec<_>>();
    if axis.axis == Axis::Ueg {
        let mean = each(&|run| number(&published_percent(run.score.axis.mean.as_ref())));
        grid.row(std::iter::once(label("mean share of questions")).chain(mean));
    }
    let bounds = each(&|run| bounds(&run.score.axis));
    grid.row(std::iter::once(label("all open wrong … right")).chain(bounds));
    for (name, count) in counters() {
        let cells = each(&|run| match count(&run.score.axis) {
            0 => Field::new("0", Tone::Faint),
            n => Field::new(n.to_string(), Tone::Odd),
        });
        if axis.runs.iter().any(|run| count(&run.score.axis) > 0) {
            grid.row(std::iter::once(label(name)).chain(cells));
        }
    }
    grid
}

/// Rows of accuracies in the order of the table: tasks, subtasks below their task, the axis.
fn rows(axis: &AxisStudy) -> Vec<(String, Vec<Option<&Accuracy>>)> {
    let mut names: Vec<(&str, Option<&str>)> = vec![];
    for task in axis.runs.iter().flat_map(|r| &r.score.tasks) {
        let subtasks = task.subtasks.keys().map(|s| Some(s.as_str()));
        for name in std::iter::once(None).chain(subtasks) {
            if !names.contains(&(task.task.as_str(), name)) {
                names.push((&task.task, name));
            }
        }
    }
    let mut rows: Vec<(String, Vec<Option<&Accuracy>>)> = names
        .into_iter()
        .map(|(task, subtask)| {
            let cells = axis.runs.iter().map(|run| lookup(run, task, subtask));
            let name = subtask.map_or_else(|| task.to_owned(), |s| format!("{task}/{s}"));
            (name, cells.collect())
        })
        .collect();
    let all = axis.runs.iter().map(|run| Some(&run.score.axis));
    rows.push((axis.axis.to_string(), all.collect()));
    rows
}

fn lookup<'a>(run: &'a RunScore, task: &str, subtask: Option<&str>) -> Option<&'a Accuracy> {
    let task = run.score.tasks.iter().find(|t| t.task == task)?;
    subtask.map_or(Some(&task.accuracy), |name| task.subtasks.get(name))
}

/// `32.7 (196/600)`.
fn accuracy(accuracy: Option<&Accuracy>) -> Field {
    let Some(a) = accuracy else {
        return Field::new(DASH, Tone::Faint);
    };
    match a.value {
        None => Field::new(DASH, Tone::Faint),
        Some(_) => Field::from(format!("{} ({}/{})", a.published(), a.tally.correct, a.of)),
    }
}

fn bounds(a: &Accuracy) -> Field {
    let (low, high) = (
        published_percent(a.low.as_ref()),
        published_percent(a.high.as_ref()),
    );
    let tone = if low == high { Tone::Faint } else { Tone::Odd };
    Field::new(format!("{low} … {high}"), tone)
}

/// Reads a counter.
type Count = fn(&Accuracy) -> usize;

/// Names of counters that stand in the table where one of them is not 0.
fn counters() -> [(&'static str, Count); 5] {
    [
        ("failed, count as wrong", |a| a.tally.failed),
        ("of these, undecidable", |a| a.tally.undecidable),
        ("unjudged", |a| a.tally.unjudged),
        ("not judgeable", |a| a.tally.unjudgeable),
        ("pending", |a| a.tally.pending),
    ]
}

/// What is compared, item by item.
fn comparisons(axis: &AxisStudy) -> Vec<(String, &Paired)> {
    let readout = &axis.readout;
    let own = [
        ("step − direct", &readout.step_minus_direct),
        ("oracle − step", &readout.oracle_minus_step),
    ];
    let own = own
        .into_iter()
        .filter_map(|(name, paired)| Some((name.to_owned(), paired.as_ref()?)));
    let mixed = readout.mixed_minus_step.iter();
    let mixed = mixed.map(|(name, _, paired)| (format!("with {name} − step"), paired));
    own.chain(mixed).collect()
}

fn differences(model: &ModelStudy, style: Style) -> String {
    let mut grid = paired_grid("axis");
    let mut any = false;
    for axis in &model.axes {
        for (name, paired) in comparisons(axis) {
            let left_out = paired.left_out
                + if name == "step − direct" {
                    axis.unpaired
                } else {
                    0
                };
            let first = [label(&axis.axis.to_string()), label(&name)];
            grid.row(first.into_iter().chain(paired_fields(paired, left_out)));
            any = true;
        }
    }
    if !any {
        return String::new();
    }
    heading(&format!("{}: differences", model.model), style) + &grid.render(style)
}

fn paired_grid(first: &str) -> Grid {
    let mut grid = Grid::new();
    grid.column(first, Kind::Label)
        .column("", Kind::Label)
        .column("items", Kind::Number)
        .column("both", Kind::Number)
        .column("only first", Kind::Number)
        .column("only second", Kind::Number)
        .column("neither", Kind::Number)
        .column("difference", Kind::Number)
        .column("McNemar p", Kind::Number)
        .column("left out", Kind::Number);
    grid
}

/// The second is what the difference is taken of: in `step − direct`, the first is `direct`.
fn paired_fields(paired: &Paired, left_out: usize) -> [Field; 8] {
    let q = &paired.quadrants;
    let count = |n: u64| Field::from(n.to_string());
    let difference = match (paired.difference, &paired.interval) {
        (None, _) => Field::new(DASH, Tone::Faint),
        (Some(d), Ok(i)) => Field::from(format!(
            "{:+.1} [{:+.1}, {:+.1}]",
            100.0 * d,
            100.0 * i.low,
            100.0 * i.high
        )),
        (Some(d), Err(_)) => Field::from(format!("{:+.1}", 100.0 * d)),
    };
    let p = (paired.items > 0).then_some(paired.test.exact);
    [
        count(paired.items),
        count(q.both),
        count(q.only_first),
        count(q.only_second),
        count(q.neither),
        difference,
        Field::from(p_text(p)),
        Field::new(
            left_out.to_string(),
            if left_out == 0 {
                Tone::Faint
            } else {
                Tone::Odd
            },
        ),
    ]
}

fn bottlenecks(model: &ModelStudy, style: Style) -> String {
    let sentences: Vec<String> = model
        .axes
        .iter()
        .flat_map(|a| &a.readout.sentences)
        .map(|s| format!("{}\n", clean_line(s)))
        .collect();
    if sentences.is_empty() {
        return String::new();
    }
    heading(&format!("{}: what it lacks", model.model), style) + &sentences.concat()
}

fn people(model: &ModelStudy, style: Style) -> String {
    let tables: Vec<&HumanRows> = model.axes.iter().flat_map(|a| &a.human).collect();
    if tables.is_empty() {
        return String::new();
    }
    let mut grid = paired_grid("split");
    for table in tables {
        for row in &table.rows {
            let task = row.task.as_deref().unwrap_or("all");
            let first = [label(&table.split.to_string()), label(task)];
            let fields = paired_fields(&row.paired, row.paired.left_out);
            grid.row(first.into_iter().chain(fields));
        }
    }
    heading(&format!("{}: judge − people", model.model), style) + &grid.render(style)
}

fn footer(study: &RealUnifyStudy, style: Style) -> String {
    let denominator = match study.denominator {
        Denominator::Actual => "items with an outcome",
        Denominator::Fixed100 => "fixed100: 100 a task whatever there is, as released",
    };
    let text = format!(
        "divided by: {denominator}. An item of UEG is right if every question is answered as \
         wanted; outputs that failed and responses that name no option, or several, are wrong and \
         counted. Differences in points over checked pairs, with Newcombe's intervals of 95 % and \
         the exact McNemar test; the first of \"step − direct\" is direct. A missing ability is said of \
         oracle and specialist runs alone. A dash: not run, or nothing decided."
    );
    format!("\n{}\n", style.paint(&text, Tone::Faint))
}
