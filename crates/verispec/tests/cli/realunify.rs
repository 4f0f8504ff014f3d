//! RealUnify, on a small set of our own (`examples/realunify`) whose model makes known mistakes:
//! judged, scored, studied, exported, imported. The builtin judge reads the drawn images, so the
//! figures below were counted by hand from `draw.py`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use verispec_testkit::{Answers, FakeConfig, FakeJudge};

use crate::support::{json_of, run, text, track, tree, write};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/realunify")
}

fn data_text() -> String {
    data().to_str().expect("a path in UTF-8").to_owned()
}

/// Judges outputs below `outputs`.
fn judge(dir: &Path, outputs: &str, by: &[&str]) -> Value {
    let data = data_text();
    let args = ["judge", "realunify", "--data", &data, "--outputs", outputs];
    json_of(dir, &[&args[..], by].concat(), 0)
}

fn builtin(dir: &Path, outputs: &str, name: &str) -> Value {
    judge(dir, outputs, &["--judge", "builtin", "--run", name])
}

/// Judges one split as run `r`, by the protocol that stops at the first miss.
fn to_the_first_miss(dir: &Path, outputs: &str, server: &FakeJudge) -> Value {
    let endpoint = server.endpoint("openai");
    let by = ["--judge", "openai:fake", "--endpoint", &endpoint];
    let how = ["--protocol", "realunify-published", "--min-coverage", "1"];
    let what = ["--run", "r", "--tracks", "ueg_direct"];
    judge(dir, outputs, &[&by[..], &how, &what].concat())
}

/// The example's own outputs, judged as run `own`.
fn judged() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("temporary folder");
    let outputs = data_text() + "/outputs";
    builtin(dir.path(), &outputs, "own");
    dir
}

fn study(dir: &Path, args: &[&str]) -> Value {
    json_of(dir, &[&["study", "realunify"], args].concat(), 0)["study"].clone()
}

fn cells(study: &Value) -> Vec<&str> {
    let cells = study["models"][0]["main"]["cells"].as_array();
    let cells = cells.expect("cells").iter();
    cells.map(|c| c.as_str().expect("text")).collect()
}

fn axis<'a>(study: &'a Value, name: &str) -> &'a Value {
    let axes = study["models"][0]["axes"].as_array().expect("axes");
    axes.iter().find(|a| a["axis"] == name).expect("axis")
}

/// Copies the example's outputs of a split, each item's by `change`.
fn copied(to: &Path, split: &str, change: impl Fn(&Path, &[u8]) -> Option<Vec<u8>>) {
    let from = data().join("outputs/sketch").join(split);
    for (path, bytes) in tree(&from) {
        let relative = path.strip_prefix(&from).expect("below");
        if let Some(bytes) = change(relative, &bytes) {
            let path = to.join(split).join(relative);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folder");
            fs::write(path, bytes).expect("file");
        }
    }
}

#[test]
fn the_set_is_inspected() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let args = ["suite", "inspect", "realunify", "--data"];
    let data = data_text();
    let document = json_of(dir.path(), &[&args[..], &[&data]].concat(), 0);
    let tracks = document["tracks"].as_array().expect("tracks");
    let names: Vec<&Value> = tracks.iter().map(|t| &t["track"]).collect();
    assert_eq!(names, ["ueg_direct", "ueg_step", "geu_direct", "geu_step"]);
    assert_eq!(document["total"]["instances"], 40);
    assert_eq!(tracks[0]["counts"]["expected_no"], 4);
    let shown = run(dir.path(), &[&args[..], &[&data]].concat());
    let shown = text(&shown.stdout);
    assert!(
        shown.contains("UEG: 12 of 12 direct and 12 stepwise items are pairs"),
        "{shown}"
    );
}

