//! Files with every fault a loader has to survive.

use std::fs;
use std::path::Path;

use verispec_model::{InstanceState, Reading, Unjudged};
use verispec_suites::dsg::{AnswerReader, DsgError, load, read_tifa};

const HEADER: &str = "item_id,text,keywords,proposition_id,dependency,category_broad,\
    category_detailed,tuple,question_natural_language\n";
const ANSWERS: &str = "dsg_prompt_split,qg_model,t2i_model,item_id,question,question_id,\
    dependency_id,answer\n";

fn put(root: &Path, name: &str, text: impl AsRef<[u8]>) {
    fs::write(root.join(name), text).expect("a file in a fresh folder");
}

fn question(item: &str, id: &str, dependency: &str, text: &str) -> String {
    format!("{item},a prompt,k,{id},\"{dependency}\",entity,whole,t,{text}\n")
}

fn kinds(warnings: &[verispec_model::Warning]) -> Vec<&str> {
    warnings.iter().map(|w| w.kind.as_str()).collect()
}

#[test]
fn broken_rows_are_named_and_the_rest_is_used() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let rows = [
        question("a_1", "1", "0", "Is there a cat?"),
        question("a_1", "2", "1, mat", "Is it on a mat?"),
        question("a_1", "2", "1", "Is it black?"),
        question("a_1", "x", "0", "Lost?"),
        question("a_1", "4", "9", "Is it asleep?"),
        question("a_1", "5", "5", "Is it alone?"),
        question("a_1", "6", "0", ""),
        "a_1,too,short\n".to_owned(),
    ];
    put(
        root,
        "dsg-1k-anns.csv",
        format!("\u{feff}{HEADER}{}", rows.concat()),
    );
    let answers = "a,dsg,m,a_1,Is there a cat?,1,0,yes\n\
        a,dsg,m,a_1,Is it on a mat?,2,1,no\n\
        a,dsg,m,a_1,Is it on a mat?,2,1,yes\n\
        a,dsg,m,a_1,Is there a cat?,1,0,yes\n\
        a,dsg,m,a_1,Is there a dog?,9,0,yes\n\
        a,dsg,m,a_1,Is it a sleep?,4,0,\n\
        a,dsg,m,a_1,Is it alone?,five,0,yes\n";
    put(root, "j_dsg.csv", format!("{ANSWERS}{answers}"));
    put(
        root,
        "tifa160-likert-anns.csv",
        "t2i_model,item_id,worker_id,answer\nm,a_1,w,5\nm,a_1,w,4\nm,a_1,v,6\nm,a_1,v,3\nm,a_2,w,1\n",
    );
    let data = load(root).unwrap();
    assert_eq!(
        kinds(&data.warnings),
        [
            "row-width",
            "malformed-dependency",
            "bad-label",
            "empty-question",
            "repeated-label",
            "unknown-dependency",
            "self-dependency",
            "repeated-rating",
            "bad-rating",
            "few-ratings",
            "repeated-answer",
            "repeated-answer",
            "bad-label",
            "unknown-question",
            "other-question",
            "absent-item",
        ]
    );
    assert_eq!(data.ratings.len(), 3);
    let results = data.results("j", AnswerReader::Default, None).unwrap();
    let instance = &results.models[0].tracks[0].dimensions[0].instances[0];
    let InstanceState::Generated(specs) = &instance.state else {
        panic!()
    };
    let read = |id: u32| specs.iter().find(|s| s.id() == id).unwrap().reading.clone();
    assert_eq!(specs.len(), 6);
    assert_eq!(read(2), Some(Reading::Unjudged(Unjudged::Conflict)));
    assert_eq!(
        read(4),
        Some(Reading::Unjudged(Unjudged::Unparsed)),
        "an empty answer"
    );
    assert_eq!(read(5), None, "no usable answer: pending");
    let label = specs
        .iter()
        .find(|s| s.spec.question == "Is it black?")
        .unwrap();
    assert_eq!(
        (label.id(), &label.spec.rules.depends_on[..]),
        (7, &[1][..])
    );
}

#[test]
fn what_cannot_be_used_is_an_error_that_says_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let message = |root| load(root).unwrap_err().to_string();
    assert!(message(root).contains("no dsg-1k-anns.csv here; give the folder"));
    put(root, "dsg-1k-anns.csv", HEADER);
    assert!(message(root).contains("no answers of any judge here"));
    put(root, "j_dsg.csv", "item_id,answer\n");
    assert!(message(root).contains("no column \"dsg_prompt_split\"; it has item_id, answer"));
    put(root, "j_dsg.csv", ANSWERS);
    let data = load(root).unwrap();
    let error = data.results("k", AnswerReader::Default, None).unwrap_err();
    assert!(matches!(error, DsgError::UnknownJudge { .. }));
    assert_eq!(
        error.to_string(),
        "no answers of judge \"k\"; there are those of j"
    );
    assert!(
        data.results("j", AnswerReader::Default, None)
            .unwrap()
            .models
            .is_empty()
    );
}

#[test]
fn text_that_is_no_utf8_is_shown_with_a_notice() {
    let dir = tempfile::tempdir().unwrap();
    let mut text = HEADER.as_bytes().to_vec();
    text.extend(b"a_1,caf\xe9,k,1,0,entity,whole,t,Is there a caf\xe9?\n");
    put(dir.path(), "dsg-1k-anns.csv", text);
    put(dir.path(), "j_dsg.csv", ANSWERS);
    let data = load(dir.path()).unwrap();
    assert_eq!(kinds(&data.warnings), ["encoding"]);
    assert_eq!(data.annotations.prompts["a_1"].text, "caf\u{fffd}");
}

#[test]
fn tifa_json_that_is_none_names_the_place() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.json");
    fs::write(&path, "{\"a_m\": {\"text_id\": 3}}").unwrap();
    assert!(read_tifa(&path).unwrap_err().to_string().contains("t.json"));
    fs::write(
        &path,
        "{\"a_m\": {\"text_id\": \"a\", \"human_scores\": [1, 2], \"x\": 0.5}}",
    )
    .unwrap();
    let images = read_tifa(&path).unwrap();
    assert_eq!(
        (images[0].model.as_str(), images[0].metrics["x"]),
        ("m", 0.5)
    );
}
