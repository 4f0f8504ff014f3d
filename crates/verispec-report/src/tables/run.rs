//! What a run did, in the terminal.

use super::grid::{Field, Grid, Kind};
use super::scores::reasons;
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

fn lines(s: &RunSummary) -> Vec<(&'static str, String, Tone)> {
    let c = &s.counters;
    let undecided = c.unjudged + c.pending;
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
        tone_if(undecided > 0, Tone::Odd),
    ));
    lines.extend(reasons(c).map(|r| ("", r, Tone::Faint)));
    lines.push((
        "exit",
        format!("{}: {}", s.exit, exit_meaning(s.exit)),
        if s.exit == 0 { Tone::Good } else { Tone::Odd },
    ));
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
