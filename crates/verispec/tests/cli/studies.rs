//! Studies over imported verdicts, without a call.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{json_of, run, text, workplace, write};

/// Models whose name's place says how good they are.
const MODELS: [&str; 5] = ["a", "b", "c", "d", "e"];
const INSTANCES: usize = 8;
const SPECS: usize = 5;

/// Imports verdicts: the better a model's place, the more it meets; `flip` is the judge's mistake.
fn import(dir: &Path, name: &str, flip: impl Fn(usize, usize, usize) -> bool) {
    let mut rows = String::from("model,track,instance,specification,answer\n");
    for (m, model) in MODELS.iter().enumerate() {
        for i in 0..INSTANCES {
            for s in 0..SPECS {
                let met = (i * 3 + s * 5 + i * s) % 7 < m + 1;
                let answer = if met == flip(m, i, s) { "No" } else { "Yes" };
                writeln!(rows, "{model},t2i,comp_{i:03},{},{answer}", s + 1).expect("text");
            }
        }
    }
    let file = format!("{name}.csv");
    write(&dir.join(&file), &rows);
    json_of(
        dir,
        &[
            "import", "verdicts", &file, "--data", "suite", "--run", name,
        ],
        0,
    );
}

fn three_judges() -> tempfile::TempDir {
    let dir = workplace(INSTANCES, SPECS);
    import(dir.path(), "j1", |_, _, _| false);
    import(dir.path(), "j2", |m, i, s| (m + i + s) % 9 == 0);
    import(dir.path(), "j3", |m, i, s| (m * 2 + i * 5 + s) % 11 == 0);
    dir
}

