//! Reads and checks a suite's file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use verispec_model::{Dimension, Instance, Suite, Track, Warning};

use super::choice::Choice;
use super::error::CustomError;
use super::header::{Header, header, is_header};
use super::instance::instance;
use super::revision::revision;
use crate::changes::Mark;
use crate::records::{Fields, Problem, Record, records, text};

/// Name of a suite's file in a folder.
pub const FILE: &str = "suite.jsonl";

/// A suite as read.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// Tracks and dimensions in the order in which they first occur; instances sorted by id.
    pub suite: Suite,
    /// What the header says about the suite.
    pub description: String,
    /// Multiple choices by track and id.
    pub choices: BTreeMap<(String, String), Choice>,
    /// Remarks.
    pub warnings: Vec<Warning>,
    /// What it is a version of, if it was patched.
    pub(super) patch: Option<Mark>,
}

impl Loaded {
    /// The choice of an instance, if it is one.
    #[must_use]
    pub fn choice_of(&self, instance: &Instance) -> Option<&Choice> {
        let key = (instance.track.clone(), instance.id.clone());
        self.choices.get(&key)
    }
}

/// What a check of a suite's file found.
#[derive(Debug, Clone)]
pub struct Validation {
    /// Everything that has to be mended, in file order.
    pub problems: Vec<Problem>,
    /// Everything that deserves a look.
    pub warnings: Vec<Warning>,
    /// The suite, if there is no problem.
    pub loaded: Option<Loaded>,
}

/// Loads a suite from its file, or from a folder that holds `suite.jsonl`.
///
/// # Errors
/// [`CustomError::NoFile`], or [`CustomError::Broken`] with every problem of the file.
pub fn load(path: &Path) -> Result<Loaded, CustomError> {
    let checked = validate(path)?;
    checked.loaded.ok_or(CustomError::Broken(checked.problems))
}

/// Checks a suite and finds all problems in one pass.
///
/// # Errors
/// [`CustomError::NoFile`] if there is nothing to check.
pub fn validate(path: &Path) -> Result<Validation, CustomError> {
    let file = if path.is_dir() {
        path.join(FILE)
    } else {
        path.to_owned()
    };
    if !file.is_file() {
        return Err(CustomError::NoFile(path.to_owned()));
    }
    let mut reader = Reader::new(&file);
    match text(&file) {
        Ok(text) => reader.read(&text),
        Err(message) => reader.problem(None, None, "", message),
    }
    Ok(reader.finish())
}

struct Reader {
    name: String,
    root: PathBuf,
    stem: String,
    header: Option<Header>,
    problems: Vec<Problem>,
    warnings: Vec<Warning>,
    /// Instances in file order, with the line of each.
    instances: Vec<(usize, Instance)>,
    choices: BTreeMap<(String, String), Choice>,
}

impl Reader {
    fn new(file: &Path) -> Self {
        let part = |part: Option<&std::ffi::OsStr>| {
            part.unwrap_or_default().to_string_lossy().into_owned()
        };
        Self {
            name: part(file.file_name()),
            root: file.parent().unwrap_or(Path::new("")).to_owned(),
            stem: part(file.file_stem()),
            header: None,
            problems: vec![],
            warnings: vec![],
            instances: vec![],
            choices: BTreeMap::new(),
        }
    }

    fn problem(&mut self, line: Option<usize>, item: Option<usize>, field: &str, message: String) {
        self.problems.push(Problem {
            file: self.name.clone(),
            line,
            item,
            field: field.to_owned(),
            message,
        });
    }

    fn read(&mut self, text: &str) {
        let found = records(&self.name, text, false, &mut self.problems);
        for record in &found {
            self.record(record);
        }
        if self.instances.is_empty() && self.problems.is_empty() {
            let message = "no instance in it; write one JSON object a line".to_owned();
            self.problem(None, None, "", message);
        }
    }

