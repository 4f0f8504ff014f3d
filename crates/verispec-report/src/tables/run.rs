//! What a run did, in the terminal.

use super::grid::{Field, Grid, Kind};
use super::scores::reasons;
use crate::generation::GenerationSummary;
use crate::number::{count, count64, coverage, dollars, duration};
use crate::run::{RunCost, RunSummary, exit_meaning};
use crate::style::{Style, Tone};
use crate::text::clean_line;

/// What a run did, where it stands and how to go on.
#[must_use]
pub fn render_run(summary: &RunSummary, style: Style) -> String {
    let mut grid = Grid::bare();
    grid.column("", Kind::Label).column("", Kind::Text);
    for (name, value, tone) in lines(summary) {
        grid.row([Field::new(name, Tone::Faint), Field::new(value, tone)]);
    }
    for command in &summary.next {
        grid.row([Field::new("next", Tone::Faint), clean_line(command).into()]);
    }
    grid.render(style)
}

type Line = (&'static str, String, Tone);

/// What a generation run did, what it left on disk and how to go on.
#[must_use]
pub fn render_generation(summary: &GenerationSummary, style: Style) -> String {
    let mut grid = Grid::bare();
    grid.column("", Kind::Label).column("", Kind::Text);
    let mut all = calls_lines(&summary.run);
    all.extend(outputs_lines(summary));
    all.push(exit_line(&summary.run));
    for (name, value, tone) in all {
        grid.row([Field::new(name, Tone::Faint), Field::new(value, tone)]);
    }
    for command in &summary.run.next {
        grid.row([Field::new("next", Tone::Faint), clean_line(command).into()]);
    }
    grid.render(style)
}

fn outputs_lines(s: &GenerationSummary) -> Vec<Line> {
    let failed: usize = s.failed.values().sum();
    let each = match s.replicates {
        0 | 1 => String::new(),
        n => format!(", {n} of each instance"),
    };
    let text = format!(
        "{} of {} generated{each}, {} failed, {} pending, {} without data",
        count(s.generated),
        count(s.expected),
        count(failed),
        count(s.pending),
        count(s.data_failed),
    );
    let tone = if s.generated == s.expected {
        Tone::Plain
    } else {
        Tone::Odd
    };
    let mut lines = vec![("outputs", text, tone)];
    if failed > 0 {
        let kinds = s.failed.iter().map(|(kind, n)| format!("{kind} {n}"));
        let kinds: Vec<String> = kinds.collect();
        lines.push(("", format!("failed: {}", kinds.join(", ")), Tone::Faint));
    }
    lines.push(("folder", clean_line(&s.out), Tone::Plain));
    lines
}

fn exit_line(s: &RunSummary) -> Line {
    (
        "exit",
        format!("{}: {}", s.exit, exit_meaning(s.exit)),
        if s.exit == 0 { Tone::Good } else { Tone::Odd },
    )
}

fn calls_lines(s: &RunSummary) -> Vec<Line> {
    let tone_if = |bad: bool, tone| if bad { tone } else { Tone::Plain };
    let mut lines = vec![
        (
            "run",
            format!("{} · {}", clean_line(&s.run), clean_line(&s.folder)),
            Tone::Strong,
        ),
        ("calls", calls(s), Tone::Plain),
        ("replies", replies(s), tone_if(s.pending > 0, Tone::Odd)),
    ];
    if !s.errors.is_empty() {
        let list: Vec<String> = s
            .errors
            .iter()
            .map(|(kind, n)| format!("{} {}", clean_line(kind), count64(*n)))
            .collect();
        lines.push(("errors", list.join(", "), Tone::Odd));
    }
    lines.push(("tokens", tokens(s), Tone::Plain));
    if let Some(c) = &s.cost {
        lines.push(("cost", cost(c), tone_if(c.price.is_none(), Tone::Odd)));
    }
    lines.push(("time", duration(s.seconds), Tone::Plain));
    lines
}

fn lines(s: &RunSummary) -> Vec<Line> {
    let c = &s.counters;
    let undecided = c.unjudged + c.pending;
    let mut lines = calls_lines(s);
    lines.push((
        "verdicts",
        format!(
            "{} of {} specifications, coverage {}, {} met, {} unjudged, {} pending, \
             {} without output, {} unjudgeable",
            count(c.judged),
            count(c.expected),
            coverage(c.coverage()),
            count(c.met),
            count(c.unjudged),
            count(c.pending),
            count(c.output_failed),
            count(c.unjudgeable),
        ),
        if undecided > 0 {
            Tone::Odd
        } else {
            Tone::Plain
        },
    ));
    lines.extend(reasons(c).map(|r| ("", r, Tone::Faint)));
    lines.push(exit_line(s));
    lines
}

fn calls(s: &RunSummary) -> String {
    let mut text = format!("{} made", count64(s.calls));
    if s.retries > 0 {
        text += &format!(" ({} of them repeated)", count64(s.retries));
    }
    text + &format!(", {} reused", count64(s.reused))
}

fn replies(s: &RunSummary) -> String {
    format!(
        "{} answered, {} failed, {} pending",
        count64(s.answered),
        count64(s.failed),
        count64(s.pending)
    )
}

fn tokens(s: &RunSummary) -> String {
    let t = &s.tokens;
    let part = |n: u64, what: &str| match n {
        0 => String::new(),
        n => format!(" ({} {what})", count64(n)),
    };
    let mut text = format!(
        "{} in{}, {} out{}",
        count64(t.input),
        part(t.cached, "cached"),
        count64(t.output),
        part(t.reasoning, "reasoning"),
    );
    if t.unknown > 0 {
        text += &format!("; {} replies gave no counts", count64(t.unknown));
    }
    text
}

fn cost(c: &RunCost) -> String {
    let (Some(now), Some(total)) = (c.now, c.total) else {
        return clean_line(c.why_none.as_deref().unwrap_or("no price known"));
    };
    let mut text = format!("{} now, {} in all", dollars(now), dollars(total));
    if let Some(limit) = c.limit {
        text += &format!(" of at most {}", dollars(limit));
    }
    for (n, what) in [
        (c.unknown, "replies did not say what they used"),
        (c.timed_out, "attempts ran out of time and may be billed"),
    ] {
        if n > 0 {
            text += &format!("; {} {what} (not counted)", count64(n));
        }
    }
    text
}
