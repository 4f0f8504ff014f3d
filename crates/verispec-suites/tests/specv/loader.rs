//! Loading: the released data, a small suite, and every kind of broken file.

use tempfile::TempDir;
use verispec_suites::specv::{LoadError, load};

use crate::common::{put, released, small_suite, spec};

fn small() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    small_suite(dir.path());
    dir
}

fn error(dir: &TempDir) -> String {
    load(dir.path()).expect_err("broken on purpose").to_string()
}

#[test]
fn released_data_is_whole() {
    let Some(loaded) = released() else { return };
    let suite = &loaded.suite;
    let names: Vec<_> = suite.tracks.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "understanding",
            "t2i",
            "edit",
            "many2one",
            "interleave",
            "think_with_img"
        ]
    );
    assert_eq!(
        suite
            .tracks
            .iter()
            .map(|t| t.dimensions.len())
            .sum::<usize>(),
        28
    );
    assert_eq!(suite.instances().count(), 1200);
    assert_eq!(
        suite
            .instances()
            .map(|i| i.specifications.len())
            .sum::<usize>(),
        17_604
    );
    assert_eq!(suite.revision.len(), 12);
    let think: Vec<_> = suite
        .track("think_with_img")
        .unwrap()
        .dimensions
        .iter()
        .collect();
    assert_eq!(
        think.iter().map(|d| d.name.as_str()).collect::<Vec<_>>(),
        ["math", "physics", "maze", "jigsaw"],
        "the order in which the release sums"
    );
    let instance = suite.instance("many2one", "cross_028").unwrap();
    assert!(
        instance.references[0].ends_with("eval_data/many2one/images/cross_domain/cross_028_2.png")
    );
    assert!(instance.source_text.starts_with('[') && instance.source_text.ends_with(']'));
    let record = instance.specifications[0].record.fields();
    let keys: Vec<_> = record.keys().collect();
    assert_eq!(
        keys,
        [
            "id",
            "question",
            "category",
            "subcategory",
            "expected_answer",
            "score"
        ],
        "fields stay in file order"
    );
}

#[test]
fn a_smaller_suite_loads() {
    let dir = small();
    let loaded = load(dir.path()).unwrap();
    let dims = |track: &str| -> Vec<_> {
        let track = loaded.suite.track(track).unwrap();
        track.dimensions.iter().map(|d| d.name.clone()).collect()
    };
    assert_eq!(loaded.suite.tracks.len(), 2);
    assert_eq!(
        dims("t2i"),
        ["structure", "own"],
        "unknown dimensions come after known ones"
    );
    assert_eq!(dims("edit"), ["attribute"]);
    assert_eq!(
        loaded
            .warnings
            .iter()
            .map(|w| w.kind.as_str())
            .collect::<Vec<_>>(),
        ["expected-no"]
    );
    assert_eq!(loaded.warnings[0].place, "t2i/structure/s_1.json#2");
}

#[test]
fn revision_follows_content_and_nothing_else() {
    let (one, two) = (small(), small());
    let revision = |dir: &TempDir| load(dir.path()).unwrap().suite.revision;
    assert_eq!(
        revision(&one),
        revision(&two),
        "the folder's place does not matter"
    );
    put(
        two.path(),
        "eval_checklist/t2i/own/o_1.json",
        format!("[{}]\n", spec(1, "CAT?", "No")),
    );
    assert_ne!(revision(&one), revision(&two));
}

#[test]
fn unknown_fields_bom_crlf_and_line_separators_are_fine() {
    let dir = small();
    let task = "\u{feff}{\"id\":\"o_1\",\"question\":\"A\u{2028}B\",\"note\":{\"x\":[1]}}\r\n\r\n";
    put(dir.path(), "eval_data/t2i/own.jsonl", task);
    let checklist =
        "\u{feff}[{\"id\":1,\"question\":\"C?\",\"expected_answer\":\"Yes\",\"z\":null}]";
    put(dir.path(), "eval_checklist/t2i/own/o_1.json", checklist);
    let loaded = load(dir.path()).unwrap();
    let instance = loaded.suite.instance("t2i", "o_1").unwrap();
    assert_eq!(instance.prompt, "A\u{2028}B");
    let spec = &instance.specifications[0];
    assert!(
        spec.record.fields().contains_key("z") && spec.category.is_empty() && spec.rating.is_none()
    );
}

