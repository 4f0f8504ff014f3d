//! `study policies`

use verispec_studies::policies::{Move, PolicyEffect};

use super::remarks;
use crate::number::DASH;
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// All ways of scoring of one ranking; the first row is the one that all are compared with.
#[derive(Debug, serde::Serialize)]
pub struct RankingEffects {
    /// What is ranked: `average` or a track.
    pub by: String,
    /// The compared way first.
    pub effects: Vec<PolicyEffect>,
}

/// Ways of scoring that these results cannot be scored by, each with the reason.
pub type NotApplicable = [(String, String)];

/// Moves that are told; the rest is counted.
const MOVES: usize = 4;

/// Per ranking one row a way of scoring: agreement with the first row, who moves by how much, the
/// order.
#[must_use]
pub fn render_policies(
    rankings: &[RankingEffects],
    not_applicable: &NotApplicable,
    style: Style,
) -> String {
    let mut out = String::new();
    let several = rankings.len() > 1;
    let mut grid = Grid::new();
    if several {
        grid.column("ranking", Kind::Text);
    }
    grid.column("policy", Kind::Text)
        .column("tau-b", Kind::Number)
        .column("moved", Kind::Number)
        .column("largest change", Kind::Text)
        .column("places", Kind::Text)
        .column("order", Kind::Text);
    for ranking in rankings {
        for (i, effect) in together(&ranking.effects).iter().enumerate() {
            let by = if i == 0 { &ranking.by } else { "" };
            let mut row = fields(effect, i == 0);
            if several {
                row.insert(0, Field::new(clean_line(by), Tone::Strong));
            }
            grid.row(row);
        }
    }
    if rankings.is_empty() {
        out += "no two models have a score to be ranked by\n";
    } else {
        out += &grid.render(style);
    }
    let mut lines: Vec<String> = not_applicable
        .iter()
        .map(|(policy, why)| format!("{policy} does not apply: {why}"))
        .collect();
    for ranking in rankings {
        for effect in ranking.effects.iter().filter(|e| !e.left_out.is_empty()) {
            lines.push(format!(
                "{}, {}: {} without a score under one of the two",
                ranking.by,
                effect.policy,
                effect.left_out.join(", ")
            ));
        }
    }
    out += &remarks(&lines, style);
    let footer = "each row changes one choice of the first; tau-b and places against the first \
                  row; changes in percent points; equal scores share the better place";
    out + &format!("\n{}\n", style.paint(footer, Tone::Faint))
}

/// The effects with those that change no score at all in one row, at the end.
fn together(effects: &[PolicyEffect]) -> Vec<PolicyEffect> {
    let changes = |e: &PolicyEffect| {
        let points = e.largest_change.as_ref().map(|(_, points)| *points);
        points != Some(0.0) || !e.left_out.is_empty()
    };
    let (first, others) = effects.split_at(effects.len().min(1));
    let (some, none): (Vec<_>, Vec<_>) = others.iter().cloned().partition(changes);
    let names: Vec<String> = none.iter().map(|e| e.policy.clone()).collect();
    let joined = none.into_iter().next().map(|e| PolicyEffect {
        policy: names.join(", "),
        ..e
    });
    first.iter().cloned().chain(some).chain(joined).collect()
}

fn fields(effect: &PolicyEffect, first: bool) -> Vec<Field> {
    let models: Vec<String> = effect.order.iter().map(|p| clean_line(&p.model)).collect();
    let faint = |text: &str| Field::new(text, Tone::Faint);
    if first {
        return vec![
            Field::new(clean_line(&effect.policy), Tone::Strong),
            faint(DASH),
            faint(DASH),
            faint(DASH),
            faint(DASH),
            Field::from(models.join(" > ")),
        ];
    }
    let tau = effect.tau_b.value;
    let moved = !effect.moves.is_empty();
    vec![
        Field::from(clean_line(&effect.policy)),
        match tau {
            Some(tau) if moved => Field::new(format!("{tau:.3}"), Tone::Odd),
            Some(tau) => Field::from(format!("{tau:.3}")),
            None => faint(DASH),
        },
        Field::from(format!("{} of {}", effect.moves.len(), models.len())),
        match &effect.largest_change {
            Some((model, points)) if *points != 0.0 => {
                Field::from(format!("{points:+.2} {}", clean_line(model)))
            }
            _ => faint("none"),
        },
        if moved {
            Field::from(moves(&effect.moves))
        } else {
            faint(DASH)
        },
        if moved {
            Field::from(models.join(" > "))
        } else {
            faint("the same")
        },
    ]
}

fn moves(moves: &[Move]) -> String {
    let one = |m: &Move| {
        let model = clean_line(&m.model);
        format!("{model} {}→{} ({:+.2})", m.from, m.to, m.points)
    };
    let mut told: Vec<String> = moves.iter().take(MOVES).map(one).collect();
    if moves.len() > MOVES {
        told.push(format!("{} more", moves.len() - MOVES));
    }
    told.join(", ")
}
