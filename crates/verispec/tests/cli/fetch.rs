//! Fetching from a hub on this machine, as a user does.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use verispec_testkit::{FakeHub, HubConfig, HubFault, HubFile};

use crate::support::{json_of, text, tree, verispec, workplace, write};

const TOKEN: &str = "hf_canary_0123456789";

fn png(i: usize) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("folder");
    let path = dir.path().join("x.png");
    crate::support::image(&path, i);
    std::fs::read(path).expect("file")
}

/// A hub in SpecV's layout, with task files that differ from the checkout's.
fn hub() -> HubConfig {
    let files = vec![
        HubFile::new("eval_data/edit/edit.jsonl", "not yours", false),
        HubFile::new("eval_data/edit/images/a.png", png(1), true),
        HubFile::new("eval_data/t2i/composition.jsonl", "not yours", false),
        HubFile::new("model_outputs/t2i/good/comp_000.png", png(2), true),
        HubFile::new("model_outputs/t2i/other/comp_000.png", png(3), true),
        HubFile::new(
            "model_outputs/interleave/good/i_1/response.json",
            "{}",
            false,
        ),
    ];
    HubConfig {
        repo: "vortex778/SpecV".into(),
        page: 2,
        ..HubConfig::new(files)
    }
}

fn fetch(dir: &Path, hub: &FakeHub, token: Option<&str>, args: &[&str]) -> Output {
    let mut command = verispec(dir);
    command.env("HF_ENDPOINT", hub.url()).env_remove("HF_TOKEN");
    if let Some(token) = token {
        command.env("HF_TOKEN", token);
    }
    command
        .arg("fetch")
        .args(args)
        .output()
        .expect("the program starts")
}

fn document(output: &Output, code: i32) -> Value {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}\n{out}\n{err}"))
}

/// Adds an editing task to a suite whose input image is not there.
fn with_editing_task(root: &Path) {
    let task = json!({
        "id": "e_1", "dimension": "object", "question": "Make it red.",
        "question_img": ["images/a.png"],
    });
    let item = json!([{
        "id": 1, "question": "Is it red?", "category": "c", "subcategory": "s",
        "expected_answer": "Yes", "score": 9.0,
    }]);
    write(
        &root.join("eval_data/edit/edit.jsonl"),
        &format!("{task}\n"),
    );
    write(
        &root.join("eval_checklist/edit/object/e_1.json"),
        &item.to_string(),
    );
}

#[test]
fn check_names_the_command_and_the_command_brings_the_images() {
    let dir = workplace(1, 1);
    let suite = dir.path().join("suite");
    with_editing_task(&suite);
    crate::support::image(&suite.join("model_outputs/edit/m/e_1.png"), 5);
    let report = json_of(dir.path(), &["check", "specv", "--data", "suite"], 3);
    let inputs = &report["inputs"];
    assert_eq!(inputs["missing"], 1);
    let command = inputs["command"].as_str().expect("a command");
    assert!(command.starts_with("verispec fetch specv --what images --tracks edit --data "));

    let tasks = std::fs::read(suite.join("eval_data/edit/edit.jsonl")).expect("file");
    let hub = FakeHub::start(hub());
    let args = [
        "specv", "--what", "images", "--tracks", "edit", "--data", "suite", "--json",
    ];
    let done = document(&fetch(dir.path(), &hub, None, &args), 0);
    assert_eq!(
        (&done["downloaded"], &done["files"]),
        (&json!(1), &json!(1))
    );
    let after = std::fs::read(suite.join("eval_data/edit/edit.jsonl")).expect("file");
    assert!(tasks == after, "the checkout's task file stays");

    let report = json_of(dir.path(), &["check", "specv", "--data", "suite"], 0);
    assert_eq!(report["inputs"]["missing"], 0);
    assert_eq!(report["inputs"]["command"], Value::Null);
    let again = document(&fetch(dir.path(), &hub, None, &args), 0);
    assert_eq!(
        (&again["downloaded"], &again["present"]),
        (&json!(0), &json!(1))
    );
}