#[test]
fn judged_by_a_judge_that_sees_and_scored_strictly() {
    let dir = judged();
    let scores = json_of(dir.path(), &["score", "own"], 0);
    assert_eq!(scores["policy"]["scoring"], "strict");
    let exact = |name| track(&scores, "sketch", name)["score"]["exact"].clone();
    assert_eq!(exact("ueg_direct"), "5/12");
    assert_eq!(exact("ueg_step"), "5/6");
    assert_eq!(exact("geu_direct"), "5/8");
    assert_eq!(exact("geu_step"), "7/8");
    let counters = &track(&scores, "sketch", "geu_direct")["counters"];
    assert_eq!(counters["failed_instances"]["undecidable"], 1);
    assert_eq!(
        track(&scores, "sketch", "ueg_step")["counters"]["failed_instances"]["missing"],
        1
    );
    let mean = json_of(dir.path(), &["score", "own", "--scoring", "uniform"], 0);
    assert_eq!(track(&mean, "sketch", "geu_step")["score"]["exact"], "7/8");
    let more = track(&mean, "sketch", "ueg_direct")["score"]["value"].as_f64();
    assert!(
        more > Some(100.0 * 5.0 / 12.0),
        "a share of the questions is more than all: {more:?}"
    );

    let outputs = data_text() + "/outputs";
    let again = builtin(dir.path(), &outputs, "own");
    assert_eq!(again["calls"], 0);
    let shown = run(
        dir.path(),
        &["show", "own", "ueg_direct/commonsense_reasoning/0"],
    );
    let shown = text(&shown.stdout);
    assert!(
        shown.contains("traffic light") && shown.contains("Is there a red circle?"),
        "{shown}"
    );
    let both = run(dir.path(), &["show", "own", "commonsense_reasoning/0"]);
    assert_eq!(both.status.code(), Some(2));
    assert!(text(&both.stderr).contains("ueg_step/commonsense_reasoning/0"));
    let report = run(
        dir.path(),
        &["report", "own", "--single-file", "--out", "page.html"],
    );
    assert_eq!(report.status.code(), Some(0), "{}", text(&report.stderr));
    let page = fs::read_to_string(dir.path().join("page.html")).expect("page");
    assert!(page.contains("geu_step"));
}

