//! Result files of other tools, as verdicts or grades of one import (docs/importers.md).
//!
//! ```text
//! lmms-eval, VLMEvalKit, UEval, WISE, OneIG, TIFA, inspect_ai ── Sheet ──> Foreign { imported, totals }
//! ```
//!
//! One file a format, each from bytes to a [`Sheet`](sheet::Sheet): whose rows, of which track, and
//! what the file says about its own totals. A value that is 0 or 1 is a verdict on one
//! specification; any other value inside a known scale is a grade of the whole output. What has no
//! value is unjudged with a reason and is listed; no value is ever made up.

mod build;
mod inspect_ai;
mod lmms_eval;
mod oneig;
mod sheet;
mod table;
mod tifa;
mod ueval;
mod vlmevalkit;
mod wise;
mod workbook;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::records::{self, Problem};
use crate::specv::import::Imported;
use sheet::{File, Sheet};

/// Another tool's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Samples of lmms-eval and lm-evaluation-harness, `*_samples_<task>.jsonl`.
    LmmsEval,
    /// Scored tables of VLMEvalKit: workbooks (.xlsx), TSV or CSV.
    VlmEvalKit,
    /// Results of UEval's script, JSON.
    UEval,
    /// Scores of WISE's script, `*_scores.jsonl`.
    Wise,
    /// Scores per prompt of OneIG-Bench's alignment, `alignment_prompt_score_*.csv`.
    OneIg,
    /// Results of TIFA's `tifa_score_benchmark`, JSON.
    Tifa,
    /// Logs of inspect_ai as JSON.
    InspectAi,
}

impl Format {
    /// Name of the suite that an import of it is of.
    #[must_use]
    pub const fn suite(self) -> &'static str {
        match self {
            Self::LmmsEval => "lmms-eval",
            Self::VlmEvalKit => "vlmevalkit",
            Self::UEval => "ueval",
            Self::Wise => "wise",
            Self::OneIg => "oneig",
            Self::Tifa => "tifa",
            Self::InspectAi => "inspect-ai",
        }
    }

    fn read(self, file: &File<'_>, problems: &mut Vec<Problem>) -> Vec<Sheet> {
        match self {
            Self::LmmsEval => lmms_eval::read(file, problems),
            Self::VlmEvalKit => vlmevalkit::read(file, problems),
            Self::UEval => ueval::read(file, problems),
            Self::Wise => wise::read(file, problems),
            Self::OneIg => oneig::read(file, problems),
            Self::Tifa => tifa::read(file, problems),
            Self::InspectAi => inspect_ai::read(file, problems),
        }
    }
}

/// What a file does not say itself.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Choices<'a> {
    /// Model, where neither file nor folder names it.
    pub model: Option<&'a str>,
    /// Task, likewise.
    pub task: Option<&'a str>,
    /// Column or metric to read, where there are several.
    pub metric: Option<&'a str>,
    /// Scale of the values; 0 to 1 where none is given.
    pub range: Option<(f64, f64)>,
}

/// A number that a file states about itself, beside the same number made from its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Total {
    /// File, and what the number is.
    pub name: String,
    /// As stated.
    pub stated: f64,
    /// As found.
    pub found: f64,
}

impl Total {
    /// Whether the two agree; stated numbers are rounded to four decimals at most.
    #[must_use]
    pub fn agrees(&self) -> bool {
        (self.stated - self.found).abs() <= 0.5e-4 * self.stated.abs().max(1.0)
    }
}

/// A row without a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unvalued {
    /// File and line or place.
    pub place: String,
    /// Why, and what became of it.
    pub why: String,
}

/// Files of one format as an import.
#[derive(Debug, Clone, PartialEq)]
pub struct Foreign {
    /// Verdicts or grades.
    pub imported: Imported,
    /// Rows with a value.
    pub valued: usize,
    /// Rows without one, each unjudged or left out as it says.
    pub unvalued: Vec<Unvalued>,
    /// Numbers that the files state about themselves.
    pub totals: Vec<Total>,
}

/// Why files cannot be imported.
#[derive(Debug, thiserror::Error)]
#[error("{}", records::list(.0))]
pub struct ForeignError(
    /// Every fault, with file, line and field.
    pub Vec<Problem>,
);

/// Reads files of one format, of one or of several models.
///
/// # Errors
/// [`ForeignError`] with every fault: a file that cannot be read or is of another format, rows
/// without id, values outside the scale, two values for one instance, or nothing at all.
pub fn import(
    format: Format,
    paths: &[PathBuf],
    choices: Choices<'_>,
) -> Result<Foreign, ForeignError> {
    let (mut problems, mut sheets) = (vec![], vec![]);
    for path in paths {
        // A workbook is no text; its reader opens it.
        let own = format == Format::VlmEvalKit && table::is_workbook(path);
        let text = match own {
            true => Some(String::new()),
            false => read_text(path, &mut problems),
        };
        if let Some(text) = text {
            let file = File {
                path,
                name: path.display().to_string(),
                text: &text,
                choices,
            };
            sheets.extend(format.read(&file, &mut problems));
        }
    }
    build::foreign(format, paths, sheets, choices, problems)
}

fn read_text(path: &Path, problems: &mut Vec<Problem>) -> Option<String> {
    let message = match records::text(path) {
        Err(_) if is_zip(path) => {
            "a zip archive, not text: convert an .eval log with `inspect log \
                                   convert --to json`; workbooks (.xlsx) are read of VLMEvalKit"
                .to_owned()
        }
        Ok(text) if !text.trim().is_empty() => return Some(text),
        Ok(_) => "the file is empty".to_owned(),
        Err(message) => message,
    };
    problems.push(Problem {
        file: path.display().to_string(),
        line: None,
        item: None,
        field: String::new(),
        message,
    });
    None
}

/// Whether a file is of the kind that spreadsheets and inspect's logs are.
fn is_zip(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut f| f.read_exact(&mut start));
    read.is_ok() && start == *b"PK\x03\x04"
}
