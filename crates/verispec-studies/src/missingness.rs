//! Is a judge silent about some models more than about others?

use verispec_model::{InstanceState, Results};
use verispec_stats::Defined;
use verispec_stats::hypothesis::{EqualRates, equal_rates};

/// Name of the test, for tables.
pub const METHOD: &str =
    "Pearson's chi-square of instances with an unjudged specification by model, by random deals";

/// Tests that all models have the same share of instances with an unjudged specification. One
/// outcome an instance: the specifications of one call fail together.
///
/// # Errors
/// As [`equal_rates`], for instance when nothing is unjudged or there is one model.
pub fn missingness(results: &Results, draws: u64, seed: u64) -> Defined<EqualRates> {
    let (mut unjudged, mut judged) = (vec![], vec![]);
    for model in &results.models {
        let tracks = model.tracks.iter().flat_map(|t| &t.dimensions);
        let (mut missing, mut all) = (0_u32, 0_u32);
        for instance in tracks.flat_map(|d| &d.instances) {
            if let InstanceState::Generated(specs) = &instance.state {
                all += 1;
                missing += u32::from(specs.iter().any(|s| s.verdict().is_none()));
            }
        }
        if all > 0 {
            unjudged.push(missing);
            judged.push(all);
        }
    }
    equal_rates(&unjudged, &judged, draws, seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Rows, results};

    fn rows(missing: usize) -> Rows {
        (0..40)
            .map(|i| {
                let second = (i >= missing).then_some(true);
                ("d".into(), format!("{i:02}"), vec![Some(true), second])
            })
            .collect()
    }

    #[test]
    fn silence_about_one_model_is_found() {
        let of = |a, b| {
            let models = [("a", vec![("t", rows(a))]), ("b", vec![("t", rows(b))])];
            missingness(&results(&["t"], &models), 2000, 1)
        };
        assert!(of(2, 20).unwrap().p < 0.01);
        assert!(of(6, 7).unwrap().p > 0.5);
        assert!(of(0, 0).is_err());
    }
}
