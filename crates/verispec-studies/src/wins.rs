//! Who beats whom? On every instance that two models both have a score on, the higher one wins;
//! Bradley-Terry abilities of these wins as a ranking.

use serde::Serialize;
use verispec_stats::bootstrap::{Function, Replicates, bootstrap};
use verispec_stats::paired_comparison::Wins;
use verispec_stats::{Defined, Undefined};

use crate::compare::Options;
use crate::draws;
use crate::estimate::Estimate;
use crate::matrix::{Matrix, TrackMatrix};

/// Scores closer than this are a tie, percent points.
const TIE: f64 = 1e-9;

/// One track's ranking by wins.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WinRanking {
    /// Track.
    pub track: String,
    /// Strongest first; without abilities in the order of the shares of wins.
    pub models: Vec<Contestant>,
    /// Why there are no abilities, for instance a model that never lost.
    pub undefined: Option<Undefined>,
    /// Instances with a score of two models or more.
    pub instances: usize,
}

/// A model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contestant {
    /// Model.
    pub model: String,
    /// Instances won against another model.
    pub wins: usize,
    /// Instances with equal scores; half a win each.
    pub ties: usize,
    /// Instances lost.
    pub losses: usize,
    /// Log-odds of beating a model of mean ability; interval over instances.
    pub ability: Estimate,
    /// Mean over the other models of the fitted probability to beat them, 0-1; interval over
    /// instances.
    pub beats: Estimate,
}

/// Wins of all pairs under the first level of a matrix, track by track.
///
/// Intervals draw instances within dimensions (all of one source image together) and fit anew: wins
/// on one instance are not independent, so errors from the fit alone would be too small.
#[must_use]
pub fn win_rankings(matrix: &Matrix, options: Options) -> Vec<WinRanking> {
    let tracks = matrix.tracks.iter();
    tracks.map(|track| ranking(track, options)).collect()
}

/// Two models on one instance; the first won unless it is a tie.
#[derive(Debug, Clone, Copy)]
struct Game {
    first: usize,
    second: usize,
    tie: bool,
}

/// The games of each instance.
type Games = Vec<Vec<Game>>;

/// Everybody with a score against everybody else.
fn games(track: &TrackMatrix, unit: usize) -> Vec<Game> {
    let scores: Vec<(usize, f64)> = (0..track.models.len())
        .filter_map(|m| Some((m, track.cell(0, m, unit).score?)))
        .collect();
    let game = |(i, a): (usize, f64), (j, b): (usize, f64)| {
        let (first, second) = if a > b { (i, j) } else { (j, i) };
        Game {
            first,
            second,
            tie: (a - b).abs() <= TIE,
        }
    };
    let pairs = scores.iter().enumerate();
    pairs
        .flat_map(|(k, one)| scores[..k].iter().map(move |other| game(*one, *other)))
        .collect()
}

fn ranking(track: &TrackMatrix, options: Options) -> WinRanking {
    let n = track.models.len();
    let games: Games = (0..track.units.len()).map(|u| games(track, u)).collect();
    let once = vec![1; games.len()];
    let fitted = fit(&games, n, &once);
    let drawn = fitted
        .as_ref()
        .ok()
        .and_then(|_| draw(track, &games, options));
    let mut models: Vec<Contestant> = (0..n)
        .map(|m| contestant(track, &games, m, drawn.as_ref(), fitted.as_ref(), options))
        .collect();
    let share = |c: &Contestant| {
        let games = (c.wins + c.ties + c.losses).max(1) as f64;
        (c.wins as f64 + 0.5 * c.ties as f64) / games
    };
    let strength = |c: &Contestant| c.ability.value.unwrap_or_else(|| share(c));
    models.sort_by(|a, b| {
        let by = strength(b).total_cmp(&strength(a));
        by.then_with(|| a.model.cmp(&b.model))
    });
    WinRanking {
        track: track.name.clone(),
        models,
        undefined: fitted.err(),
        instances: games.iter().filter(|g| !g.is_empty()).count(),
    }
}

/// Abilities, then mean probabilities to win, of all models.
fn fit(games: &Games, n: usize, times: &[u32]) -> Defined<Vec<f64>> {
    let mut wins = Wins::new(n);
    for (games, times) in games.iter().zip(times).filter(|(_, times)| **times > 0) {
        let times = f64::from(*times);
        for game in games {
            match game.tie {
                true => wins.add_tie(game.first, game.second, times)?,
                false => wins.add(game.first, game.second, times)?,
            }
        }
    }
    let fitted = wins.fit(0.0)?;
    let beats = (0..n).map(|i| {
        let others = (0..n).filter(|j| *j != i);
        others.map(|j| fitted.win_probability(i, j)).sum::<f64>() / (n - 1) as f64
    });
    let beats: Vec<f64> = beats.collect();
    Ok([fitted.abilities, beats].concat())
}

