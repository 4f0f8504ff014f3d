//! Properties of the reader.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};
use verispec_judge::reader::{
    ListReading, ReadOptions, ReadStatus, published, read_list, read_single,
};
use verispec_model::{ReadStage, Reading, SpecId, Unjudged};

/// Answers by id, with a reason each.
type Truth = BTreeMap<SpecId, (Reading, Value, String)>;

fn answer() -> impl Strategy<Value = (Reading, Value)> {
    use verispec_model::YesNo::{No, Yes};
    let yes = prop_oneof![
        Just(json!("Yes")),
        Just(json!("yes.")),
        Just(json!(true)),
        Just(json!("是"))
    ];
    let no = prop_oneof![
        Just(json!("No")),
        Just(json!(" NO")),
        Just(json!(false)),
        Just(json!("否"))
    ];
    let abstain = prop_oneof![Just(json!("N/A")), Just(json!("cannot tell"))];
    let junk = prop_oneof![
        Just(json!(null)),
        Just(json!("maybe")),
        Just(json!(1)),
        Just(json!(["Yes"]))
    ];
    prop_oneof![
        4 => yes.prop_map(|v| (Reading::yes_no(Yes), v)),
        4 => no.prop_map(|v| (Reading::yes_no(No), v)),
        1 => abstain.prop_map(|v| (Reading::Unjudged(Unjudged::Abstained), v)),
        1 => junk.prop_map(|v| (Reading::Unjudged(Unjudged::Unparsed), v)),
    ]
}

/// Free text that likes what a reader may trip over.
fn reason() -> impl Strategy<Value = String> {
    let bits = prop_oneof![
        "[ -~]{0,12}",
        "\\PC{0,6}",
        Just("\"id\":1,\"answer\":\"Yes\"".to_owned()),
        Just("[{\"id\":1,\"answer\":\"No\"}]".to_owned()),
        Just("</think>".to_owned()),
        Just("<think>".to_owned()),
        Just("```json\n".to_owned()),
        Just("\\frac{a}{b}\n".to_owned()),
        Just("} ] [ { ' “”".to_owned()),
        Just("\\".to_owned()),
        Just("\", ".to_owned()),
    ];
    prop::collection::vec(bits, 0..4).prop_map(|bits| bits.concat())
}

fn truth() -> impl Strategy<Value = Truth> {
    let one = (answer(), reason()).prop_map(|((reading, raw), reason)| (reading, raw, reason));
    prop::collection::btree_map(1_u32..40, one, 1..12)
}

fn items(truth: &Truth) -> Vec<Value> {
    let item = |(id, (_, raw, reason)): (&SpecId, &(Reading, Value, String))| json!({"id": id, "reason": reason, "answer": raw});
    truth.iter().map(item).collect()
}

/// The same answers in each accepted form.
fn form(truth: &Truth, which: usize, pretty: bool) -> String {
    let items = items(truth);
    let write = |v: &Value| {
        if pretty {
            serde_json::to_string_pretty(v).unwrap()
        } else {
            v.to_string()
        }
    };
    match which {
        0 => write(&Value::Array(items)),
        1 => write(&json!({"answers": items})),
        2 => items.iter().map(write).collect::<Vec<_>>().join("\n"),
        _ => {
            let entries = truth.iter().map(|(id, (_, raw, reason))| {
                (id.to_string(), json!({"answer": raw, "reason": reason}))
            });
            write(&Value::Object(entries.collect()))
        }
    }
}

fn asked(truth: &Truth) -> Vec<SpecId> {
    truth.keys().copied().collect()
}

fn read(text: &str, asked: &[SpecId]) -> ListReading {
    read_list(text, asked, ReadOptions::default())
}

fn check(got: &ListReading, truth: &Truth) -> Result<(), TestCaseError> {
    prop_assert_eq!(got.status, ReadStatus::WellFormed);
    prop_assert_eq!(got.items.len(), truth.len());
    for (id, (reading, raw, reason)) in truth {
        let item = &got.items[id];
        prop_assert_eq!(&item.reading, reading);
        prop_assert_eq!(item.raw.as_ref(), Some(raw));
        let note = Some(reason).filter(|r| !r.trim().is_empty());
        prop_assert_eq!(item.note.as_ref(), note);
    }
    Ok(())
}

/// No answer that differs from the truth.
fn no_wrong_answer(got: &ListReading, truth: &Truth) -> Result<(), TestCaseError> {
    for (id, item) in &got.items {
        if let Some(verdict) = item.reading.verdict() {
            prop_assert_eq!(truth.get(id).and_then(|t| t.0.verdict()), Some(verdict));
        }
    }
    Ok(())
}

