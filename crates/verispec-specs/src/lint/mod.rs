//! What is wrong with specifications, without asking a model.
//!
//! ```text
//! question, expected answer ─ lint_text ─> findings of one specification
//! instance ─ lint ─> the same for each, and findings of the whole set
//! ```

mod image;
mod options;
mod rule;
mod set;
mod text;

use serde::{Deserialize, Serialize};
use verispec_model::{Instance, SpecId, Specification, YesNo};

pub use options::{LintOptions, WeightGroups};
pub use rule::{RULES, Rule, Severity, rule};

/// Something that a rule found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Code of the rule, see [`RULES`].
    pub code: String,
    /// Track, dimension and id of the instance, with slashes.
    pub instance: String,
    /// The specification; `None` where the whole set is meant.
    pub spec: Option<SpecId>,
    /// What was found, in one line.
    pub message: String,
}

impl Finding {
    /// The rule's severity.
    #[must_use]
    pub fn severity(&self) -> Severity {
        rule(&self.code).map_or(Severity::Note, |r| r.severity)
    }
}

/// Findings of every specification of an instance and of all of them together, in file order.
#[must_use]
pub fn lint(instance: &Instance, options: &LintOptions) -> Vec<Finding> {
    let place = format!("{}/{}/{}", instance.track, instance.dimension, instance.id);
    let about = |spec: &Specification| {
        let found = lint_text(&spec.question, spec.expected, &About::of(instance, options));
        let rating = low_rating(spec, options);
        let found = found.into_iter().chain(rating);
        found
            .map(|(code, message)| Finding {
                code: code.to_owned(),
                instance: place.clone(),
                spec: Some(spec.id),
                message,
            })
            .collect::<Vec<Finding>>()
    };
    let mut found: Vec<Finding> = instance
        .specifications
        .iter()
        .flat_map(|s| about(s))
        .collect();
    found.extend(
        set::lint(instance, options)
            .into_iter()
            .map(|(code, spec, message)| Finding {
                code: code.to_owned(),
                instance: place.clone(),
                spec,
                message,
            }),
    );
    found
}

/// What a specification is about, as far as rules need it.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// Most words.
    pub max_words: usize,
    /// Images that the task has.
    pub references: usize,
    /// How many images may be named without calling them inputs: a task whose output is one image
    /// has no third image to speak of. `None` where outputs may hold any number.
    pub nameable: Option<usize>,
}

impl About {
    /// Of an instance.
    #[must_use]
    pub fn of(instance: &Instance, options: &LintOptions) -> Self {
        let references = instance.references.len();
        let extra = options.nameable_beyond(&instance.track);
        Self {
            max_words: options.max_words,
            references,
            nameable: extra.map(|extra| references + extra),
        }
    }
}

type Found = (&'static str, String);

/// Findings of one specification by code.
#[must_use]
pub fn lint_text(question: &str, expected: YesNo, about: &About) -> Vec<Found> {
    if !question.chars().any(char::is_alphanumeric) {
        return vec![("empty", "no word".to_owned())];
    }
    let mut found: Vec<Found> = vec![];
    form(question, about, &mut found);
    wording(question, expected, &mut found);
    images(question, about, &mut found);
    if expected == YesNo::No {
        found.push(("expected-no", "expects No".to_owned()));
    }
    found
}

fn form(question: &str, about: &About, found: &mut Vec<Found>) {
    if !text::asks_yes_no(question) {
        found.push(("not-yes-no", format!("begins {:?}", start(question))));
    }
    let marks = text::questions(question);
    let all = question.matches('?').count();
    if marks > 1 {
        found.push(("several-questions", format!("{marks} question marks")));
    } else if all > 1 {
        found.push((
            "quoted-question",
            format!("{all} question marks, quotations included"),
        ));
    }
    if !question.trim_end().ends_with('?') {
        found.push(("no-question-mark", format!("ends {:?}", end(question))));
    }
    let words = text::length(question);
    if words > about.max_words {
        found.push((
            "over-long",
            format!("{words} words, more than {}", about.max_words),
        ));
    }
    if text::has_template_braces(question) {
        found.push((
            "template-braces",
            "holds template or LaTeX braces".to_owned(),
        ));
    }
    if text::has_cjk(question) {
        found.push((
            "other-script",
            "holds Chinese, Japanese or Korean text".to_owned(),
        ));
    }
}

fn wording(question: &str, expected: YesNo, found: &mut Vec<Found>) {
    if let Some(joint) = text::second_claim(question) {
        found.push(("two-claims", format!("a second claim begins at {joint:?}")));
    }
    if let Some(word) = text::vague(question) {
        found.push(("vague-word", format!("{word:?}")));
    }
    let denials = text::negations(question);
    let plain = denials
        .iter()
        .find(|w| matches!(w.as_str(), "not" | "no" | "without"));
    match (denials.as_slice(), plain) {
        ([], _) => {}
        (_, Some(word)) if expected == YesNo::No => {
            found.push((
                "double-negation",
                format!("{word:?}, and the expected answer is No"),
            ));
        }
        ([a, b], _) => found.push(("double-negation", format!("{a:?} and {b:?}"))),
        ([word, ..], _) => found.push(("negation", format!("{word:?}"))),
    }
    if text::names_reference(question) && split_states_nothing(question) {
        found.push((
            "unseen-reference",
            "names a reference answer without stating it".to_owned(),
        ));
    }
}

/// Whether a text states nothing that could be an answer: no quotation, number, formula, option
/// or remark.
fn split_states_nothing(question: &str) -> bool {
    let (plain, quoted) = crate::phrase::split_quoted(question);
    let letter = crate::phrase::Phrase::of(&plain).quoted;
    let digit = plain.chars().any(|c| c.is_ascii_digit());
    quoted.is_empty() && letter.is_empty() && !digit && !plain.contains(['(', ':', '='])
}

fn images(question: &str, about: &About, found: &mut Vec<Found>) {
    if image::has_placeholder(question) {
        found.push(("placeholder", "holds [IMAGEn]".to_owned()));
    }
    let (named, input) = image::highest(question);
    let has = about.references;
    let beyond = |n: usize, bound: usize| (n > bound).then_some(n);
    let missing = beyond(input, has).or_else(|| beyond(named, about.nameable?));
    if let Some(n) = missing {
        found.push((
            "missing-image",
            format!("speaks of image {n}, the task has {has}"),
        ));
    }
}

fn low_rating(spec: &Specification, options: &LintOptions) -> Option<Found> {
    let rating = spec.rating.filter(|r| *r < options.tau)?;
    Some((
        "low-rating",
        format!("rating {rating}, the bound is {}", options.tau),
    ))
}

fn start(text: &str) -> String {
    text.split_whitespace()
        .take(4)
        .collect::<Vec<_>>()
        .join(" ")
}

fn end(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words[words.len().saturating_sub(4)..].join(" ")
}

#[cfg(test)]
mod tests;
