//! Scores by category of specifications.

use std::collections::BTreeMap;

use verispec_model::score::CategoryScore;

use super::grid::{Field, Grid, Kind};
use crate::number::{DASH, fixed2};
use crate::style::{Style, Tone};
use crate::text::clean_line;

/// One table a track: models in rows, categories in columns, score and number of specifications.
#[must_use]
pub fn render_categories(scores: &[CategoryScore], style: Style) -> String {
    let mut tracks: BTreeMap<&str, Vec<&CategoryScore>> = BTreeMap::new();
    for score in scores {
        tracks.entry(&score.track).or_default().push(score);
    }
    let mut out = String::new();
    for (track, scores) in tracks {
        let title = format!("{} by category", clean_line(track));
        out += &format!("\n{}\n", style.paint(&title, Tone::Strong));
        out += &grid(&scores).render(style);
    }
    out
}

fn grid(scores: &[&CategoryScore]) -> Grid {
    let mut models: BTreeMap<&str, BTreeMap<&str, &CategoryScore>> = BTreeMap::new();
    for score in scores {
        let of_model = models.entry(&score.category).or_default();
        of_model.insert(&score.model, score);
    }
    let mut names: Vec<&str> = scores.iter().map(|s| s.model.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut grid = Grid::new();
    grid.column("category", Kind::Label);
    for name in &names {
        grid.column(format!("{} (k)", clean_line(name)), Kind::Number);
    }
    for (category, row) in models {
        let title = if category.is_empty() {
            "(none)"
        } else {
            category
        };
        let mut fields = vec![Field::from(clean_line(title))];
        fields.extend(names.iter().map(|name| field(row.get(name).copied())));
        grid.row(fields);
    }
    grid
}

fn field(score: Option<&CategoryScore>) -> Field {
    let value = score.and_then(|s| Some((s.score.as_ref()?.value, s.specifications)));
    value.map_or_else(
        || Field::new(DASH, Tone::Faint),
        |(value, k)| Field::from(format!("{} ({k})", fixed2(value))),
    )
}
