//! Simulated judges: true scores of models, noisy instances, and whether intervals of tau hold the
//! tau of the true scores.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use rayon::prelude::*;
use verispec_stats::{
    bootstrap::{
        PairwiseTau, Plan, Replicates, Sample, ScoreTable, TauTable, bootstrap, true_taus,
    },
    interval::Interval,
    random::Stream,
    rank::tau_b,
    special::normal_quantile,
};

/// How true scores of two judges come about. All lie in 0..=0.8.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Truth {
    /// Anew in each run: uniform in 0..0.5, the second judge's four fifths the first's and one fifth
    /// their own. Mean tau .84.
    Drawn,
    /// The same in each run: evenly spaced in 0..=0.5, every third model raised by the second judge
    /// by 1.6 steps.
    Even,
    /// Evenly spaced, the second judge the first: tau is 1.
    Alike,
    /// As `Even`, but every second model exactly as good as the one before it, for both judges.
    Tied,
}

/// What is simulated.
#[derive(Debug, Clone, Copy)]
pub struct World {
    pub truth: Truth,
    pub models: usize,
    pub items: usize,
    /// Standard deviation of an instance's own value for a model; as much again is each judge's.
    pub noise: f64,
}

/// The intervals that are compared.
pub const METHODS: [&str; 4] = ["percentile", "BC", "reflected", "true scores"];

/// Coverage and mean width of each method, in 0..=1.
#[derive(Debug, Clone, Copy, Default)]
pub struct Found {
    pub held: [f64; 4],
    pub width: [f64; 4],
    /// Mean of tau found less tau of the true scores.
    pub bias: f64,
    /// Mean share of draws inside the interval of the true scores.
    pub within: f64,
}

pub fn normal(stream: &mut Stream) -> f64 {
    normal_quantile(stream.unit().max(1e-300)).unwrap()
}

fn true_scores(truth: Truth, models: usize, stream: &mut Stream) -> [Vec<f64>; 2] {
    let step = 0.5 / (models - 1) as f64;
    let level = |m: usize| match truth {
        Truth::Tied => (m - m % 2) as f64 * step,
        _ => m as f64 * step,
    };
    let raised = |m: usize| {
        if (m / 2).is_multiple_of(3) {
            3.2 * step
        } else {
            0.0
        }
    };
    let first: Vec<f64> = match truth {
        Truth::Drawn => (0..models).map(|_| 0.5 * stream.unit()).collect(),
        _ => (0..models).map(level).collect(),
    };
    let second = (0..models).map(|m| match truth {
        Truth::Drawn => 0.8 * first[m] + 0.1 * stream.unit(),
        Truth::Even => first[m] + if m % 3 == 0 { 1.6 * step } else { 0.0 },
        Truth::Alike => first[m],
        Truth::Tied => first[m] + raised(m),
    });
    let second = second.collect();
    [first, second]
}

/// Instances as judges see them: true score + the instance's own value for the model + the judge's
/// error. The first has this number.
fn table(
    raters: &[Vec<f64>],
    (first, items): (usize, usize),
    noise: f64,
    stream: &mut Stream,
) -> TauTable {
    let models = raters[0].len();
    let mut table = ScoreTable::new(raters.len() * models, 1);
    for unit in first..first + items {
        let own: Vec<f64> = (0..models).map(|_| noise * normal(stream)).collect();
        let truth = raters.iter().flatten().zip(own.iter().cycle());
        let row: Vec<Option<f64>> = truth
            .map(|(t, own)| Some(t + own + noise * normal(stream)))
            .collect();
        table.push(unit, 0, &row).unwrap();
    }
    TauTable::new(table, raters.len(), models).unwrap()
}

fn reflected(sample: &Sample) -> Option<Interval> {
    let (interval, twice) = (sample.percentile(0.95).ok()?, 2.0 * sample.estimate?);
    let turned = Interval {
        low: twice - interval.high,
        high: twice - interval.low,
        level: 0.95,
    };
    Some(turned.clipped(-1.0, 1.0))
}

/// One run; `None` for an interval that is not defined, which then does not hold anything.
fn once(world: World, draws: usize, stream: &mut Stream) -> Found {
    let scores = true_scores(world.truth, world.models, stream);
    let truth = tau_b(&scores[0], &scores[1]).unwrap();
    let tables = vec![table(&scores, (0, world.items), world.noise, stream)];
    let plan = Plan::simple(world.items).unwrap();
    let seed = u64::from(stream.bits());
    let plain = bootstrap(&plan, &PairwiseTau::new(tables.clone()), draws, seed).unwrap();
    let (plain, shrunk) = (
        plain.output(0),
        true_taus(&plan, tables, draws, seed).unwrap().output(0),
    );
    let own = shrunk.outer_percentile(0.95).ok();
    let intervals = [
        plain.percentile(0.95).ok(),
        plain.bca(0.95, 0.0).ok(),
        reflected(&plain),
        own,
    ];
    let mut found = Found {
        bias: plain.estimate.unwrap() - truth,
        within: shrunk.share_within(&own.unwrap()).unwrap(),
        ..Found::default()
    };
    for (k, interval) in intervals.iter().enumerate() {
        let Some(i) = interval else { continue };
        // tau is a quotient: the same number may come out a last bit apart.
        found.held[k] = f64::from(u8::from(i.low - 1e-9 <= truth && truth <= i.high + 1e-9));
        found.width[k] = i.high - i.low;
    }
    found
}

