//! TIFA's own human study: `human_annotations_with_scores.json`, two ratings an image and the
//! scores of automatic metrics beside them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::error::DsgError;

/// One image.
#[derive(Debug, Clone, PartialEq)]
pub struct TifaImage {
    /// Prompt id.
    pub item: String,
    /// Model under test.
    pub model: String,
    /// Human ratings, 1-5.
    pub ratings: Vec<f64>,
    /// Metric (`tifa_mplug-large`, `clipscore_vitb32` ...) to its score; larger is better.
    pub metrics: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
struct Record {
    text_id: String,
    human_scores: Vec<f64>,
}

/// Fields that are no metric.
const OTHER: [&str; 5] = ["text_id", "image_path", "text", "human_scores", "human_avg"];

/// Reads the file; images in order of their key `<item>_<model>`.
///
/// # Errors
/// The file cannot be read or is not the JSON it should be.
pub fn read_tifa(path: &Path) -> Result<Vec<TifaImage>, DsgError> {
    let text = std::fs::read_to_string(path).map_err(|source| DsgError::Io {
        path: path.to_owned(),
        source,
    })?;
    let failed = |source| DsgError::Json {
        path: path.to_owned(),
        source,
    };
    let images: BTreeMap<String, Value> = serde_json::from_str(&text).map_err(failed)?;
    images
        .into_iter()
        .map(|(key, value)| image(&key, value).map_err(failed))
        .collect()
}

fn image(key: &str, value: Value) -> Result<TifaImage, serde_json::Error> {
    let metrics = value.as_object().into_iter().flatten();
    let metrics = metrics
        .filter(|(name, _)| !OTHER.contains(&name.as_str()))
        .filter_map(|(name, score)| Some((name.clone(), score.as_f64()?)))
        .collect();
    let record = Record::deserialize(value)?;
    let model = key.strip_prefix(&record.text_id).unwrap_or(key);
    Ok(TifaImage {
        model: model.trim_start_matches('_').to_owned(),
        item: record.text_id,
        ratings: record.human_scores,
        metrics,
    })
}
