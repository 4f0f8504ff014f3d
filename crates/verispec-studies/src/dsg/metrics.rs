//! TIFA's own study: automatic metrics, TIFA under five judges among them, against two ratings of
//! each image.

use std::collections::BTreeSet;

use serde::Serialize;
use verispec_suites::dsg::TifaImage;

use crate::human::{Cells, Correlations, Levels, Ratings, correlations, levels};

/// The study's result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricStudy {
    /// Images.
    pub images: usize,
    /// Metrics, best pooled tau-b first.
    pub metrics: Vec<MetricRow>,
    /// The first rating of each image against the second: what one person more can be expected to
    /// agree with.
    pub ratings: Correlations,
}

/// One metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricRow {
    /// Name in the file.
    pub metric: String,
    /// Correlation with the mean rating, at four levels.
    pub levels: Levels,
}

/// Every metric of the file against people.
#[must_use]
pub fn metrics(images: &[TifaImage]) -> MetricStudy {
    let mut ratings = Ratings::default();
    for image in images {
        for (place, value) in image.ratings.iter().enumerate() {
            ratings.set(&image.item, &image.model, &place.to_string(), *value);
        }
    }
    let names: BTreeSet<&String> = images.iter().flat_map(|i| i.metrics.keys()).collect();
    let row = |name: &String| {
        let mut cells = Cells::default();
        for image in images {
            let score = image.metrics.get(name).copied();
            cells.set(&image.item, &image.model, score);
        }
        MetricRow {
            metric: name.clone(),
            levels: levels(&cells, &ratings),
        }
    };
    let mut metrics: Vec<MetricRow> = names.into_iter().map(row).collect();
    let tau = |r: &MetricRow| r.levels.pooled.tau.value.unwrap_or(f64::NEG_INFINITY);
    metrics.sort_by(|a, b| tau(b).total_cmp(&tau(a)));
    let pairs = images.iter().filter_map(|i| match i.ratings.as_slice() {
        [first, second, ..] => Some((*first, *second)),
        _ => None,
    });
    let (first, second): (Vec<f64>, Vec<f64>) = pairs.unzip();
    MetricStudy {
        images: images.len(),
        metrics,
        ratings: correlations(&first, &second),
    }
}