/// The mean of `runs` runs.
pub fn simulate(world: World, runs: u64, draws: usize) -> Found {
    let all: Vec<Found> = (0..runs)
        .into_par_iter()
        .map(|run| once(world, draws, &mut Stream::new(0x7a0, run)))
        .collect();
    let n = runs as f64;
    let mut mean = Found::default();
    for one in all {
        for k in 0..METHODS.len() {
            mean.held[k] += one.held[k] / n;
            mean.width[k] += one.width[k] / n;
        }
        mean.bias += one.bias / n;
        mean.within += one.within / n;
    }
    mean
}

/// What a protocol study makes: two protocols of three judges over two tracks.
pub const STUDY: [&str; 3] = ["mean, close judges", "mean, far judges", "their difference"];

/// Coverage by percentile and by true scores of the mean tau of each protocol, over pairs of judges,
/// then over tracks, and of the difference of the protocols. Judges of the first protocol differ by
/// .03, of the second by .08 (standard deviations), the models by .14.
pub fn simulate_study(
    models: usize,
    items: usize,
    noise: f64,
    runs: u64,
    draws: usize,
) -> [[f64; 3]; 2] {
    let all: Vec<[[f64; 3]; 2]> = (0..runs)
        .into_par_iter()
        .map(|run| study(models, items, noise, draws, &mut Stream::new(0x7a1, run)))
        .collect();
    let mut held = [[0.0; 3]; 2];
    for one in &all {
        for (sums, found) in held.iter_mut().zip(one) {
            for (sum, f) in sums.iter_mut().zip(found) {
                *sum += f / runs as f64;
            }
        }
    }
    held
}

fn study(
    models: usize,
    items: usize,
    noise: f64,
    draws: usize,
    stream: &mut Stream,
) -> [[f64; 3]; 2] {
    const TRACKS: usize = 2;
    let (mut tables, mut truths, mut strata) = (vec![], vec![], vec![]);
    for track in 0..TRACKS {
        let quality: Vec<f64> = (0..models).map(|_| 0.5 * stream.unit()).collect();
        let raters: Vec<Vec<f64>> = (0..6)
            .map(|rater| {
                let apart = if rater < 3 { 0.03 } else { 0.08 };
                quality.iter().map(|q| q + apart * normal(stream)).collect()
            })
            .collect();
        for a in 0..6 {
            for b in a + 1..6 {
                truths.push(Some(tau_b(&raters[a], &raters[b]).unwrap()));
            }
        }
        strata.extend(std::iter::repeat_n(track as u32, items));
        let table = table(&raters, (track * items, items), noise, stream);
        tables.push(table.in_groups(&[0, 0, 0, 1, 1, 1]).unwrap());
    }
    let plan = Plan::stratified(&strata).unwrap();
    let seed = u64::from(stream.bits());
    let plain = bootstrap(&plan, &PairwiseTau::new(tables.clone()), draws, seed).unwrap();
    let shrunk = true_taus(&plan, tables, draws, seed).unwrap();
    let held = |drawn: &Replicates| {
        [0, 1, 2].map(|which| {
            let number = |row: &[Option<f64>]| of_study(row, which);
            let interval = drawn.derived(number).outer_percentile(0.95).unwrap();
            f64::from(u8::from(interval.contains(number(&truths).unwrap())))
        })
    };
    [held(&plain), held(&shrunk)]
}

/// Mean over tracks and pairs inside protocol 0 or 1; 2 is their difference.
fn of_study(row: &[Option<f64>], which: usize) -> Option<f64> {
    // Pairs of six raters: (0,1) (0,2) (0,3) (0,4) (0,5) (1,2) ... (4,5).
    let mean = |pairs: [usize; 3]| -> Option<f64> {
        let mut sum = 0.0;
        for track in row.chunks(15) {
            for pair in pairs {
                sum += track[pair]?;
            }
        }
        Some(sum / (row.len() / 5) as f64)
    };
    match which {
        0 => mean([0, 1, 5]),
        1 => mean([12, 13, 14]),
        _ => Some(mean([0, 1, 5])? - mean([12, 13, 14])?),
    }
}