    fn record(&mut self, record: &Record) {
        let Some(map) = &record.fields else {
            return;
        };
        let name = self.name.clone();
        let mut fields = Fields {
            map,
            file: &name,
            line: record.line,
            item: record.item,
            prefix: String::new(),
            problems: &mut self.problems,
        };
        if is_header(map) {
            if record.item > 0 {
                fields.fault(
                    "suite",
                    "the description of a suite stands first in its file",
                );
            }
            self.header = header(&mut fields);
            return;
        }
        if let Some((instance, choice)) = instance(&mut fields, &self.root) {
            self.add(record, instance, choice);
        }
    }

    fn add(&mut self, record: &Record, instance: Instance, choice: Option<Choice>) {
        let key = (instance.track.clone(), instance.id.clone());
        let same = |(_, other): &&(usize, Instance)| {
            other.track == instance.track && other.id == instance.id
        };
        if let Some((line, _)) = self.instances.iter().find(same) {
            let message = format!(
                "{:?} is already used in line {line} of track {}; ids are unique inside a track",
                instance.id, instance.track
            );
            self.problem(Some(record.line), Some(record.item), "id", message);
            return;
        }
        self.remarks(record.line, &instance);
        if let Some(choice) = choice {
            self.choices.insert(key, choice);
        }
        self.instances.push((record.line, instance));
    }

    fn remarks(&mut self, line: usize, instance: &Instance) {
        let mut warn = |kind: &str, message: String| {
            self.warnings.push(Warning {
                kind: kind.to_owned(),
                place: format!("{}:{line}", self.name),
                message: format!("{}: {message}", instance.id),
            });
        };
        for path in instance.references.iter().filter(|p| !p.is_file()) {
            let path = path.display();
            warn(
                "absent-reference",
                format!("{path} is not there: nobody can judge it"),
            );
        }
        for (place, spec) in instance.specifications.iter().enumerate() {
            let same = |other: &&Arc<verispec_model::Specification>| {
                other.question.trim() == spec.question.trim()
            };
            if let Some(other) = instance.specifications[..place].iter().find(same) {
                let (a, b) = (spec.id, other.id);
                warn(
                    "repeated-question",
                    format!("specification {a} asks what {b} does"),
                );
            }
        }
    }

    fn finish(self) -> Validation {
        let warnings = self.warnings.clone();
        if !self.problems.is_empty() {
            let mut problems = self.problems;
            problems.sort_by_key(|p| p.line);
            return Validation {
                problems,
                warnings,
                loaded: None,
            };
        }
        let (name, description, patch) = match self.header {
            Some(header) => (header.name, header.description, header.patch),
            None => (self.stem, String::new(), None),
        };
        let instances = self.instances.into_iter().map(|(_, instance)| instance);
        let mut loaded = Loaded {
            suite: Suite {
                name,
                root: self.root,
                revision: String::new(),
                tracks: tracks(instances),
            },
            description,
            choices: self.choices,
            warnings: warnings.clone(),
            patch,
        };
        let content = revision(&loaded);
        loaded.suite.revision = match &loaded.patch {
            None => content,
            Some(mark) => mark.version(&content),
        };
        Validation {
            problems: vec![],
            warnings,
            loaded: Some(loaded),
        }
    }
}

fn tracks(instances: impl Iterator<Item = Instance>) -> Vec<Track> {
    let mut tracks: Vec<Track> = vec![];
    for instance in instances {
        let at = tracks.iter().position(|t| t.name == instance.track);
        let at = at.unwrap_or_else(|| {
            tracks.push(Track {
                name: instance.track.clone(),
                dimensions: vec![],
            });
            tracks.len() - 1
        });
        let dimensions = &mut tracks[at].dimensions;
        let at = dimensions.iter().position(|d| d.name == instance.dimension);
        let at = at.unwrap_or_else(|| {
            dimensions.push(Dimension {
                name: instance.dimension.clone(),
                instances: vec![],
            });
            dimensions.len() - 1
        });
        dimensions[at].instances.push(Arc::new(instance));
    }
    for dimension in tracks.iter_mut().flat_map(|t| &mut t.dimensions) {
        dimension.instances.sort_by(|a, b| a.id.cmp(&b.id));
    }
    tracks
}
