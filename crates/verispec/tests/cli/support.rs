//! A small suite on disk, and the program run on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use verispec_testkit::FakeJudge;

/// The program, away from the user's own configuration and keys.
pub(crate) fn verispec(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verispec"));
    command
        .current_dir(dir)
        .env_remove("OPENAI_API_KEY")
        .env_remove("VERISPEC_RUNS")
        .env_remove("COLUMNS")
        .env("NO_COLOR", "1");
    command
}

/// Runs the program and gives what it printed, whatever its exit code.
pub(crate) fn run(dir: &Path, args: &[&str]) -> Output {
    verispec(dir)
        .args(args)
        .output()
        .expect("the program starts")
}

/// Runs the program with `--json`, asserts the exit code and gives the document.
pub(crate) fn json_of(dir: &Path, args: &[&str], code: i32) -> Value {
    let output = run(dir, &[args, &["--json"]].concat());
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{out}\n{err}");
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{args:?}: {e}\n{out}\n{err}"))
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Writes a suite of text-to-image tasks in SpecV's layout with one model `m` that has an output
/// for each: `n` instances of `k` specifications.
pub(crate) fn suite(root: &Path, n: usize, k: usize) {
    let mut tasks = String::new();
    for i in 0..n {
        let id = format!("comp_{i:03}");
        let task =
            json!({"id": id, "dimension": "composition", "question": format!("Draw scene {i}.")});
        tasks += &format!("{task}\n");
        let items: Vec<Value> = (1..=k).map(|s| item(s, i)).collect();
        write(
            &root.join(format!("eval_checklist/t2i/composition/{id}.json")),
            &json!(items).to_string(),
        );
        image(&root.join(format!("model_outputs/t2i/m/{id}.png")), i);
    }
    write(&root.join("eval_data/t2i/composition.jsonl"), &tasks);
}

fn item(s: usize, i: usize) -> Value {
    json!({
        "id": s, "question": format!("Is part {s} of scene {i} there?"), "category": "Composition",
        "subcategory": "Presence", "expected_answer": if s.is_multiple_of(5) { "No" } else { "Yes" },
        "score": 9.0,
    })
}

pub(crate) fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folder");
    fs::write(path, text).expect("file");
}

/// A small picture that differs from all others.
pub(crate) fn image(path: &Path, i: usize) {
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folder");
    let byte = |shift: usize| u8::try_from((i >> shift) & 0xff).expect("masked");
    image::RgbImage::from_pixel(8, 8, image::Rgb([byte(0), byte(8), 90]))
        .save(path)
        .expect("png");
}

/// Arguments that judge the suite in `suite/` with a fake judge.
pub(crate) fn judge_args<'a>(endpoint: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let fixed = [
        "judge",
        "specv",
        "--data",
        "suite",
        "--judge",
        "openai:fake",
        "--endpoint",
        endpoint,
        "--run",
        "r",
    ];
    [&fixed[..], more].concat()
}

/// Bodies of a fake judge's completed requests, in order of completion.
pub(crate) fn bodies(judge: &FakeJudge) -> Vec<verispec_model::Hash> {
    judge.log().iter().map(|e| e.body).collect()
}

/// A folder with a suite in `suite/`.
pub(crate) fn workplace(n: usize, k: usize) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("temporary folder");
    suite(&dir.path().join("suite"), n, k);
    dir
}

/// All files below a folder with their bytes, sorted by path.
pub(crate) fn tree(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = vec![];
    for entry in fs::read_dir(dir).expect("folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(tree(&path));
        } else {
            found.push((path.clone(), fs::read(&path).expect("file")));
        }
    }
    found.sort();
    found
}

/// A model's entry for a track in a scores document.
pub(crate) fn track<'a>(scores: &'a Value, model: &str, track: &str) -> &'a Value {
    let models = scores["models"].as_array().expect("models");
    let model = models.iter().find(|m| m["model"] == model).expect("model");
    let tracks = model["tracks"].as_array().expect("tracks");
    tracks.iter().find(|t| t["track"] == track).expect("track")
}

/// Copies a folder with everything in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("folder");
    for (path, bytes) in tree(from) {
        let target = to.join(path.strip_prefix(from).expect("below"));
        std::fs::create_dir_all(target.parent().expect("a folder")).expect("folder");
        std::fs::write(target, bytes).expect("file");
    }
}
