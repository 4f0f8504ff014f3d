//! Two levels in one track.

use serde::Serialize;
use verispec_stats::bootstrap::Replicates;
use verispec_stats::rank::{spearman, tau_b, weighted_tau};
use verispec_stats::{Defined, Undefined};

use super::{Options, complete};
use crate::estimate::Estimate;
use crate::matrix::{Level, Matrix, TrackMatrix};

/// How two levels are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Both are of one family.
    Intra,
    /// They are of different families.
    Cross,
    /// A family is not known.
    Unknown,
}

/// Which pairs a mean is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// All pairs.
    All,
    /// Pairs inside a family.
    Intra,
    /// All pairs across families.
    CrossAllPairs,
    /// Pairs across families, each family represented by its first level.
    CrossOnePerFamily,
}

impl Selection {
    /// In the order of tables.
    pub const EACH: [Self; 4] = [
        Self::All,
        Self::Intra,
        Self::CrossAllPairs,
        Self::CrossOnePerFamily,
    ];

    /// Name in tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all pairs",
            Self::Intra => "intra-family",
            Self::CrossAllPairs => "cross-family, all pairs",
            Self::CrossOnePerFamily => "cross-family, one per family",
        }
    }
}

/// Two levels in one track.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// Group of both.
    pub group: String,
    /// First level's name.
    pub first: String,
    /// Second level's name.
    pub second: String,
    /// How they are related.
    pub kind: Kind,
    /// Kendall's tau-b over the models, -1 to 1.
    pub tau_b: Estimate,
    /// Vigna's weighted tau, hyperbolic, top of the ranking first, -1 to 1.
    pub weighted_tau: Estimate,
    /// Spearman's rho with mid-ranks, -1 to 1.
    pub rho: Estimate,
    /// Indexes of the levels.
    #[serde(skip)]
    pub(super) levels: (usize, usize),
}

/// Pairs of n levels.
pub(super) const fn count(n: usize) -> usize {
    n * n.saturating_sub(1) / 2
}

/// Place of the pair (i, j), i < j, of n levels in (0, 1), (0, 2) ... (1, 2) ...
pub(super) const fn place(i: usize, j: usize, n: usize) -> usize {
    i * n - i * (i + 1) / 2 + (j - i - 1)
}

fn kind(a: &Level, b: &Level) -> Kind {
    match (&a.family, &b.family) {
        (Some(a), Some(b)) if a == b => Kind::Intra,
        (Some(_), Some(_)) => Kind::Cross,
        _ => Kind::Unknown,
    }
}

/// The pairs of levels of one group, by their indexes.
pub(super) fn selected(
    matrix: &Matrix,
    members: &[usize],
    selection: Selection,
) -> Vec<(usize, usize)> {
    let first_of_family = |level: usize| {
        let family = &matrix.levels[level].family;
        members
            .iter()
            .find(|m| matrix.levels[**m].family == *family)
            == Some(&level)
    };
    let mut pairs = vec![];
    for (i, a) in members.iter().enumerate() {
        for b in &members[i + 1..] {
            let kind = kind(&matrix.levels[*a], &matrix.levels[*b]);
            let wanted = match selection {
                Selection::All => true,
                Selection::Intra => kind == Kind::Intra,
                Selection::CrossAllPairs => kind == Kind::Cross,
                Selection::CrossOnePerFamily => {
                    kind == Kind::Cross && first_of_family(*a) && first_of_family(*b)
                }
            };
            if wanted {
                pairs.push((*a, *b));
            }
        }
    }
    pairs
}

/// All pairs of a track, group by group, without intervals.
pub(super) fn of_track(matrix: &Matrix, track: &TrackMatrix) -> Vec<Pair> {
    let scores: Vec<Option<Vec<f64>>> = (0..matrix.levels.len())
        .map(|l| complete(track, l))
        .collect();
    let mut pairs = vec![];
    for (group, members) in matrix.groups() {
        for (a, b) in selected(matrix, &members, Selection::All) {
            let of = |f: fn(&[f64], &[f64]) -> Defined<f64>| {
                let missing = Undefined::Degenerate {
                    what: "the score of a model",
                };
                let both = scores[a].as_ref().zip(scores[b].as_ref()).ok_or(missing);
                Estimate::of(both.and_then(|(x, y)| f(x, y)))
            };
            pairs.push(Pair {
                group: group.clone(),
                first: matrix.levels[a].name.clone(),
                second: matrix.levels[b].name.clone(),
                kind: kind(&matrix.levels[a], &matrix.levels[b]),
                tau_b: of(tau_b),
                weighted_tau: of(weighted_tau),
                rho: of(|x, y| spearman(x, y).map(|c| c.value)),
                levels: (a, b),
            });
        }
    }
    pairs
}

/// Adds the intervals of tau-b; `at` is where the track's pairs begin in the draws.
pub(super) fn with_intervals(
    mut pairs: Vec<Pair>,
    matrix: &Matrix,
    drawn: Option<&Replicates>,
    at: usize,
    options: &Options,
) -> Vec<Pair> {
    let Some(drawn) = drawn else { return pairs };
    for pair in &mut pairs {
        let (a, b) = pair.levels;
        let sample = drawn.output(at + place(a, b, matrix.levels.len()));
        let tau = pair.tau_b.clone();
        pair.tau_b = options.intervals.add(tau, &sample, options.level);
    }
    pairs
}
