//! A folder of DSG's released files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use verispec_model::Warning;

use super::annotations::Annotations;
use super::answers::{AnswerFile, QuestionSet};
use super::error::DsgError;
use super::ratings::{Rating, read_ratings};

/// Prompts and questions.
const ANNOTATIONS: &str = "dsg-1k-anns.csv";
/// Those of TIFA's prompts before their renumbering; not needed for any score.
const DEVELOPMENT: &str = "tifa160-dev-anns.csv";
/// Human ratings.
const RATINGS: &str = "tifa160-likert-anns.csv";

/// Everything in the folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// The folder.
    pub root: PathBuf,
    /// Prompts, questions, dependencies.
    pub annotations: Annotations,
    /// Human ratings; empty where the folder has none.
    pub ratings: Vec<Rating>,
    /// Answers, sorted by judge and questions.
    pub answers: Vec<AnswerFile>,
    /// All faults, file by file.
    pub warnings: Vec<Warning>,
}

/// Loads a folder.
///
/// # Errors
/// The folder lacks `dsg-1k-anns.csv` or has no judge's answers; a file cannot be read or lacks a
/// column. Faults of single rows are in [`Dataset::warnings`].
pub fn load(root: &Path) -> Result<Dataset, DsgError> {
    let file = |name| Some(root.join(name)).filter(|path: &PathBuf| path.is_file());
    let path = file(ANNOTATIONS).ok_or_else(|| DsgError::NoFile {
        root: root.to_owned(),
        file: ANNOTATIONS,
    })?;
    let annotations = Annotations::read(&path)?;
    let mut warnings = annotations.warnings.clone();
    if let Some(path) = file(DEVELOPMENT) {
        warnings.extend(Annotations::read(&path)?.warnings);
    }
    let (ratings, faults) = file(RATINGS).map_or(Ok((vec![], vec![])), |p| read_ratings(&p))?;
    warnings.extend(faults);
    let answers = answers(root)?;
    for file in &answers {
        warnings.extend(file.warnings.iter().cloned());
        if file.questions == QuestionSet::Dsg {
            warnings.extend(strangers(file, &annotations));
        }
        warnings.extend(absent(file, &ratings));
    }
    Ok(Dataset {
        root: root.to_owned(),
        annotations,
        ratings,
        answers,
        warnings,
    })
}

impl Dataset {
    /// Judges whose answers are there, sorted.
    #[must_use]
    pub fn judges(&self) -> Vec<&str> {
        let names: BTreeSet<&str> = self.answers.iter().map(|f| f.judge.as_str()).collect();
        names.into_iter().collect()
    }

    /// A judge's answers to a set of questions.
    #[must_use]
    pub fn file(&self, judge: &str, questions: QuestionSet) -> Option<&AnswerFile> {
        self.answers
            .iter()
            .find(|f| f.judge == judge && f.questions == questions)
    }
}

fn answers(root: &Path) -> Result<Vec<AnswerFile>, DsgError> {
    let failed = |source| DsgError::Io {
        path: root.to_owned(),
        source,
    };
    let mut names = BTreeMap::new();
    for entry in std::fs::read_dir(root).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(key) = AnswerFile::named(&name) {
            names.insert(key, path);
        }
    }
    if names.is_empty() {
        return Err(DsgError::NoAnswers {
            root: root.to_owned(),
        });
    }
    names
        .into_iter()
        .map(|((judge, questions), path)| AnswerFile::read(&path, judge, questions))
        .collect()
}

/// Answers to questions that the prompts do not have, or have otherwise.
fn strangers(file: &AnswerFile, annotations: &Annotations) -> Vec<Warning> {
    let mut found = vec![];
    for row in &file.rows {
        let (kind, message) = match annotations.specification(&row.item, row.id) {
            None => (
                "unknown-question",
                format!("not used: {} has no question {}", row.item, row.id),
            ),
            Some(spec) if spec.question != row.question => (
                "other-question",
                format!("{} #{}: asked {:?}", row.item, row.id, row.question),
            ),
            Some(_) => continue,
        };
        found.push(Warning {
            kind: kind.to_owned(),
            place: format!("{}:{}", file.name, row.line),
            message,
        });
    }
    found
}

/// Items that people rated and the judge was never asked about.
fn absent(file: &AnswerFile, ratings: &[Rating]) -> Vec<Warning> {
    let asked: BTreeSet<&str> = file.rows.iter().map(|r| r.item.as_str()).collect();
    let rated: BTreeSet<&str> = ratings.iter().map(|r| r.item.as_str()).collect();
    let absent = rated.difference(&asked);
    absent
        .map(|item| Warning {
            kind: "absent-item".to_owned(),
            place: format!("{}: {item}", file.name),
            message: "rated by people, no answer for any model; nobody's score".to_owned(),
        })
        .collect()
}