#[test]
fn stability_of_three_judges_with_families_and_people() {
    let dir = three_judges();
    let mut human = String::from("model,track,rating,annotator\n");
    for (m, model) in MODELS.iter().enumerate() {
        // People see it the other way round.
        writeln!(human, "{model},t2i,{},x\n{model},t2i,{},y", 5 - m, 5 - m).unwrap();
    }
    write(&dir.path().join("human.csv"), &human);
    let args = [
        "study",
        "stability",
        "j1",
        "j2",
        "j3",
        "--family",
        "j1=f",
        "--family",
        "j2=f",
        "--family",
        "j3=g",
        "--human",
        "human.csv",
        "--draws",
        "300",
    ];
    let study = &json_of(dir.path(), &args, 0)["study"];
    let overall = study["overall"].as_array().unwrap();
    let pairs: Vec<(&str, u64)> = overall
        .iter()
        .map(|s| {
            (
                s["selection"].as_str().unwrap(),
                s["pairs"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        pairs,
        [
            ("all", 3),
            ("intra", 1),
            ("cross-all-pairs", 2),
            ("cross-one-per-family", 1)
        ]
    );
    assert!(overall[0]["tau_b"]["value"].as_f64().unwrap() > 0.6);
    let level = &study["levels"][0];
    assert!(level["human_tau"]["value"].as_f64().unwrap() < -0.6);
    let warnings = study["warnings"].to_string();
    assert!(warnings.contains("not shown to be valid"), "{warnings}");

    let shown = run(dir.path(), &args);
    let out = text(&shown.stdout);
    assert_eq!(shown.status.code(), Some(0));
    for part in [
        "cross-family, one per family",
        "tau with people",
        "0.902",
        "published",
        "Ranks that",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    // The same seed gives the same page.
    assert_eq!(out, text(&run(dir.path(), &args).stdout));
}

#[test]
fn compare_pairs_two_models_and_refuses_unlike_runs() {
    let dir = three_judges();
    let args = ["compare", "j1:a", ":e", "--draws", "300"];
    let document = json_of(dir.path(), &args, 0);
    let track = &document["study"]["tracks"][0];
    assert_eq!(track["n"], INSTANCES);
    assert!(track["difference"]["value"].as_f64().unwrap() > 20.0);
    assert!(track["test"]["p"].as_f64().unwrap() < 0.05);

    let missing = run(dir.path(), &["compare", "j1", "j2"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("has several models: write j1:MODEL"));
    let unknown = run(dir.path(), &["compare", "j1:zz", "j2:a"]);
    assert!(text(&unknown.stderr).contains("has no model \"zz\""));
    let same = run(dir.path(), &["compare", "j1:a", "j1:a"]);
    assert_eq!(same.status.code(), Some(2));
}

#[test]
fn drift_names_what_moved_and_says_that_noise_is_unknown() {
    let dir = three_judges();
    import(dir.path(), "later", |m, i, _| m == 1 && i < 6);
    let args = ["study", "drift", "j1", "later", "--draws", "300"];
    let study = &json_of(dir.path(), &args, 0)["study"];
    let all = &study["drift"]["flips"][0];
    let flips = all["yes_to_no"].as_u64().unwrap() + all["no_to_yes"].as_u64().unwrap();
    assert_eq!(flips, 6 * SPECS as u64);
    assert_eq!(all["paired"], MODELS.len() * INSTANCES * SPECS);
    assert!(study["self_noise"].is_null());
    let out = text(&run(dir.path(), &args).stdout);
    assert!(out.contains("the judge's own noise is not known"), "{out}");
}

#[test]
fn items_write_a_repair_list() {
    let dir = three_judges();
    let args = ["study", "items", "j1", "j2", "j3", "--out", "repair.jsonl"];
    let study = &json_of(dir.path(), &args, 0)["study"];
    let items = study.as_array().unwrap();
    assert_eq!(items.len(), INSTANCES * SPECS);
    assert!(items.iter().all(|i| i["verdicts"] == 3 * MODELS.len()));
    let flagged = items
        .iter()
        .filter(|i| !i["flags"].as_array().unwrap().is_empty());
    let lines = std::fs::read_to_string(dir.path().join("repair.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), flagged.count());
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(["retire", "repair"].contains(&line["action"].as_str().unwrap()));
    }
    let out = text(&run(dir.path(), &args).stdout);
    assert!(out.contains("Specifications that deserve a look"), "{out}");
}

#[test]
fn family_needs_families() {
    let dir = three_judges();
    let none = run(dir.path(), &["study", "family", "j1", "j2"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("--family JUDGE=FAMILY"));
    let args = [
        "study", "family", "j1", "j2", "j3", "--family", "j1=f", "--family", "a=f", "--draws",
        "300",
    ];
    let study = &json_of(dir.path(), &args, 0)["study"];
    assert_eq!(study[0]["own"], serde_json::json!(["a"]));
    assert_eq!(study[0]["others"], 4);
    assert!(study[0]["preference"]["value"].is_number());
}

#[test]
fn a_sample_comes_back_answered_and_corrects_the_scores() {
    let dir = three_judges();
    let sample = [
        "study",
        "human",
        "sample",
        "j2",
        "--n",
        "60",
        "--strata",
        "model,verdict",
        "--seed",
        "3",
        "--out",
        "s.csv",
    ];
    let shown = run(dir.path(), &sample);
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown.stderr));
    let empty = run(dir.path(), &["study", "human", "j2", "--human", "s.csv"]);
    assert_eq!(empty.status.code(), Some(2));
    assert!(text(&empty.stderr).contains("fill in Yes or No"));

    // People agree with judge 1, which judge 2 departs from.
    let file = std::fs::read_to_string(dir.path().join("s.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|h| h == name).unwrap();
    let mut writer = csv::Writer::from_path(dir.path().join("answered.csv")).unwrap();
    writer.write_record(&header).unwrap();
    let mut rows = 0;
    for record in reader.records() {
        let record = record.unwrap();
        let field = |name: &str| record.get(column(name)).unwrap().to_owned();
        let m = MODELS.iter().position(|m| *m == field("model")).unwrap();
        let i: usize = field("instance")[5..].parse().unwrap();
        let s = field("spec").parse::<usize>().unwrap() - 1;
        let truth = if (i * 3 + s * 5 + i * s) % 7 < m + 1 {
            "Yes"
        } else {
            "No"
        };
        let fields: Vec<String> = (0..record.len())
            .map(|c| {
                if c == column("human") {
                    truth.to_owned()
                } else {
                    record[c].to_owned()
                }
            })
            .collect();
        writer.write_record(&fields).unwrap();
        rows += 1;
    }
    writer.flush().unwrap();
    assert_eq!(rows, 60);
    let args = ["study", "human", "j2", "--human", "answered.csv"];
    let document = json_of(dir.path(), &args, 0);
    let models = document["study"][0]["labelled"]["models"]
        .as_array()
        .unwrap();
    assert_eq!(models.len(), 1 + MODELS.len());
    assert_eq!(models[0]["labelled"], 60);
    // The truth is what judge 1 says of all.
    let truth = json_of(dir.path(), &["score", "j1", "--extras"], 0);
    let met: f64 = truth["models"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["tracks"][0]["pooled"].as_f64().unwrap())
        .sum::<f64>()
        / MODELS.len() as f64;
    let ppi = &models[0]["ppi"];
    let (low, high) = (&ppi["interval"]["low"], &ppi["interval"]["high"]);
    assert!(
        low.as_f64().unwrap() <= met && met <= high.as_f64().unwrap(),
        "{met} {ppi}"
    );
    let out = text(&run(dir.path(), &args).stdout);
    assert!(
        out.contains("PPI++") && out.contains("by error rates"),
        "{out}"
    );

    // Labels of unknown probability correct nothing.
    write(
        &dir.path().join("bare.csv"),
        "model,track,instance,spec,human\na,t2i,comp_000,1,Yes\n",
    );
    let refused = run(dir.path(), &["study", "human", "j2", "--human", "bare.csv"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("no inclusion probability"));
}

#[test]
fn ratings_are_compared_at_four_levels_and_runs_with_one_another() {
    let dir = three_judges();
    let mut rows = String::new();
    for (m, model) in MODELS.iter().enumerate() {
        for i in 0..INSTANCES {
            for (a, annotator) in ["x", "y", "z"].iter().enumerate() {
                let rating = (m + (i + a) % 3).clamp(0, 4) + 1;
                let row = serde_json::json!({
                    "track": "t2i", "id": format!("comp_{i:03}"), "model": model,
                    "annotator": annotator, "rating": rating,
                });
                writeln!(rows, "{row}").unwrap();
            }
        }
    }
    write(&dir.path().join("human.jsonl"), &rows);
    let args = [
        "study",
        "human",
        "j1",
        "j2",
        "--human",
        "human.jsonl",
        "--draws",
        "200",
    ];
    let study = &json_of(dir.path(), &args, 0)["study"][0];
    assert_eq!(study["ceiling"].as_array().unwrap().len(), 3);
    let levels = &study["runs"][0][1];
    assert_eq!(levels["pooled"]["n"], MODELS.len() * INSTANCES);
    assert!(levels["model"]["tau"]["value"].as_f64().unwrap() > 0.5);
    assert_eq!(
        study["ablation"]["differences"].as_array().unwrap().len(),
        1
    );
    let out = text(&run(dir.path(), &args).stdout);
    assert!(
        out.contains("ceiling: x") && out.contains("j1 − j2"),
        "{out}"
    );
}

#[test]
fn a_judge_of_the_same_family_is_named_under_the_ranking() {
    let dir = three_judges();
    let told = |args: &[&str]| text(&run(dir.path(), args).stderr);
    assert!(!told(&["rank", "j1"]).contains("family"));
    write(
        &dir.path().join("verispec.toml"),
        "[judge.j1]\nprovider = \"openai\"\nmodel = \"j1\"\nfamily = \"f\"\n\
         [model.c]\nfamily = \"f\"\n[model.a]\nfamily = \"g\"\n",
    );
    for command in ["rank", "score"] {
        let told = told(&[command, "j1"]);
        assert!(told.contains("same family (f) as c:"), "{told}");
    }
    assert!(!told(&["rank", "j2"]).contains("family"));
}

/// What a judge says of a model `m` in suite `data`: the key itself where `copies`, else Yes.
fn judged_by_key(dir: &Path, data: &str, name: &str, copies: bool) {
    let mut rows = String::from("model,track,instance,specification,answer\n");
    for i in 0..INSTANCES {
        let path = format!("{data}/eval_checklist/t2i/composition/comp_{i:03}.json");
        let text = std::fs::read_to_string(dir.join(path)).expect("a checklist");
        let items: serde_json::Value = serde_json::from_str(&text).expect("a checklist");
        for item in items.as_array().expect("a checklist") {
            let key = item["expected_answer"].as_str().expect("a checklist");
            let answer = if copies { key } else { "Yes" };
            writeln!(rows, "m,t2i,comp_{i:03},{},{answer}", item["id"]).expect("a checklist");
        }
    }
    let file = format!("{name}.csv");
    write(&dir.join(&file), &rows);
    let args = ["import", "verdicts", &file, "--data", data, "--run", name];
    json_of(dir, &args, 0);
}

#[test]
fn a_judge_that_copies_the_key_leaks_and_one_that_does_not_is_cleared() {
    let dir = workplace(INSTANCES, 6);
    let flip = [
        "suite", "flip", "specv", "--data", "suite", "--out", "turned",
    ];
    let done = json_of(dir.path(), &flip, 0);
    assert_eq!(done["done"]["flipped"], 3 * INSTANCES);
    assert_eq!(done["done"]["specifications"], 6 * INSTANCES);
    for (name, copies) in [("copy", true), ("look", false)] {
        judged_by_key(dir.path(), "suite", name, copies);
        judged_by_key(dir.path(), "turned", &format!("{name}-t"), copies);
    }
    let leak = |a: &str, b: &str| {
        let args = ["study", "leak", a, b, "--draws", "300"];
        let shown = text(&run(dir.path(), &args).stdout);
        let study = json_of(dir.path(), &args, 0)["study"].clone();
        (study["rows"][0]["turned"].clone(), shown)
    };
    let (turned, shown) = leak("copy", "copy-t");
    assert_eq!(turned["verdicts"], 3 * INSTANCES);
    assert_eq!(turned["difference"]["value"], 1.0);
    assert!(shown.contains("the judge reads the key"), "{shown}");
    let (turned, shown) = leak("look", "look-t");
    assert_eq!(turned["difference"]["value"], 0.0);
    assert!(shown.contains("no leak shown"), "{shown}");

    let same = run(dir.path(), &["study", "leak", "copy", "look"]);
    assert_eq!(same.status.code(), Some(2));
    assert!(text(&same.stderr).contains("verispec suite flip"));
    let again = run(dir.path(), &flip);
    assert!(text(&again.stderr).contains("is not empty"));
}

#[test]
fn a_flipped_suite_is_judged_like_any_other_and_default_prompts_show_no_key() {
    let dir = workplace(3, 4);
    let flip = [
        "suite", "flip", "specv", "--data", "suite", "--out", "turned",
    ];
    json_of(dir.path(), &flip, 0);
    let server = verispec_testkit::FakeJudge::start(verispec_testkit::FakeConfig::default());
    let endpoint = server.endpoint("openai");
    for (data, name) in [("suite", "plain"), ("turned", "turned-run")] {
        let args = [
            "judge",
            "specv",
            "--data",
            data,
            "--outputs",
            "suite",
            "--judge",
            "openai:fake",
            "--endpoint",
            &endpoint,
            "--run",
            name,
        ];
        json_of(dir.path(), &args, 0);
    }
    // The second run's requests are the first one's.
    assert_eq!(server.log().len(), 3);
    let args = ["study", "leak", "plain", "turned-run", "--draws", "200"];
    let shown = run(dir.path(), &args);
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown.stderr));
    assert!(text(&shown.stderr).contains("shows no key to the judge"));
}
