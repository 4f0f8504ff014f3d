use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use verispec_judge::protocol::{Case, IndependentJob, Material, OutputPiece};
use verispec_judge::reader::{AnswerWord, answer_word, read_choice};
use verispec_model::{
    Hash, ImagePart, ImageRole, Instance, Job, JudgeIdentity, Params, Reply, Settled, SpecRules,
    Specification, Structured, Unjudged, YesNo, request_key,
};
use verispec_suites::realunify::published::{Attempt, Poll, PollStep, extract, gives_up, yes_no};

fn cases(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap()
}

fn first(response: &Value) -> String {
    let text = match response {
        Value::Array(list) => &list[0],
        other => other,
    };
    text.as_str().unwrap().to_owned()
}

fn options(n: usize) -> Vec<String> {
    ["Red", "Blue", "Green", "Grey", "Pink"][..n]
        .iter()
        .map(|s| (*s).to_owned())
        .collect()
}

fn letter(found: Option<char>) -> String {
    found.map(String::from).unwrap_or_default()
}

#[test]
fn all_36_responses_in_both_modes() {
    let cases = cases(include_str!("data/realunify_extract.json"));
    assert_eq!(cases.len(), 36);
    for case in &cases {
        let text = first(&case["response"]);
        assert_eq!(
            letter(extract(&text)),
            case["reference_returns"],
            "published {text:?}"
        );
        assert_eq!(
            letter(read_choice(&text, &options(4))),
            case["right"],
            "right {text:?}"
        );
    }
}

/// Response, released, right; rows of the table in the order of the description, several
/// responses of a row one by one.
const TABLE: &[(&str, &str, &str)] = &[
    ("A", "A", "A"),
    ("B.", "B", "B"),
    (" (C) ", "C", "C"),
    ("C. Blue", "C", "C"),
    ("The answer is D", "D", "D"),
    ("The correct answer is B.", "B", "B"),
    ("The best answer is A", "A", "A"),
    ("Answer: C", "C", "C"),
    ("**Answer:** D", "D", "D"),
    ("Best answer:B", "B", "B"),
    ("answer is c", "", "C"),
    ("b", "", "B"),
    ("A dog is shown, so the answer is C", "A", "C"),
    ("BECAUSE the path turns left, C", "B", "C"),
    ("Based on the image, the correct option is B", "B", "B"),
    ("I think option (d) is right", "", "D"),
    ("ANSWER: D", "A", "D"),
    ("Cannot be determined", "C", ""),
    ("None of the above", "", ""),
    ("The number is 8.", "", ""),
    ("After considering A and B, I choose C.", "A", "C"),
    ("Not A. The answer is B.", "A", "B"),
    (
        "<think>Option A looks wrong because D is blocked.</think> B",
        "A",
        "B",
    ),
    ("\\boxed{C}", "C", "C"),
    ("选项 C 正确", "C", "C"),
    ("Ａ", "", "A"),
    ("Options A, B and D are wrong; therefore C", "A", "C"),
    ("Final answer: option b) 7", "", "B"),
    ("A and C", "A", ""),
    ("ABCD", "A", ""),
    ("Dear user, the answer is A", "D", "A"),
    (
        "Because it is the only digit left after the second recolouring step, the digit must be 7 \
         so option b",
        "B",
        "B",
    ),
    ("D", "D", "D"),
    ("E", "", ""),
];

#[test]
fn all_rows_of_the_table() {
    for (text, released, right) in TABLE {
        assert_eq!(letter(extract(text)), *released, "published {text:?}");
        assert_eq!(
            letter(read_choice(text, &options(4))),
            *right,
            "right {text:?}"
        );
    }
    assert_eq!(
        read_choice("E", &options(5)),
        Some('E'),
        "an item with five options"
    );
    assert_eq!(extract("E"), None);
}

/// What one call gives: texts in turn, `null`, or an exception.
fn attempt(value: &Value) -> Attempt {
    match value {
        Value::Null => Attempt::Nothing,
        Value::String(text) if text.starts_with("TimeoutError") => Attempt::Error,
        Value::String(text) => Attempt::Text(text.clone()),
        other => panic!("{other}"),
    }
}

/// The calls that a case describes; one reply stands for all of them.
fn script(judge: &Value) -> Vec<Attempt> {
    match judge {
        Value::Array(list) => list.iter().map(attempt).collect(),
        one => vec![attempt(one); 15],
    }
}

