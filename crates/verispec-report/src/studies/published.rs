//! `published audit`, `published show`

use verispec_studies::published::{Check, Outcome, Publication, PublishedTable};

use super::heading;
use crate::number::DASH;
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// Checks of published numbers, each with its findings.
#[must_use]
pub fn render_audit(checks: &[Check], style: Style) -> String {
    let mut out = String::new();
    for (i, check) in checks.iter().enumerate() {
        let (word, tone) = match check.outcome {
            Outcome::Consistent => ("adds up", Tone::Good),
            Outcome::Inconsistent => ("does not add up", Tone::Bad),
            Outcome::Note => ("note", Tone::Odd),
        };
        let title = format!("{}. {}: {}", i + 1, check.paper, check.title);
        out += &format!(
            "{} [{}]\n",
            style.paint(&clean_line(&title), Tone::Strong),
            style.paint(word, tone)
        );
        for finding in &check.findings {
            out += &format!("   {}\n", clean_line(finding));
        }
    }
    out + &format!(
        "\n{}\n",
        style.paint("computed from the printed numbers alone", Tone::Faint)
    )
}

/// Published tables with their sources.
#[must_use]
pub fn render_published(publications: &[Publication], style: Style) -> String {
    let mut out = String::new();
    for publication in publications {
        for table in &publication.tables {
            let title = format!("{} ({})", table.name, table.unit);
            out += &heading(&title, style);
            out += &grid(table).render(style);
        }
        let source = format!("source: {}", clean_line(&publication.source));
        out += &format!("{}\n", style.paint(&source, Tone::Faint));
    }
    out
}

pub(super) fn grid(table: &PublishedTable) -> Grid {
    let mut grid = Grid::new();
    grid.column("", Kind::Label);
    for column in &table.columns {
        grid.column(clean_line(column), Kind::Number);
    }
    for row in &table.rows {
        let mut fields = vec![Field::from(clean_line(&row.model))];
        fields.extend(row.values.iter().map(|value| match value {
            // The shortest form is the printed one, but for zeros at its end.
            Some(value) => Field::from(value.to_string()),
            None => Field::new(DASH, Tone::Faint),
        }));
        grid.row(fields);
    }
    grid
}
