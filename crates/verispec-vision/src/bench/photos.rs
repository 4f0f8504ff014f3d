//! Yes/no questions on photographs that come with well-known packages.
//!
//! Questions and labels are ours and stand in `data/photo_questions.jsonl`; the photographs are
//! read from the packages `scikit-image` and `scikit-learn`. The labels were written by looking at
//! the photographs before any of the judge's code existed, and nothing is tuned on them.

use std::path::Path;

use serde::Deserialize;

use crate::bench::{Labelled, Report};
use crate::builtin::Builtin;
use crate::error::VisionError;
use crate::package::Package;

const DATA: &str = include_str!("../../data/photo_questions.jsonl");
const FILE: &str = "photo_questions.jsonl";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    image: String,
    /// What the question is about; for people.
    #[serde(rename = "kind")]
    _kind: String,
    question: String,
    answer: String,
}

/// Asks the questions on all photographs found in the given wheels or folders. Photographs that
/// are in none of them are listed in the report.
///
/// # Errors
/// If a package cannot be read, no photograph is found, or the judge fails.
pub fn evaluate(from: &[&Path], judge: &Builtin) -> Result<Report, VisionError> {
    let note = "questions of a sort users ask; labelled before the judge was written, not tuned on";
    let report = Report::new("photographs, yes/no", note);
    ask_all(from, judge, report, read(FILE, DATA)?, find)
}

/// Finds the picture of a name in packages.
type Find = fn(&mut [Package], &str) -> Result<Option<Vec<u8>>, VisionError>;

/// Asks all questions whose pictures are found.
pub(super) fn ask_all(
    from: &[&Path],
    judge: &Builtin,
    mut report: Report,
    questions: Vec<Labelled>,
    find: Find,
) -> Result<Report, VisionError> {
    let mut packages = from
        .iter()
        .map(|p| Package::open(p))
        .collect::<Result<Vec<_>, _>>()?;
    let mut image = (String::new(), None);
    for one in questions {
        if image.0 != one.image {
            image = (one.image.clone(), find(&mut packages, &one.image)?);
        }
        match &image.1 {
            Some(bytes) => report.ask(judge, bytes, &one)?,
            None if report.missing_images.contains(&one.image) => {}
            None => report.missing_images.push(one.image),
        }
    }
    if report.questions == 0 {
        return Err(VisionError::Missing {
            path: from
                .first()
                .map_or_else(Default::default, |p| p.to_path_buf()),
            wanted: format!("photograph ({})", report.missing_images.join(", ")),
        });
    }
    Ok(report)
}

pub(super) fn find(packages: &mut [Package], name: &str) -> Result<Option<Vec<u8>>, VisionError> {
    match packages.iter_mut().find(|p| p.find(name).is_some()) {
        Some(package) => package.read(name).map(Some),
        None => Ok(None),
    }
}

/// The labelled questions of a file, one a line.
pub(super) fn read(file: &str, data: &str) -> Result<Vec<Labelled>, VisionError> {
    let err = |line: usize, message: String| VisionError::Data {
        file: file.to_owned(),
        place: format!("line {}", line + 1),
        message,
    };
    data.lines()
        .enumerate()
        .map(|(i, line)| {
            let row: Row = serde_json::from_str(line).map_err(|e| err(i, e.to_string()))?;
            let yes = match row.answer.as_str() {
                "Yes" => true,
                "No" => false,
                other => return Err(err(i, format!("answer {other:?} is neither Yes nor No"))),
            };
            Ok(Labelled {
                image: row.image,
                question: row.question,
                yes,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_least_sixty_questions_of_both_answers() {
        let all = read(FILE, DATA).unwrap();
        assert!(all.len() >= 60);
        let yes = all.iter().filter(|q| q.yes).count();
        assert!(
            yes * 3 >= all.len() && yes * 3 <= 2 * all.len(),
            "{yes} of {}",
            all.len()
        );
    }
}
