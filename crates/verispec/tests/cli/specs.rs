//! A whole set on the demo suite: written, merged, filtered, killed in each stage, updated.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{copy, json_of, run, text, verispec, write};

pub(crate) const INSTANCES: usize = 14;

/// A folder with the demo suite and three models; each reply takes `delay` seconds.
pub(crate) fn workplace(delay: f64) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("folder");
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
    for part in ["eval_data", "eval_checklist"] {
        copy(&demo.join(part), &dir.path().join("suite").join(part));
    }
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/specs_model.py");
    let judge = |name: &str| {
        format!(
            "[judge.{name}]\nprovider = \"command\"\nmax_concurrency = 2\n\
             command = [\"python3\", '{}', 'calls.log', '{delay}']\n",
            program.display()
        )
    };
    write(
        &dir.path().join("verispec.toml"),
        &["a", "b", "c"].map(judge).concat(),
    );
    dir
}

/// Requests that reached the models: protocol, model, task.
pub(crate) fn calls(dir: &Path) -> Vec<(String, String, String)> {
    let text = std::fs::read_to_string(dir.join("calls.log")).unwrap_or_default();
    // The last line may be half written while a test looks.
    text.lines()
        .filter_map(|l| serde_json::from_str(l).ok())
        .collect()
}

pub(crate) const GENERATE: [&str; 8] = [
    "specs",
    "generate",
    "specv",
    "--data",
    "suite",
    "--set",
    "s",
    "--generators=a,b,c",
];
pub(crate) const MERGE: [&str; 4] = ["specs", "merge", "s", "--merger=a"];
pub(crate) const FILTER: [&str; 3] = ["specs", "filter", "s"];

fn stages() -> [Vec<&'static str>; 3] {
    [GENERATE.to_vec(), MERGE.to_vec(), FILTER.to_vec()]
}

pub(crate) fn manifest(dir: &Path) -> Value {
    let text = std::fs::read_to_string(dir.join("runs/s/specs.json")).expect("manifest");
    serde_json::from_str(&text).expect("json")
}

/// All files of an export by their path.
pub(crate) fn exported(dir: &Path, out: &str) -> BTreeMap<String, String> {
    json_of(
        dir,
        &["specs", "export", "s", "--out", out, "--which", "all"],
        0,
    );
    let mut found = BTreeMap::new();
    let root = dir.join(out);
    let mut open = vec![root.clone()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("folder") {
            let path = entry.expect("entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path
                    .strip_prefix(&root)
                    .expect("inside")
                    .display()
                    .to_string();
                found.insert(name, std::fs::read_to_string(&path).expect("file"));
            }
        }
    }
    found
}

pub(crate) fn whole(dir: &Path) -> BTreeMap<String, String> {
    for stage in stages() {
        json_of(dir, &stage, 0);
    }
    exported(dir, "out")
}

