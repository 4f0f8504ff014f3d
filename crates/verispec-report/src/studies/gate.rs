//! `verispec gate` in the terminal.

use verispec_studies::compare::{Check, Gate, Require, Shown};

use super::{estimate, fixed, number, p_text, p_value, remarks};
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// The checks of a gate, with what they were made with.
#[must_use]
pub fn render_gate(
    gate: &Gate,
    (run, baseline): (&str, &str),
    warnings: &[String],
    style: Style,
) -> String {
    let mut grid = Grid::new();
    grid.column("check", Kind::Label)
        .column(clean_line(baseline), Kind::Number)
        .column(clean_line(run), Kind::Number)
        .column("difference", Kind::Number)
        .column("p worse", Kind::Number)
        .column("p better", Kind::Number)
        .column("common", Kind::Number)
        .column("result", Kind::Label);
    for check in &gate.checks {
        let (word, tone) = if check.passed {
            ("pass", Tone::Strong)
        } else {
            ("FAIL", Tone::Odd)
        };
        grid.row([
            Field::from(clean_line(&check.name)),
            number(check.baseline, 2),
            number(check.candidate, 2),
            estimate(&check.difference, 2),
            p_value(check.p_worse),
            p_value(check.p_better),
            Field::from(format!("{}/{}", check.common, check.instances)),
            Field::new(word, tone),
        ]);
    }
    let reasons = gate.checks.iter();
    let reasons = reasons.map(|c| format!("{}: {}", clean_line(&c.name), c.reason));
    let lines: Vec<String> = warnings.iter().cloned().chain(reasons).collect();
    let rule = match gate.require {
        Require::NotWorse => "passes unless the difference is shown to be below",
        Require::Better => "passes if the difference is shown to be at least",
    };
    let footer = format!(
        "{rule} {} points; run minus baseline on instances that both have; one-sided bounds at \
         error rate {} each, by bootstrap and sign-flip test, which have to agree",
        gate.min_delta, gate.alpha_each
    );
    let footer = style.paint(&footer, Tone::Faint);
    grid.render(style) + &remarks(&lines, style) + &format!("\n{footer}\n")
}

/// One check in a line, for reports that hold text alone.
#[must_use]
pub fn gate_line(check: &Check) -> String {
    let shown = match check.shown {
        Shown::Worse => "worse",
        Shown::Better => "better",
        Shown::Unsure => "unsure",
        Shown::Undefined => "undefined",
    };
    let difference = &check.difference;
    let bounds = match (difference.value, difference.interval) {
        (Some(value), Some(i)) => format!(
            "difference {} [{}, {}]",
            fixed(value, 2),
            fixed(i.low, 2),
            fixed(i.high, 2)
        ),
        (Some(value), None) => format!("difference {}", fixed(value, 2)),
        (None, _) => "no difference".to_owned(),
    };
    format!(
        "{bounds}, p worse {}, p better {}, {} of {} instances in common, {shown}: {}",
        p_text(check.p_worse),
        p_text(check.p_better),
        check.common,
        check.instances,
        check.reason
    )
}
