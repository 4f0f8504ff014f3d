//! DSG by one command, from its released files where they are, and from small broken ones.

use verispec_testkit::data::{require_or_skip, test_data};

use crate::support::{json_of, run, text, track, write};

#[test]
fn published_table_by_one_command() {
    let Some(root) = test_data() else { return };
    let data = root.join("data/dsg");
    let Some(data) = require_or_skip(data.is_dir().then_some(data), "no data/dsg") else {
        return;
    };
    let data = data.to_str().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let args = ["study", "dsg", "--data", data, "--draws", "100"];
    let out = run(dir.path(), &args);
    assert_eq!(out.status.code(), Some(0));
    let shown = text(&out.stdout);
    assert_eq!(shown.matches(" equal ").count(), 9, "{shown}");
    assert_eq!(
        shown.matches("not computable: answer key absent").count(),
        3,
        "{shown}"
    );
    let pali = shown
        .lines()
        .find(|l| l.starts_with("dsg") && l.contains("pali17b"))
        .unwrap();
    let words: Vec<&str> = pali.split_whitespace().collect();
    let expected = [
        "dsg", "yes", "pali17b", "0.571", "0.458", "0.571", "0.458", "(800)", "equal", "0.570",
        "0.458", "0.568", "0.456", "0.568", "0.457", "(795)",
    ];
    assert_eq!(words, expected);
    for part in [
        "0.207 0.157 (800)",
        "0.271 0.207 (738)",
        "0.419 0.345 (738)",
        "judge pairs rank the 5 models with tau-b 1.0 / 1.0 / 1.0, but with people each judge has \
         only 0.2 / 0.2 / 0.2",
        "drops 62 of 800 outputs",
        "0.352 (119 of 159; 40 constant)",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let document = json_of(dir.path(), &args, 0);
    assert_eq!(
        (&document["format"], &document["kind"]),
        (&1.into(), &"dsg".into())
    );
    let study = &document["study"];
    assert_eq!(study["faults"]["malformed-dependency"], 10);
    assert_eq!(study["faults"]["duplicated-question"], 3 * 76);
    assert_eq!(study["rows"][0]["computed"]["state"], "yes");
    assert_eq!(study["rows"][6]["computed"]["state"], "not-computable");
}

/// Imports work for every score and study: the ranking of models is stable over judges.
#[test]
fn imports_of_real_judges_are_scored_and_studied() {
    let Some(root) = test_data() else { return };
    let data = root.join("data/dsg");
    let Some(data) = require_or_skip(data.is_dir().then_some(data), "no data/dsg") else {
        return;
    };
    let data = data.to_str().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let import = ["import", "dsg", data, "--split", "tifa160"];
    let out = run(dir.path(), &import);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("instructblip, mplug, pali17b); choose one with --judge"));
    for judge in ["mplug", "pali17b"] {
        json_of(dir.path(), &[&import[..], &["--judge", judge]].concat(), 0);
    }
    let direct = ["--dependencies", "direct"];
    let scores = json_of(
        dir.path(),
        &[&["score", "dsg-pali17b"], &direct[..]].concat(),
        0,
    );
    let mini = track(&scores, "mini-dalle", "dsg");
    // 159 items instead of 160, unusable answers left out: a little above the released 84.28.
    let value = mini["score"]["value"].as_f64().unwrap();
    assert!((84.5..86.0).contains(&value), "{value}");
    assert_eq!(mini["counters"]["unjudged_by"]["unparsed"], 2, "{mini}");
    let study = [
        "study",
        "stability",
        "dsg-mplug",
        "dsg-pali17b",
        "--draws",
        "100",
    ];
    let out = run(dir.path(), &[&study[..], &direct[..]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
}

#[test]
fn a_folder_without_the_files_says_what_it_lacks() {
    let dir = tempfile::tempdir().unwrap();
    let fails = |needle: &str| {
        let out = run(dir.path(), &["study", "dsg", "--data", "."]);
        assert_eq!(out.status.code(), Some(2));
        let said = text(&out.stderr);
        assert!(said.contains(needle), "{said}");
    };
    fails("no dsg-1k-anns.csv here");
    let header = "item_id,text,keywords,proposition_id,dependency,category_broad,\
        category_detailed,tuple,question_natural_language\n";
    write(&dir.path().join("dsg-1k-anns.csv"), header);
    fails("no answers of any judge here");
    let answers = "dsg_prompt_split,qg_model,t2i_model,item_id,question,question_id,\
        dependency_id,answer\n";
    write(&dir.path().join("j_dsg.csv"), answers);
    fails("no human ratings");
}