/// Text made of the pieces that readers look at.
fn soup() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        "“",
        "”",
        ",",
        ":",
        "\\",
        "\\u00",
        "\n",
        " ",
        "```",
        "json",
        "<think>",
        "</think>",
        "//",
        "/*",
        "*/",
        "id",
        "answer",
        "\"id\":1",
        "\"answer\":\"Yes\"",
        "\"answer\":\"No\"",
        "{\"id\":1,\"answer\":\"Yes\"}",
        "Yes",
        "No",
        "N/A",
        "true",
        "None",
        "1",
        "1e0",
        "-",
        "NaN",
        "é",
        "是",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|p| p.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn never_panics(text in prop_oneof![soup(), ".{0,80}", any::<String>()]) {
        for lenient in [false, true] {
            let got = read_list(&text, &[1, 2], ReadOptions { lenient });
            prop_assert_eq!(got.items.len(), 2);
            prop_assert_eq!(got.stage.is_none(), got.status == ReadStatus::Unparsed);
        }
        let single = read_single(&text, 1);
        prop_assert!(single.stage.is_some() || single.item.reading.verdict().is_none());
        let _ = published::read_list(&text, &[1, 2]);
    }

    #[test]
    fn valid_replies_are_read_as_they_stand(t in truth(), which in 0_usize..4, pretty: bool) {
        let got = read(&form(&t, which, pretty), &asked(&t));
        check(&got, &t)?;
        let alone = which != 2 || t.len() == 1;
        let stage = if alone { ReadStage::Strict } else { ReadStage::Extracted };
        prop_assert_eq!(got.stage, Some(stage));
    }

    #[test]
    fn wrapping_changes_nothing(
        t in truth(), which in 0_usize..4, pretty: bool,
        before in "([A-Za-z .,:!\n]|\\[the image\\]|\\{x\\}|\\[1\\]){0,40}",
        after in "([A-Za-z .,:!\n]|\\[the image\\]|\\{x\\}|\\[1\\]){0,40}",
        fence in prop::sample::select(vec!["", "```", "```json", "```JSON", "~"]),
        thought in prop_oneof![Just(String::new()), reason()],
    ) {
        let body = form(&t, which, pretty);
        let body = match fence {
            "" | "~" => body,
            open => format!("{open}\n{body}\n```"),
        };
        // The thought is closed by its own tag only.
        let thought = thought.replace("</think>", "");
        let think = if thought.is_empty() { thought } else { format!("<think>{thought}</think>\n") };
        let got = read(&format!("\u{feff}{think}{before}{body}{after}"), &asked(&t));
        check(&got, &t)?;
        prop_assert_eq!(got.stage, Some(ReadStage::Extracted));
    }

    #[test]
    fn a_cut_reply_never_says_anything_else(
        t in truth(), which in 0_usize..4, pretty: bool, lenient: bool, cut in 0.0_f64..1.0,
    ) {
        let whole = form(&t, which, pretty);
        let mut end = (whole.len() as f64 * cut) as usize;
        while !whole.is_char_boundary(end) {
            end -= 1;
        }
        let asked: Vec<SpecId> = (1..40).collect();
        for text in [whole[..end].to_owned(), format!("Sure:\n```json\n{}", &whole[..end])] {
            let got = read_list(&text, &asked, ReadOptions { lenient });
            no_wrong_answer(&got, &t)?;
            prop_assert!(got.unknown_ids.is_empty(), "{:?}", got.unknown_ids);
            if !lenient && which != 2 {
                prop_assert_eq!(got.status, ReadStatus::Unparsed);
            }
        }
    }

    #[test]
    fn repairs_never_change_an_answer(t in truth(), which in 0_usize..4, edit in 0_usize..8) {
        let body = form(&t, which, true);
        let text = match edit {
            0 => body.replace("\n  }", ",\n  }"),
            1 => body.replace("true", "True").replace("null", "None"),
            2 => body.replace("\"id\":", "id:").replace("\"answer\":", "'answer':"),
            3 => body.replace("\\n", "\n").replace("\\\"", "\""),
            4 => body.replace("\\\\", "\\"),
            5 => form(&t, which, false).replace("\\\\", "\\").replace("\\\"", "\""),
            6 => body.replace(": \"Yes\"", ": Yes").replace(": \"No\"", ": No\""),
            _ => body.replace("},\n", "}\n").replace(": 1,", ": 1, // one\n"),
        };
        // Reasons may hold what is replaced, so the text may end up broken, but never wrong.
        no_wrong_answer(&read(&text, &asked(&t)), &t)?;
    }

    #[test]
    fn one_wrong_character_never_makes_a_wrong_answer(
        t in truth(), which in 0_usize..4, pretty: bool, at in 0.0_f64..1.0,
        put in prop::sample::select(vec!["", "\"", "\\", "\n", "{", "}", "[", "]", ",", "'", "”", "```", "</think>"]),
        lenient: bool,
    ) {
        let whole = form(&t, which, pretty);
        let mut at = (whole.len() as f64 * at) as usize;
        while !whole.is_char_boundary(at) {
            at -= 1;
        }
        let (before, after) = whole.split_at(at);
        // Only what carries structure is taken away: without a digit an id is another id.
        let drop = usize::from(put.is_empty() && after.starts_with(|c| "\"\\{}[],:".contains(c)));
        let text = format!("{before}{put}{}", &after[drop..]);
        no_wrong_answer(&read_list(&text, &asked(&t), ReadOptions { lenient }), &t)?;
    }

    #[test]
    fn published_reads_valid_lists_as_they_stand(t in truth()) {
        let reply = Value::Array(items(&t));
        let hit = published::parse_ladder(&reply.to_string()).unwrap();
        prop_assert_eq!(hit.rung, "1");
        prop_assert_eq!(hit.value.to_json(), reply);
    }
}
