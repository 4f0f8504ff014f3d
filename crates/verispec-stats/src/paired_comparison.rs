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

    /// Groups within which everybody has beaten everybody else directly or through others.
    fn components(&self) -> usize {
        let p = self.players;
        let mut reaches: Vec<bool> = (0..p * p)
            .map(|k| k / p == k % p || self.counts[k] > 0.0)
            .collect();
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

    /// Maximum-likelihood abilities, P(i beats j) = 1 / (1 + exp(b_j - b_i)) (R. Bradley, M. Terry,
    /// Biometrika 1952), by Newton's method with step halving on the concave likelihood; no
    /// shrinkage.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] below two players; [`Undefined::NotLinked`] when some player or group
    /// never lost to, or never won against, the rest (L. Ford, American Mathematical Monthly 1957):
    /// the maximum is then at infinity; [`Undefined::NoConvergence`].
    pub fn fit(&self) -> Defined<BradleyTerry> {
        at_least("players", self.players, 2)?;
        finite("wins", &self.counts)?;
        let components = self.components();
        if components > 1 {
            return Err(Undefined::NotLinked { components });
        }
        let mut abilities = vec![0.0; self.players];
        for _ in 0..100 {
            let (gradient, covariance) = self.newton(&abilities)?;
            let step = product(&covariance, &gradient);
            let size = step.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
            let here = self.log_likelihood(&abilities);
            let mut scale = 1.0;
            let mut next = moved(&abilities, &step, scale);
            // Below that size rounding decides, and Newton's step is right.
            while size > 1e-6 && self.log_likelihood(&next) < here && scale > 1e-9 {
                scale *= 0.5;
                next = moved(&abilities, &step, scale);
            }
            abilities = next;
            if size < 1e-13 * (1.0 + abilities.iter().fold(0.0_f64, |m, a| m.max(a.abs()))) {
                return Ok(BradleyTerry {
                    abilities,
                    covariance,
                });
            }
        }
        Err(Undefined::NoConvergence {
            what: "Bradley-Terry",
            iterations: 100,
        })
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
    /// with 1 / p added everywhere it has an inverse, and the same taken off gives back the
    /// directions with mean 0.
    fn newton(&self, abilities: &[f64]) -> Defined<(Vec<f64>, Vec<f64>)> {
        let p = self.players;
        let share = 1.0 / p as f64;
        let mut gradient = vec![0.0; p];
        let mut information = vec![share; p * p];
        for i in 0..p {
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
        covariance.iter_mut().for_each(|value| *value -= share);
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
