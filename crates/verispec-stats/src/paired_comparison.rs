//! Bradley-Terry abilities from paired comparisons (arena data).

use crate::{
    Defined, Undefined,
    undefined::{at_least, finite},
};
use serde::Serialize;

/// Who beat whom how often; a tie is half a win for each side.
#[derive(Debug, Clone, PartialEq)]
pub struct Wins {
    players: usize,
    /// Players x players: wins of the first over the second.
    counts: Vec<f64>,
}

/// Fitted abilities.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BradleyTerry {
    /// Log abilities with mean 0: logit of P(i beats j) is the difference.
    pub abilities: Vec<f64>,
    /// Covariance of the abilities, players x players (pseudo-inverse of the Fisher information).
    /// A tie counts like half a win, so that with many ties the errors are on the large side.
    pub covariance: Vec<f64>,
}

impl Wins {
    /// No comparison yet.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self {
            players,
            counts: vec![0.0; players * players],
        }
    }

    /// Adds `times` wins of one player over another.
    ///
    /// # Errors
    /// [`Undefined::OutOfRange`] for an unknown player, a player against itself, or `times` that is
    /// negative or not finite.
    pub fn add(&mut self, winner: usize, loser: usize, times: f64) -> Defined<()> {
        for (input, player) in [("winner", winner), ("loser", loser)] {
            if player >= self.players || winner == loser {
                let range = "two different players of the table";
                return Err(Undefined::OutOfRange {
                    input,
                    found: player as f64,
                    range,
                });
            }
        }
        if !(times >= 0.0 && times.is_finite()) {
            return Err(Undefined::OutOfRange {
                input: "times",
                found: times,
                range: "[0, inf)",
            });
        }
        self.counts[winner * self.players + loser] += times;
        Ok(())
    }

    /// Adds `times` ties.
    ///
    /// # Errors
    /// As [`Wins::add`].
    pub fn add_tie(&mut self, first: usize, second: usize, times: f64) -> Defined<()> {
        self.add(first, second, 0.5 * times)?;
        self.add(second, first, 0.5 * times)
    }

    fn wins(&self, i: usize, j: usize) -> f64 {
        self.counts[i * self.players + j]
    }

    /// Groups within which everybody has beaten everybody else, directly or through others
    /// (`both_ways`), or has been compared so.
    fn components(&self, both_ways: bool) -> usize {
        let p = self.players;
        let linked = |i: usize, j: usize| {
            i == j || self.wins(i, j) > 0.0 || (!both_ways && self.wins(j, i) > 0.0)
        };
        let mut reaches: Vec<bool> = (0..p * p).map(|k| linked(k / p, k % p)).collect();
        for via in 0..p {
            for i in 0..p {
                if reaches[i * p + via] {
                    for j in 0..p {
                        reaches[i * p + j] |= reaches[via * p + j];
                    }
                }
            }
        }
        let mutual = |i: usize, j: usize| reaches[i * p + j] && reaches[j * p + i];
        (0..p).filter(|&i| (0..i).all(|j| !mutual(i, j))).count()
    }

    /// Abilities with the largest likelihood less `ridge` times the sum of their squares,
    /// P(i beats j) = 1 / (1 + exp(b_j - b_i)) (R. Bradley, M. Terry, Biometrika 1952), by Newton's
    /// method with step halving.
    ///
    /// `ridge` 0 is maximum likelihood, the default to take. A small one (1e-6) keeps a player who
    /// never won finite, at a place that the ridge decides more than the data.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] below two players; [`Undefined::NotLinked`] without a ridge when some
    /// player or group never lost to, or never won against, the rest (the maximum is then at
    /// infinity; L. Ford, American Mathematical Monthly 1957), with one when some were never
    /// compared; [`Undefined::OutOfRange`] for a negative ridge; [`Undefined::NoConvergence`].
    pub fn fit(&self, ridge: f64) -> Defined<BradleyTerry> {
        at_least("players", self.players, 2)?;
        finite("wins", &self.counts)?;
        if !(ridge >= 0.0 && ridge.is_finite()) {
            return Err(Undefined::OutOfRange {
                input: "ridge",
                found: ridge,
                range: "[0, inf)",
            });
        }
        let components = self.components(ridge == 0.0);
        if components > 1 {
            return Err(Undefined::NotLinked { components });
        }
        let mut abilities = vec![0.0; self.players];
        let mut previous = f64::INFINITY;
        for _ in 0..200 {
            let (gradient, covariance) = self.newton(&abilities, ridge)?;
            let step = product(&covariance, &gradient);
            let size = step.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
            // Steps shrink by squares until rounding stops them: then nothing more is to be had.
            if size < 1e-14 || (size < 1e-6 && size > 0.5 * previous) {
                return Ok(BradleyTerry {
                    abilities,
                    covariance,
                });
            }
            previous = size;
            abilities = self.improved(&abilities, &step, ridge, size);
        }
        Err(Undefined::NoConvergence {
            what: "Bradley-Terry",
            iterations: 200,
        })
    }

    /// The abilities after a step, halved until it does not harm. Small steps are taken as they
    /// are: there rounding of the likelihood would decide.
    fn improved(&self, from: &[f64], step: &[f64], ridge: f64, size: f64) -> Vec<f64> {
        let penalised = |abilities: &[f64]| {
            self.log_likelihood(abilities) - ridge * abilities.iter().map(|a| a * a).sum::<f64>()
        };
        let here = penalised(from);
        let mut scale = 1.0;
        let mut next = moved(from, step, scale);
        while size > 1e-4 && penalised(&next) < here && scale > 1e-9 {
            scale *= 0.5;
            next = moved(from, step, scale);
        }
        next
    }

    fn log_likelihood(&self, abilities: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.players {
            for j in 0..self.players {
                let wins = self.wins(i, j);
                if wins > 0.0 {
                    sum -= wins * (abilities[j] - abilities[i]).exp().ln_1p();
                }
            }
        }
        sum
    }

    /// Gradient, and the pseudo-inverse of the information matrix. The information is a Laplacian;
    /// with 1 / p added everywhere it has an inverse, and the share of the constant direction taken
    /// off that leaves the directions with mean 0.
    fn newton(&self, abilities: &[f64], ridge: f64) -> Defined<(Vec<f64>, Vec<f64>)> {
        let p = self.players;
        let share = 1.0 / p as f64;
        let mut gradient = vec![0.0; p];
        let mut information = vec![share; p * p];
        for i in 0..p {
            gradient[i] -= 2.0 * ridge * abilities[i];
            information[i * p + i] += 2.0 * ridge;
            for j in (0..p).filter(|&j| j != i) {
                let games = self.wins(i, j) + self.wins(j, i);
                let win = 1.0 / (1.0 + (abilities[j] - abilities[i]).exp());
                gradient[i] += self.wins(i, j) - games * win;
                let weight = games * win * (1.0 - win);
                information[i * p + i] += weight;
                information[i * p + j] -= weight;
            }
        }
        let mut covariance = inverse(information, p)?;
        let constant = share / (1.0 + 2.0 * ridge);
        covariance.iter_mut().for_each(|value| *value -= constant);
        Ok((gradient, covariance))
    }
}