/// Each broken file, with what the error has to say.
#[test]
fn faults_name_file_line_and_field() {
    let list = "eval_checklist/t2i/own/o_1.json";
    let tasks = "eval_data/t2i/own.jsonl";
    let cases: [(&str, &str, &[&str]); 17] = [
        (
            list,
            "[{\"id\":1,\n \"question\": }]",
            &["own/o_1.json:2:14: not valid JSON: expected"],
        ),
        (list, "", &["own/o_1.json:1:0: not valid JSON: EOF"]),
        (
            list,
            "{\"a\": 1}",
            &["own/o_1.json:1:1: expected an array of specifications, got an object"],
        ),
        (list, "[]", &["no specifications"]),
        (
            list,
            "[\n7]",
            &["o_1.json:2:1: field `[0]`: expected an object, got 7"],
        ),
        (
            list,
            "[\n {\"id\": 1, \"question\": \"A?\",\n  \"expected_answer\": \"yes\"}]",
            &[
                "o_1.json:3:22: field `[0].expected_answer`: expected \"Yes\" or \"No\", got \"yes\"",
            ],
        ),
        (
            list,
            "[{\"question\": \"A?\", \"expected_answer\": \"Yes\"}]",
            &["o_1.json:1:2: field `[0].id`: expected a whole number, got nothing"],
        ),
        (
            list,
            "[{\"id\": \"1\", \"question\": \" \", \"expected_answer\": true, \"score\": \"9\"}]",
            &[
                "4 problems",
                "`[0].id`: expected a whole number, got the string \"1\"",
                "`[0].question`: empty",
                "`[0].expected_answer`: expected a string, got true",
                "`[0].score`: expected a number, got the string \"9\"",
            ],
        ),
        (
            list,
            "[{\"id\":1,\"question\":\"A?\",\"expected_answer\":\"Yes\"},\n{\"id\":1,\"question\":\"B?\",\"expected_answer\":\"Yes\"}]",
            &["o_1.json:2:7: field `[1].id`: 1 is already the id of item [0]"],
        ),
        (
            tasks,
            "\n{\"id\": \"o_1\"}",
            &["own.jsonl:2:1: field `question`: missing"],
        ),
        (
            tasks,
            "{\"id\": 5, \"question\": \"A\"}",
            &["own.jsonl:1:8: field `id`: expected a string, got 5"],
        ),
        (
            tasks,
            "{\"id\": \"../o_1\", \"question\": \"A\"}",
            &["`id`: \"../o_1\" cannot be a file name"],
        ),
        (
            tasks,
            "{\"id\": \"o_1\", \"question\": \"A\", \"question_img\": [\"a.png\",\"../../x.png\"]}",
            &["own.jsonl:1:57: field `question_img[1]`: \"../../x.png\" leaves the track's folder"],
        ),
        (
            tasks,
            "{\"id\": \"o_1\", \"question\": \"A\", \"question_img\": \"a.png\"}",
            &["expected an array of paths"],
        ),
        (
            tasks,
            "{\"id\": \"o_2\", \"question\": \"A\"}",
            &[
                "eval_checklist/t2i/own/o_1.json: no task with id `o_1` in eval_data/t2i/",
                "eval_data/t2i/own.jsonl:1:1: task `o_2` has no checklist eval_checklist/t2i/<dimension>/o_2.json",
            ],
        ),
        (
            tasks,
            "{\"id\": \"o_1\", \"question\": \"A\"}\n{\"id\": \"s_1\", \"question\": \"A\"}",
            &["task id `s_1` is already used in eval_data/t2i/own.jsonl:2"],
        ),
        (
            "eval_checklist/t2i/structure/o_1.json",
            "[{\"id\":1,\"question\":\"A?\",\"expected_answer\":\"Yes\"}]",
            &["id `o_1` has a checklist in another dimension too"],
        ),
    ];
    for (file, text, expected) in cases {
        let dir = small();
        put(dir.path(), file, text);
        let message = error(&dir);
        for part in expected {
            assert!(
                message.contains(part),
                "{text}\n  gave: {message}\n  lacks: {part}"
            );
        }
    }
}

#[test]
fn bytes_that_are_not_utf8_are_named_by_line() {
    let dir = small();
    put(
        dir.path(),
        "eval_data/t2i/own.jsonl",
        b"{\"id\": \"o_1\",\n\"question\": \"\xff\"}",
    );
    assert!(
        error(&dir).contains("own.jsonl: not UTF-8 on line 2"),
        "{}",
        error(&dir)
    );
}

#[test]
fn a_folder_that_is_no_checkout_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let missing = load(dir.path()).unwrap_err();
    assert!(
        matches!(missing, LoadError::NotACheckout { .. }),
        "{missing}"
    );
    small_suite(&dir.path().join("SpecV"));
    let text = error(&dir);
    assert!(
        text.contains("did you mean") && text.contains("SpecV"),
        "{text}"
    );
}

#[test]
fn stray_files_are_remarks() {
    let dir = small();
    put(dir.path(), "eval_checklist/t2i/readme.txt", "x");
    put(dir.path(), "eval_checklist/t2i/own/o_1.json.tmp", "x");
    put(dir.path(), "eval_checklist/t2i/own/.DS_Store", "x");
    let loaded = load(dir.path()).unwrap();
    let places: Vec<_> = loaded
        .warnings
        .iter()
        .filter(|w| w.kind == "stray-file")
        .map(|w| w.place.as_str())
        .collect();
    assert_eq!(
        places,
        [
            "eval_checklist/t2i/readme.txt",
            "eval_checklist/t2i/own/o_1.json.tmp"
        ]
    );
}
