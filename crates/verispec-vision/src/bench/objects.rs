//! Yes/no questions about objects, on photographs and on photographs put side by side.
//!
//! Like those of [`super::photos`] the questions are ours; they were written, and their answers
//! found by looking, before there was a detector, and nothing is tuned on them.

use std::io::Cursor;
use std::path::Path;

use image::imageops::overlay;
use image::{ImageFormat, Rgb, RgbImage};

use crate::bench::{Report, photos};
use crate::builtin::Builtin;
use crate::decode::decode;
use crate::error::VisionError;
use crate::package::Package;

const DATA: &str = include_str!("../../data/object_questions.jsonl");
const FILE: &str = "object_questions.jsonl";

/// Asks the questions on all photographs found in the given wheels or folders. Photographs that
/// are in none of them are listed in the report.
///
/// # Errors
/// If a package cannot be read, no photograph is found, or the judge fails.
pub fn evaluate(from: &[&Path], judge: &Builtin) -> Result<Report, VisionError> {
    let note =
        "presence and counts of 80 classes; labelled before there was a detector, not tuned on";
    let report = Report::new("objects on photographs, yes/no", note);
    photos::ask_all(from, judge, report, photos::read(FILE, DATA)?, picture)
}

/// A photograph, or several: `a.png + b.png / c.png` are two above a third.
fn picture(packages: &mut [Package], name: &str) -> Result<Option<Vec<u8>>, VisionError> {
    if !name.contains(" + ") {
        return photos::find(packages, name);
    }
    let mut rows = vec![];
    for row in name.split(" / ") {
        let mut images = vec![];
        for one in row.split(" + ") {
            match photos::find(packages, one)? {
                Some(bytes) => images.push(decode(&bytes)?),
                None => return Ok(None),
            }
        }
        rows.push(images);
    }
    let mut out = Cursor::new(vec![]);
    let written = montage(&rows).write_to(&mut out, ImageFormat::Png);
    written.map_err(|e| VisionError::Decode(format!("{name}: {e}")))?;
    Ok(Some(out.into_inner()))
}

/// Rows of images on white, left and top edges in line.
fn montage(rows: &[Vec<RgbImage>]) -> RgbImage {
    let height = |row: &Vec<RgbImage>| row.iter().map(RgbImage::height).max().unwrap_or(0);
    let width = |row: &Vec<RgbImage>| row.iter().map(RgbImage::width).sum::<u32>();
    let size = (
        rows.iter().map(width).max().unwrap_or(0),
        rows.iter().map(height).sum(),
    );
    let mut all = RgbImage::from_pixel(size.0, size.1, Rgb([255; 3]));
    let mut top = 0;
    for row in rows {
        let mut left = 0;
        for image in row {
            overlay(&mut all, image, left, top);
            left += i64::from(image.width());
        }
        top += i64::from(height(row));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::{parse, parse_objects};

    #[test]
    fn a_hundred_questions_that_the_detector_is_made_for() {
        let all = photos::read(FILE, DATA).unwrap();
        assert!(all.len() >= 100);
        let yes = all.iter().filter(|q| q.yes).count();
        assert!(yes * 4 >= all.len() && yes * 2 <= all.len(), "{yes}");
        for question in all.iter().map(|q| &q.question) {
            assert!(parse_objects(question).is_some(), "{question}");
            assert!(parse(question).is_none(), "{question}");
        }
    }

    #[test]
    fn images_stand_side_by_side_and_above_each_other() {
        let image = |w, h, v| RgbImage::from_pixel(w, h, Rgb([v; 3]));
        let rows = [vec![image(2, 3, 1), image(4, 2, 2)], vec![image(1, 1, 3)]];
        let all = montage(&rows);
        assert_eq!(all.dimensions(), (6, 4));
        let at = |x, y| all.get_pixel(x, y)[0];
        assert_eq!([at(0, 2), at(2, 0), at(2, 2)], [1, 2, 255]);
        assert_eq!([at(0, 3), at(1, 3)], [3, 255]);
    }
}
