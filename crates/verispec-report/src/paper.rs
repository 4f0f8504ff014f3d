//! Tables for papers and pages: Markdown and LaTeX. Best in bold, second underlined, `±` half the
//! width of an interval where one was given, n and coverage in columns of their own.

use verispec_model::score::{Score, ScoreTable};

use crate::context::Context;
use crate::error::ReportError;
use crate::mark::{Mark, marks};
use crate::number::{DASH, count, coverage, fixed2};
use crate::statistics::{Interval, Place, Statistics};
use crate::view::{Layout, Row};

/// A table before it is written in one form or another.
struct Paper {
    columns: Vec<String>,
    rows: Vec<PaperRow>,
    notes: Vec<String>,
}

/// Value and half the width of its interval, as printed.
type Printed = (String, Option<String>);

struct PaperRow {
    model: String,
    cells: Vec<(Option<Printed>, Mark)>,
    n: String,
    coverage: String,
}

/// In what a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Markdown,
    Latex,
}

impl Form {
    /// Text that is taken as it stands.
    pub(crate) fn text(self, text: &str) -> String {
        match self {
            Self::Markdown => md(text),
            Self::Latex => tex(text),
        }
    }

    /// What stands where there is no number.
    const fn dash(self) -> &'static str {
        match self {
            Self::Markdown => DASH,
            Self::Latex => "--",
        }
    }

    fn cell(self, cell: Option<&Printed>, mark: Mark) -> String {
        let Some((value, half)) = cell else {
            return self.dash().to_owned();
        };
        let value = self.text(value);
        let value = match (self, mark) {
            (_, Mark::None) => value,
            (Self::Markdown, Mark::Best) => format!("**{value}**"),
            (Self::Markdown, Mark::Second) => format!("<u>{value}</u>"),
            (Self::Latex, Mark::Best) => format!("\\textbf{{{value}}}"),
            (Self::Latex, Mark::Second) => format!("\\underline{{{value}}}"),
        };
        match half {
            Some(half) => format!("{value} {}", self.text(&format!("± {half}"))),
            None => value,
        }
    }

    /// A table whose first column is text and whose others are numbers. Its cells are written
    /// already; `head` and `notes` are not. In LaTeX it needs the `booktabs` package.
    pub(crate) fn table(self, head: &[&str], rows: &[Vec<String>], notes: &[String]) -> String {
        let head: Vec<String> = head.iter().map(|h| self.text(h)).collect();
        let notes: Vec<String> = notes.iter().map(|n| self.text(n)).collect();
        let numbers = head.len().saturating_sub(1);
        let mut out = String::new();
        match self {
            Self::Markdown => {
                let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
                out += &line(&head);
                out += &format!("| ---{} |\n", " | ---:".repeat(numbers));
                rows.iter().for_each(|row| out += &line(row));
                notes.iter().for_each(|n| out += &format!("\n{n}\n"));
            }
            Self::Latex => {
                let line = |cells: &[String]| format!("{} \\\\\n", cells.join(" & "));
                out += &format!(
                    "% needs \\usepackage{{booktabs}}\n\\begin{{table}}\n\\centering\n\
                     \\begin{{tabular}}{{l{}}}\n\\toprule\n{}\\midrule\n",
                    "r".repeat(numbers),
                    line(&head)
                );
                rows.iter().for_each(|row| out += &line(row));
                out += &format!(
                    "\\bottomrule\n\\end{{tabular}}\n\\caption{{{}}}\n\\end{{table}}\n",
                    notes.join(" ")
                );
            }
        }
        out
    }
}

/// Scores of all tracks, or of one track's dimensions, as a Markdown table with notes below.
///
/// # Errors
/// The suite has no such track.
pub fn markdown(
    table: &ScoreTable,
    context: &Context,
    track: Option<&str>,
    (judge, stats): (&str, &Statistics),
) -> Result<String, ReportError> {
    let paper = paper(table, context, track, (judge, stats))?;
    Ok(paper.written(Form::Markdown))
}

/// As [`markdown`], as a LaTeX `table` for the `booktabs` package.
///
/// # Errors
/// The suite has no such track.
pub fn latex(
    table: &ScoreTable,
    context: &Context,
    track: Option<&str>,
    (judge, stats): (&str, &Statistics),
) -> Result<String, ReportError> {
    let paper = paper(table, context, track, (judge, stats))?;
    Ok(paper.written(Form::Latex))
}