#[test]
fn all_35_polls_as_released() {
    let cases = cases(include_str!("data/realunify_yesno.json"));
    assert_eq!(cases.len(), 35);
    for case in &cases {
        let mut poll = Poll::new([case["gt"].as_str().unwrap()]);
        let mut calls = 0;
        let mut script = script(&case["judge"]).into_iter();
        let score = loop {
            match poll.step() {
                PollStep::Done(score) => break score,
                PollStep::Ask { question, attempt } => {
                    assert_eq!((question, attempt), (0, calls), "{case}");
                    calls += 1;
                    poll.take(&script.next().unwrap());
                }
            }
        };
        let score = score.map_or(Value::Null, |met| Value::from(u8::from(met)));
        assert_eq!(score, case["reference_score"], "{case}");
        assert_eq!(calls, case["judge_calls"], "{case}");
    }
}

/// The default: protocol `independent`. The executor asks again after errors and, on `--retry`,
/// after empty replies; of several replies to a request the ledger takes one with text.
#[test]
fn all_35_polls_by_the_default_protocol() {
    for case in &cases(include_str!("data/realunify_yesno.json")) {
        let wanted = match answer_word(case["gt"].as_str().unwrap()).unwrap() {
            AnswerWord::Yes => YesNo::Yes,
            AnswerWord::No => YesNo::No,
            AnswerWord::Abstain => panic!("{case}"),
        };
        let job = independent(wanted);
        let attempts = script(&case["judge"]);
        let text = attempts.iter().find_map(|attempt| match attempt {
            Attempt::Text(text) if !text.is_empty() => Some(text.clone()),
            _ => None,
        });
        let settled = match text {
            Some(text) => Settled::Answered(Reply::text(text)),
            None if attempts.contains(&Attempt::Nothing) => {
                Settled::Failed(Unjudged::ProviderError)
            }
            None => Settled::Answered(Reply::text("")),
        };
        let asked = job.step(&HashMap::new()).ask;
        assert_eq!(asked.len(), 1);
        let replies = HashMap::from([(request_key(&asked[0]), settled)]);
        let step = job.step(&replies);
        assert!(step.ask.is_empty(), "{case}");
        let met = step.readings[0].met();
        let score = met.map_or(Value::Null, |met| Value::from(u8::from(met)));
        assert_eq!(score, case["right_score"], "{case}");
    }
}

fn independent(expected: YesNo) -> IndependentJob {
    let instance = Instance {
        track: "ueg_direct".to_owned(),
        dimension: "world_knowledge".to_owned(),
        id: "world_knowledge/0".to_owned(),
        prompt: "Paint it.".to_owned(),
        references: vec![],
        specifications: vec![Arc::new(Specification {
            id: 1,
            question: "Is it there?".to_owned(),
            category: String::new(),
            subcategory: String::new(),
            expected,
            rating: None,
            rules: SpecRules::default(),
            record: Default::default(),
        })],
        source_text: "".into(),
    };
    IndependentJob::new(Case {
        id: "job".to_owned(),
        instance: Arc::new(instance),
        material: Material {
            references: [].into(),
            output: [OutputPiece::Image(image())].into(),
        },
        judge: Arc::new(judge()),
        repeat: 0,
    })
}

pub(crate) fn image() -> ImagePart {
    ImagePart {
        path: std::path::Path::new("out.png").into(),
        source: Hash::of(b"an image"),
        profile: "original@1".into(),
        role: ImageRole::Output,
    }
}

pub(crate) fn judge() -> JudgeIdentity {
    JudgeIdentity {
        provider: "openai".to_owned(),
        model: "m".to_owned(),
        params: Params::new(),
        structured: Structured::None,
        revision: None,
    }
}

#[test]
fn the_released_reader_looks_inside_words() {
    assert_eq!(yes_no("Yes, I know; nothing is missing."), "yes");
    assert_eq!(yes_no("No. The eyes are blue"), "yes");
    assert_eq!(yes_no("snow"), "no");
    assert_eq!(yes_no("True"), "true");
}

#[test]
fn a13_a_letter_in_prose() {
    let text = "Based on A's position in the row, final answer: (c)";
    assert_eq!(read_choice(text, &options(4)), Some('C'));
    assert_eq!(extract(text), Some('B'), "from \"Based\"");
}

#[test]
fn responses_for_which_the_release_gives_up_its_file() {
    for response in ["null", "3", "[]", "[null]", "{}"] {
        assert!(
            gives_up(Some(&serde_json::from_str(response).unwrap())),
            "{response}"
        );
    }
    assert!(gives_up(None));
    for response in ["\"A\"", "\"\"", "[\"D\", \"A\"]"] {
        assert!(
            !gives_up(Some(&serde_json::from_str(response).unwrap())),
            "{response}"
        );
    }
}