#[test]
fn a_set_is_made_and_its_five_sets_follow_from_the_manifest_alone() {
    let dir = workplace(0.0);
    let sets = whole(dir.path());
    let made = calls(dir.path());
    assert_eq!(
        made.len(),
        INSTANCES * (3 + 1 + 3),
        "one call a model, stage and instance"
    );
    assert_eq!(sets.len(), 5 * INSTANCES);

    // Every candidate is kept with its source, and stands in exactly one group unless blocked.
    let manifest = manifest(dir.path());
    for instance in manifest["instances"].as_array().expect("list") {
        let candidates = instance["candidates"].as_array().expect("list");
        let blocked = |c: &&Value| {
            !c["lint"]
                .as_array()
                .expect("list")
                .contains(&"not-yes-no".into())
        };
        let mut usable: Vec<u64> = candidates
            .iter()
            .filter(blocked)
            .map(|c| c["id"].as_u64().expect("id"))
            .collect();
        let mut grouped: Vec<u64> = instance["groups"]
            .as_array()
            .expect("list")
            .iter()
            .flat_map(|g| g["members"].as_array().expect("list"))
            .map(|m| m.as_u64().expect("id"))
            .collect();
        usable.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(usable, grouped);
        assert_eq!(
            candidates.len(),
            usable.len() + 1,
            "one open question was blocked and kept"
        );
        assert_eq!(
            instance["rated"][0]["ratings"]
                .as_array()
                .expect("list")
                .len(),
            3
        );
    }

    // SpecV's six fields, ids 1 to K.
    let complete = sets
        .iter()
        .filter(|(name, _)| name.starts_with("complete/"));
    let mut kept = 0;
    for (name, text) in complete {
        let items: Vec<Value> = serde_json::from_str(text).expect("json");
        for (i, item) in items.iter().enumerate() {
            let fields: Vec<&String> = item.as_object().expect("object").keys().collect();
            assert_eq!(
                fields,
                [
                    "id",
                    "question",
                    "category",
                    "subcategory",
                    "expected_answer",
                    "score"
                ],
                "{name}"
            );
            assert_eq!(item["id"], i + 1);
            assert!(item["score"].as_f64().expect("number") >= 8.0);
        }
        kept += items.len();
    }
    let unfiltered = sets
        .iter()
        .filter(|(name, _)| name.starts_with("without-filtering/"));
    let all: usize = unfiltered
        .map(|(_, t)| serde_json::from_str::<Vec<Value>>(t).expect("json").len())
        .sum();
    assert!(
        kept > 0 && kept < all,
        "the filter keeps some and drops some: {kept} of {all}"
    );

    // Without ledger and data, the manifest alone gives the same bytes, and no call is made.
    std::fs::remove_file(dir.path().join("runs/s/ledger.sqlite")).expect("ledger");
    std::fs::remove_dir_all(dir.path().join("suite")).expect("data");
    assert_eq!(exported(dir.path(), "again"), sets);
    assert_eq!(calls(dir.path()).len(), made.len());
}

#[test]
fn killed_in_each_stage_and_resumed_it_is_the_same_set() {
    let undisturbed = workplace(0.0);
    let expected = whole(undisturbed.path());

    // Slow enough that a reply waits for its commit no longer than for the next reply, on a busy
    // disk too.
    let dir = workplace(0.2);
    let (mut most, mut before) = (0, 0);
    for stage in stages() {
        let wanted = if stage[1] == "merge" {
            INSTANCES
        } else {
            3 * INSTANCES
        };
        let in_flight = if stage[1] == "merge" { 2 } else { 6 };
        let mut child = verispec(dir.path())
            .args(&stage)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let begin = Instant::now();
        while calls(dir.path()).len() < before + wanted / 2 {
            assert!(
                begin.elapsed() < Duration::from_secs(120),
                "{stage:?}: no calls"
            );
            assert!(
                child.try_wait().expect("child").is_none(),
                "{stage:?}: ended before it was killed"
            );
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("ended");
        json_of(dir.path(), &stage, 0);
        // What was under way, and replies that were not committed yet, are asked again; no more.
        most += wanted + 2 * in_flight;
        before = calls(dir.path()).len();
        assert!(before <= most, "{stage:?}: {before} calls, at most {most}");
    }
    assert_eq!(exported(dir.path(), "out"), expected);
    let (was, is) = (manifest(undisturbed.path()), manifest(dir.path()));
    assert_eq!(was["instances"], is["instances"]);
    assert_eq!(was["versions"][0]["version"], is["versions"][0]["version"]);
}

#[test]
fn an_update_asks_only_about_what_was_edited() {
    let dir = workplace(0.0);
    let before = whole(dir.path());
    let calls_before = calls(dir.path()).len();
    let version = manifest(dir.path())["versions"][0]["version"].clone();

    let nothing = json_of(dir.path(), &["specs", "update", "s"], 0);
    assert_eq!(calls(dir.path()).len(), calls_before, "nothing was edited");
    assert_eq!(nothing["version"], version);

    let edited = ["composition_01", "style_02"];
    for (file, id) in ["composition", "style"].iter().zip(edited) {
        let path = dir.path().join(format!("suite/eval_data/t2i/{file}.jsonl"));
        let lines = std::fs::read_to_string(&path).expect("file");
        let line = |l: &str| {
            let mut task: Value = serde_json::from_str(l).expect("json");
            if task["id"] == id {
                task["question"] = "Edited: seven silver lanterns over a quiet harbour.".into();
            }
            format!("{task}\n")
        };
        std::fs::write(&path, lines.lines().map(line).collect::<String>()).expect("file");
    }
    // A stage on its own refuses data that the set was not made from.
    let refused = run(dir.path(), &FILTER);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("specs update"));

    let updated = json_of(dir.path(), &["specs", "update", "s"], 0);
    let new = &calls(dir.path())[calls_before..];
    assert!(
        new.iter().all(|(_, _, task)| task.starts_with("Edited")),
        "{new:?}"
    );
    // Both have the same prompt now: equal requests are asked once; raters see the items in an
    // order of each instance.
    assert_eq!(new.len(), 3 + 1 + 2 * 3);
    let after = exported(dir.path(), "after");
    let changed: Vec<&String> = after
        .iter()
        .filter(|(n, t)| before[*n] != **t)
        .map(|(n, _)| n)
        .collect();
    assert!(!changed.is_empty());
    assert!(
        changed
            .iter()
            .all(|n| edited.iter().any(|id| n.contains(id))),
        "{changed:?}"
    );
    assert_ne!(updated["version"], version);
    assert_eq!(
        manifest(dir.path())["versions"]
            .as_array()
            .expect("list")
            .len(),
        2
    );
}

