//! Dependencies, weights, critical specifications and categories from a checklist to a table; and
//! published numbers.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{json_of, run, text, track, workplace, write};

/// A chain of three: the second presupposes the first, the third the second. The first is unmet.
fn place(with_rules: bool) -> tempfile::TempDir {
    let dir = workplace(1, 3);
    if with_rules {
        let item = |id: u32, category: &str| {
            json!({"id": id, "question": format!("Is part {id} there?"), "category": category,
                "subcategory": "", "expected_answer": "Yes", "score": 9.0})
        };
        let mut items = [
            item(1, "Entity"),
            item(2, "Attribute"),
            item(3, "Attribute"),
        ];
        items[0]["critical"] = true.into();
        for (place, weight) in [(0, 1.0), (1, 2.0), (2, 1.0)] {
            items[place]["weight"] = weight.into();
        }
        items[1]["depends_on"] = json!([1]);
        items[2]["depends_on"] = json!([2]);
        let path = "suite/eval_checklist/t2i/composition/comp_000.json";
        write(&dir.path().join(path), &json!(items).to_string());
    }
    let rows = "model,track,instance,specification,answer\n\
        m,t2i,comp_000,1,No\nm,t2i,comp_000,2,Yes\nm,t2i,comp_000,3,Yes\n";
    write(&dir.path().join("v.csv"), rows);
    let import = [
        "import", "verdicts", "v.csv", "--data", "suite", "--run", "v",
    ];
    json_of(dir.path(), &import, 0);
    dir
}

fn score(dir: &Path, options: &[&str]) -> (String, String) {
    let scores = json_of(dir, &[&["score", "v"], options].concat(), 0);
    let value = &track(&scores, "m", "t2i")["score"]["exact"];
    let exact = value.as_str().unwrap_or_else(|| panic!("{scores}"));
    let name = scores["policy_text"].as_str().unwrap_or_default();
    (exact.to_owned(), name.to_owned())
}

#[test]
fn every_rule_has_its_number_and_its_name() {
    let dir = place(true);
    let of = |options: &[&str]| score(dir.path(), options);
    let plain = of(&[]);
    assert_eq!(plain.0, "2/3");
    assert!(!plain.1.contains("dependencies"), "{}", plain.1);
    let direct = of(&["--dependencies", "direct"]);
    assert_eq!(direct.0, "1/3");
    assert!(direct.1.ends_with("dependencies=direct"), "{}", direct.1);
    assert_eq!(of(&["--dependencies", "transitive"]).0, "0/1");
    assert_eq!(of(&["--weights", "weight"]).0, "3/4");
    assert_eq!(of(&["--weights", "rating"]).0, "2/3");
    assert_eq!(of(&["--critical"]).0, "0/1");
    let both = of(&["--weights", "weight", "--dependencies", "direct"]);
    assert_eq!(both.0, "1/4");
}