#[test]
fn the_study_puts_runs_side_by_side() {
    let dir = judged();
    let document = study(dir.path(), &["own"]);
    assert_eq!(
        cells(&document),
        ["41.7", "83.3", "62.5", "87.5", "50.0", "85.0"]
    );
    let ueg = axis(&document, "ueg");
    let step = &ueg["readout"]["step_minus_direct"];
    let quadrants = json!({"both": 4, "only_first": 1, "only_second": 6, "neither": 1});
    assert_eq!(
        (&step["items"], &step["quadrants"]),
        (&json!(12), &quadrants)
    );
    assert_eq!(step["test"]["exact"], 0.125, "2 (1 + 7) / 2^7");
    assert!(step["interval"]["Ok"]["low"].as_f64() < step["difference"].as_f64());
    assert_eq!(ueg["readout"]["findings"][0]["kind"], "no-difference");
    let geu = axis(&document, "geu");
    let direct = &geu["runs"][0]["score"];
    assert_eq!(direct["axis"]["tally"]["undecidable"], 1);
    assert_eq!(direct["axis"]["tally"]["failed"], 1);
    let subtasks = &direct["tasks"][0]["subtasks"];
    assert_eq!(subtasks["tiles"]["tally"]["items"], 2);
    let warnings = document["warnings"].as_array().expect("warnings");
    assert_eq!(
        warnings.len(),
        20,
        "2 items instead of 100 in each task of each split"
    );

    let shown = run(
        dir.path(),
        &["study", "realunify", "own", "--with-published"],
    );
    let shown = text(&shown.stdout);
    for part in [
        "41.7 (5/12)",
        "83.3 (10/12)",
        "sketch: what it lacks",
        "only an oracle run or a specialist can tell",
        "2 items, the release has 100",
        "Published: RealUnify main",
        "mean share of questions",
        "BAGEL",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(
        !shown.contains("is missing:"),
        "without an oracle nothing is said to be missing"
    );
}

#[test]
fn papers_and_machines_get_the_same_numbers() {
    let dir = judged();
    let written = |format: &str| {
        let args = [
            "study",
            "realunify",
            "own",
            "--with-published",
            "--format",
            format,
        ];
        let out = run(dir.path(), &args);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let md = written("md");
    assert!(
        md.contains("| sketch | 41.7 | 83.3 | 62.5 | 87.5 | 50.0 | 85.0 |"),
        "{md}"
    );
    assert!(
        md.contains("| Nano Banana (published) | 63.0 | - | 31.8 | - | 50.5 | - |"),
        "{md}"
    );
    let latex = written("latex");
    assert!(latex.contains("sketch & 41.7 & 83.3"), "{latex}");
    assert!(latex.contains("63.0 & -- & 31.8"), "{latex}");
    let mut csv = csv::Reader::from_reader(written("csv").into_bytes().leak() as &[u8]);
    let rows: Vec<csv::StringRecord> = csv.records().map(|r| r.expect("row")).collect();
    // Per way: UEG 6 tasks and the axis; GEU 4 tasks, as many subtasks, and the axis.
    assert_eq!(rows.len(), 2 * (6 + 1) + 2 * (4 + 4 + 1));
}

#[test]
fn published_preset_stops_at_the_first_miss_and_divides_by_100() {
    let dir = tempfile::tempdir().expect("temporary folder");
    // Wrong on counts, right on everything that is wanted to be there.
    let answer = |text: &str| {
        if text.contains("exactly") {
            "No."
        } else {
            "Yes, it is."
        }
        .to_owned()
    };
    let server = FakeJudge::start(FakeConfig {
        answers: Answers::Custom(Arc::new(move |prompt, _| answer(&prompt.text))),
        ..FakeConfig::default()
    });
    let (endpoint, data) = (server.endpoint("openai"), data_text());
    let outputs = data.clone() + "/outputs";
    let args = [
        "judge",
        "realunify",
        "--data",
        &data,
        "--outputs",
        &outputs,
        "--judge",
        "openai:fake",
        "--endpoint",
        &endpoint,
        "--run",
        "released",
        "--preset",
        "published",
        "--min-coverage",
        "1",
        "--tracks",
        "ueg_direct,geu_direct,geu_step",
    ];
    let done = json_of(dir.path(), &args, 0);
    // Every question with a wanted "no" is the last of its item, so none is left out here. 18
    // questions, of which one is asked of the same image in two items.
    let counters = &done["counters"];
    assert_eq!(done["calls"], 17);
    assert_eq!(counters["not_asked"], Value::Null);
    assert_eq!(counters["unjudged"], 0);
    let again = json_of(dir.path(), &args, 0);
    assert_eq!(again["calls"], 0);

    let document = study(dir.path(), &["released", "--preset", "published"]);
    assert_eq!(document["denominator"], "fixed100");
    // UEG: cr/1 and ci/1 answered as wanted: 2 of 600. GEU by the released reader: 4 and 6 of 400.
    assert_eq!(cells(&document), ["0.3", "-", "1.0", "1.5", "0.6", "-"]);
    let actual = study(dir.path(), &["released"]);
    assert_eq!(cells(&actual), ["16.7", "-", "50.0", "75.0", "30.0", "-"]);
    assert_eq!(
        axis(&actual, "ueg")["readout"]["step_minus_direct"],
        Value::Null
    );
}

#[test]
fn questions_after_the_first_miss_are_no_gap() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let server = FakeJudge::start(FakeConfig {
        answers: Answers::AllNo,
        ..FakeConfig::default()
    });
    let outputs = data_text() + "/outputs";
    let done = to_the_first_miss(dir.path(), &outputs, &server);
    assert_eq!(
        (&done["calls"], &done["counters"]["judged"]),
        (&json!(11), &json!(12))
    );
    assert_eq!(done["counters"]["not_asked"], 6);
    let scores = json_of(dir.path(), &["score", "r"], 0);
    assert_eq!(
        track(&scores, "sketch", "ueg_direct")["score"]["exact"],
        "0/1"
    );
    let uniform = run(dir.path(), &["score", "r", "--scoring", "uniform"]);
    assert_eq!(uniform.status.code(), Some(2));
    assert!(
        text(&uniform.stderr).contains("--scoring strict"),
        "{}",
        text(&uniform.stderr)
    );
    let ueg = track(&scores, "sketch", "ueg_direct");
    assert_eq!(ueg["pooled"], Value::Null, "{ueg}");
    let categories = run(dir.path(), &["score", "r", "--by-category"]);
    assert_eq!(categories.status.code(), Some(2));
    assert!(text(&categories.stderr).contains("were not asked"));
    let other = ["--scoring", "uniform"];
    for command in ["report", "rank"] {
        let out = run(dir.path(), &[[command, "r"], other].concat());
        assert_eq!(out.status.code(), Some(2), "{}", text(&out.stderr));
    }
    // `show` and the exports take the rule that fits.
    let export = ["export", "r", "--format", "wandb", "--out", "out"];
    json_of(dir.path(), &export, 0);
    json_of(dir.path(), &["show", "r", "commonsense_reasoning/0"], 0);
    let shown = text(&run(dir.path(), &["score", "r"]).stdout);
    assert!(shown.contains("not asked: 6"), "{shown}");
    let again = to_the_first_miss(dir.path(), &outputs, &server);
    assert_eq!(again["calls"], 0);
}

#[test]
fn the_study_of_policies_ranks_by_no_share_that_is_not_known() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let server = FakeJudge::start(FakeConfig {
        answers: Answers::AllNo,
        ..FakeConfig::default()
    });
    let outputs = dir.path().join("outputs");
    for model in ["sketch", "twin"] {
        copied(&outputs.join(model), "UEG_direct", |_, bytes| {
            Some(bytes.to_vec())
        });
    }
    let done = to_the_first_miss(dir.path(), "outputs", &server);
    assert_eq!(done["counters"]["not_asked"], 12);
    let args = ["study", "policies", "r", "--by-category"];
    let study = &json_of(dir.path(), &args, 0)["study"];
    let of = |name: &str| study["not_applicable"][name].as_str().unwrap_or_default();
    for name in ["scoring=uniform", "pooled"] {
        assert!(of(name).contains("were not asked"), "{name}: {study}");
    }
    let effects = study["rankings"][0]["effects"].as_array().expect("effects");
    let names: Vec<&str> = effects
        .iter()
        .filter_map(|e| e["policy"].as_str())
        .collect();
    assert!(names.contains(&"all-met"), "{names:?}");
    let shares = ["scoring=uniform", "pooled"];
    assert!(
        !names
            .iter()
            .any(|n| shares.contains(n) || n.starts_with("only ")),
        "{names:?}"
    );
}

