//! Where the variance of scores comes from: objects, instances, or the conditions of measurement.

use crate::{
    Defined, Undefined,
    undefined::{at_least, finite, same_length},
};
use serde::Serialize;

/// Values of every object (model) on every instance under every condition (judge, template,
/// decoding, order, repeat): objects x instances x conditions, the last index running fastest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossed<'a> {
    /// The values.
    pub values: &'a [f64],
    /// Number of objects, at least 2.
    pub objects: usize,
    /// Number of instances, at least 2.
    pub instances: usize,
    /// Number of conditions, at least 2.
    pub conditions: usize,
}

/// Components of variance, in squared units of the values. They are unbiased, so that a component
/// that is not there comes out on both sides of 0: show a negative one as "none found".
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Components {
    /// Objects: what a ranking is after.
    pub object: f64,
    /// Instances: how hard they are.
    pub instance: f64,
    /// Conditions: how lenient a judge is. Moves all scores, no rank.
    pub condition: f64,
    /// Objects x instances: which object is good at what.
    pub object_instance: f64,
    /// Objects x conditions: a judge that favours an object. This is what moves ranks however many
    /// instances there are.
    pub object_condition: f64,
    /// Instances x conditions: which judge is lenient on what.
    pub instance_condition: f64,
    /// All three together, and what a repeat would change.
    pub residual: f64,
}

/// Components of a fully crossed random design with one value a cell, by expected mean squares (R.
/// Brennan, "Generalizability Theory", 2001, design p x i x h). Only instances that every condition
/// judged for every object may enter.
///
/// # Errors
/// [`Undefined::Lengths`]; [`Undefined::NotFinite`]; [`Undefined::TooFew`] below two of anything.
pub fn variance_components(design: Crossed<'_>) -> Defined<Components> {
    let Crossed {
        values,
        objects,
        instances,
        conditions,
    } = design;
    at_least("objects", objects, 2)?;
    at_least("instances", instances, 2)?;
    at_least("conditions", conditions, 2)?;
    same_length(values.len(), objects * instances * conditions)?;
    finite("values", values)?;
    let sizes = [objects, instances, conditions];
    let squares = mean_squares(values, sizes);
    let [p, i, h, pi, ph, ih, pih] = squares;
    let [np, ni, nh] = sizes.map(|size| size as f64);
    Ok(Components {
        object: (p - pi - ph + pih) / (ni * nh),
        instance: (i - pi - ih + pih) / (np * nh),
        condition: (h - ph - ih + pih) / (np * ni),
        object_instance: (pi - pih) / nh,
        object_condition: (ph - pih) / ni,
        instance_condition: (ih - pih) / np,
        residual: pih,
    })
}

/// Which indices an effect has: objects 1, instances 2, conditions 4; in the order of the result of
/// [`mean_squares`].
const EFFECTS: [usize; 7] = [1, 2, 4, 3, 5, 6, 7];

/// Mean squares of the seven effects.
fn mean_squares(values: &[f64], sizes: [usize; 3]) -> [f64; 7] {
    let total = values.len() as f64;
    let grand = values.iter().sum::<f64>() / total;
    // Means over everything that a set of indices leaves out, centred, so that the squares of an
    // effect do not come from differences of large sums.
    let mut effects: Vec<Vec<f64>> = vec![Vec::new(); 8];
    let mut squares = [0.0; 7];
    for (place, &set) in EFFECTS.iter().enumerate() {
        let cells: usize = (0..3)
            .filter(|k| set >> k & 1 == 1)
            .map(|k| sizes[k])
            .product();
        let mut effect = vec![0.0; cells];
        for (position, value) in values.iter().enumerate() {
            effect[cell(position, sizes, set)] += (value - grand) * cells as f64 / total;
        }
        // Less the effects of the smaller sets within.
        let mut seen = vec![false; cells];
        for position in 0..values.len() {
            let at = cell(position, sizes, set);
            if !std::mem::replace(&mut seen[at], true) {
                for part in (1..set).filter(|part| part & set == *part) {
                    effect[at] -= effects[part][cell(position, sizes, part)];
                }
            }
        }
        let freedom: usize = (0..3)
            .filter(|k| set >> k & 1 == 1)
            .map(|k| sizes[k] - 1)
            .product();
        let sum: f64 = effect.iter().map(|e| e * e).sum();
        squares[place] = sum * total / cells as f64 / freedom as f64;
        effects[set] = effect;
    }
    squares
}

/// The cell of a set of indices that a value lies in.
fn cell(position: usize, [_, instances, conditions]: [usize; 3], set: usize) -> usize {
    let at = [
        position / (instances * conditions),
        position / conditions % instances,
        position % conditions,
    ];
    let sizes = [usize::MAX, instances, conditions];
    (0..3).filter(|k| set >> k & 1 == 1).fold(0, |index, k| {
        index.wrapping_mul(if k == 0 { 1 } else { sizes[k] }) + at[k]
    })
}

impl Components {
    /// Reliability of relative decisions (ranks) with scores averaged over `instances` and
    /// `conditions`: object / (object + object_instance / n_i + object_condition / n_h + residual /
    /// (n_i n_h)), with negative components taken as 0 (Brennan's generalizability coefficient); in
    /// 0..=1.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] without instances or conditions; [`Undefined::Constant`] when nothing
    /// varies.
    pub fn reliability(&self, instances: usize, conditions: usize) -> Defined<f64> {
        at_least("instances", instances, 1)?;
        at_least("conditions", conditions, 1)?;
        let (ni, nh) = (instances as f64, conditions as f64);
        let object = self.object.max(0.0);
        let noise = self.object_instance.max(0.0) / ni
            + self.object_condition.max(0.0) / nh
            + self.residual.max(0.0) / (ni * nh);
        if object + noise <= 0.0 {
            return Err(Undefined::Constant {
                input: "the values",
            });
        }
        Ok(object / (object + noise))
    }
}