#[test]
fn categories_stand_beside_the_score() {
    let dir = place(true);
    let args = ["score", "v", "--by-category", "--dependencies", "direct"];
    let shown = text(&run(dir.path(), &args).stdout);
    let line = |name: &str| -> Vec<String> {
        let line = shown.lines().find(|l| l.starts_with(name));
        let line = line.unwrap_or_else(|| panic!("{shown}"));
        line.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(line("Attribute"), ["Attribute", "50.00", "(2)"]);
    assert_eq!(line("Entity"), ["Entity", "0.00", "(1)"]);
    let document = json_of(dir.path(), &args, 0);
    assert_eq!(document["categories"][0]["category"], "Attribute");
    assert_eq!(document["categories"][0]["score"]["exact"], "1/2");
}

#[test]
fn rules_that_would_change_nothing_are_refused() {
    let dir = place(false);
    let refuses = |options: &[&str], needle: &str| {
        let out = run(dir.path(), &[&["score", "v"], options].concat());
        assert_eq!(out.status.code(), Some(2));
        let said = text(&out.stderr);
        assert!(said.contains(needle), "{said}");
    };
    refuses(
        &["--dependencies", "direct"],
        "no specification of these results has `depends_on`",
    );
    refuses(
        &["--critical"],
        "no specification of these results is `critical`",
    );
    refuses(
        &["--weights", "weight"],
        "3 of 3 specifications have no number above 0",
    );
    refuses(
        &["--scoring", "board", "--weights", "rating"],
        "board and strict scoring have rules of their own",
    );
}

#[test]
fn a_checklist_with_rules_that_cannot_be_used_names_the_field() {
    let dir = place(true);
    let path = dir
        .path()
        .join("suite/eval_checklist/t2i/composition/comp_000.json");
    let written = std::fs::read_to_string(&path).expect("the checklist");
    write(
        &path,
        &written.replace("\"depends_on\":[1]", "\"depends_on\":\"1\""),
    );
    let out = run(
        dir.path(),
        &["suite", "inspect", "specv", "--data", "suite"],
    );
    assert_eq!(out.status.code(), Some(1));
    let said = text(&out.stderr);
    assert!(
        said.contains("[1].depends_on") && said.contains("expected a list of ids"),
        "{said}"
    );
}

#[test]
fn published_numbers_are_shown_and_audited() {
    let dir = tempfile::tempdir().expect("a folder");
    let shown = text(&run(dir.path(), &["published", "audit"]).stdout);
    for part in [
        "average 74.95 stated, mean 82.1983 (off 7.248)",
        "must sum to 187.61 ± 0.03",
        "average 45.49 stated, mean 45.3860 (off 0.104)",
        "average 51 stated, mean 50.9175",
        "both have 83.25",
        "94.87 = 37/39",
        "r(G, AW-CCTA) = 0.991",
        "r(U, AW-CCTA) = 0.885",
        "over 9 models",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let document = json_of(dir.path(), &["published", "audit"], 0);
    assert_eq!(document["checks"].as_array().map(Vec::len), Some(13));
    let all = json_of(dir.path(), &["published", "show"], 0);
    let sources = all["publications"].as_array().expect("publications");
    assert!(
        sources
            .iter()
            .all(|p| p["source"].as_str().is_some_and(|s| !s.is_empty()))
    );
    let xtc: Value = json_of(dir.path(), &["published", "show", "xtc"], 0);
    assert_eq!(
        xtc["publications"][0]["tables"][2]["rows"][0]["values"][3],
        0.623
    );
    let specv = text(&run(dir.path(), &["published", "show", "specv"]).stdout);
    assert!(
        specv.contains("0.805") && specv.contains("0.902"),
        "{specv}"
    );
}

#[test]
fn every_way_of_scoring_stands_beside_the_ranking_it_makes() {
    let dir = place(true);
    // Meets the two parts that presuppose the first, and the first alone.
    let rows = "model,track,instance,specification,answer\n\
        m,t2i,comp_000,1,No\nm,t2i,comp_000,2,Yes\nm,t2i,comp_000,3,Yes\n\
        n,t2i,comp_000,1,Yes\nn,t2i,comp_000,2,No\nn,t2i,comp_000,3,No\n";
    write(&dir.path().join("w.csv"), rows);
    let import = [
        "import", "verdicts", "w.csv", "--data", "suite", "--run", "w",
    ];
    json_of(dir.path(), &import, 0);
    let args = ["study", "policies", "w", "--by-category"];
    let study = &json_of(dir.path(), &args, 0)["study"];
    let effects = study["rankings"][0]["effects"].as_array().unwrap();
    let of = |name: &str| -> &Value {
        let found = effects.iter().find(|e| e["policy"] == name);
        found.unwrap_or_else(|| panic!("{name}: {study}"))
    };
    assert_eq!(study["rankings"][0]["by"], "t2i");
    assert_eq!(effects[0]["order"][0]["model"], "m");
    // 2/3 against 1/3 by themselves; 0 against 1/3 with the gates.
    for gate in ["dependencies=transitive", "critical=gate"] {
        let effect = of(gate);
        assert_eq!(effect["tau_b"]["value"], -1.0, "{effect}");
        assert_eq!(effect["order"][0]["model"], "n");
        assert_eq!(effect["moves"].as_array().unwrap().len(), 2);
    }
    let points = of("critical=gate")["largest_change"][1].as_f64().unwrap();
    assert!((points + 200.0 / 3.0).abs() < 1e-9, "{points}");
    // Direct: the third part hangs on the second by its own verdict; 1/3 against 1/3.
    assert_eq!(of("dependencies=direct")["tau_b"]["value"], Value::Null);
    assert_eq!(of("weights=weight")["tau_b"]["value"], 1.0);
    assert_eq!(of("weights=weight")["order"][0]["score"], 75.0);
    assert_eq!(of("only Entity")["order"][0]["model"], "n");
    assert_eq!(of("only Attribute")["order"][0]["model"], "m");
    let shown = text(&run(dir.path(), &args).stdout);
    assert!(shown.contains("m 1→2 (-66.67)"), "{shown}");
}

#[test]
fn ways_of_scoring_that_do_not_apply_are_named_with_the_reason() {
    let dir = place(false);
    let rows = "model,track,instance,specification,answer\n\
        m,t2i,comp_000,1,No\nn,t2i,comp_000,1,Yes\n\
        m,t2i,comp_000,2,No\nn,t2i,comp_000,2,Yes\nm,t2i,comp_000,3,No\nn,t2i,comp_000,3,Yes\n";
    write(&dir.path().join("w.csv"), rows);
    let import = [
        "import", "verdicts", "w.csv", "--data", "suite", "--run", "w",
    ];
    json_of(dir.path(), &import, 0);
    let study = &json_of(dir.path(), &["study", "policies", "w"], 0)["study"];
    let why = study["not_applicable"]["critical=gate"].as_str().unwrap();
    assert!(
        why.contains("no specification of these results is `critical`"),
        "{why}"
    );
    let one = run(dir.path(), &["study", "policies", "v"]);
    assert_eq!(one.status.code(), Some(2));
    assert!(text(&one.stderr).contains("fewer than two models can be ranked"));
}
