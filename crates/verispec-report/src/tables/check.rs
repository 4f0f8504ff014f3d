//! What a run would find and cost, in the terminal. Missing inputs come first: they make every
//! other number moot.

use super::grid::{Field, Grid, Kind};
use crate::check::{CheckMoney, CheckPrice, CheckProblem, CheckReport, CheckRow, MissingInputs};
use crate::number::{bytes, count, count64, dollars, plural};
use crate::style::{Style, Tone};
use crate::text::clean_line;

/// Problems shown of each kind and model unless all are wanted.
const FEW: usize = 5;

/// What a run would find and cost. `all` lists every problem instead of the first few.
#[must_use]
pub fn render_check(report: &CheckReport, all: bool, style: Style) -> String {
    let revision = report.revision.as_deref().map(|r| format!(" @ {r}"));
    let suite = format!("{}{}", report.suite, revision.unwrap_or_default());
    let mut out = format!("suite    {}\n", clean_line(&suite));
    out += &inputs(&report.inputs, style);
    if !report.outputs.is_empty() {
        out.push('\n');
        out += &outputs(&report.outputs).render(style);
    }
    if !report.problems.is_empty() {
        out.push('\n');
        out += &problems(&report.problems, all, style);
    }
    if let Some(price) = &report.price {
        out.push('\n');
        out += &cost(price, style);
    }
    out
}

fn inputs(inputs: &MissingInputs, style: Style) -> String {
    if inputs.missing == 0 {
        let found = plural(inputs.expected, "reference image", "reference images");
        return format!("inputs   {found}, all there\n");
    }
    let title = format!(
        "inputs   {} of {} missing: {} cannot be judged for any model",
        count(inputs.missing),
        plural(inputs.expected, "reference image", "reference images"),
        plural(inputs.instances, "instance", "instances"),
    );
    let mut out = style.paint(&title, Tone::Bad) + "\n";
    for (track, n) in &inputs.by_track {
        out += &format!("           {}: {}\n", clean_line(track), count(*n));
    }
    if let Some(command) = &inputs.command {
        out += &format!("         get them with: {}\n", clean_line(command));
    }
    out
}

fn outputs(rows: &[CheckRow]) -> Grid {
    let mut grid = Grid::new();
    grid.column("outputs", Kind::Label)
        .column("track", Kind::Label);
    for name in ["instances", "matched", "missing", "unreadable", "unmatched"] {
        grid.column(name, Kind::Number);
    }
    let mut before: Option<&str> = None;
    for row in rows {
        let model = if before == Some(&row.model) {
            String::new()
        } else {
            clean_line(&row.model)
        };
        before = Some(&row.model);
        let odd = |n: usize| {
            let tone = if n == 0 { Tone::Faint } else { Tone::Odd };
            Field::new(count(n), tone)
        };
        grid.row([
            model.into(),
            clean_line(&row.track).into(),
            count(row.expected).into(),
            count(row.matched).into(),
            odd(row.missing),
            odd(row.unreadable),
            odd(row.unmatched),
        ]);
    }
    grid
}

fn problems(problems: &[CheckProblem], all: bool, style: Style) -> String {
    let mut groups: Vec<((&str, &str), Vec<&CheckProblem>)> = vec![];
    for p in problems {
        let key = (p.kind.as_str(), p.model.as_str());
        match groups.iter_mut().find(|(k, _)| *k == key) {
            Some((_, items)) => items.push(p),
            None => groups.push((key, vec![p])),
        }
    }
    let (mut out, mut hidden) = (String::new(), 0);
    for ((kind, model), items) in groups {
        let title = format!(
            "{} ({}), {}",
            clean_line(kind),
            count(items.len()),
            clean_line(model)
        );
        out += &style.paint(&title, Tone::Odd);
        out.push('\n');
        let shown = if all { items.len() } else { FEW };
        for item in items.iter().take(shown) {
            out += &problem(item);
        }
        hidden += items.len().saturating_sub(shown);
    }
    if hidden > 0 {
        let line = format!("{} more: add -v", count(hidden));
        out += &style.paint(&line, Tone::Faint);
        out.push('\n');
    }
    out
}

fn problem(p: &CheckProblem) -> String {
    let nearest = match &p.nearest {
        Some(id) => format!(" (nearest instance: {})", clean_line(id)),
        None => String::new(),
    };
    let message = clean_line(&p.message);
    format!("  {}  {message}{nearest}\n", clean_line(&p.place))
}

fn cost(price: &CheckPrice, style: Style) -> String {
    let mut grid = Grid::bare();
    grid.column("", Kind::Label).column("", Kind::Text);
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            grid.row([name.into(), value.into()]);
        }
    };
    line("judge", price.judge.as_deref().map(clean_line));
    line("protocol", price.protocol.as_deref().map(clean_line));
    let at_most = match price.calls_at_most {
        Some(n) if n > price.calls => format!(", at most {} with re-asking", count(n)),
        _ => String::new(),
    };
    line("calls", Some(format!("{}{at_most}", count(price.calls))));
    line("reused", Some(plural(price.reused, "reply", "replies")));
    line("to send", Some(bytes(price.bytes)));
    let note = price
        .tokens_note
        .as_ref()
        .map(|n| format!(" ({})", clean_line(n)))
        .unwrap_or_default();
    line(
        "tokens",
        price.tokens.map(|n| format!("about {}{note}", count64(n))),
    );
    let money = price.money.as_ref().map(|m| money(m, style));
    grid.render(style) + &money.unwrap_or_default()
}

/// Every figure is an estimate and says so in its title.
fn money(money: &CheckMoney, style: Style) -> String {
    if let Some(why) = &money.why_none {
        return format!("{}\n", style.paint(&clean_line(why), Tone::Odd));
    }
    let mut grid = Grid::new();
    grid.column("estimated cost", Kind::Label);
    for name in [
        "calls",
        "online",
        "online, cached",
        "batch",
        "batch, cached",
    ] {
        grid.column(name, Kind::Number);
    }
    for row in &money.rows {
        grid.row([
            clean_line(&row.name).into(),
            count(row.calls).into(),
            dollars(row.plain).into(),
            dollars(row.with_cache).into(),
            dollars(row.batch).into(),
            dollars(row.batch_with_cache).into(),
        ]);
    }
    let price = money.price.as_deref().map(clean_line).unwrap_or_default();
    let lines = format!("price: {price}\nassumed: {}", clean_line(&money.assumed));
    format!(
        "\n{}{}\n",
        grid.render(style),
        style.paint(&lines, Tone::Faint)
    )
}
