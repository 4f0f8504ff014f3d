//! How much agreement chance alone gives.

use serde::Serialize;
use verispec_stats::random::Stream;

use super::fact::Grade;
use super::grades::GradeTable;
use super::tally::Tally;

/// CCTA beside its level by chance.
///
/// Chance: understanding grades permuted among the facts of one kind and data set. Over all
/// permutations every pairing of a generation grade with an understanding grade of its stratum is
/// equally likely, so the mean is exact without drawing any: within a stratum
/// `1 - sum p_g(a) p_u(b) |a - b| / 5`, weighted by facts. In one stratum the corrected value is
/// Cohen's kappa with linear weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Chance {
    /// Expected CCTA, 0..=1.
    pub ccta: f64,
    /// Expected AW-CCTA, 0..=1.
    pub aw_ccta: f64,
    /// (CCTA - expected)/(1 - expected), at most 1, 0 at chance; `None` if chance agrees fully.
    pub corrected: Option<f64>,
}

/// `None` without a fact.
pub(super) fn chance<'a>(strata: impl Iterator<Item = &'a GradeTable>) -> Option<Chance> {
    let mut pooled = GradeTable::default();
    let (mut agree, mut weighted) = (0.0, 0.0);
    for table in strata {
        pooled.add_table(table, 1);
        let n = table.n();
        let (rows, columns) = table.marginals();
        let (mut near, mut joint) = (0_u128, 0_u128);
        for (a, &row) in rows.iter().enumerate() {
            for (b, &column) in columns.iter().enumerate() {
                let pairs = u128::from(row) * u128::from(column);
                let alike = 5 - a.abs_diff(b) as u128;
                near += pairs * alike;
                joint += pairs * alike * (a + b) as u128;
            }
        }
        // Mean within the stratum times its facts: one division by n.
        if n > 0 {
            agree += near as f64 / (5 * n) as f64;
            weighted += joint as f64 / (50 * n) as f64;
        }
    }
    let observed = pooled.consistency(0.0)?;
    let n = observed.n as f64;
    let ccta = agree / n;
    let corrected = (ccta < 1.0).then(|| (observed.ccta - ccta) / (1.0 - ccta));
    Some(Chance {
        ccta,
        aw_ccta: weighted / n,
        corrected,
    })
}

/// Whether agreement is more than chance: permutation within kind and data set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChanceTest {
    /// CCTA of each permutation, in order of drawing.
    pub permuted: Vec<f64>,
    /// (permutations with at least the observed CCTA + 1)/(permutations + 1), in (0, 1], one-sided
    /// (Phipson, Smyth 2010).
    pub p: f64,
}

/// Permutes `draws` times. `None` without a fact or without a draw. The same seed gives the same
/// result everywhere.
#[must_use]
pub fn chance_test(tally: &Tally, seed: u64, draws: u32) -> Option<ChanceTest> {
    let observed = tally.consistency(None, None)?;
    if draws == 0 {
        return None;
    }
    let strata: Vec<(Vec<u8>, Vec<u8>)> = tally.strata.values().map(|s| sides(&s.table)).collect();
    let total = observed.n * 5;
    let target = agreement(strata.iter().map(|(g, u)| (g.as_slice(), u.as_slice())));
    let mut permuted = Vec::with_capacity(draws as usize);
    let mut hits = 0_u64;
    for draw in 0..draws {
        let mut stream = Stream::new(seed, u64::from(draw));
        let mut sum = 0;
        for (g, u) in &strata {
            let mut dealt = u.clone();
            shuffle(&mut dealt, &mut stream);
            sum += agreement(std::iter::once((g.as_slice(), dealt.as_slice())));
        }
        hits += u64::from(sum >= target);
        permuted.push(sum as f64 / total as f64);
    }
    let p = (hits + 1) as f64 / (f64::from(draws) + 1.0);
    Some(ChanceTest { permuted, p })
}

fn sides(table: &GradeTable) -> (Vec<u8>, Vec<u8>) {
    let (mut g, mut u) = (Vec::new(), Vec::new());
    for (a, b, count) in table.cells() {
        let push = |side: &mut Vec<u8>, grade: Grade| {
            side.extend((0..count).map(|_| grade.get()));
        };
        push(&mut g, a);
        push(&mut u, b);
    }
    (g, u)
}

fn agreement<'a>(pairs: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> u64 {
    let of = |(g, u): (&[u8], &[u8])| -> u64 {
        g.iter()
            .zip(u)
            .map(|(a, b)| u64::from(5 - a.abs_diff(*b)))
            .sum()
    };
    pairs.map(of).sum()
}

/// Fisher and Yates. A stratum has fewer than 2^32 facts.
fn shuffle(values: &mut [u8], stream: &mut Stream) {
    for last in (1..values.len()).rev() {
        let bound = u32::try_from(last + 1).unwrap_or(u32::MAX);
        values.swap(last, stream.below(bound) as usize);
    }
}