#[test]
fn outputs_by_track_and_model_can_be_judged_at_once() {
    let dir = workplace(1, 1);
    let hub = FakeHub::start(hub());
    let args = [
        "specv", "--what", "outputs", "--tracks", "t2i", "--models", "good", "--data", "suite",
    ];
    let dry = document(
        &fetch(
            dir.path(),
            &hub,
            None,
            &[&args[..], &["--dry-run", "--json"]].concat(),
        ),
        0,
    );
    assert_eq!((&dry["files"], &dry["downloaded"]), (&json!(1), &json!(0)));
    assert!(!dir.path().join("suite/model_outputs/t2i/good").exists());
    document(
        &fetch(dir.path(), &hub, None, &[&args[..], &["--json"]].concat()),
        0,
    );
    assert!(!dir.path().join("suite/model_outputs/t2i/other").exists());
    let report = json_of(
        dir.path(),
        &["check", "specv", "--data", "suite", "--models", "good"],
        0,
    );
    assert_eq!(report["outputs"][0]["matched"], 1);
}

#[test]
fn any_repository_by_pattern() {
    let dir = tempfile::tempdir().expect("folder");
    let files = vec![
        HubFile::new("UEG_direct.json", "[]", false),
        HubFile::new("image/a/b.png", png(1), true),
        HubFile::new("image/a/b.txt", "x", false),
    ];
    let hub = FakeHub::start(HubConfig {
        repo: "owner/Data".into(),
        ..HubConfig::new(files)
    });
    let args = [
        "repo",
        "owner/Data",
        "--include",
        "*.json",
        "--include",
        "image/**.png",
        "--into",
        "d",
        "--json",
    ];
    let done = document(&fetch(dir.path(), &hub, None, &args), 0);
    assert_eq!(done["downloaded"], 2);
    assert!(dir.path().join("d/UEG_direct.json").is_file());
    assert!(!dir.path().join("d/image/a/b.txt").exists());
    let none = fetch(
        dir.path(),
        &hub,
        None,
        &["repo", "owner/Data", "--include", "*.x", "--into", "d"],
    );
    assert_eq!(none.status.code(), Some(1));
    assert!(text(&none.stderr).contains("none of which is wanted"));
}

#[test]
fn exit_codes_tell_what_to_do_next() {
    let dir = tempfile::tempdir().expect("folder");
    let cut = vec![HubFault::CutAfter(10); 2];
    let files = vec![HubFile::new("x.png", png(1), true).with_faults(cut)];
    let hub = FakeHub::start(HubConfig {
        repo: "o/d".into(),
        ..HubConfig::new(files)
    });
    let args = ["repo", "o/d", "--into", "d", "--max-retries", "0", "--json"];
    let first = document(&fetch(dir.path(), &hub, None, &args), 3);
    assert_eq!(first["failed"][0]["transient"], true);
    document(&fetch(dir.path(), &hub, None, &args), 3);
    let third = document(&fetch(dir.path(), &hub, None, &args), 0);
    assert_eq!(third["downloaded"], 1);
    assert_eq!(
        hub.log().last().and_then(|r| r.range.clone()).as_deref(),
        Some("bytes=20-")
    );

    write(&dir.path().join("d/x.png"), "my own");
    let kept = document(&fetch(dir.path(), &hub, None, &args), 3);
    assert_eq!(kept["kept"], json!(["x.png"]));
    for (args, code) in [
        (&["repo", "nonsense", "--into", "d"][..], 1),
        (&["repo", "o/absent", "--into", "d"], 1),
        (
            &[
                "specv", "--what", "images", "--tracks", "nope", "--data", "d",
            ],
            2,
        ),
        (
            &["specv", "--what", "images", "--models", "m", "--data", "d"],
            2,
        ),
        (&["specv", "--data", "d"], 2),
    ] {
        assert_eq!(
            fetch(dir.path(), &hub, None, args).status.code(),
            Some(code),
            "{args:?}"
        );
    }
}

#[test]
fn the_token_stands_nowhere() {
    let dir = tempfile::tempdir().expect("folder");
    let hub = FakeHub::start(HubConfig {
        token: Some(TOKEN.into()),
        gated: true,
        ..hub()
    });
    let args = ["repo", "vortex778/SpecV", "--into", "d", "-vv"];
    let refused = fetch(dir.path(), &hub, None, &args);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("terms"),
        "{}",
        text(&refused.stderr)
    );
    let done = fetch(dir.path(), &hub, Some(TOKEN), &args);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let said = text(&done.stdout) + &text(&done.stderr);
    assert!(!said.contains(TOKEN), "{said}");
    for (path, bytes) in tree(dir.path()) {
        assert!(!text(&bytes).contains(TOKEN), "{}", path.display());
    }
    assert!(
        hub.log()
            .iter()
            .filter(|r| r.to_store)
            .all(|r| r.authorization.is_none())
    );
}