/// Edits the prompts of these tasks of `composition`.
fn edit(dir: &Path, prompts: &[(&str, &str)]) {
    let path = dir.join("suite/eval_data/t2i/composition.jsonl");
    let lines = std::fs::read_to_string(&path).expect("file");
    let line = |l: &str| {
        let mut task: Value = serde_json::from_str(l).expect("json");
        for (id, prompt) in prompts {
            if task["id"] == *id {
                task["question"] = (*prompt).into();
            }
        }
        format!("{task}\n")
    };
    std::fs::write(&path, lines.lines().map(line).collect::<String>()).expect("file");
}

/// Instances of two manifests beside each other.
fn pairs<'a>(a: &'a Value, b: &'a Value) -> impl Iterator<Item = (&'a Value, &'a Value)> {
    let list = |m: &'a Value| m["instances"].as_array().expect("list").iter();
    list(a).zip(list(b))
}

#[test]
fn a_stage_that_fails_takes_nothing_away() {
    let dir = workplace(0.0);
    let sets = whole(dir.path());
    let mut before = manifest(dir.path());
    before["instances"][0]["review"] = serde_json::json!([{
        "group": 1, "act": "reject", "reason": "seen", "by": "ann", "at": "2026-01-01T00:00:00Z",
    }]);
    write(&dir.path().join("runs/s/specs.json"), &before.to_string());
    for (stage, command) in [
        ("specs-generate", vec!["specs", "update", "s"]),
        ("specs-generate", GENERATE.to_vec()),
        ("specs-merge", MERGE.to_vec()),
    ] {
        std::fs::remove_file(dir.path().join("runs/s/ledger.sqlite")).expect("ledger");
        write(&dir.path().join("lame"), stage);
        json_of(dir.path(), &command, 3);
        let after = manifest(dir.path());
        for (was, is) in pairs(&before, &after) {
            for kept in ["candidates", "groups", "rated", "review"] {
                assert_eq!(was[kept], is[kept], "{command:?}: {kept}");
            }
            assert_ne!(was, is, "where the model stands is told");
        }
        // Asked again they say the same as once, and nothing was changed.
        std::fs::remove_file(dir.path().join("lame")).expect("file");
        json_of(dir.path(), &["specs", "update", "s"], 3);
        json_of(dir.path(), &["specs", "update", "s", "--retry=unparsed"], 0);
        let mended = manifest(dir.path());
        for (was, is) in pairs(&before, &mended) {
            for kept in ["candidates", "groups", "rated", "review"] {
                assert_eq!(was[kept], is[kept], "{command:?}: {kept}");
            }
        }
    }
    assert_ne!(exported(dir.path(), "reviewed"), sets, "the review counts");
}

