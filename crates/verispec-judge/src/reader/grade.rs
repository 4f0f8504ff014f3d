//! Replies that give one grade on a stated scale.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use verispec_model::{Answer, ReadStage, Reading, SpecId, Unjudged};

use super::answer::is_decoration;
use super::decide::decide;
use super::json::Node;
use super::list::stage;
use super::scan::{scan, without_reasoning};
use super::shape::{Answers, Entry, all, note};
use super::{ItemReading, SingleReading};

/// Members and words that hold a grade.
const NAMES: &[&str] = &["score", "grade", "rating"];

/// Label under which the one grade is looked for.
const LABEL: SpecId = 0;

/// Longest line, in bytes, that can be a grade and nothing else.
const LONGEST: usize = 64;

/// Reads a reply that gives one grade between `from` and `to`.
///
/// Accepted forms: an object with `score` (`grade`, `rating`); in free text, a line that is a
/// number and nothing else, or stands behind `Score:`. A number may name its scale (`7/10`, `7 out
/// of 10`) if that is the scale asked for. A number outside of the scale, or on another scale
/// (`5/5` of 10, `90`, `90%`), is unparsed and never clamped or converted. Several grades that
/// differ are a conflict: no mean is taken, no subset chosen. Decimals inside the scale count as
/// written.
#[must_use]
pub fn read_grade(text: &str, range: (f64, f64)) -> SingleReading {
    let found = scan(text, |node| object(node, range));
    if found.candidates.is_empty() && found.broken.is_empty() {
        return free_text(text, range);
    }
    let Some(mut resolved) = decide(&found, &[LABEL]) else {
        return unparsed(None);
    };
    let stage = stage(&found, &resolved);
    match resolved.items.remove(&LABEL) {
        Some(item) => SingleReading {
            item,
            stage: Some(stage),
        },
        None => unparsed(None),
    }
}

fn unparsed(raw: Option<Value>) -> SingleReading {
    let item = ItemReading {
        raw,
        ..ItemReading::unjudged(Unjudged::Unparsed)
    };
    SingleReading { item, stage: None }
}

/// An object that holds a grade, alone or as the only element of a list.
fn object(node: &Node, range: (f64, f64)) -> Option<Answers> {
    let alone = match node {
        Node::Array(items) if items.len() == 1 => &items[0],
        other => other,
    };
    let Node::Object(members) = alone else {
        return None;
    };
    let values: Vec<&Node> = NAMES.iter().flat_map(|name| all(members, name)).collect();
    let raw = match values.as_slice() {
        [] => return None,
        [one] => one.to_value(),
        several => several.iter().map(|n| n.to_value()).collect(),
    };
    let readings: Vec<Reading> = values.iter().map(|n| of_node(n, range)).collect();
    let agree = readings.iter().all(|r| *r == readings[0]);
    let entry = Entry {
        id: Some(LABEL),
        raw_id: Value::Null,
        reading: if agree {
            readings[0].clone()
        } else {
            Reading::Unjudged(Unjudged::Conflict)
        },
        raw: Some(raw),
        note: note(members),
    };
    Some(Answers {
        entries: vec![entry],
        bare_item: false,
    })
}

fn of_node(node: &Node, range: (f64, f64)) -> Reading {
    let text = match node {
        Node::Number(text) | Node::Text(text) => text.as_str(),
        _ => return Reading::Unjudged(Unjudged::Unparsed),
    };
    expression(text, range).unwrap_or(Reading::Unjudged(Unjudged::Unparsed))
}

/// Every line that is a grade or declares one; all have to say the same.
fn free_text(text: &str, range: (f64, f64)) -> SingleReading {
    let visible = without_reasoning(text).replace("```", "\n");
    let mut readings = visible.lines().filter_map(|line| of_line(line, range));
    let Some(first) = readings.next() else {
        return unparsed(None);
    };
    let reading = if readings.all(|other| other == first) {
        first
    } else {
        Reading::Unjudged(Unjudged::Conflict)
    };
    let raw = Some(Value::String(visible.trim().to_owned()));
    if reading == Reading::Unjudged(Unjudged::Unparsed) {
        return unparsed(raw);
    }
    let alone = expression(text, range).is_some();
    let stage = if alone {
        ReadStage::Strict
    } else {
        ReadStage::Extracted
    };
    SingleReading {
        item: ItemReading {
            reading,
            raw,
            note: (!alone).then(|| visible.trim().to_owned()),
        },
        stage: Some(stage),
    }
}

/// What a line says about the grade; `None` if it is prose.
fn of_line(line: &str, range: (f64, f64)) -> Option<Reading> {
    if let Some(reading) = expression(line, range) {
        return Some(reading);
    }
    let (before, after) = line.split_once([':', '\u{ff1a}', '='])?;
    let words = before.to_lowercase();
    let mut words = words.split(|c: char| !c.is_alphanumeric());
    let declares = words.any(|word| NAMES.contains(&word));
    declares.then(|| expression(after, range).unwrap_or(Reading::Unjudged(Unjudged::Unparsed)))
}

