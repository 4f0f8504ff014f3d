//! One instance in the terminal.

use std::path::Path;

use verispec_model::InstanceState;
use verispec_model::SpecResult;

use super::grid::{Field, Grid, Kind};
use crate::context::Context;
use crate::input::{
    InstanceView, OutputPart, SpecState, answer, data_failure, expected, how, tally, together,
    votes,
};
use crate::number::{percent, plural};
use crate::style::{Style, Tone};
use crate::text::{clean, clean_line, path};

/// Task, output and every specification of one instance: what was expected, what the judge
/// answered and wrote.
#[must_use]
pub fn render_show(view: &InstanceView<'_>, context: &Context, style: Style) -> String {
    let mut out = header(view, style);
    out += &section("prompt", style);
    match view.prompt {
        Some(prompt) => out += &paragraph(prompt, style),
        None => out += "  not at hand: name the suite's data to see it\n",
    }
    if !view.references.is_empty() {
        out += &section("references", style);
        for reference in view.references {
            out += &file(reference, style);
        }
    }
    out += &section("output", style);
    out += &output(view, style);
    out += &section("specifications", style);
    out += &specifications(view.state, style);
    out.push('\n');
    out += &context.footer(None, style);
    out
}

fn header(view: &InstanceView<'_>, style: Style) -> String {
    let place = [view.track, view.dimension, view.id]
        .map(clean_line)
        .join(" / ");
    let title = format!("{place} · {}", clean_line(view.model));
    format!(
        "{}\nscore {} · {}\n",
        style.paint(&title, Tone::Strong),
        percent(view.score),
        clean_line(&tally(view.state))
    )
}

fn section(name: &str, style: Style) -> String {
    format!("\n{}\n", style.paint(name, Tone::Strong))
}

/// Untrusted text, indented and wrapped.
fn paragraph(text: &str, style: Style) -> String {
    let mut grid = Grid::bare();
    grid.column("", Kind::Text);
    for line in clean(text).trim_end().lines() {
        grid.row([line.into()]);
    }
    let inner = Style {
        width: style.width.map(|w| w.saturating_sub(2).max(20)),
        ..style
    };
    grid.render(inner)
        .lines()
        .map(|line| format!("  {line}").trim_end().to_owned() + "\n")
        .collect()
}

fn file(file: &Path, style: Style) -> String {
    if file.is_file() {
        format!("  {}\n", path(file))
    } else {
        let note = style.paint("not on disk", Tone::Bad);
        format!("  {}  {note}\n", path(file))
    }
}

fn output(view: &InstanceView<'_>, style: Style) -> String {
    if let InstanceState::OutputFailed(why, _) = view.state {
        return format!("  {}\n", style.paint(&why.to_string(), Tone::Bad));
    }
    if view.output.is_empty() {
        return "  not at hand: the run knows verdicts only\n".to_owned();
    }
    view.output
        .iter()
        .map(|part| match part {
            OutputPart::Image(image) => file(image, style),
            OutputPart::Text(text) => paragraph(text, style),
        })
        .collect()
}

fn specifications(state: &InstanceState, style: Style) -> String {
    let specs = match state {
        InstanceState::Generated(specs) => specs,
        InstanceState::OutputFailed(_, k) => {
            return format!("  none of {k} asked: there is no output to judge\n");
        }
        InstanceState::Unjudgeable(why, k) => {
            let why = clean_line(&data_failure(why));
            return format!("  none of {k} asked: {why}\n");
        }
    };
    let extras = Extras::of(specs);
    let mut grid = Grid::new();
    grid.column("", Kind::Label)
        .column("#", Kind::Number)
        .column("specification", Kind::Text)
        .column("expected", Kind::Label)
        .column("answer", Kind::Label);
    if extras.how {
        grid.column("how", Kind::Label);
    }
    for spec in specs {
        grid.row(row(spec, &extras));
        if let Some(note) = &spec.provenance.note {
            let note = Field::new(format!("judge: {}", clean_line(note)), Tone::Faint);
            grid.row(["".into(), "".into(), note]);
        }
        for (vote, line) in spec.provenance.votes.iter().zip(votes(spec)) {
            let wrote = vote.note.as_deref().map(clean_line).unwrap_or_default();
            let text = [clean_line(&line), wrote].join(" · ");
            let text = text.trim_end_matches([' ', '·']).to_owned();
            grid.row(["".into(), "".into(), Field::new(text, Tone::Faint)]);
        }
    }
    let mut out = grid.render(style);
    if let Some(n) = extras.together {
        let line = plural(n as usize, "specification a call", "specifications a call");
        out += &style.paint(&line, Tone::Faint);
        out.push('\n');
    }
    out
}

/// Columns that are shown only where they say something.
struct Extras {
    how: bool,
    /// Specifications that shared a call, when it is the same number for all.
    together: Option<u32>,
}

impl Extras {
    fn of(specs: &[SpecResult]) -> Self {
        let together = together(specs);
        Self {
            how: specs.iter().any(|s| !how(s, together).is_empty()),
            together,
        }
    }
}

fn row(spec: &SpecResult, extras: &Extras) -> Vec<Field> {
    let state = SpecState::of(spec);
    let tone = match state {
        SpecState::Met => Tone::Good,
        SpecState::Unmet => Tone::Bad,
        SpecState::Graded => Tone::Plain,
        SpecState::Unjudged(_) => Tone::Odd,
        SpecState::Pending => Tone::Faint,
    };
    let mut fields = vec![
        Field::new(state.sign(), tone),
        spec.id().to_string().into(),
        clean_line(&spec.spec.question).into(),
        expected(spec).into(),
        Field::new(answer(spec), tone),
    ];
    if extras.how {
        fields.push(Field::new(how(spec, extras.together), Tone::Faint));
    }
    fields
}