#[test]
fn oracle_specialist_and_people_stand_beside() {
    let dir = judged();
    let place = dir.path();
    // With the true middle step, one more item goes wrong: what is left wrong is the last stage's.
    let right =
        fs::read(data().join("outputs/sketch/UEG_step/logical_reasoning/1.png")).expect("png");
    copied(&place.join("oracle/sketch"), "UEG_step", |path, bytes| {
        let missing = path.ends_with("scientific_reasoning/0.png");
        Some(if missing {
            right.clone()
        } else {
            bytes.to_vec()
        })
    });
    builtin(place, "oracle", "oracle");
    copied(&place.join("mixed/sketch+reader"), "GEU_step", |_, _| {
        Some(b"A".to_vec())
    });
    builtin(place, "mixed", "mixed");
    let export = json_of(place, &["export", "own", "--out", "scored"], 0);
    assert_eq!(
        (export["files"].as_array().map(Vec::len), &export["nulls"]),
        (Some(4), &json!(0))
    );
    let path = place.join("scored/UEG_direct/sketch.json");
    let mut people: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(&path).expect("file")).expect("json");
    people[0]["score"] = json!(0);
    people[1]["score"] = Value::Null;
    write(
        &place.join("people/sketch.json"),
        &json!(people).to_string(),
    );
    let data = data_text();
    json_of(
        place,
        &[
            "import",
            "realunify-scored",
            "people",
            "--data",
            &data,
            "--run",
            "people",
        ],
        0,
    );

    let args = [
        "own",
        "--oracle",
        "oracle",
        "--mixed",
        "understanding",
        "reader",
        "mixed:sketch+reader",
        "--human",
        "people",
    ];
    let document = study(place, &args);
    let ueg = axis(&document, "ueg");
    let names: Vec<&Value> = ueg["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .map(|r| &r["run"])
        .collect();
    assert_eq!(names, ["direct", "step", "oracle"]);
    let oracle = &ueg["readout"]["oracle_minus_step"]["quadrants"];
    assert_eq!(
        oracle,
        &json!({"both": 9, "only_first": 1, "only_second": 0, "neither": 2})
    );
    let missing = ueg["readout"]["findings"].as_array().expect("findings");
    assert!(
        missing
            .iter()
            .any(|f| f["kind"] == "ability-missing" && f["by"] == "oracle")
    );
    let geu = axis(&document, "geu");
    assert_eq!(geu["runs"][2]["run"], "with reader");
    assert_eq!(geu["readout"]["mixed_minus_step"][0][1], "last");
    let all = &ueg["human"][0]["rows"][0]["paired"];
    assert_eq!(
        (&all["items"], &all["left_out"]),
        (&json!(11), &json!(1)),
        "a null is left out"
    );
    assert_eq!(
        all["quadrants"]["only_second"], 1,
        "the judge is kinder once"
    );
    let shown = text(&run(place, &[&["study", "realunify"], &args[..]].concat()).stdout);
    for part in [
        "oracle − step",
        "with reader − step",
        "sketch: judge − people",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn scored_files_go_out_and_in_again() {
    let dir = judged();
    json_of(dir.path(), &["export", "own", "--out", "scored"], 0);
    let data = data_text();
    let import = [
        "import",
        "realunify-scored",
        "scored",
        "--data",
        &data,
        "--run",
        "again",
    ];
    let imported = json_of(dir.path(), &import, 0);
    assert_eq!(imported["models"], json!(["sketch"]));
    let again = study(dir.path(), &["again"]);
    assert_eq!(cells(&again), cells(&study(dir.path(), &["own"])));
    let scores = json_of(dir.path(), &["score", "again"], 0);
    assert_eq!(
        track(&scores, "sketch", "ueg_step")["score"]["exact"],
        "5/6"
    );
    assert_eq!(
        axis(&again, "ueg")["runs"][0]["score"]["axis"]["mean"],
        Value::Null
    );
    let twice = run(dir.path(), &["study", "realunify", "own", "again"]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(text(&twice.stderr).contains("stands in another run already"));

    write(&dir.path().join("odd/m.json"), "[{\"score\": 1}]");
    let odd = run(
        dir.path(),
        &["import", "realunify-scored", "odd", "--data", &data],
    );
    assert_eq!(odd.status.code(), Some(2));
    assert!(
        text(&odd.stderr).contains("which of the four files"),
        "{}",
        text(&odd.stderr)
    );
    let one = [
        "import",
        "realunify-scored",
        "scored/GEU_step/sketch.json",
        "--data",
        &data,
        "--split",
        "geu_step",
        "--run",
        "one",
    ];
    json_of(dir.path(), &one, 0);
    assert_eq!(cells(&study(dir.path(), &["one"]))[3], "87.5");
}

/// People's verdicts one a row: of two items, so the others are pending and left out.
#[test]
fn verdicts_of_people_stand_beside() {
    let dir = judged();
    let row = |id: &str, spec: u32, answer: &str| {
        let row = json!({"model": "sketch", "track": "ueg_direct", "instance": id,
            "specification": spec, "answer": answer});
        row.to_string() + "\n"
    };
    let rows = [
        row("world_knowledge/0", 1, "yes"),
        row("world_knowledge/0", 2, "no"),
        row("world_knowledge/1", 1, "yes"),
    ];
    write(&dir.path().join("people.jsonl"), &rows.concat());
    let data = data_text();
    let args = [
        "import",
        "verdicts",
        "people.jsonl",
        "--suite",
        "realunify",
        "--data",
        &data,
    ];
    json_of(dir.path(), &args, 0);
    let document = study(dir.path(), &["own", "--human", "people"]);
    let people = &axis(&document, "ueg")["human"][0];
    let all = &people["rows"][0]["paired"];
    assert_eq!((&all["items"], &all["left_out"]), (&json!(2), &json!(10)));
    let quadrants = json!({"both": 1, "only_first": 1, "only_second": 0, "neither": 0});
    assert_eq!(all["quadrants"], quadrants, "people saw a third wheel");
    assert_eq!(people["human"]["axis"]["tally"]["pending"], 10);
}

/// A model's own copy of the files, with paths in fields, and the remarks on what does not fit.
#[test]
fn outputs_by_path_fields() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let model = dir.path().join("out/painter");
    copied(&model.join("made"), "UEG_step", |_, bytes| {
        Some(bytes.to_vec())
    });
    let read = fs::read_to_string(data().join("UEG_step.json")).expect("file");
    let mut records: Vec<Value> = serde_json::from_str(&read).expect("json");
    for record in &mut records {
        let (task, index) = (
            record["task_type"].as_str().expect("task"),
            &record["index"],
        );
        let path = format!("made/UEG_step/{task}/{index}.png");
        record["generated_image"] = json!(path);
        record["response"] = json!("what is to be drawn");
    }
    let mut stranger = records[0].clone();
    stranger["index"] = json!(77);
    records.push(stranger);
    write(&model.join("UEG_step.json"), &json!(records).to_string());
    builtin(dir.path(), "out", "fields");
    assert_eq!(
        cells(&study(dir.path(), &["fields"])),
        ["-", "83.3", "-", "-", "-", "-"]
    );
    let data = data_text();
    let check = ["check", "realunify", "--data", &data, "--outputs", "out"];
    let check = json_of(dir.path(), &check, 3);
    let problems = check["problems"].as_array().expect("problems");
    let kinds: Vec<&Value> = problems.iter().map(|p| &p["kind"]).collect();
    assert_eq!(kinds, ["missing", "unmatched"], "{check}");
    assert!(
        problems[1]["message"]
            .as_str()
            .expect("text")
            .contains("world_knowledge/77")
    );
}

#[test]
fn misnamed_files_are_listed_and_a_price_is_given() {
    let dir = tempfile::tempdir().expect("temporary folder");
    copied(&dir.path().join("out/m"), "UEG_direct", |_, bytes| {
        Some(bytes.to_vec())
    });
    fs::rename(
        dir.path().join("out/m/UEG_direct/world_knowledge/0.png"),
        dir.path().join("out/m/UEG_direct/world_knowledge/zero.png"),
    )
    .expect("rename");
    let data = data_text();
    let args = [
        "check",
        "realunify",
        "--data",
        &data,
        "--outputs",
        "out",
        "--judge",
        "openai:gpt-4.1",
        "--endpoint",
        "http://127.0.0.1:9/v1",
    ];
    let check = json_of(dir.path(), &args, 3);
    let row = &check["outputs"][0];
    assert_eq!(
        (&row["matched"], &row["missing"], &row["unmatched"]),
        (&json!(11), &json!(1), &json!(1))
    );
    assert_eq!(
        check["price"]["calls"], 16,
        "18 questions but two: {}",
        check["price"]
    );
}

#[test]
fn waves_of_batch_files() {
    let dir = tempfile::tempdir().expect("temporary folder");
    copied(&dir.path().join("out/m"), "UEG_direct", |_, bytes| {
        Some(bytes.to_vec())
    });
    let data = data_text();
    let args = [
        "batch",
        "export",
        "realunify",
        "--data",
        &data,
        "--outputs",
        "out",
        "--judge",
        "openai:gpt-4.1",
        "--endpoint",
        "http://127.0.0.1:9/v1",
        "--run",
        "b",
        "--out",
        "wave",
    ];
    let document = json_of(dir.path(), &args, 0);
    assert_eq!(document["requests"], 17, "{document}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let dir = judged();
    let (data, outputs) = (data_text(), data_text() + "/outputs");
    let refused = |args: &[&str], needle: &str| {
        let out = run(dir.path(), args);
        assert_eq!(
            out.status.code(),
            Some(2),
            "{args:?}: {}",
            text(&out.stderr)
        );
        assert!(
            text(&out.stderr).contains(needle),
            "{args:?}: {}",
            text(&out.stderr)
        );
    };
    let judge = [
        "judge",
        "realunify",
        "--data",
        &data,
        "--outputs",
        &outputs,
        "--judge",
        "builtin",
    ];
    refused(
        &[&judge[..], &["--protocol", "holistic"]].concat(),
        "holistic grade",
    );
    refused(
        &[&judge[..], &["--protocol", "specv-published"]].concat(),
        "SpecV's own",
    );
    refused(&["score", "own", "--scoring", "board"], "SpecV's own");
    refused(&["study", "realunify", "own:nobody"], "there is sketch");
    refused(
        &["study", "realunify", "own", "--mixed", "speech", "x", "own"],
        "neither understanding",
    );
    refused(
        &["study", "realunify", "own", "--oracle", "own:nobody"],
        "there is sketch",
    );
    refused(
        &["import", "realunify-scored", "nothing", "--data", &data],
        "",
    );
}
