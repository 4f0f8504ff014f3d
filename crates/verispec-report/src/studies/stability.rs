//! `study stability`

use std::collections::BTreeMap;

use verispec_studies::Estimate;
use verispec_studies::stability::{Intervals, LevelRow, RankRange, Selection, Stability, Summary};

use super::{estimate, heading, number, remarks};
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// A published mean over pairs of judges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedStability {
    /// What it is, for instance `SpecV, holistic`.
    pub name: &'static str,
    /// Which pairs.
    pub selection: Selection,
    /// Mean tau.
    pub tau: f64,
    /// Mean rho, where it is stated.
    pub rho: Option<f64>,
}

/// Levels, means over tracks, differences between groups, then each track.
#[must_use]
pub fn render_stability(
    study: &Stability,
    published: &[PublishedStability],
    style: Style,
) -> String {
    let mut out = levels(&study.levels, style);
    out += &heading("Agreement of rankings, mean over tracks", style);
    out += &overall(study, published, style);
    if !study.differences.is_empty() {
        out += &heading("Differences, paired", style);
        out += &differences(study, style);
    }
    out += &heading("By track", style);
    out += &tracks(study, style);
    out += &heading("Ranks that the instances do not rule out", style);
    out += &ranks(study, style);
    let mut lines = study.warnings.clone();
    lines.extend(beside_interval(study));
    out += &remarks(&lines, style);
    out + &footer(study, style)
}

fn levels(rows: &[LevelRow], style: Style) -> String {
    let human = rows.iter().any(|r| r.human_tau.is_some());
    let mut grid = Grid::new();
    grid.column("level", Kind::Label)
        .column("group", Kind::Label)
        .column("family", Kind::Label)
        .column("yes rate", Kind::Number)
        .column("coverage", Kind::Number)
        .column("spread", Kind::Number);
    if human {
        grid.column("tau with people", Kind::Number);
    }
    for row in rows {
        let mut fields = vec![
            Field::from(clean_line(&row.name)),
            Field::from(clean_line(&row.group)),
            Field::from(row.family.as_deref().map_or("–".into(), clean_line)),
            number(row.yes_rate, 3),
            number(row.coverage, 3),
            number(row.spread, 2),
        ];
        if human {
            fields.push(number(row.human_tau.as_ref().and_then(|e| e.value), 3));
        }
        grid.row(fields);
    }
    grid.render(style)
}

/// Says why an interval leaves out its number.
fn beside_interval(study: &Stability) -> Option<String> {
    let apart = study.overall.iter().filter_map(|row| {
        let (value, interval) = row.tau_b.value.zip(row.tau_b.interval)?;
        (!interval.contains(value)).then_some(row.tau_b.bias?)
    });
    let most = apart.max_by(|a, b| a.abs().total_cmp(&b.abs()))?;
    Some(match study.intervals {
        Intervals::TrueScores => format!(
            "some intervals leave out their number: it is of noisy scores, they are of the models' \
             true scores; the noise of the instances moves tau by up to {:.3} here",
            most.abs()
        ),
        Intervals::Percentile => format!(
            "drawing instances again adds noise, which moves tau where models are close (by up to \
             {:.3} on average), so some intervals leave out their number: they do not hold the \
             tau of true scores",
            most.abs()
        ),
    })
}

/// Why an interval is wider than its level asks: tau takes few values, and one is frequent.
fn note(tau: &Estimate) -> Field {
    let shown = tau.within.zip(tau.interval).filter(|_| tau.coarse());
    let Some((within, interval)) = shown else {
        return Field::from(String::new());
    };
    let why = if interval.high >= 1.0 || interval.low <= -1.0 {
        "near the boundary"
    } else {
        "few values"
    };
    Field::new(format!("{why}: holds {:.1} %", 100.0 * within), Tone::Faint)
}

fn overall(study: &Stability, published: &[PublishedStability], style: Style) -> String {
    let rows = &study.overall;
    let notes = rows.iter().any(|r| r.tau_b.coarse());
    let mut grid = Grid::new();
    grid.column("group", Kind::Label)
        .column("pairs", Kind::Label)
        .column("n", Kind::Number)
        .column("tau-b", Kind::Number)
        .column("weighted tau", Kind::Number)
        .column("rho", Kind::Number);
    if notes {
        grid.column("interval", Kind::Label);
    }
    for row in rows {
        let mut fields = vec![
            Field::from(clean_line(&row.group)),
            Field::from(row.selection.as_str()),
            Field::from(row.pairs.to_string()),
            estimate(&row.tau_b, 3),
            number(row.weighted_tau.value, 3),
            number(row.rho.value, 3),
        ];
        if notes {
            fields.push(note(&row.tau_b));
        }
        grid.row(fields);
    }
    for row in published {
        let faint = |text: String| Field::new(text, Tone::Faint);
        let mut fields = vec![
            faint(row.name.to_owned()),
            faint(row.selection.as_str().to_owned()),
            faint("published".to_owned()),
            faint(format!("{:.3}", row.tau)),
            faint("–".to_owned()),
            faint(row.rho.map_or("–".to_owned(), |r| format!("{r:.3}"))),
        ];
        if notes {
            fields.push(faint(String::new()));
        }
        grid.row(fields);
    }
    grid.render(style)
}

