//! What is wrong with a suite's files, and where.

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;

use super::locate::{Position, Step};

/// Problems shown in full by the error's text; the rest is counted.
const SHOWN: usize = 20;

/// A suite that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The folder is not laid out as a SpecV checkout.
    #[error("{}: not a SpecV checkout: {reason}", root.display())]
    NotACheckout {
        /// The folder.
        root: PathBuf,
        /// What is missing and what to do.
        reason: String,
    },
    /// Files are broken. All problems found are listed, in file order.
    #[error("{}", list(.0))]
    Broken(Vec<Problem>),
}

/// One fault in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// File, relative to the suite's root.
    pub file: String,
    /// Where in the file, if it is a place in it.
    pub position: Option<Position>,
    /// Field at fault, for instance `[3].expected_answer`; may be empty.
    pub field: String,
    /// What is wrong and what is expected.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(at) = self.position {
            write!(f, ":{}:{}", at.line, at.column)?;
        }
        f.write_str(": ")?;
        if !self.field.is_empty() {
            write!(f, "field `{}`: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

fn list(problems: &[Problem]) -> String {
    let mut text = match problems.len() {
        1 => String::new(),
        n => format!("{n} problems in the suite's files:\n"),
    };
    let lines: Vec<String> = first_of_files(problems)
        .take(SHOWN)
        .map(ToString::to_string)
        .collect();
    text.push_str(&lines.join("\n"));
    if problems.len() > SHOWN {
        text.push_str(&format!("\nand {} more", problems.len() - SHOWN));
    }
    text
}

/// The first fault of every file, then all others, so that one file with many hides no other.
fn first_of_files(problems: &[Problem]) -> impl Iterator<Item = &Problem> {
    let mut files = HashSet::new();
    let (first, more): (Vec<_>, Vec<_>) = problems
        .iter()
        .partition(|problem| files.insert(problem.file.as_str()));
    first.into_iter().chain(more)
}

/// Collects the faults of one file.
pub(crate) struct Faults<'a> {
    file: &'a str,
    pub(super) list: Vec<Problem>,
}

impl<'a> Faults<'a> {
    pub(super) fn new(file: &'a str) -> Self {
        Self { file, list: vec![] }
    }

    /// Adds a fault of the whole file.
    pub(super) fn file(&mut self, message: impl Into<String>) {
        self.add(None, String::new(), message);
    }

    /// Adds a fault at a value inside valid JSON text.
    pub(super) fn at(&mut self, source: Source<'_>, path: &[Step<'_>], message: impl Into<String>) {
        let position = Position::of(source.text, path).below(source.first_line);
        self.add(Some(position), Step::show(path), message);
    }

    /// Adds a fault that the JSON parser found.
    pub(super) fn syntax(&mut self, source: Source<'_>, error: &serde_json::Error) {
        let at = Position {
            line: error.line().max(1),
            column: error.column(),
        };
        self.add(
            Some(at.below(source.first_line)),
            String::new(),
            syntax_message(error),
        );
    }

    fn add(&mut self, position: Option<Position>, field: String, message: impl Into<String>) {
        let file = self.file.to_owned();
        self.list.push(Problem {
            file,
            position,
            field,
            message: message.into(),
        });
    }
}

/// Text of one JSON value and the line of the file on which it starts, 1-based.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) first_line: usize,
}

/// The parser's words without its own "at line 1 column 2", which would repeat the position.
pub(crate) fn syntax_message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let words = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(words, _)| words);
    format!("not valid JSON: {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_many_faults_hides_no_other_file() {
        let problem = |file: &str, n: usize| Problem {
            file: file.to_owned(),
            position: None,
            field: format!("[{n}].id"),
            message: "wrong".to_owned(),
        };
        let mut problems: Vec<Problem> = (0..30).map(|n| problem("a.json", n)).collect();
        problems.push(problem("b.json", 0));
        let text = LoadError::Broken(problems).to_string();
        let second = text.lines().nth(2).expect("three lines");
        assert!(second.starts_with("b.json"), "{text}");
        assert!(
            text.contains("31 problems") && text.ends_with("and 11 more"),
            "{text}"
        );
    }
}
