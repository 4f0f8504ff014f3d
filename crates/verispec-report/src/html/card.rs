//! One instance of one model, as the page's templates see it.

use serde::Serialize;
use verispec_model::{InstanceState, SpecResult};

use super::images::{ImageView, Images};
use super::names;
use crate::input::{
    InstanceView, OutputPart, SpecState, answer, expected, how, tally, together, votes,
};
use crate::number::percent;

/// An instance.
#[derive(Debug, Serialize)]
pub(crate) struct Card {
    pub anchor: String,
    pub model: String,
    pub track: String,
    pub dimension: String,
    pub id: String,
    /// Words that filters look for: `met`, `unmet`, `unjudged`, `pending`, `graded`, `failed`,
    /// `unjudgeable`.
    pub states: String,
    pub tally: String,
    pub score: String,
    /// One state word a specification, for the strip of marks.
    pub strip: Vec<&'static str>,
    pub prompt: Option<String>,
    pub references: Vec<ImageView>,
    pub output: Vec<Part>,
    /// Why there is no output or nothing to judge.
    pub failure: Option<String>,
    pub specs: Vec<Spec>,
    /// How many specifications shared a call, when it is the same number for all.
    pub together: Option<u32>,
    /// The same instance of other models, on other pages.
    pub others: Vec<Link>,
}

/// A link with its text.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Link {
    pub text: String,
    pub href: String,
}

/// A part of an output.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Part {
    pub image: Option<ImageView>,
    pub text: Option<String>,
}

/// A specification.
#[derive(Debug, Serialize)]
pub(crate) struct Spec {
    pub id: u32,
    pub state: &'static str,
    pub sign: &'static str,
    pub question: String,
    pub category: String,
    pub expected: &'static str,
    pub answer: String,
    pub note: Option<String>,
    pub how: String,
    /// Opinions behind a common verdict.
    pub votes: Vec<String>,
}

/// Makes the card of an instance.
pub(crate) fn card(view: &InstanceView<'_>, images: &mut Images) -> Card {
    let specs = match view.state {
        InstanceState::Generated(specs) => specs.as_slice(),
        _ => &[],
    };
    let together = together(specs);
    Card {
        anchor: names::instance(view.track, view.id, view.model),
        model: view.model.to_owned(),
        track: view.track.to_owned(),
        dimension: view.dimension.to_owned(),
        id: view.id.to_owned(),
        states: states(view.state).join(" "),
        tally: tally(view.state),
        score: percent(view.score),
        strip: specs.iter().map(|s| SpecState::of(s).word()).collect(),
        prompt: view.prompt.map(str::to_owned),
        references: view.references.iter().map(|p| images.view(p)).collect(),
        output: view.output.iter().map(|p| part(p, images)).collect(),
        failure: failure(view.state),
        specs: specs.iter().map(|s| spec(s, together)).collect(),
        together,
        others: vec![],
    }
}

fn part(part: &OutputPart, images: &mut Images) -> Part {
    match part {
        OutputPart::Image(path) => Part {
            image: Some(images.view(path)),
            text: None,
        },
        OutputPart::Text(text) => Part {
            image: None,
            text: Some(text.clone()),
        },
    }
}

fn failure(state: &InstanceState) -> Option<String> {
    match state {
        InstanceState::Generated(_) => None,
        InstanceState::OutputFailed(..) | InstanceState::Unjudgeable(..) => Some(tally(state)),
    }
}

/// State words of an instance: `met` only when everything is.
pub(crate) fn states(state: &InstanceState) -> Vec<&'static str> {
    let specs = match state {
        InstanceState::OutputFailed(..) => return vec!["failed"],
        InstanceState::Unjudgeable(..) => return vec!["unjudgeable"],
        InstanceState::Generated(specs) => specs,
    };
    let has = |word: &str| specs.iter().any(|s| SpecState::of(s).word() == word);
    let words: Vec<&'static str> = ["unmet", "unjudged", "pending", "graded"]
        .into_iter()
        .filter(|word| has(word))
        .collect();
    if words.is_empty() { vec!["met"] } else { words }
}

fn spec(result: &SpecResult, together: Option<u32>) -> Spec {
    let state = SpecState::of(result);
    let spec = &result.spec;
    let category: Vec<&str> = [spec.category.as_str(), spec.subcategory.as_str()]
        .into_iter()
        .filter(|c| !c.is_empty())
        .collect();
    Spec {
        id: result.id(),
        state: state.word(),
        sign: state.sign(),
        question: spec.question.clone(),
        category: category.join(" / "),
        expected: expected(result),
        answer: answer(result),
        note: result.note.clone(),
        how: how(result, together),
        votes: votes(result),
    }
}