fn draw(track: &TrackMatrix, games: &Games, options: Options) -> Option<Replicates> {
    let n = track.models.len();
    let plan = draws::plan(std::slice::from_ref(track)).ok()?;
    let again = Function::new(2 * n, |times: &[u32], out: &mut [Option<f64>]| {
        match fit(games, n, times) {
            Ok(values) => out.iter_mut().zip(values).for_each(|(o, v)| *o = Some(v)),
            Err(_) => out.fill(None),
        }
    });
    bootstrap(&plan, &again, options.draws, options.seed).ok()
}

fn contestant(
    track: &TrackMatrix,
    games: &Games,
    m: usize,
    drawn: Option<&Replicates>,
    fitted: Result<&Vec<f64>, &Undefined>,
    options: Options,
) -> Contestant {
    let (mut wins, mut ties, mut losses) = (0, 0, 0);
    for game in games.iter().flatten() {
        match (game.first == m, game.second == m) {
            (false, false) => {}
            _ if game.tie => ties += 1,
            (true, _) => wins += 1,
            (false, true) => losses += 1,
        }
    }
    let estimate = |index: usize| {
        let value = fitted.map(|f| f[index]).map_err(Undefined::clone);
        let estimate = Estimate::of(value);
        match drawn {
            Some(drawn) => estimate.with(&drawn.output(index), options.level),
            None => estimate,
        }
    };
    Contestant {
        model: track.models[m].clone(),
        wins,
        ties,
        losses,
        ability: estimate(m),
        beats: estimate(track.models.len() + m),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Clusters;
    use crate::testing::{Noise, Rows, matrix, results};

    fn study(models: &[(&str, Vec<Vec<Option<bool>>>)]) -> WinRanking {
        let rows = |verdicts: &[Vec<Option<bool>>]| -> Rows {
            let row = |(i, met): (usize, &Vec<Option<bool>>)| {
                (format!("d{}", i % 2), format!("{i:02}"), met.clone())
            };
            verdicts.iter().enumerate().map(row).collect()
        };
        let models: Vec<_> = models
            .iter()
            .map(|(name, verdicts)| (*name, vec![("t", rows(verdicts))]))
            .collect();
        let levels = [("j", None, "g", results(&["t"], &models))];
        let options = Options {
            draws: 300,
            ..Options::default()
        };
        win_rankings(&matrix(&levels, &Clusters::new()), options).remove(0)
    }

    fn made(noise: &mut Noise, rate: f64) -> Vec<Vec<Option<bool>>> {
        let row = |noise: &mut Noise| (0..5).map(|_| Some(noise.unit() < rate)).collect();
        (0..40).map(|_| row(noise)).collect()
    }

    #[test]
    fn two_models_by_hand() {
        // a wins two, b one, one tie: 2.5 of 4, and log(2.5 / 1.5) apart.
        let (yes, no) = (vec![Some(true)], vec![Some(false)]);
        let a = vec![yes.clone(), yes.clone(), no.clone(), yes.clone()];
        let b = vec![no.clone(), no, yes.clone(), yes];
        let found = study(&[("a", a), ("b", b)]);
        assert_eq!(found.undefined, None);
        let first = &found.models[0];
        assert_eq!((first.model.as_str(), first.wins), ("a", 2));
        assert_eq!((first.ties, first.losses, found.instances), (1, 1, 4));
        let ability = (2.5_f64 / 1.5).ln() / 2.0;
        assert!((first.ability.value.unwrap() - ability).abs() < 1e-9);
        assert!((first.beats.value.unwrap() - 2.5 / 4.0).abs() < 1e-9);
    }

    #[test]
    fn better_models_stand_first_with_intervals() {
        let mut noise = Noise(4);
        let models = [("low", 0.3), ("mid", 0.6), ("top", 0.9)];
        let models: Vec<_> = models
            .map(|(name, rate)| (name, made(&mut noise, rate)))
            .into();
        let found = study(&models);
        let order: Vec<&str> = found.models.iter().map(|m| m.model.as_str()).collect();
        assert_eq!(order, ["top", "mid", "low"]);
        let sum: f64 = found.models.iter().map(|m| m.ability.value.unwrap()).sum();
        assert!(sum.abs() < 1e-9);
        let (top, low) = (&found.models[0].ability, &found.models[2].ability);
        assert!(top.interval.unwrap().low > low.interval.unwrap().high);
        assert_eq!(
            found.models.iter().map(|m| m.wins).sum::<usize>(),
            found.models.iter().map(|m| m.losses).sum::<usize>()
        );
    }

    #[test]
    fn a_model_that_never_lost_has_no_ability() {
        let found = study(&[
            ("all", vec![vec![Some(true)]; 4]),
            ("none", vec![vec![Some(false)]; 4]),
        ]);
        assert!(matches!(found.undefined, Some(Undefined::NotLinked { .. })));
        assert_eq!(found.models[0].ability.value, None);
        // The order by wins is still there.
        assert_eq!(
            (found.models[0].model.as_str(), found.models[0].wins),
            ("all", 4)
        );
    }
}
