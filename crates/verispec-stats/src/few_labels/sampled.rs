//! Prediction-powered inference when the labelled items were drawn from the judged ones with known
//! probabilities.

use super::ppi::{Lambda, Ppi};
use crate::{
    Defined, Undefined,
    undefined::{at_least, finite},
};

/// A label of one of the judged items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Label {
    /// Which item, from 0.
    pub item: usize,
    /// The label.
    pub y: f64,
    /// The probability, in (0, 1], with which this item was chosen for labelling.
    pub inclusion: f64,
}

/// Mean label over all judged items, `f` the judge's answer to each, labels of a sample drawn with
/// known inclusion probabilities pi (strata sampled at different rates):
/// lambda mean(f) + weighted mean(y - lambda f), weights 1 / pi (the difference estimator of survey
/// sampling, Särndal, Swensson and Wretman 1992, section 6.3, in Hájek's form).
///
/// se^2 = mean of psi^2 / N over all N items, psi = lambda (f - mean f) + [labelled] / pi (y -
/// lambda f - weighted mean): the items count as drawn from a larger population, each chosen
/// independently. For samples of fixed size a stratum that is a little too large. The tuned lambda
/// is the one with the smallest se, kept in 0..=1 (the criterion of PPI++).
///
/// # Errors
/// [`Undefined::NotFinite`]; [`Undefined::OutOfRange`] for an unknown item or a probability outside
/// (0, 1]; [`Undefined::TooFew`] below two labels or two items; [`Undefined::Constant`] when there is
/// nothing to tune on; [`Undefined::Degenerate`] for two labels of one item.
pub fn sampled_mean(f: &[f64], labels: &[Label], lambda: Lambda) -> Defined<Ppi> {
    finite("f", f)?;
    at_least("items", f.len(), 2)?;
    at_least("labels", labels.len(), 2)?;
    check(f.len(), labels)?;
    let total = f.len() as f64;
    let mean_f = f.iter().sum::<f64>() / total;
    let weights: f64 = labels.iter().map(|label| 1.0 / label.inclusion).sum();
    let weighted = |value: &dyn Fn(&Label) -> f64| {
        labels
            .iter()
            .map(|label| value(label) / label.inclusion)
            .sum::<f64>()
            / weights
    };
    let mean_y = weighted(&|label| label.y);
    let sample_f = weighted(&|label| f[label.item]);
    // psi = base + lambda * slope, item by item. Hájek's form scales by the estimated number of
    // items, so that the weights of the sample count as N.
    let scale = total / weights;
    let mut base = vec![0.0; f.len()];
    let mut slope: Vec<f64> = f.iter().map(|value| value - mean_f).collect();
    for label in labels {
        let weight = scale / label.inclusion;
        base[label.item] = weight * (label.y - mean_y);
        slope[label.item] -= weight * (f[label.item] - sample_f);
    }
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let lambda = match lambda {
        Lambda::One => 1.0,
        Lambda::Fixed(value) => value,
        Lambda::Tuned => {
            let square = dot(&slope, &slope);
            if square <= 0.0 {
                return Err(Undefined::Constant {
                    input: "the judge's answers",
                });
            }
            (-dot(&base, &slope) / square).clamp(0.0, 1.0)
        }
    };
    finite("lambda", &[lambda])?;
    let psi = |(base, slope): (&f64, &f64)| (base + lambda * slope).powi(2);
    let variance = base.iter().zip(&slope).map(psi).sum::<f64>() / (total * total);
    let value = lambda * mean_f + mean_y - lambda * sample_f;
    Ok(Ppi {
        value,
        se: variance.sqrt(),
        lambda,
        labelled: labels.len(),
        judged: f.len(),
    })
}

fn check(items: usize, labels: &[Label]) -> Defined<()> {
    let mut seen = vec![false; items];
    for (position, label) in labels.iter().enumerate() {
        if !label.y.is_finite() {
            return Err(Undefined::NotFinite {
                input: "labels",
                position,
            });
        }
        if !(label.inclusion > 0.0 && label.inclusion <= 1.0) {
            let range = "(0, 1]";
            let found = label.inclusion;
            return Err(Undefined::OutOfRange {
                input: "inclusion probability",
                found,
                range,
            });
        }
        match seen.get_mut(label.item) {
            None => {
                let range = "the judged items";
                let found = label.item as f64;
                return Err(Undefined::OutOfRange {
                    input: "item of a label",
                    found,
                    range,
                });
            }
            Some(true) => {
                return Err(Undefined::Degenerate {
                    what: "an item with two labels",
                });
            }
            Some(seen) => *seen = true,
        }
    }
    Ok(())
}
