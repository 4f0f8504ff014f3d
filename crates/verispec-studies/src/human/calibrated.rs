//! How well a judge's P(yes) foretells what people say.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_model::YesNo;
use verispec_stats::Undefined;
use verispec_stats::bootstrap::Plan;
use verispec_stats::calibration::{Bin, brier_weighted, calibration_weighted};

use super::corrected::HumanVerdict;
use super::sample::Verdict;
use crate::compare::Options;
use crate::draws;
use crate::estimate::Estimate;

/// Bins of equal width.
const BINS: usize = 10;

/// P(yes) against people's answers, weighted by inclusion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibrated {
    /// Labels of verdicts that have a P(yes).
    pub labelled: usize,
    /// Labels of verdicts without one.
    pub without: usize,
    /// Mean of (P(yes) - answer)^2, 0-1, less is better; interval over instances.
    pub brier: Estimate,
    /// The same of a judge that always gives people's share of yes.
    pub brier_of_constant: Option<f64>,
    /// Expected calibration error over [`bins`](Self::bins), 0-1; it grows with their number by
    /// chance alone.
    pub ece: Estimate,
    /// Largest difference of a bin, 0-1.
    pub largest: Option<f64>,
    /// Bins of equal width that hold a label.
    pub bins: Vec<Bin>,
}

/// Calibration of the judge on labelled verdicts; `None` where no verdict has a P(yes).
#[must_use]
pub fn calibrated(
    verdicts: &[Verdict],
    labels: &[HumanVerdict],
    options: Options,
) -> Option<Calibrated> {
    let mut rows: Vec<(&Verdict, f64, bool, f64)> = vec![];
    for label in labels {
        let verdict = &verdicts[label.index];
        if let Some(p) = verdict.p_yes {
            rows.push((
                verdict,
                p,
                label.answer == YesNo::Yes,
                1.0 / label.inclusion,
            ));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let p: Vec<f64> = rows.iter().map(|r| r.1).collect();
    let yes: Vec<bool> = rows.iter().map(|r| r.2).collect();
    let weights: Vec<f64> = rows.iter().map(|r| r.3).collect();
    let found = calibration_weighted(&p, &yes, &weights, BINS);
    let brier = Estimate::of(brier_weighted(&p, &yes, &weights));
    let total: f64 = weights.iter().sum();
    let of_yes = weights.iter().zip(&yes).filter(|(_, y)| **y);
    let share = of_yes.map(|(w, _)| w).sum::<f64>() / total;
    Some(Calibrated {
        labelled: rows.len(),
        without: labels.len() - rows.len(),
        brier: with_interval(brier, &rows, options),
        brier_of_constant: Some(share * (1.0 - share)),
        largest: found.as_ref().ok().map(|c| c.largest),
        ece: Estimate::of(found.as_ref().map(|c| c.ece).map_err(Undefined::clone)),
        bins: found.map(|c| c.bins).unwrap_or_default(),
    })
}

/// Draws instances: specifications of one are not independent.
fn with_interval(
    brier: Estimate,
    rows: &[(&Verdict, f64, bool, f64)],
    options: Options,
) -> Estimate {
    let mut parts: BTreeMap<(&str, &str), (f64, f64)> = BTreeMap::new();
    for (verdict, p, yes, weight) in rows {
        let key = (verdict.track.as_str(), verdict.instance.as_str());
        let part = parts.entry(key).or_default();
        part.0 += weight * (p - f64::from(u8::from(*yes))).powi(2);
        part.1 += weight;
    }
    let parts: Vec<(f64, f64)> = parts.into_values().collect();
    let plan = Plan::simple(parts.len()).ok();
    let sample = plan.and_then(|p| draws::ratio(&p, &parts, options.draws, options.seed));
    match sample {
        Some(sample) => brier.with(&sample, options.level),
        None => brier,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(i: usize, p_yes: Option<f64>) -> Verdict {
        Verdict {
            model: "m".into(),
            track: "t".into(),
            dimension: "d".into(),
            instance: format!("i{}", i / 2),
            spec: 1,
            question: "Is it?".into(),
            category: String::new(),
            expected: YesNo::Yes,
            verdict: YesNo::Yes,
            p_yes,
        }
    }

    fn label(index: usize, yes: bool, inclusion: f64) -> HumanVerdict {
        HumanVerdict {
            index,
            answer: if yes { YesNo::Yes } else { YesNo::No },
            inclusion,
        }
    }

    #[test]
    fn by_hand_with_unequal_inclusion() {
        let verdicts = [
            verdict(0, Some(0.9)),
            verdict(1, Some(0.9)),
            verdict(2, Some(0.2)),
            verdict(3, None),
        ];
        // The second stands for four.
        let labels = [
            label(0, true, 1.0),
            label(1, false, 0.25),
            label(2, false, 1.0),
            label(3, true, 1.0),
        ];
        let found = calibrated(&verdicts, &labels, Options::default()).unwrap();
        assert_eq!((found.labelled, found.without), (3, 1));
        let brier = (0.01 + 4.0 * 0.81 + 0.04) / 6.0;
        assert!((found.brier.value.unwrap() - brier).abs() < 1e-12);
        // Bins: 0.2 with share 0 and weight 1; 0.9 with share 1/5 and weight 5.
        let ece = (1.0 * 0.2 + 5.0 * 0.7) / 6.0;
        assert!((found.ece.value.unwrap() - ece).abs() < 1e-12);
        assert!((found.largest.unwrap() - 0.7).abs() < 1e-12);
        assert!((found.brier_of_constant.unwrap() - 5.0 / 36.0).abs() < 1e-12);
        assert!(found.brier.interval.unwrap().contains(brier));
        let bins: Vec<usize> = found.bins.iter().map(|b| b.n).collect();
        assert_eq!(bins, [1, 2]);
    }

    #[test]
    fn hard_verdicts_have_no_calibration() {
        let found = calibrated(
            &[verdict(0, None)],
            &[label(0, true, 1.0)],
            Options::default(),
        );
        assert_eq!(found, None);
    }
}
