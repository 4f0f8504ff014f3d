//! Results of TIFA's `tifa_score_benchmark`: questions per caption, each with the answer of a model
//! for visual questions.
//!
//! `question_details.<caption>.<question>.scores` is 1 where `multiple_choice_vqa` is `answer`. The
//! file states `tifa_average`, the mean of `caption_scores`.

use serde_json::{Map, Value};

use super::Total;
use super::sheet::{File, Row, Said, Sheet, mean};
use crate::records::{Problem, describe};

pub(super) fn read(file: &File<'_>, problems: &mut Vec<Problem>) -> Vec<Sheet> {
    let Some(whole) = file.object(problems) else {
        return vec![];
    };
    let expected = "captions with their questions, as TIFA's benchmark writes them";
    let details = file.field(problems, &whole, ("", "question_details"), expected, |v| {
        v.as_object()
    });
    let Some(details) = details else {
        return vec![];
    };
    let mut rows = vec![];
    let mut totals = vec![];
    let mut scores = vec![];
    for (place, (caption, questions)) in details.iter().enumerate() {
        let before = rows.len();
        for (question, fields) in questions.as_object().into_iter().flatten() {
            let field = format!("question_details.{caption}.{question}");
            rows.extend(row(
                file,
                (caption, question),
                (fields, &field),
                place + 1,
                problems,
            ));
        }
        let found = mean(rows[before..].iter().filter_map(value));
        scores.extend(found);
        let stated = whole.get("caption_scores").and_then(|s| s.get(caption));
        totals.extend(total(
            file,
            &format!("caption_scores.{caption}"),
            stated,
            found,
        ));
    }
    let found = mean(scores.into_iter());
    totals.extend(total(
        file,
        "tifa_average",
        whole.get("tifa_average"),
        found,
    ));
    vec![Sheet {
        file: file.name.clone(),
        model: file
            .choices
            .model
            .map_or_else(|| file.stem(), str::to_owned),
        track: file.choices.task.unwrap_or("tifa").to_owned(),
        rows,
        totals,
    }]
}

const fn value(row: &Row) -> Option<f64> {
    match row.said {
        Said::Value(v) => Some(v),
        Said::Nothing(_) => None,
    }
}

fn total(file: &File<'_>, what: &str, stated: Option<&Value>, found: Option<f64>) -> Option<Total> {
    Some(Total {
        name: format!("{}: {what}", file.name),
        stated: stated?.as_f64()?,
        found: found?,
    })
}

fn row(
    file: &File<'_>,
    (caption, question): (&str, &str),
    (fields, place): (&Value, &str),
    line: usize,
    problems: &mut Vec<Problem>,
) -> Option<Row> {
    let none = Map::new();
    let fields = fields.as_object().unwrap_or(&none);
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let score = match fields.get("scores").and_then(Value::as_u64) {
        Some(0) => 0.0,
        Some(1) => 1.0,
        _ => {
            let got = fields.get("scores").map_or("nothing".to_owned(), describe);
            let message = format!("expected 0 or 1, got {got}");
            file.fault(problems, None, &format!("{place}.scores"), message);
            return None;
        }
    };
    let (answer, chosen) = (text("answer"), text("multiple_choice_vqa"));
    if let (Some(answer), Some(chosen)) = (answer, chosen)
        && (answer == chosen) != (score == 1.0)
    {
        let message = format!("{score}, but the answer is {answer:?} and {chosen:?} was chosen");
        file.fault(problems, None, &format!("{place}.scores"), message);
        return None;
    }
    Some(Row {
        line,
        dimension: "all".to_owned(),
        instance: caption.to_owned(),
        question: format!("{question} ({})", answer.unwrap_or("?")),
        category: text("element_type").unwrap_or_default().to_owned(),
        said: Said::Value(score),
        raw: text("free_form_vqa").or(chosen).map(str::to_owned),
    })
}