/// A number, with its scale or without, and nothing else; `None` if the text is anything else.
fn expression(text: &str, (from, to): (f64, f64)) -> Option<Reading> {
    let text = text.trim_matches(|c| is_decoration(c) || c == '#');
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let plain = text.nfkc().collect::<String>().to_lowercase();
    let parts = plain.split_once("out of").or_else(|| plain.split_once('/'));
    let (number, scale) = match parts {
        Some((number, scale)) => (number, Some(number_of(scale)?)),
        None => (plain.as_str(), None),
    };
    let percent = number.trim_end().strip_suffix('%');
    let value = number_of(percent.unwrap_or(number))?;
    let ours = percent.is_none() && scale.is_none_or(|s| (s - to).abs() < f64::EPSILON);
    let grade = Answer::Grade {
        value,
        range: (from, to),
    };
    Some(if ours && from <= value && value <= to {
        Reading::Answer(grade)
    } else {
        Reading::Unjudged(Unjudged::Unparsed)
    })
}

/// A plain decimal number; words that Rust also takes for numbers are none.
fn number_of(text: &str) -> Option<f64> {
    let text = text.trim_matches(is_decoration);
    let plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e');
    let starts = text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    if !starts || !text.chars().all(plain) {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: (f64, f64) = (0.0, 10.0);

    fn reading(text: &str) -> Reading {
        read_grade(text, TEN).item.reading
    }

    fn grade(value: f64) -> Reading {
        Reading::Answer(Answer::Grade { value, range: TEN })
    }

    #[test]
    fn objects_and_plain_numbers() {
        let object = r#"{"reason": "two cups are missing", "score": 7}"#;
        let found = read_grade(object, TEN);
        assert_eq!(found.item.reading, grade(7.0));
        assert_eq!(found.stage, Some(ReadStage::Strict));
        assert_eq!(found.item.note.as_deref(), Some("two cups are missing"));
        for (text, value) in [
            ("```json\n{\"score\": 0, \"reason\": \"x\"}\n```", 0.0),
            ("I looked.\n{\"reason\": \"x\", \"score\": \"10\"}", 10.0),
            ("<think>maybe 3</think>{\"score\": 4}", 4.0),
            ("{'score': 6, 'reason': 'x',}", 6.0),
            ("8", 8.0),
            ("**8**", 8.0),
            ("8/10", 8.0),
            ("8 out of 10.", 8.0),
            ("Good colours.\nScore: 9/10", 9.0),
            ("Final score = 2", 2.0),
            ("\u{ff18}", 8.0),
        ] {
            assert_eq!(reading(text), grade(value), "{text}");
        }
    }

    #[test]
    fn a10_a_grade_outside_of_the_scale_is_unparsed_not_clamped() {
        let unparsed = Reading::Unjudged(Unjudged::Unparsed);
        for text in [
            "[[90]]",
            "90",
            "Score: 90",
            "{\"score\": 90}",
            "{\"score\": 10.5}",
            "-1",
            "11/10",
            "{\"score\": -1}",
            "90%",
            "{\"score\": \"80%\"}",
            "90/100",
            "1e400",
            "inf",
            "nan",
        ] {
            assert_eq!(reading(text), unparsed, "{text}");
        }
    }

    #[test]
    fn a11_each_form_is_read_alone_and_several_are_never_averaged() {
        let five = (0.0, 5.0);
        let on_five = |text: &str| read_grade(text, five).item.reading;
        let of_five = |value| Reading::Answer(Answer::Grade { value, range: five });
        assert_eq!(on_five("5/5"), of_five(5.0));
        assert_eq!(on_five("4.5"), of_five(4.5));
        assert_eq!(on_five("Score : 3"), of_five(3.0));
        assert_eq!(
            on_five("5/5\n4.5\nScore : 3"),
            Reading::Unjudged(Unjudged::Conflict)
        );
        // Full marks on another scale are not five of ten.
        assert_eq!(reading("5/5"), Reading::Unjudged(Unjudged::Unparsed));
        assert_eq!(reading("4.5"), grade(4.5));
        assert_eq!(reading("Score : 3"), grade(3.0));
        assert_eq!(
            reading("{\"score\": 3, \"rating\": 4}"),
            Reading::Unjudged(Unjudged::Conflict)
        );
    }

    #[test]
    fn prose_and_broken_objects_are_no_grade() {
        for text in [
            "",
            "I cannot grade this.",
            "There are 3 cups and 10 plates.",
            "Score: high",
            "{\"score\": null}",
            "{\"score\": true}",
            "{\"reason\": \"cut off",
            "{\"score\": 7",
            "Yes",
        ] {
            assert_eq!(
                reading(text),
                Reading::Unjudged(Unjudged::Unparsed),
                "{text}"
            );
        }
    }
}
