//! Multiple choices: read from the model's text, without a judge.

use serde_json::Value;
use verispec_judge::reader::{MAX_OPTIONS, read_choice};
use verispec_model::{
    InstanceState, Origin, OutputFailure, Provenance, Reading, SpecResult, SpecRules,
    Specification, YesNo,
};

use crate::records::Fields;

/// Options and the right one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Texts of the options, `A` first.
    pub options: Vec<String>,
    /// The right letter, upper-case.
    pub answer: char,
}

/// Reads `choices` and `answer`; faults are kept.
pub(super) fn choice(fields: &mut Fields<'_>) -> Option<Choice> {
    let options = fields.get("choices", "a list of 2 to 26 texts", |value| {
        let texts = value
            .as_array()?
            .iter()
            .map(|v| v.as_str().map(str::to_owned));
        let texts: Vec<String> = texts.collect::<Option<_>>()?;
        (2..=MAX_OPTIONS).contains(&texts.len()).then_some(texts)
    });
    let answer = fields.get("answer", "the letter of a choice", |value| {
        let mut chars = value.as_str()?.trim().chars();
        let letter = chars.next()?.to_ascii_uppercase();
        (chars.next().is_none() && letter.is_ascii_uppercase()).then_some(letter)
    });
    let (options, answer) = (options?, answer?);
    let there = (b'A'..).zip(&options).any(|(l, _)| char::from(l) == answer);
    if !there {
        let n = options.len();
        fields.fault("answer", format!("{answer} is none of the {n} choices"));
    }
    there.then_some(Choice { options, answer })
}

/// The specification that stands for a choice. It holds no answer.
pub(super) fn specification(prompt: &str) -> Specification {
    Specification {
        id: 1,
        question: prompt.to_owned(),
        category: "choice".to_owned(),
        subcategory: String::new(),
        expected: YesNo::Yes,
        rating: None,
        rules: SpecRules::default(),
        record: Default::default(),
    }
}

/// What a text that a model wrote comes to. One that names no choice, or several, is the model's
/// failure.
#[must_use]
pub fn choice_state(text: &str, choice: &Choice, spec: &Specification) -> InstanceState {
    if text.trim().is_empty() {
        return InstanceState::OutputFailed(OutputFailure::Empty, 1);
    }
    let Some(letter) = read_choice(text, &choice.options) else {
        return InstanceState::OutputFailed(OutputFailure::Undecidable, 1);
    };
    let verdict = if letter == choice.answer {
        YesNo::Yes
    } else {
        YesNo::No
    };
    InstanceState::Generated(vec![SpecResult {
        reading: Some(Reading::yes_no(verdict)),
        provenance: Provenance::from(Origin {
            raw_answer: Some(Value::from(text)),
            ..Origin::default()
        }),
        ..SpecResult::pending(spec.clone())
    }])
}