impl BradleyTerry {
    /// Standard error of the ability of `player` (of its distance from the mean of all).
    #[must_use]
    pub fn se(&self, player: usize) -> f64 {
        self.entry(player, player).max(0.0).sqrt()
    }

    /// Standard error of the difference of two abilities, which does not depend on the mean.
    #[must_use]
    pub fn difference_se(&self, first: usize, second: usize) -> f64 {
        let variance =
            self.entry(first, first) + self.entry(second, second) - 2.0 * self.entry(first, second);
        variance.max(0.0).sqrt()
    }

    /// P(first beats second), in (0, 1).
    #[must_use]
    pub fn win_probability(&self, first: usize, second: usize) -> f64 {
        1.0 / (1.0 + (self.abilities[second] - self.abilities[first]).exp())
    }

    fn entry(&self, i: usize, j: usize) -> f64 {
        self.covariance[i * self.abilities.len() + j]
    }
}

fn moved(from: &[f64], step: &[f64], scale: f64) -> Vec<f64> {
    let moved: Vec<f64> = from.iter().zip(step).map(|(a, s)| a + scale * s).collect();
    let mean = moved.iter().sum::<f64>() / moved.len() as f64;
    moved.into_iter().map(|a| a - mean).collect()
}

fn product(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    let row = |row: &[f64]| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.chunks_exact(vector.len()).map(row).collect()
}

/// Inverse of a positive definite matrix by Gauss-Jordan elimination, which needs no pivoting there.
fn inverse(mut a: Vec<f64>, p: usize) -> Defined<Vec<f64>> {
    let mut b = vec![0.0; p * p];
    (0..p).for_each(|i| b[i * p + i] = 1.0);
    for k in 0..p {
        let pivot = a[k * p + k];
        // Not above 0, or not a number.
        if pivot.is_nan() || pivot <= 0.0 {
            return Err(Undefined::Degenerate {
                what: "the information matrix: it is singular",
            });
        }
        for j in 0..p {
            a[k * p + j] /= pivot;
            b[k * p + j] /= pivot;
        }
        for i in (0..p).filter(|&i| i != k) {
            let factor = a[i * p + k];
            for j in 0..p {
                a[i * p + j] -= factor * a[k * p + j];
                b[i * p + j] -= factor * b[k * p + j];
            }
        }
    }
    Ok(b)
}
