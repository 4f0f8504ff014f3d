//! Anomalies of single specifications and of the list as a whole.

use verispec_model::{Instance, Specification, Warning, YesNo};

use super::checklist_place;
use super::text::{bracketed_numbers, has_cjk, has_latex_braces};
use crate::specv::board::FINAL_ANSWER_CATEGORY;

type Rule = (&'static str, fn(&Specification) -> Option<String>);

const RULES: [Rule; 7] = [
    ("expected-no", |s| {
        (s.expected == YesNo::No).then(|| "expected answer is No; nearly all are Yes".to_owned())
    }),
    ("rating-below-8", |s| {
        let rating = s.rating.filter(|r| *r < 8.0)?;
        Some(format!(
            "rating {rating} is below 8, the bound of the paper's filter"
        ))
    }),
    ("no-final-question-mark", |s| {
        (!s.question.trim_end().ends_with('?'))
            .then(|| "does not end with a question mark".to_owned())
    }),
    ("several-question-marks", |s| {
        let n = s.question.matches('?').count();
        (n > 1).then(|| format!("{n} question marks; may ask more than one thing"))
    }),
    ("cjk-text", |s| {
        has_cjk(&s.question).then(|| "holds Chinese, Japanese or Korean text".to_owned())
    }),
    ("placeholder-in-specification", |s| {
        let numbers = bracketed_numbers(&s.question, "IMAGE");
        let first = numbers.first()?;
        Some(format!(
            "holds [IMAGE{first}]; it is text here and is not replaced by an image"
        ))
    }),
    ("latex-braces", |s| {
        has_latex_braces(&s.question)
            .then(|| "holds LaTeX braces; a hazard in templates".to_owned())
    }),
];

pub(super) fn of_instance(instance: &Instance, found: &mut Vec<Warning>) {
    let place = checklist_place(instance);
    for spec in &instance.specifications {
        for (kind, rule) in RULES {
            let message = rule(spec);
            found.extend(message.map(|message| Warning {
                kind: kind.to_owned(),
                place: format!("{place}#{}", spec.id),
                message,
            }));
        }
    }
    if instance.track == "understanding" && !has_final_answer(instance) {
        found.push(Warning {
            kind: "no-final-answer-item".to_owned(),
            place,
            message: "no final-answer specification; scoring `board` always gives 0".to_owned(),
        });
    }
}

fn has_final_answer(instance: &Instance) -> bool {
    instance
        .specifications
        .iter()
        .any(|s| s.category.starts_with(FINAL_ANSWER_CATEGORY))
}
