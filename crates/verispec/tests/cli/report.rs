//! `report` and `bundle` on runs of a fake judge.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use verispec_testkit::{FakeConfig, FakeJudge};

use crate::support::{json_of, run, text, workplace};

/// Judges the suite by two judges, as runs `a` and `b`.
fn two_judges() -> tempfile::TempDir {
    let dir = workplace(5, 3);
    let server = FakeJudge::start(FakeConfig::default());
    let endpoint = server.endpoint("openai");
    for (judge, name) in [("openai:one", "a"), ("openai:two", "b")] {
        let args = [
            "judge",
            "specv",
            "--data",
            "suite",
            "--judge",
            judge,
            "--endpoint",
            &endpoint,
            "--run",
            name,
        ];
        json_of(dir.path(), &args, 0);
    }
    dir
}

fn printed(dir: &Path, args: &[&str]) -> String {
    let out = run(dir, args);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    text(&out.stdout)
}

/// The data of a data file.
fn data(dir: &Path, name: &str) -> Value {
    let path = dir.join(format!("report.data/{name}.js"));
    let script = std::fs::read_to_string(path).expect("data");
    let json = script.strip_prefix(&format!("verispec.take(\"{name}\","));
    let json = json.and_then(|j| j.strip_suffix(");\n")).expect("a call");
    serde_json::from_str(json).expect("JSON")
}

#[test]
fn two_judges_stand_side_by_side() {
    let dir = two_judges();
    let files = json_of(dir.path(), &["report", "a", "b"], 0);
    assert_eq!(files["files"][0], "report/index.html");
    let folder = dir.path().join("report");
    let page = std::fs::read_to_string(folder.join("index.html")).expect("page");
    for said in [
        "Judges side by side",
        "openai&#x2f;one",
        "openai&#x2f;two",
        "served models",
        "BLAKE3",
    ] {
        assert!(page.contains(said), "{said}");
    }
    let codes = data(&folder, "verdicts")["codes"].clone();
    assert_eq!(codes.as_array().expect("judges").len(), 2);
    let words = data(&folder, "instances-001");
    let image = &words["items"][0]["res"][0][1][0]["image"]["url"];
    assert_eq!(image, "../suite/model_outputs/t2i/m/comp_000.png");

    let twice = run(dir.path(), &["report", "a", "a"]);
    assert_eq!(twice.status.code(), Some(2), "{}", text(&twice.stderr));
}

#[test]
fn images_are_copied_on_demand_and_one_file_holds_all() {
    let dir = two_judges();
    printed(
        dir.path(),
        &["report", "a", "--copy-images", "--out", "moved"],
    );
    let words = data(&dir.path().join("moved"), "instances-001").to_string();
    assert!(words.contains("report.data/images/"), "{words}");
    assert!(!words.contains("../"), "{words}");
    let said = printed(dir.path(), &["report", "a", "--single-file"]);
    assert_eq!(said.trim(), "runs/a/report/report.html");
    let page = std::fs::read_to_string(dir.path().join(said.trim())).expect("page");
    assert!(page.contains("id=\"data-instances-001\""));
    assert!(page.len() < 20_000_000);
}

#[test]
fn tables_and_methods_go_to_stdout() {
    let dir = two_judges();
    let tex = printed(
        dir.path(),
        &["report", "a", "--format", "latex", "--track", "t2i"],
    );
    assert!(
        tex.contains("\\toprule") && tex.contains("composition"),
        "{tex}"
    );
    let md = printed(dir.path(), &["report", "a", "b", "--format", "md"]);
    assert_eq!(md.matches("| model |").count(), 2, "{md}");
    let csv = printed(dir.path(), &["report", "a", "b", "--format", "csv"]);
    assert_eq!(csv.matches("model,level").count(), 1, "{csv}");
    assert!(
        csv.contains("openai/one") && csv.contains("openai/two"),
        "{csv}"
    );
    let methods = printed(dir.path(), &["report", "a", "--methods"]);
    for said in [
        "The judge was openai/one",
        "\\cite{verispec}",
        "@software{verispec",
        "whole",
    ] {
        assert!(methods.contains(said), "{said}: {methods}");
    }
}

#[test]
fn a_bundle_holds_what_numbers_are_made_from_with_their_hashes() {
    let dir = two_judges();
    printed(dir.path(), &["report", "a"]);
    std::fs::write(dir.path().join("prices.toml"), "").expect("file");
    let said = json_of(dir.path(), &["bundle", "a"], 0);
    assert_eq!(said["file"], "a.zip");
    let path = dir.path().join("a.zip");
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&path).expect("file")).expect("zip");
    let mut files = BTreeMap::new();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).expect("entry");
        let mut bytes = vec![];
        file.read_to_end(&mut bytes).expect("content");
        let name = file.name().expect("a name").to_string();
        files.insert(name, bytes);
    }
    let sums = String::from_utf8(files.remove("a/SHA256SUMS").expect("sums")).expect("text");
    assert_eq!(sums.lines().count(), files.len());
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").expect("sum and name");
        let hash = Sha256::digest(&files[&format!("a/{name}")]);
        let hex: String = hash.iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(hex, sum, "{name}");
    }
    for wanted in [
        "a/run/manifest.json",
        "a/run/ledger.sqlite",
        "a/config/prices.toml",
    ] {
        assert!(files.contains_key(wanted), "{wanted}: {:?}", files.keys());
    }
    assert!(
        files
            .keys()
            .all(|n| !n.contains("report") && !n.contains("lock"))
    );
    let before = std::fs::read(&path).expect("file");
    json_of(dir.path(), &["bundle", "a"], 0);
    assert!(
        std::fs::read(&path).expect("file") == before,
        "equal content, equal bytes"
    );
}