fn differences(study: &Stability, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("difference", Kind::Label)
        .column("pairs", Kind::Label)
        .column("tau-b", Kind::Number);
    let notes = study.differences.iter().any(|d| d.tau_b.coarse());
    if notes {
        grid.column("interval", Kind::Label);
    }
    for row in &study.differences {
        let name = format!("{} − {}", row.minuend, row.subtrahend);
        let mut fields = vec![
            Field::from(clean_line(&name)),
            Field::from(row.selection.as_str()),
            estimate(&row.tau_b, 3),
        ];
        if notes {
            fields.push(note(&row.tau_b));
        }
        grid.row(fields);
    }
    grid.render(style)
}

fn tracks(study: &Stability, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("track", Kind::Label)
        .column("group", Kind::Label)
        .column("models", Kind::Number)
        .column("tau-b", Kind::Number)
        .column("intra", Kind::Number)
        .column("cross", Kind::Number)
        .column("rho", Kind::Number)
        .column("var. model", Kind::Number)
        .column("var. judge", Kind::Number)
        .column("var. rest", Kind::Number);
    for track in &study.tracks {
        for all in track
            .summaries
            .iter()
            .filter(|s| s.selection == Selection::All)
        {
            let of = |selection| {
                let same = |s: &&Summary| s.group == all.group && s.selection == selection;
                track
                    .summaries
                    .iter()
                    .find(same)
                    .and_then(|s| s.tau_b.value)
            };
            let parts = track.variance.iter().find(|c| c.group == all.group);
            grid.row([
                Field::from(clean_line(&track.track)),
                Field::from(clean_line(&all.group)),
                Field::from(track.models.len().to_string()),
                number(all.tau_b.value, 3),
                number(of(Selection::Intra), 3),
                number(of(Selection::CrossAllPairs), 3),
                number(all.rho.value, 3),
                number(parts.map(|c| c.model), 1),
                number(parts.map(|c| c.level), 1),
                number(parts.map(|c| c.rest), 1),
            ]);
        }
    }
    grid.render(style)
}

/// One row a model and track, one column a level.
fn ranks(study: &Stability, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("track", Kind::Label)
        .column("model", Kind::Label);
    for level in &study.levels {
        grid.column(clean_line(&level.name), Kind::Number);
    }
    for track in &study.tracks {
        let mut by_model: BTreeMap<&str, BTreeMap<(&str, &str), &RankRange>> = BTreeMap::new();
        for range in &track.ranks {
            let of = by_model.entry(range.model.as_str()).or_default();
            of.insert((range.group.as_str(), range.level.as_str()), range);
        }
        for (model, ranges) in by_model {
            let mut fields = vec![
                Field::from(clean_line(&track.track)),
                Field::from(clean_line(model)),
            ];
            fields.extend(study.levels.iter().map(|level| {
                let range = ranges.get(&(level.group.as_str(), level.name.as_str()));
                Field::from(
                    range.map_or_else(|| "–".to_owned(), |r| crate::tables::place(r.best, r.worst)),
                )
            }));
            grid.row(fields);
        }
    }
    grid.render(style)
}

fn footer(study: &Stability, style: Style) -> String {
    let lines = [
        format!(
            "tau-b of model scores, mean over pairs, then over tracks; intervals: 95 %, {}, {} draws \
             of instances within dimensions, seed {}, the same for all",
            match study.intervals {
                Intervals::TrueScores => "of tau between true scores",
                Intervals::Percentile => "percentile",
            },
            study.draws,
            study.seed
        ),
        "ranks: simultaneous 95 % sets; spread: standard deviation of model scores, points; \
         var.: components in squared points, below 0 means not told from 0"
            .to_owned(),
    ];
    let line = |l: &String| format!("{}\n", style.paint(l, Tone::Faint));
    format!("\n{}", lines.iter().map(line).collect::<String>())
}