impl Paper {
    fn written(&self, form: Form) -> String {
        let columns = self.columns.iter().map(String::as_str);
        let head = std::iter::once("model").chain(columns);
        let head: Vec<&str> = head.chain(["n", "coverage"]).collect();
        let row = |row: &PaperRow| {
            let cells = row.cells.iter();
            let cells = cells.map(|(cell, mark)| form.cell(cell.as_ref(), *mark));
            let last = [form.text(&row.n), form.text(&row.coverage)];
            let first = std::iter::once(form.text(&row.model));
            first.chain(cells).chain(last).collect()
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(row).collect();
        form.table(&head, &rows, &self.notes)
    }
}

fn paper(
    table: &ScoreTable,
    context: &Context,
    track: Option<&str>,
    (judge, stats): (&str, &Statistics),
) -> Result<Paper, ReportError> {
    let layout = match track {
        None => Layout::tracks(table),
        Some(track) => Layout::dimensions(table, track)?,
    };
    let places: Vec<Place> = layout
        .columns
        .iter()
        .enumerate()
        .map(|(at, name)| match (track, at + 1 == layout.columns.len()) {
            (None, true) => Place::Average,
            (None, false) => Place::Track {
                track: name.clone(),
            },
            (Some(track), true) => Place::Track {
                track: track.to_owned(),
            },
            (Some(track), false) => Place::Dimension {
                track: track.to_owned(),
                dimension: name.clone(),
            },
        })
        .collect();
    // Columns without any number say nothing.
    let entered = |at: &usize| layout.rows.iter().any(|r| r.slots[*at].score.is_some());
    let kept: Vec<usize> = (0..layout.columns.len()).filter(entered).collect();
    let look = |model: &str, at: usize| stats.interval(judge, model, &places[at]);
    let mut rows: Vec<PaperRow> = layout.rows.iter().map(|r| row(r, &kept, &look)).collect();
    for (shown, at) in kept.iter().enumerate() {
        let values: Vec<Option<f64>> = layout.rows.iter().map(|r| final_value(r, *at)).collect();
        for (row, mark) in rows.iter_mut().zip(marks(&values)) {
            row.cells[shown].1 = mark;
        }
    }
    // What may still change stands below what is final.
    let place = |r: &Row<'_>| {
        let last = r.slots.len().checked_sub(1);
        last.and_then(|at| final_value(r, at))
            .unwrap_or(f64::NEG_INFINITY)
    };
    let mut order: Vec<(f64, PaperRow)> = layout.rows.iter().map(place).zip(rows).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let methods = stats
        .intervals
        .iter()
        .filter(|i| i.judge == judge)
        .map(|i| &i.interval);
    Ok(Paper {
        columns: kept.iter().map(|at| layout.columns[*at].clone()).collect(),
        rows: order.into_iter().map(|(_, row)| row).collect(),
        notes: notes(table, context, methods, layout.rows.iter().any(unfinished)),
    })
}

/// Whether a row has a number that may still change.
fn unfinished(row: &Row<'_>) -> bool {
    row.slots.iter().any(|s| s.provisional && s.score.is_some())
}

/// A value that can be compared: not one that may still change.
fn final_value(row: &Row<'_>, at: usize) -> Option<f64> {
    let slot = &row.slots[at];
    slot.score.filter(|_| !slot.provisional).map(|s| s.value)
}

fn row<'s>(
    row: &Row<'_>,
    kept: &[usize],
    look: &dyn Fn(&str, usize) -> Option<&'s Interval>,
) -> PaperRow {
    let cell = |at: &usize| {
        let half = |i: &Interval| fixed2((i.high - i.low) / 2.0);
        let slot = &row.slots[*at];
        let star = if slot.provisional { "*" } else { "" };
        let shown = |s: &Score| {
            let value = format!("{}{star}", fixed2(s.value));
            (value, look(row.model, *at).map(half))
        };
        (slot.score.map(shown), Mark::None)
    };
    PaperRow {
        model: row.model.to_owned(),
        cells: kept.iter().map(cell).collect(),
        n: count(row.counters.instances),
        coverage: coverage(row.counters.coverage()),
    }
}

fn notes<'s>(
    table: &ScoreTable,
    context: &Context,
    intervals: impl Iterator<Item = &'s Interval>,
    stars: bool,
) -> Vec<String> {
    let mut methods: Vec<String> = intervals
        .map(|i| format!("{} % {}", (i.level * 1000.0).round() / 10.0, i.method))
        .collect();
    methods.sort();
    methods.dedup();
    let mut notes =
        vec!["Percent; best in bold, second underlined; n is the number of instances.".to_owned()];
    if !methods.is_empty() {
        notes.push(format!(
            "± is half the width of the interval: {}.",
            methods.join("; ")
        ));
    }
    if stars {
        notes.push("* is not final: something is pending or left out.".to_owned());
    }
    let lines = context.lines(Some(table.policy));
    let lines: Vec<String> = lines
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    notes.push(format!("{}.", lines.join("; ")));
    notes
}

/// Text that Markdown takes as it stands.
fn md(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in crate::text::clean_line(text).chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

/// Text that LaTeX takes as it stands.
pub(crate) fn tex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in crate::text::clean_line(text).chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '±' => out.push_str("$\\pm$"),
            '<' => out.push_str("$<$"),
            '>' => out.push_str("$>$"),
            '|' => out.push_str("$|$"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_as_they_stand() {
        assert_eq!(md("a_b|c<d>"), "a\\_b\\|c&lt;d&gt;");
        assert_eq!(
            tex("50% of a_b & {c} \\x~"),
            "50\\% of a\\_b \\& \\{c\\} \\textbackslash{}x\\textasciitilde{}"
        );
        assert_eq!(tex("a\nb"), "a b");
    }
}