#[test]
fn an_update_that_is_stopped_asks_no_later_stage() {
    let dir = workplace(0.0);
    whole(dir.path());
    let before = calls(dir.path()).len();
    let broken = ["Broken one.", "Broken two.", "Broken three."];
    edit(
        dir.path(),
        &[
            ("composition_01", "Fine: seven silver lanterns over water."),
            ("composition_02", broken[0]),
            ("composition_03", broken[1]),
            ("composition_04", broken[2]),
        ],
    );
    write(&dir.path().join("crash"), "specs-generate c Broken");
    json_of(dir.path(), &["specs", "update", "s", "-j1"], 1);
    let new = &calls(dir.path())[before..];
    let fine = |m: &str| {
        new.iter()
            .any(|(_, model, task)| model == m && task.starts_with("Fine"))
    };
    assert!(["a", "b", "c"].into_iter().all(fine), "{new:?}");
    assert!(
        new.iter().all(|(stage, ..)| stage == "specs-generate@1"),
        "{new:?}"
    );
}

#[test]
fn a_cheaper_filter_says_what_it_saved() {
    let dir = workplace(0.0);
    json_of(dir.path(), &GENERATE, 0);
    json_of(dir.path(), &["specs", "merge", "s"], 0);
    let full = json_of(dir.path(), &FILTER, 0);
    assert_eq!(full["stages"][0]["counts"]["ratings saved"], 0);
    let early = json_of(
        dir.path(),
        &[
            "specs",
            "filter",
            "s",
            "--variant",
            "early-stop",
            "--tau",
            "9.9",
        ],
        0,
    );
    assert!(
        early["stages"][0]["counts"]["ratings saved"]
            .as_u64()
            .expect("number")
            > 0,
        "{early}"
    );
}

#[test]
fn wrong_arguments_say_what_to_do() {
    let dir = workplace(0.0);
    for (args, words) in [
        (vec!["specs", "merge", "nothing"], "specs generate"),
        (
            vec![
                "specs",
                "generate",
                "specv",
                "--data",
                "suite",
                "--set",
                "s",
                "--generators=a,a",
            ],
            "same model",
        ),
        (
            vec![
                "specs",
                "generate",
                "specv",
                "--data",
                "suite",
                "--set",
                "s",
                "--generators=builtin",
            ],
            "writes text",
        ),
        (
            vec![
                "specs", "lint", "specv", "--data", "suite", "--rule", "nonsense",
            ],
            "two-claims",
        ),
    ] {
        let output = run(dir.path(), &args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?} {message}");
        assert!(message.contains(words), "{args:?}: {message}");
    }
}

#[test]
fn lint_lists_findings_by_rule() {
    let dir = workplace(0.0);
    let lint = json_of(
        dir.path(),
        &["specs", "lint", "specv", "--data", "suite"],
        0,
    );
    assert_eq!(lint["instances"], INSTANCES);
    assert_eq!(lint["rules"].as_array().expect("list").len(), 21);
    let only = [
        "specs",
        "lint",
        "specv",
        "--data",
        "suite",
        "--rule",
        "expected-no",
    ];
    let only = json_of(dir.path(), &only, 0);
    let found = only["findings"].as_array().expect("list");
    assert!(!found.is_empty() && found.iter().all(|f| f["code"] == "expected-no"));
}
