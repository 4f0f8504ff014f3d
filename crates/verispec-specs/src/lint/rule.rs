//! The rules by code, with what they mean and how to mend what they find.

use serde::{Deserialize, Serialize};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing; nothing need be wrong.
    Note,
    /// Likely to be judged differently by different judges, or to measure something else.
    Warning,
    /// Cannot be judged as it stands.
    Error,
}

impl Severity {
    /// Kebab-case name, as in files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Stable code, for instance `two-claims`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Whether it speaks of a whole set rather than of one specification.
    pub of_set: bool,
    /// What is wrong with what it finds.
    pub explanation: &'static str,
    /// What to do about it.
    pub hint: &'static str,
}

const fn item(
    code: &'static str,
    severity: Severity,
    explanation: &'static str,
    hint: &'static str,
) -> Rule {
    Rule {
        code,
        severity,
        of_set: false,
        explanation,
        hint,
    }
}

const fn set(
    code: &'static str,
    severity: Severity,
    explanation: &'static str,
    hint: &'static str,
) -> Rule {
    Rule {
        of_set: true,
        ..item(code, severity, explanation, hint)
    }
}

/// All rules, those of single specifications first.
pub const RULES: [Rule; 21] = [
    item(
        "empty",
        Severity::Error,
        "the specification holds no word",
        "write a question or remove the specification",
    ),
    item(
        "not-yes-no",
        Severity::Error,
        "this is no question that yes or no answers",
        "begin with is, are, does, do, has or the like, and ask for one fact",
    ),
    item(
        "missing-image",
        Severity::Error,
        "it speaks of an image that the task does not have",
        "name an image that is given, or add the image to the task",
    ),
    item(
        "several-questions",
        Severity::Warning,
        "it asks more than one question, and one answer has to stand for all",
        "make a specification of each question",
    ),
    item(
        "quoted-question",
        Severity::Note,
        "a quotation in it holds a question mark, so its end is easily misread",
        "keep it if the text is wanted; quote it with marks that do not occur in it",
    ),
    item(
        "two-claims",
        Severity::Warning,
        "it joins two claims; when one holds and the other does not, judges differ",
        "split it into one specification a claim",
    ),
    item(
        "vague-word",
        Severity::Warning,
        "a word leaves the bar to the reader",
        "name what can be seen: which defect, how many, which text",
    ),
    item(
        "over-long",
        Severity::Warning,
        "it is longer than a judge reads as one fact",
        "keep the fact and drop the explanation, or split it",
    ),
    item(
        "double-negation",
        Severity::Warning,
        "it denies a denial, in its words or by the expected answer No; readers slip",
        "ask for what is to be there, and expect Yes",
    ),
    item(
        "negation",
        Severity::Note,
        "it asks in part that something is not there, which is harder to see than what is there",
        "ask for what is to be there, or keep it as a negative control on purpose",
    ),
    item(
        "unseen-reference",
        Severity::Warning,
        "it compares with a reference answer that it does not state, and no judge is shown one",
        "write the answer into the specification",
    ),
    item(
        "placeholder",
        Severity::Warning,
        "it holds an image placeholder, which stays text in a specification",
        "name the image in words",
    ),
    item(
        "no-question-mark",
        Severity::Note,
        "it does not end with a question mark",
        "end with the question; put notes before it",
    ),
    item(
        "template-braces",
        Severity::Note,
        "it holds doubled or LaTeX braces, which templates may take for their own",
        "write the formula without braces, or check the prompt as sent",
    ),
    item(
        "other-script",
        Severity::Note,
        "it holds Chinese, Japanese or Korean text",
        "make sure that the judge reads the script",
    ),
    item(
        "expected-no",
        Severity::Note,
        "the expected answer is No",
        "nothing, if it is a negative control; make sure that an empty output does not earn it",
    ),
    item(
        "low-rating",
        Severity::Warning,
        "its rating is under the bound of the filter",
        "review it: keep it by name, mend it or remove it",
    ),
    set(
        "duplicate",
        Severity::Warning,
        "two specifications say the same, so one fact counts twice",
        "keep one of them",
    ),
    set(
        "no-negative-control",
        Severity::Note,
        "every expected answer is Yes: a judge that always says Yes gives full marks",
        "add specifications whose right answer is No",
    ),
    set(
        "no-final-answer",
        Severity::Error,
        "there is no final-answer specification, so scoring by final answers always gives 0",
        "add one with the final-answer category",
    ),
    set(
        "missing-weight-group",
        Severity::Error,
        "a weighted group has no specification, so full marks cannot be reached",
        "add a specification of that group",
    ),
];

/// The rule of a code.
#[must_use]
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|r| r.code == code)
}
