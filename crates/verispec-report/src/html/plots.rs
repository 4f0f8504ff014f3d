//! Which charts a page shows.

use serde::Serialize;
use verispec_model::score::ScoreTable;

use super::charts::{Dot, DotRow, Models, curves, dots, position, scatter};
use super::svg;
use crate::input::Judged;
use crate::statistics::{Place, Statistics};
use crate::view::dimension_names;

/// Models up to which all marks are in colour from the start.
const FEW: usize = 8;
/// Models that stand out at first where there are more.
const LEADERS: usize = 3;

/// A chart with its title; the picture is markup of our own.
#[derive(Debug, Serialize)]
pub(crate) struct Plot {
    pub title: String,
    pub picture: String,
}

/// A model in the key.
#[derive(Debug, Serialize)]
pub(crate) struct KeyEntry {
    pub at: usize,
    pub key: String,
    pub model: String,
    /// Stands out at first.
    pub on: bool,
}

/// The key to all charts: with few models all stand out, with many the first of the ranking.
pub(crate) fn legend(first: Option<&Judged<'_>>, models: Models<'_>) -> Vec<KeyEntry> {
    let leaders = first
        .and_then(|j| j.ranks.first())
        .map_or(&[][..], |r| &r.rows);
    let leads = |model: &str| leaders.iter().take(LEADERS).any(|r| r.model == model);
    let entry = |(at, model): (usize, &&str)| KeyEntry {
        at,
        key: svg::key(at),
        model: (*model).to_owned(),
        on: models.len() <= FEW || leads(model),
    };
    models.iter().enumerate().map(entry).collect()
}

/// Whether marks are grey unless they are picked.
pub(crate) const fn crowded(models: usize) -> bool {
    models > FEW
}

/// Scores by dimension, a chart for each track that somebody entered.
pub(crate) fn by_dimension(
    judged: &Judged<'_>,
    stats: &Statistics,
    models: Models<'_>,
) -> Vec<Plot> {
    let chart = |track: &String| {
        let mut rows = vec![total(judged, stats, track, models)];
        let names = dimension_names(judged.scores, track);
        rows.extend(
            names
                .iter()
                .map(|n| dimension(judged, stats, (track, n), models)),
        );
        let any = rows.iter().any(|r| !r.dots.is_empty());
        any.then(|| Plot {
            title: track.clone(),
            picture: dots(track, &rows),
        })
    };
    judged.scores.all_tracks.iter().filter_map(chart).collect()
}

fn total<'a>(
    judged: &'a Judged<'a>,
    stats: &Statistics,
    track: &'a str,
    models: Models<'_>,
) -> DotRow<'a> {
    let place = Place::Track {
        track: track.to_owned(),
    };
    let value = |m: &str| {
        let model = judged.scores.models.iter().find(|s| s.model == m)?;
        Some(model.track(track)?.score.as_ref()?.value)
    };
    row("all", true, (judged, stats, &place), models, &value)
}

fn dimension<'a>(
    judged: &'a Judged<'a>,
    stats: &Statistics,
    (track, name): (&'a str, &'a str),
    models: Models<'_>,
) -> DotRow<'a> {
    let place = Place::Dimension {
        track: track.to_owned(),
        dimension: name.to_owned(),
    };
    let value = |m: &str| {
        let model = judged.scores.models.iter().find(|s| s.model == m)?;
        let found = model
            .track(track)?
            .dimensions
            .iter()
            .find(|d| d.name == name)?;
        Some(found.score.as_ref()?.value)
    };
    row(name, false, (judged, stats, &place), models, &value)
}

fn row<'a>(
    name: &'a str,
    total: bool,
    (judged, stats, place): (&'a Judged<'a>, &Statistics, &Place),
    models: Models<'_>,
    value: &dyn Fn(&str) -> Option<f64>,
) -> DotRow<'a> {
    let dot = |score: &'a verispec_model::score::ModelScore| {
        let interval = stats.interval(&judged.name, &score.model, place);
        Some(Dot {
            model: position(models, &score.model),
            name: &score.model,
            value: value(&score.model)?,
            span: interval.map(|i| (i.low, i.high)),
        })
    };
    DotRow {
        name,
        total,
        dots: judged.scores.models.iter().filter_map(dot).collect(),
    }
}

/// Scores against K, a chart for each track that has curves.
pub(crate) fn by_complexity(judged: &Judged<'_>, models: Models<'_>) -> Vec<Plot> {
    let table: &ScoreTable = judged.scores;
    let chart = |track: &String| {
        let own: Vec<_> = judged
            .complexity
            .iter()
            .filter(|c| c.track == *track)
            .collect();
        (!own.is_empty()).then(|| Plot {
            title: track.clone(),
            picture: curves(track, &own, models),
        })
    };
    table.all_tracks.iter().filter_map(chart).collect()
}

/// Understanding against generation.
pub(crate) fn contrast(judged: &Judged<'_>, models: Models<'_>) -> Option<Plot> {
    let contrast = judged.contrast.as_ref()?;
    Some(Plot {
        title: format!("{} against {}", contrast.y, contrast.x),
        picture: scatter(contrast, models),
    })
}
