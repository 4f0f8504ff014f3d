//! Intervals over images: what would the numbers be with other images of the same kind?

use std::collections::BTreeMap;
use std::sync::Arc;

use verispec_stats::Defined;
use verispec_stats::bootstrap::{Function, Plan, Replicates, bootstrap};
use verispec_stats::interval::Interval;

use super::fact::{FactScore, MetricPolicy, Variant, graded};
use super::grades::{Consistency, GradeTable};
use crate::facts::FactKind;
use crate::scene::ImageId;

/// How intervals are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntervalPlan {
    /// Nominal coverage, in (0, 1).
    pub level: f64,
    /// Draws of the bootstrap.
    pub draws: usize,
    /// Seed of the draws.
    pub seed: u64,
}

impl Default for IntervalPlan {
    fn default() -> Self {
        Self {
            level: 0.95,
            draws: 2000,
            seed: 0,
        }
    }
}

/// Intervals of the numbers of [`Consistency`], each with the reason if there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Intervals {
    /// Images with one fact that counts or more.
    pub images: usize,
    /// Of G.
    pub generation: Defined<Interval>,
    /// Of U.
    pub understanding: Defined<Interval>,
    /// Of G - U.
    pub gap: Defined<Interval>,
    /// Of CCTA.
    pub ccta: Defined<Interval>,
    /// Of AW-CCTA.
    pub aw_ccta: Defined<Interval>,
    /// Of the covariance.
    pub covariance: Defined<Interval>,
}

type Number = fn(&Consistency) -> f64;

const NUMBERS: [Number; 6] = [
    |c| c.generation,
    |c| c.understanding,
    Consistency::gap,
    |c| c.ccta,
    |c| c.aw_ccta,
    |c| c.covariance,
];

/// Expanded percentile intervals of a bootstrap that draws images, with all their facts, within
/// data sets.
///
/// # Errors
/// No fact counts, or the plan is unusable.
pub fn intervals(
    facts: &[FactScore],
    variant: Variant,
    policy: MetricPolicy,
    kind: Option<FactKind>,
    plan: IntervalPlan,
) -> Defined<Intervals> {
    let mut images: BTreeMap<(Arc<str>, ImageId), GradeTable> = BTreeMap::new();
    for fact in facts.iter().filter(|f| kind.is_none_or(|k| f.kind == k)) {
        if let Ok((g, u)) = graded(fact, variant, policy) {
            images
                .entry((fact.dataset.clone(), fact.image_id))
                .or_default()
                .add(g, u);
        }
    }
    let mut strata = Vec::with_capacity(images.len());
    let (mut stratum, mut last) = (0, None);
    for (dataset, _) in images.keys() {
        if last.is_some_and(|l| l != dataset) {
            stratum += 1;
        }
        last = Some(dataset);
        strata.push(stratum);
    }
    let tables: Vec<GradeTable> = images.values().copied().collect();
    let statistic = Function::new(NUMBERS.len(), |times: &[u32], out: &mut [Option<f64>]| {
        let mut sum = GradeTable::default();
        for (table, times) in tables.iter().zip(times) {
            sum.add_table(table, u64::from(*times));
        }
        let found = sum.consistency(policy.tau);
        for (slot, number) in out.iter_mut().zip(NUMBERS) {
            *slot = found.as_ref().map(number);
        }
    });
    let draws = bootstrap(
        &Plan::stratified(&strata)?,
        &statistic,
        plan.draws,
        plan.seed,
    )?;
    let of = |at: usize| interval(&draws, at, plan.level);
    Ok(Intervals {
        images: tables.len(),
        generation: of(0),
        understanding: of(1),
        gap: of(2),
        ccta: of(3),
        aw_ccta: of(4),
        covariance: of(5),
    })
}

fn interval(draws: &Replicates, at: usize, level: f64) -> Defined<Interval> {
    draws.output(at).expanded_percentile(level)
}
