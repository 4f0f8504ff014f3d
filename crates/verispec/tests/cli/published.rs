//! `--preset published` on the real checkout: released templates, proxy dialect, board scores.

use std::path::Path;

use verispec_testkit::data::test_data;
use verispec_testkit::{Answers, FakeConfig, FakeJudge};

use crate::support::{image, json_of, run, text, track, write};

const IDS: [&str; 3] = ["comp_hard_001", "comp_hard_002", "style_hard_001"];

fn outputs(root: &Path) {
    for (i, id) in IDS.iter().enumerate() {
        image(&root.join(format!("out/model_outputs/t2i/m/{id}.png")), i);
    }
}

#[test]
fn the_released_way_from_end_to_end() {
    let Some(root) = test_data() else { return };
    let data = root.join("data/SpecV");
    let data = data.to_str().expect("path");
    let dir = tempfile::tempdir().expect("folder");
    outputs(dir.path());
    let server = FakeJudge::start(FakeConfig {
        answers: Answers::AllYes,
        ..FakeConfig::default()
    });
    let endpoint = server.endpoint("gemini-dashscope");
    let args = [
        "judge",
        "specv",
        "--preset",
        "published",
        "--data",
        data,
        "--outputs",
        "out",
        "--judge",
        "gemini-dashscope:m",
        "--endpoint",
        &endpoint,
        "--run",
        "p",
    ];
    let done = json_of(dir.path(), &args, 0);
    assert_eq!(done["calls"], 3);
    assert_eq!(done["context"]["protocol"], "specv-published@1");
    assert_eq!(done["context"]["reader"], "published");

    // Missing outputs are left out, as the release does; the default counts them as 0.
    let board = json_of(dir.path(), &["score", "p", "--preset", "published"], 0);
    let t2i = track(&board, "m", "t2i");
    // Two dimensions with outputs at 100; the release counts its three empty folders as 0.
    assert_eq!(t2i["score"]["value"], 40.0, "{t2i}");
    let uniform = json_of(dir.path(), &["score", "p"], 0);
    assert!(
        track(&uniform, "m", "t2i")["score"]["value"]
            .as_f64()
            .expect("score")
            < 3.0
    );
    assert_eq!(
        track(&uniform, "m", "t2i")["counters"]["failed_instances"]["missing"],
        197
    );

    let exported = run(dir.path(), &["export", "p", "--out", "x"]);
    assert_eq!(
        exported.status.code(),
        Some(0),
        "{}",
        text(&exported.stderr)
    );
    let result = dir
        .path()
        .join("x/eval/t2i/results/m/composition/comp_hard_001.json");
    let result = std::fs::read_to_string(result).expect("result file");
    assert!(result.starts_with("[\n  {\n    \"id\": 1,") && !result.ends_with('\n'));
}

#[test]
fn tracks_that_encode_again_name_the_encoder() {
    let Some(root) = test_data() else { return };
    let data = root.join("data/SpecV");
    let dir = tempfile::tempdir().expect("folder");
    image(
        &dir.path()
            .join("out/model_outputs/many2one/m/cross_001.png"),
        1,
    );
    let args = [
        "check",
        "specv",
        "--preset",
        "published",
        "--data",
        data.to_str().expect("path"),
        "--outputs",
        "out",
        "--judge",
        "gemini-dashscope:m",
        "--endpoint",
        "http://127.0.0.1:9/",
    ];
    let report = json_of(dir.path(), &args, 3);
    let expected = match verispec_media::ENCODER.starts_with("turbojpeg") {
        true => "specv-published@1",
        false => "specv-published+jpeg-encoder@1",
    };
    assert_eq!(report["price"]["protocol"], expected);
    // Its reference images are not in a git clone: nobody can be judged on it.
    assert_eq!(report["price"]["calls"], 0);
}

/// A run of a released binary, read by one that was built without its encoder, is no empty run.
#[test]
fn a_run_is_read_with_the_encoder_that_made_it() {
    let dir = tempfile::tempdir().expect("folder");
    let suite = dir.path().join("suite");
    for track in verispec_suites::specv::published::PublishedTrack::ALL {
        let template = track.placeholders().join("\n");
        let name = track.name();
        write(
            &suite.join(format!("eval/{name}/eval_prompt.txt")),
            &template,
        );
    }
    let spec = r#"[{"id": 1, "question": "Is it red?", "expected_answer": "Yes"}]"#;
    write(&suite.join("eval_checklist/many2one/own/a.json"), spec);
    let task = r#"{"id": "a", "question": "Both.", "question_img": ["r.png"]}"#;
    write(&suite.join("eval_data/many2one/own.jsonl"), task);
    image(&suite.join("eval_data/many2one/r.png"), 1);
    image(&suite.join("model_outputs/many2one/m/a.png"), 2);
    let server = FakeJudge::start(FakeConfig::default());
    let endpoint = server.endpoint("gemini-dashscope");
    let target = ["judge", "specv", "--preset", "published", "--data", "suite"];
    let judge = [
        "--judge",
        "gemini-dashscope:m",
        "--endpoint",
        &endpoint,
        "--run",
        "p",
    ];
    let done = json_of(dir.path(), &[&target[..], &judge].concat(), 0);
    assert_eq!(done["counters"]["judged"], 1);

    let judged = || {
        let scores = json_of(dir.path(), &["score", "p"], 0);
        track(&scores, "m", "many2one")["counters"]["judged"].clone()
    };
    assert_eq!(judged(), 1);
    // As if the replies were those to another encoder's images: they are not this run's.
    let manifest = dir.path().join("runs/p/manifest.json");
    let text = std::fs::read_to_string(&manifest).expect("manifest");
    let other = text.replace(verispec_media::ENCODER, "another-1");
    std::fs::write(&manifest, other).expect("manifest");
    assert_eq!(judged(), 0);
}
