//! Reads the text of an image with the PP-OCRv6 "small" detector and recogniser.

pub(crate) mod compare;
mod detect;
mod recognise;

use std::path::Path;

use image::RgbImage;
use rten::{Model, ModelOptions};

use crate::error::VisionError;

/// File name of the detector's weights.
pub(crate) const DETECTOR: &str = "PP-OCRv6_det_small.onnx";
/// File name of the recogniser's weights; its metadata holds the characters.
pub(crate) const RECOGNISER: &str = "PP-OCRv6_rec_small.onnx";
/// A line read with less confidence than this is not relied on.
pub(crate) const SURE: f32 = 0.85;

/// A line of text in an image.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    /// What was read; may be empty.
    pub(crate) text: String,
    /// Mean probability of its characters (CTC best path), 0..=1; 0 for an empty text.
    pub(crate) confidence: f32,
    /// Left, top, right, bottom of the box around it, in pixels.
    pub(crate) bbox: [f32; 4],
}

impl Line {
    /// Whether the reading can be relied on.
    pub(crate) fn is_sure(&self) -> bool {
        self.confidence >= SURE
    }

    /// A doubtful line that may well be text: not a blob read as one character, nor a row of
    /// figures read as signs.
    pub(crate) fn is_unread_text(&self) -> bool {
        let (w, h) = (self.bbox[2] - self.bbox[0], self.bbox[3] - self.bbox[1]);
        let long = w > 1.6 * h || h > 1.6 * w;
        let letters = self.text.chars().filter(|c| c.is_alphanumeric()).count();
        !self.is_sure() && (letters >= 2 || (self.text.is_empty() && long))
    }
}

/// All lines of an image in reading order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Page {
    /// The lines, top to bottom and left to right.
    pub(crate) lines: Vec<Line>,
}

/// The two networks.
pub(crate) struct Ocr {
    detector: Model,
    recogniser: Model,
    /// Characters by class; class 0 is the blank.
    characters: Vec<String>,
}

impl Ocr {
    /// Loads the weights from a folder; about 100 ms and 90 MB.
    ///
    /// # Errors
    /// If a file is absent or is no network of the expected kind.
    pub(crate) fn load(dir: &Path) -> Result<Self, VisionError> {
        let detector = load(dir, DETECTOR)?;
        let recogniser = load(dir, RECOGNISER)?;
        let listed = recogniser
            .metadata()
            .get("character")
            .ok_or_else(|| VisionError::Model {
                file: RECOGNISER.to_owned(),
                message: "its metadata has no `character` list".to_owned(),
            })?;
        let mut characters = vec![String::new()];
        characters.extend(
            listed
                .split('\n')
                .map(|c| c.trim_end_matches('\r').to_owned()),
        );
        if characters.last().is_some_and(String::is_empty) {
            characters.pop();
        }
        characters.push(" ".to_owned());
        Ok(Self {
            detector,
            recogniser,
            characters,
        })
    }

    /// Reads an image.
    ///
    /// # Errors
    /// If a network fails to run.
    pub(crate) fn read(&self, image: &RgbImage) -> Result<Page, VisionError> {
        let mut lines = Vec::new();
        for found in detect::detect(&self.detector, image)? {
            lines.push(recognise::line(
                &self.recogniser,
                &self.characters,
                image,
                &found,
            )?);
        }
        Ok(Page {
            lines: in_reading_order(lines),
        })
    }
}

/// Loads a network out of a folder.
///
/// # Errors
/// If the file is absent or is no network.
pub(crate) fn load(dir: &Path, name: &str) -> Result<Model, VisionError> {
    let path = dir.join(name);
    if !path.is_file() {
        return Err(VisionError::Missing {
            path: dir.to_owned(),
            wanted: name.to_owned(),
        });
    }
    ModelOptions::with_all_ops()
        .prepack_weights(true)
        .load_file(&path)
        .map_err(|e| VisionError::Model {
            file: path.display().to_string(),
            message: e.to_string(),
        })
}

/// A network that does not run, as an error.
pub(crate) fn run_error(file: &str, error: &dyn std::fmt::Display) -> VisionError {
    VisionError::Model {
        file: file.to_owned(),
        message: error.to_string(),
    }
}

/// Sorts boxes into rows (vertical overlap of at least half the smaller height) and each row from
/// left to right.
fn in_reading_order(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by(|a, b| a.bbox[1].total_cmp(&b.bbox[1]));
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        let same_row = |row: &&mut Vec<Line>| row.iter().all(|other| overlap(&line, other) >= 0.5);
        match rows.iter_mut().rev().find(same_row) {
            Some(row) => row.push(line),
            None => rows.push(vec![line]),
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.bbox[0].total_cmp(&b.bbox[0]));
    }
    rows.into_iter().flatten().collect()
}

fn overlap(a: &Line, b: &Line) -> f32 {
    let shared = a.bbox[3].min(b.bbox[3]) - a.bbox[1].max(b.bbox[1]);
    let smaller = (a.bbox[3] - a.bbox[1]).min(b.bbox[3] - b.bbox[1]);
    shared / smaller.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_order() {
        let line = |text: &str, x: f32, y: f32| Line {
            text: text.into(),
            confidence: 1.0,
            bbox: [x, y, x + 50.0, y + 20.0],
        };
        let lines = vec![
            line("c", 0.0, 40.0),
            line("b", 60.0, 3.0),
            line("a", 0.0, 6.0),
        ];
        let read: String = in_reading_order(lines)
            .into_iter()
            .map(|l| l.text)
            .collect();
        assert_eq!(read, "abc");
    }
}
