//! A rate corrected for a judge's known errors.

use crate::{
    Defined, Undefined,
    interval::Interval,
    special::normal_quantile,
    undefined::{at_least, closed_unit, open_unit},
};
use serde::Serialize;

/// How often a judge is right on labelled items: `right` of `n`, on those that are truly yes
/// (sensitivity) or truly no (specificity).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Calibrator {
    /// Share that the judge gets right, in 0..=1. May be a weighted share.
    pub share: f64,
    /// Labelled items behind it (for weighted shares the effective number, Kish's
    /// (sum w)^2 / sum w^2).
    pub n: f64,
}

/// A corrected rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RoganGladen {
    /// The estimate; outside 0..=1 if the judge says yes more rarely than its false alarms alone
    /// explain, or the reverse.
    pub value: f64,
    /// Standard error by the delta method.
    pub se: f64,
}

/// The true rate of yes behind a judge's rate p: v = (p + q0 - 1) / (q0 + q1 - 1), q0 specificity,
/// q1 sensitivity (W. Rogan, B. Gladen, American Journal of Epidemiology 1978). Delta method with
/// the noise of all three shares (C. Lee et al., "How to Correctly Report LLM-as-a-Judge
/// Evaluations", arXiv 2511.21140):
/// `se^2 = (p (1-p) / n + (1-v)^2 q0 (1-q0) / n0 + v^2 q1 (1-q1) / n1) / (q0 + q1 - 1)^2`.
///
/// Valid if the judge errs alike on the labelled items and the judged ones; errors that differ by
/// model are what moves ranks, so calibrate per model or test that they are equal.
///
/// # Errors
/// [`Undefined::Uninformative`] when sensitivity + specificity <= 1; [`Undefined::OutOfRange`] for a
/// share outside 0..=1; [`Undefined::TooFew`] for a share of fewer than one item.
pub fn rogan_gladen(
    judged: Calibrator,
    specificity: Calibrator,
    sensitivity: Calibrator,
) -> Defined<RoganGladen> {
    for (input, part) in [
        ("judged rate", judged),
        ("specificity", specificity),
        ("sensitivity", sensitivity),
    ] {
        closed_unit(input, part.share)?;
        if part.n.is_nan() {
            return Err(Undefined::OutOfRange {
                input,
                found: part.n,
                range: "a number of items",
            });
        }
        at_least(input, part.n as usize, 1)?;
    }
    let power = specificity.share + sensitivity.share - 1.0;
    if power <= 0.0 {
        return Err(Undefined::Uninformative { sum: power + 1.0 });
    }
    let value = (judged.share + specificity.share - 1.0) / power;
    let noise = |part: Calibrator| part.share * (1.0 - part.share) / part.n;
    let variance = noise(judged)
        + (1.0 - value).powi(2) * noise(specificity)
        + value.powi(2) * noise(sensitivity);
    Ok(RoganGladen {
        value,
        se: variance.sqrt() / power,
    })
}

/// The same with an interval that also holds for small calibration sets and a judge without an error
/// on them, where the delta method takes that error for impossible: shares smoothed by z^2 / 2 of
/// z^2 (judged rate, Agresti and Coull) and 1 of 2 added answers (specificity, sensitivity), and the
/// centre shifted (Lee et al., section 4). Not clipped; `value` is the shifted centre.
///
/// # Errors
/// As [`rogan_gladen`]; [`Undefined::OutOfRange`] unless `level` is in (0, 1).
pub fn rogan_gladen_smoothed(
    judged: Calibrator,
    specificity: Calibrator,
    sensitivity: Calibrator,
    level: f64,
) -> Defined<(RoganGladen, Interval)> {
    rogan_gladen(judged, specificity, sensitivity)?;
    open_unit("level", level)?;
    let z = normal_quantile(0.5 * (1.0 + level))?;
    let smooth = |part: Calibrator, added: f64| Calibrator {
        share: (part.n * part.share + 0.5 * added) / (part.n + added),
        n: part.n + added,
    };
    let (q0, q1) = (smooth(specificity, 2.0), smooth(sensitivity, 2.0));
    let RoganGladen { value, se } = rogan_gladen(smooth(judged, z * z), q0, q1)?;
    let noise = |part: Calibrator| part.share * (1.0 - part.share) / part.n;
    let shift = 2.0 * z * z * (value * noise(q1) - (1.0 - value) * noise(q0));
    let centre = RoganGladen {
        value: value + shift,
        se,
    };
    Ok((centre, centre.interval(level)?))
}

impl RoganGladen {
    /// value -+ z se, not clipped: compare and average these.
    ///
    /// # Errors
    /// [`Undefined::OutOfRange`] unless `level` is in (0, 1).
    pub fn interval(&self, level: f64) -> Defined<Interval> {
        open_unit("level", level)?;
        let half = normal_quantile(0.5 * (1.0 + level))? * self.se;
        Ok(Interval {
            low: self.value - half,
            high: self.value + half,
            level,
        })
    }

    /// The estimate kept in 0..=1, for display; say so where it differs.
    #[must_use]
    pub fn clipped(&self) -> f64 {
        self.value.clamp(0.0, 1.0)
    }
}
