//! Checks of the judge against labelled yes/no questions.

pub mod easy_vqa;
pub mod objects;
pub mod photos;

use serde::Serialize;
use verispec_model::Hash;

use crate::builtin::{Builtin, Verdict};
use crate::error::VisionError;

/// Wrong answers that are listed.
const LISTED: usize = 20;

/// One labelled question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Labelled {
    /// Name of the image.
    pub(crate) image: String,
    /// The question.
    pub(crate) question: String,
    /// Whether the right answer is yes.
    pub(crate) yes: bool,
}

/// One answer that was wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrongAnswer {
    /// Name of the image.
    pub image: String,
    /// The question.
    pub question: String,
    /// What the judge answered, `Yes` or `No`.
    pub answered: String,
    /// What it measured.
    pub why: String,
}

/// How the judge did on a set of labelled yes/no questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Name of the set.
    pub set: String,
    /// What the figures mean, in one line.
    pub note: String,
    /// Questions asked.
    pub questions: usize,
    /// Questions with an answer.
    pub answered: usize,
    /// Right answers.
    pub right: usize,
    /// Images that the given packages lack; their questions were not asked.
    pub missing_images: Vec<String>,
    /// The first 20 wrong answers.
    pub wrong: Vec<WrongAnswer>,
}

impl Report {
    pub(crate) fn new(set: &str, note: &str) -> Self {
        Self {
            set: set.to_owned(),
            note: note.to_owned(),
            questions: 0,
            answered: 0,
            right: 0,
            missing_images: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Right answers over answers, 0..=1; `None` if nothing was answered.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        (self.answered > 0).then(|| self.right as f64 / self.answered as f64)
    }

    /// Answers over questions, 0..=1; `None` without questions.
    #[must_use]
    pub fn coverage(&self) -> Option<f64> {
        (self.questions > 0).then(|| self.answered as f64 / self.questions as f64)
    }

    pub(crate) fn ask(
        &mut self,
        judge: &Builtin,
        image: &[u8],
        asked: &Labelled,
    ) -> Result<(), VisionError> {
        let answer = judge.answer(image, Hash::of(image), &asked.question)?;
        self.questions += 1;
        let yes = match answer.verdict {
            Verdict::Abstain => return Ok(()),
            Verdict::Yes => true,
            Verdict::No => false,
        };
        self.answered += 1;
        if yes == asked.yes {
            self.right += 1;
        } else if self.wrong.len() < LISTED {
            self.wrong.push(WrongAnswer {
                image: asked.image.clone(),
                question: asked.question.clone(),
                answered: answer.verdict.as_str().to_owned(),
                why: answer.why,
            });
        }
        Ok(())
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |v: Option<f64>| v.map_or("-".to_owned(), |v| format!("{:.2} %", 100.0 * v));
        writeln!(f, "{}: {}", self.set, self.note)?;
        writeln!(
            f,
            "  questions {}, answered {}, right {}",
            self.questions, self.answered, self.right
        )?;
        let (accuracy, coverage) = (percent(self.accuracy()), percent(self.coverage()));
        writeln!(f, "  accuracy on answered {accuracy}, coverage {coverage}")?;
        if !self.missing_images.is_empty() {
            writeln!(
                f,
                "  images not found, questions not asked: {}",
                self.missing_images.join(", ")
            )?;
        }
        for wrong in &self.wrong {
            let WrongAnswer {
                image,
                question,
                answered,
                why,
            } = wrong;
            writeln!(f, "  wrong: {image}: {question} -> {answered} [{why}]")?;
        }
        let hidden = self.answered - self.right - self.wrong.len();
        if hidden > 0 {
            writeln!(f, "  and {hidden} more wrong answers")?;
        }
        Ok(())
    }
}
