//! The yes/no questions of easy-VQA's test set (package `easy-vqa` 1.0, MIT).

use std::path::Path;

use crate::bench::{Labelled, Report};
use crate::builtin::Builtin;
use crate::error::VisionError;
use crate::package::Package;

const QUESTIONS: &str = "test/questions.json";

/// Asks the 7,136 yes/no questions of the test set. `from` is the wheel, its unpacked content or
/// the installed package.
///
/// The set is synthetic and its vocabulary was known when the judge was written: this checks the
/// plumbing and says nothing about other images.
///
/// # Errors
/// If `from` lacks the questions or an image, or the judge fails.
pub fn evaluate(from: &Path, judge: &Builtin) -> Result<Report, VisionError> {
    let note = "plumbing check on drawn shapes; the vocabulary was known, no measure of skill";
    let mut report = Report::new("easy-VQA test, yes/no", note);
    let mut package = Package::open(from)?;
    let asked = questions(&package.read(QUESTIONS)?)?;
    let mut image = (String::new(), Vec::new());
    for one in &asked {
        if image.0 != one.image {
            image = (
                one.image.clone(),
                package.read(&format!("test/images/{}", one.image))?,
            );
        }
        report.ask(judge, &image.1, one)?;
    }
    Ok(report)
}

/// Each item is `[question, answer, image number]`; other answers than yes and no are left out.
fn questions(json: &[u8]) -> Result<Vec<Labelled>, VisionError> {
    let err = |place: String, message: String| VisionError::Data {
        file: QUESTIONS.to_owned(),
        place,
        message,
    };
    let list: Vec<(String, String, u64)> = serde_json::from_slice(json)
        .map_err(|e| err(format!("line {}", e.line()), e.to_string()))?;
    let labelled = list.into_iter().filter_map(|(question, answer, image)| {
        let yes = match answer.as_str() {
            "yes" => true,
            "no" => false,
            _ => return None,
        };
        Some(Labelled {
            image: format!("{image}.png"),
            question,
            yes,
        })
    });
    let labelled: Vec<Labelled> = labelled.collect();
    if labelled.is_empty() {
        return Err(err(
            "whole file".to_owned(),
            "no yes/no question".to_owned(),
        ));
    }
    Ok(labelled)
}
