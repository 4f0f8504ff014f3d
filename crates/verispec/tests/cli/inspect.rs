//! `suite inspect` on the real benchmark and on broken copies.

use verispec_testkit::data::test_data;

use crate::support::{json_of, run, text, workplace, write};

#[test]
fn the_real_benchmark_counts_as_published() {
    let Some(root) = test_data() else { return };
    let data = root.join("data/SpecV");
    let data = data.to_str().expect("path");
    let dir = tempfile::tempdir().expect("folder");
    let inspection = json_of(
        dir.path(),
        &["suite", "inspect", "specv", "--data", data],
        0,
    );
    let total = &inspection["total"];
    assert_eq!(total["instances"], 1_200);
    assert_eq!(total["specifications"], 17_604);
    assert_eq!(total["expected_no"], 177);
    assert_eq!(
        format!("{:.2}", total["mean"].as_f64().expect("mean")),
        "14.67"
    );
    let tracks = inspection["tracks"].as_array().expect("tracks");
    assert_eq!(tracks.len(), 6);
    let dims: usize = tracks
        .iter()
        .map(|t| t["dimensions"].as_array().expect("dims").len())
        .sum();
    assert_eq!(dims, 28);
}

#[test]
fn a_git_clone_lacks_its_inputs_and_check_says_so_first() {
    let Some(root) = test_data() else { return };
    let data = root.join("data/SpecV");
    let dir = tempfile::tempdir().expect("folder");
    let outputs = dir.path().join("out/model_outputs/t2i/m");
    crate::support::image(&outputs.join("comp_hard_001.png"), 1);
    let args = [
        "check",
        "specv",
        "--data",
        data.to_str().expect("path"),
        "--outputs",
        "out",
    ];
    let report = json_of(dir.path(), &args, 3);
    // Tracks that no model enters need no images.
    assert_eq!(report["inputs"]["missing"], 0);
    assert_eq!(report["outputs"][0]["matched"], 1);
    assert_eq!(report["outputs"][0]["missing"], 199);
    let config = "[model.m]\noutputs = \"out\"\ntracks = [\"understanding\", \"t2i\", \"edit\", \
                  \"many2one\", \"interleave\", \"think_with_img\"]\n";
    std::fs::write(dir.path().join("verispec.toml"), config).expect("file");
    let report = json_of(dir.path(), &args[..4], 3);
    assert_eq!(report["inputs"]["missing"], 1_454);
    let shown = text(&run(dir.path(), &args[..4]).stdout);
    let (inputs, outputs) = (
        shown.find("1,454"),
        shown.find("comp_hard_001").or(shown.find("199")),
    );
    assert!(inputs < outputs, "{shown}");
}

#[test]
fn a_broken_file_is_named_with_line_and_field() {
    let cases = [
        (
            "eval_data/t2i/composition.jsonl",
            "{\"id\": \"comp_000\", \"question\": 7}\n",
            "question",
        ),
        (
            "eval_checklist/t2i/composition/comp_001.json",
            "[{\"id\": 1,\n \"question\": \"q?\"}]",
            "expected_answer",
        ),
        (
            "eval_checklist/t2i/composition/comp_001.json",
            "[{\"id\": 1,\n]",
            "comp_001.json:2",
        ),
    ];
    for (file, content, needle) in cases {
        let dir = workplace(2, 2);
        write(&dir.path().join("suite").join(file), content);
        let output = run(
            dir.path(),
            &["suite", "inspect", "specv", "--data", "suite"],
        );
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        let name = file.rsplit('/').next().expect("name");
        assert!(
            message.contains(name) && message.contains(needle),
            "{file}: {message}"
        );
    }
}
