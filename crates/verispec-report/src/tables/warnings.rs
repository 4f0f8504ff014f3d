//! Warnings in the terminal: grouped by kind, the first few of each.

use verispec_model::Warning;

use crate::number::{count, plural};
use crate::style::{Style, Tone};
use crate::text::clean_line;

/// Items shown of each kind unless all are wanted.
const FEW: usize = 3;

/// Warnings by kind, in order of first appearance, with counts.
#[must_use]
pub fn render_warnings(warnings: &[Warning], all: bool, style: Style) -> String {
    let kinds = by_kind(warnings);
    let title = format!(
        "{} of {}",
        plural(warnings.len(), "warning", "warnings"),
        plural(kinds.len(), "kind", "kinds")
    );
    let mut out = style.paint(&title, Tone::Odd) + "\n";
    let mut hidden = 0;
    for (kind, items) in &kinds {
        out += &format!("  {} ({})\n", clean_line(kind), count(items.len()));
        let shown = if all { items.len() } else { FEW };
        for item in items.iter().take(shown) {
            let place = style.paint(&clean_line(&item.place), Tone::Faint);
            out += &format!("    {place}  {}\n", clean_line(&item.message));
        }
        hidden += items.len().saturating_sub(shown);
    }
    if hidden > 0 {
        let line = format!("  {} more: add -v", count(hidden));
        out += &style.paint(&line, Tone::Faint);
        out.push('\n');
    }
    out
}

/// Groups warnings by kind, in order of first appearance.
pub(crate) fn by_kind(warnings: &[Warning]) -> Vec<(&str, Vec<&Warning>)> {
    let mut kinds: Vec<(&str, Vec<&Warning>)> = vec![];
    for warning in warnings {
        match kinds.iter_mut().find(|(kind, _)| *kind == warning.kind) {
            Some((_, items)) => items.push(warning),
            None => kinds.push((&warning.kind, vec![warning])),
        }
    }
    kinds
}
