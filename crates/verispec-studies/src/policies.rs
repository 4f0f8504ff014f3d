//! What other ways of scoring the same verdicts do to a ranking.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_stats::Undefined;
use verispec_stats::rank::{merge_ties, tau_b};

use crate::estimate::Estimate;

/// Scores closer than this are a tie, percent points: far below what a table shows, above the
/// rounding noise of sums.
const TIE: f64 = 1e-9;

/// Scores of models under one way of scoring, percent; models without one are absent.
pub type Scores = BTreeMap<String, f64>;

/// One way of scoring beside the one that all are compared with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PolicyEffect {
    /// Name of the choice, for instance `weights=rating`.
    pub policy: String,
    /// Models with a score both ways, best first under this way.
    pub order: Vec<Placed>,
    /// tau-b between the two ways' scores, over the same models; -1 to 1.
    pub tau_b: Estimate,
    /// Models whose place differs, by how far they move, farthest first.
    pub moves: Vec<Move>,
    /// The largest change of a score, percent points (this way minus the other), with its model.
    pub largest_change: Option<(String, f64)>,
    /// Models that have a score under one way only.
    pub left_out: Vec<String>,
}

/// A model with its place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Placed {
    /// Model.
    pub model: String,
    /// One more than the number of models with a higher score: ties share the best place.
    pub place: usize,
    /// Percent.
    pub score: f64,
}

/// A model that moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Move {
    /// Model.
    pub model: String,
    /// Place under the way compared with.
    pub from: usize,
    /// Place under this way.
    pub to: usize,
    /// Change of the score, percent points.
    pub points: f64,
}

/// Compares one way of scoring with another.
#[must_use]
pub fn effect(policy: &str, base: &Scores, scores: &Scores) -> PolicyEffect {
    let both: Vec<(&String, f64, f64)> = base
        .iter()
        .filter_map(|(model, before)| Some((model, *before, *scores.get(model)?)))
        .collect();
    let mut before: Vec<f64> = both.iter().map(|b| b.1).collect();
    let mut after: Vec<f64> = both.iter().map(|b| b.2).collect();
    merge_ties(&mut before, TIE);
    merge_ties(&mut after, TIE);
    let (from, to) = (places(&before), places(&after));
    let mut order: Vec<Placed> = vec![];
    let mut moves: Vec<Move> = vec![];
    for (i, (model, was, is)) in both.iter().enumerate() {
        order.push(Placed {
            model: (*model).clone(),
            place: to[i],
            score: *is,
        });
        if from[i] != to[i] {
            moves.push(Move {
                model: (*model).clone(),
                from: from[i],
                to: to[i],
                points: is - was,
            });
        }
    }
    order.sort_by(|a, b| a.place.cmp(&b.place).then_with(|| a.model.cmp(&b.model)));
    moves.sort_by_key(|m| (std::cmp::Reverse(m.from.abs_diff(m.to)), m.to));
    let largest = both
        .iter()
        .max_by(|a, b| (a.2 - a.1).abs().total_cmp(&(b.2 - b.1).abs()));
    let alone = |a: &Scores, b: &Scores| -> Vec<String> {
        a.keys().filter(|m| !b.contains_key(*m)).cloned().collect()
    };
    PolicyEffect {
        policy: policy.to_owned(),
        tau_b: Estimate::of(coefficient(&before, &after)),
        largest_change: largest.map(|(model, was, is)| ((*model).clone(), is - was)),
        left_out: [alone(base, scores), alone(scores, base)].concat(),
        order,
        moves,
    }
}

fn coefficient(before: &[f64], after: &[f64]) -> Result<f64, Undefined> {
    if before.len() < 2 {
        return Err(Undefined::TooFew {
            what: "models with a score both ways",
            found: before.len(),
            need: 2,
        });
    }
    tau_b(before, after)
}

fn places(scores: &[f64]) -> Vec<usize> {
    let better = |s: &f64| scores.iter().filter(|o| *o > s).count();
    scores.iter().map(|s| 1 + better(s)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(rows: &[(&str, f64)]) -> Scores {
        rows.iter().map(|(m, s)| ((*m).to_owned(), *s)).collect()
    }

    #[test]
    fn a_swap_moves_two_models() {
        let base = scores(&[("a", 90.0), ("b", 80.0), ("c", 70.0), ("gone", 1.0)]);
        let other = scores(&[("a", 75.0), ("b", 80.5), ("c", 70.0)]);
        let effect = effect("x", &base, &other);
        // One of three pairs is ordered otherwise.
        assert!((effect.tau_b.value.unwrap() - 1.0 / 3.0).abs() < 1e-12);
        let order: Vec<&str> = effect.order.iter().map(|p| p.model.as_str()).collect();
        assert_eq!(order, ["b", "a", "c"]);
        let moves: Vec<(&str, usize, usize, f64)> = effect
            .moves
            .iter()
            .map(|m| (m.model.as_str(), m.from, m.to, m.points))
            .collect();
        assert_eq!(moves, [("b", 2, 1, 0.5), ("a", 1, 2, -15.0)]);
        assert_eq!(effect.largest_change, Some(("a".to_owned(), -15.0)));
        assert_eq!(effect.left_out, ["gone"]);
    }

    #[test]
    fn nothing_changes_against_itself_and_ties_share_a_place() {
        let base = scores(&[("a", 50.0), ("b", 50.0 + 1e-12), ("c", 10.0)]);
        let same = effect("same", &base, &base);
        assert_eq!(same.tau_b.value, Some(1.0));
        assert!(same.moves.is_empty());
        let places: Vec<usize> = same.order.iter().map(|p| p.place).collect();
        assert_eq!(places, [1, 1, 3]);
    }

    #[test]
    fn one_model_has_no_order() {
        let one = scores(&[("a", 50.0)]);
        let effect = effect("x", &one, &one);
        assert_eq!(effect.tau_b.value, None);
        assert!(effect.tau_b.undefined.is_some());
        assert_eq!(effect.order.len(), 1);
    }
}
