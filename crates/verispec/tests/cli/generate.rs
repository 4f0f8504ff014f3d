//! Outputs made by a model under test, in a suite's own layout.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use verispec_testkit::data::test_data;
use verispec_testkit::{FakeConfig, FakeJudge, Fault, Faults};

use crate::support::{image, json_of, run, text, tree, write};

/// A server that makes what it is asked for, with faults.
pub(crate) fn maker(faults: Faults) -> FakeJudge {
    FakeJudge::start(FakeConfig {
        makes: true,
        faults,
        ..FakeConfig::default()
    })
}

/// Models of all kinds behind one server.
pub(crate) fn config(dir: &Path, server: &FakeJudge) {
    let model = |name: &str, provider: &str| {
        let endpoint = server.endpoint(provider);
        format!(
            "[model.{name}]\ngenerate = {{ provider = \"{provider}\", model = \"{name}-1\", \
             endpoint = \"{endpoint}\" }}\n"
        )
    };
    let all = [
        model("pictures", "openai-images"),
        model("banana", "gemini"),
        model("chat", "openai"),
    ];
    let mixed = "[model.mixed]\ngenerate = { understand = \"chat\", generate = \"pictures\" }\n";
    write(&dir.join("verispec.toml"), &(all.concat() + mixed));
}

/// Two instances in each of SpecV's six tracks.
fn six_tracks(root: &Path) {
    let tracks = [
        ("understanding", "charxiv", 1, "[IMAGE1] What is shown?"),
        ("t2i", "composition", 0, "Draw a {{cup}}."),
        ("edit", "attribute", 1, "Make it red."),
        ("many2one", "cross_domain", 2, "Put both into one picture."),
        (
            "interleave",
            "structured_tutorial",
            0,
            "Show how to fold a boat.",
        ),
        (
            "think_with_img",
            "math",
            1,
            "Solve [IMAGE1] with a drawing.",
        ),
    ];
    for (track, dimension, images, question) in tracks {
        let mut tasks = String::new();
        for i in 0..2 {
            let id = format!("{dimension}_{i}");
            let names: Vec<String> = (0..images).map(|n| format!("img/{id}_{n}.png")).collect();
            for (n, name) in names.iter().enumerate() {
                image(
                    &root.join("eval_data").join(track).join(name),
                    i * 10 + n + images * 100,
                );
            }
            let task = json!({"id": id, "question": format!("{question} ({i})"),
                "question_img": names, "answer": "7", "answer_img": []});
            tasks += &format!("{task}\n");
            let item = json!([{"id": 1, "question": "Is it there?", "category": "c",
                "subcategory": "s", "expected_answer": "Yes", "score": 9.0}]);
            let checklist = format!("eval_checklist/{track}/{dimension}/{id}.json");
            write(&root.join(checklist), &item.to_string());
        }
        write(
            &root.join(format!("eval_data/{track}/{dimension}.jsonl")),
            &tasks,
        );
    }
}

pub(crate) fn generate<'a>(suite: &'a str, model: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let fixed = [
        "generate",
        suite,
        "--data",
        "suite",
        "--model",
        model,
        "--out",
        "out",
        "--backoff",
        "0.01",
    ];
    [&fixed[..], more].concat()
}

/// What the status of an instance says, by `<track>/<id>`.
fn status(dir: &Path, name: &str) -> Value {
    let text = fs::read_to_string(dir.join(format!("out/.status/{name}.json")));
    serde_json::from_str(&text.expect("status")).expect("JSON")
}

fn matched(check: &Value) -> Vec<(String, u64, u64)> {
    let found = check["outputs"].as_array().expect("outputs");
    let number = |row: &Value, name: &str| row[name].as_u64().expect("a number");
    let row = |row: &Value| {
        let track = row["track"].as_str().expect("track").to_owned();
        (track, number(row, "expected"), number(row, "matched"))
    };
    found.iter().map(row).collect()
}

#[test]
fn the_six_tracks_of_specv_are_complete_to_check() {
    let server = maker(Faults::default());
    let dir = tempfile::tempdir().expect("temporary folder");
    six_tracks(&dir.path().join("suite"));
    config(dir.path(), &server);
    let parts = [
        ("pictures", "t2i,edit,many2one", 6),
        ("banana", "interleave,think_with_img", 4),
        ("chat", "understanding", 2),
    ];
    for (model, tracks, n) in parts {
        let args = generate("specv", model, &["--tracks", tracks]);
        let done = json_of(dir.path(), &args, 0);
        assert_eq!(
            (&done["calls"], &done["outputs"]["generated"]),
            (&json!(n), &json!(n))
        );
    }
    let check = [
        "check",
        "specv",
        "--data",
        "suite",
        "--outputs",
        "out",
        "--models",
        "m",
    ];
    let found = matched(&json_of(dir.path(), &check, 0));
    assert_eq!(found.len(), 6);
    assert!(
        found.iter().all(|(_, n, whole)| (n, whole) == (&2, &2)),
        "{found:?}"
    );

    let response = fs::read_to_string(
        dir.path()
            .join("out/interleave/structured_tutorial_0/response.json"),
    );
    let response: Value = serde_json::from_str(&response.expect("response")).expect("JSON");
    let kinds: Vec<&str> = response["content"]
        .as_array()
        .expect("content")
        .iter()
        .map(|part| part["type"].as_str().expect("type"))
        .collect();
    assert_eq!(kinds, ["text", "image", "text"]);
    let status = status(dir.path(), "edit/attribute_1");
    assert_eq!(status["state"], "generated");
    assert_eq!(status["files"], json!(["edit/attribute_1.png"]));

    // The same commands again ask nothing and change nothing.
    let before = tree(&dir.path().join("out"));
    for (model, tracks, _) in parts {
        let done = json_of(
            dir.path(),
            &generate("specv", model, &["--tracks", tracks]),
            0,
        );
        assert_eq!(done["calls"], 0);
    }
    assert!(before == tree(&dir.path().join("out")));
}

/// The stand-in model draws from the prompt, its images and the seed: the same prompt with another
/// source image is another picture, and expected answers reach no request.
#[test]
fn references_are_sent_and_the_key_never() {
    let server = maker(Faults::default());
    let dir = tempfile::tempdir().expect("temporary folder");
    let suite = dir.path().join("suite");
    six_tracks(&suite);
    config(dir.path(), &server);
    let args = generate("specv", "pictures", &["--tracks", "edit"]);
    json_of(dir.path(), &args, 0);
    let made = || fs::read(dir.path().join("out/edit/attribute_0.png")).expect("png");
    let first = made();
    image(&suite.join("eval_data/edit/img/attribute_0_0.png"), 4242);
    assert_eq!(
        json_of(dir.path(), &args, 0)["calls"],
        1,
        "one source image is another"
    );
    assert!(first != made());

    let checklist = suite.join("eval_checklist/edit/attribute/attribute_0.json");
    let text = fs::read_to_string(&checklist).expect("checklist");
    write(&checklist, &text.replace("\"Yes\"", "\"No\""));
    let renamed = generate("specv", "pictures", &["--tracks", "edit", "--run", "other"]);
    assert_eq!(
        json_of(dir.path(), &renamed, 0)["calls"],
        0,
        "the key is in no request"
    );
}

/// What the model fails at is its failure; what the server fails at is pending.
#[test]
fn failures_of_the_model_are_kept_apart_from_failures_of_the_server() {
    let kinds = [
        ("one", Fault::Refusal, "refused"),
        ("two", Fault::Empty, "empty"),
        ("three", Fault::Malformed, "undecodable"),
        ("four", Fault::Truncated, "undecodable"),
    ];
    let mut faults = Faults::default();
    for (word, fault, _) in kinds {
        faults.containing.push((format!("draw {word}"), fault));
    }
    faults
        .containing
        .push(("draw five".into(), Fault::ServerError));
    faults.attempts = Some(2);
    let server = maker(faults);
    let dir = tempfile::tempdir().expect("temporary folder");
    let words = ["zero", "one", "two", "three", "four", "five"];
    let records = words.map(
        |w| json!({"id": w, "prompt": format!("draw {w}"), "specifications": [{"question": "?"}]}),
    );
    let lines: String = records.iter().map(|r| format!("{r}\n")).collect();
    write(&dir.path().join("suite/suite.jsonl"), &lines);
    config(dir.path(), &server);
    let more = ["--want", "image", "--max-retries", "0"];
    let done = json_of(dir.path(), &generate("custom", "pictures", &more), 3);
    assert_eq!(
        done["outputs"]["failed"],
        json!({"empty": 1, "refused": 1, "undecodable": 2})
    );
    assert_eq!(
        (&done["outputs"]["generated"], &done["outputs"]["pending"]),
        (&json!(1), &json!(1))
    );
    for (word, _, kind) in kinds {
        let status = status(dir.path(), &format!("main/{word}"));
        assert_eq!(
            (&status["state"], &status["failure"]["kind"]),
            (&json!("failed"), &json!(kind))
        );
    }
    let status = status(dir.path(), "main/five").to_string();
    assert!(
        status.contains("\"pending\"") && status.contains("provider-error"),
        "{status}"
    );

    // The server's failure is asked again without a word; the second arrival fails as well.
    let again = json_of(dir.path(), &generate("custom", "pictures", &more), 3);
    assert_eq!(again["calls"], 1);
    let done = json_of(dir.path(), &generate("custom", "pictures", &more), 0);
    assert_eq!(
        (&done["calls"], &done["outputs"]["generated"]),
        (&json!(1), &json!(2))
    );
    // The model's failures only on demand; their second arrival fails too, the third does not.
    let retry = [&more[..], &["--retry", "refused,undecodable"]].concat();
    let done = json_of(dir.path(), &generate("custom", "pictures", &retry), 0);
    assert_eq!(
        (&done["calls"], &done["outputs"]["generated"]),
        (&json!(3), &json!(2))
    );
    let done = json_of(dir.path(), &generate("custom", "pictures", &retry), 0);
    assert_eq!(
        (&done["calls"], &done["outputs"]["generated"]),
        (&json!(3), &json!(5))
    );
    assert_eq!(done["outputs"]["failed"], json!({"empty": 1}));
    let found = fs::read_dir(dir.path().join("out/main"))
        .expect("folder")
        .count();
    assert_eq!(found, 5);
}

#[test]
fn replicates_have_seeds_and_trees_of_their_own() {
    let server = maker(Faults::default());
    let dir = tempfile::tempdir().expect("temporary folder");
    six_tracks(&dir.path().join("suite"));
    config(dir.path(), &server);
    let more = ["--tracks", "t2i", "--replicates", "3", "--seed", "7"];
    let done = json_of(dir.path(), &generate("specv", "pictures", &more), 0);
    assert_eq!(
        (&done["calls"], &done["outputs"]["generated"]),
        (&json!(6), &json!(6))
    );
    let one = |k: usize| {
        fs::read(
            dir.path()
                .join(format!("out/replicate-{k}/t2i/composition_0.png")),
        )
        .expect("png")
    };
    assert!(
        one(0) != one(1) && one(1) != one(2),
        "another seed is another picture"
    );
    let status = status(dir.path(), "t2i/composition_0/2");
    assert_eq!(
        (&status["replicate"], &status["seed"]),
        (&json!(2), &json!(9))
    );
    let check = [
        "check",
        "specv",
        "--data",
        "suite",
        "--outputs",
        "out/replicate-1",
        "--models",
        "m",
    ];
    assert_eq!(
        matched(&json_of(dir.path(), &check, 0)),
        [("t2i".to_owned(), 2, 2)]
    );
    // Seed 8 was asked before: the first of two replicates from there is copied, file and all.
    let other = [
        "generate", "specv", "--data", "suite", "--model", "pictures", "--out", "other",
        "--tracks", "t2i", "--seed", "8",
    ];
    let done = json_of(dir.path(), &other, 0);
    assert_eq!(done["calls"], 2, "a first replicate is not a second one");
}

#[test]
fn shards_are_joined_and_the_joined_run_writes_the_whole_tree() {
    let server = maker(Faults::default());
    let dir = tempfile::tempdir().expect("temporary folder");
    config(dir.path(), &server);
    six_tracks(&dir.path().join("suite"));
    let args = |more: &[&'static str]| {
        let fixed = ["--tracks", "t2i,edit,many2one", "--run", "g"];
        generate("specv", "pictures", &[&fixed[..], more].concat())
    };
    let shards = ["1/2", "2/2"].map(|shard| json_of(dir.path(), &args(&["--shard", shard]), 0));
    let made = |done: &Value| done["outputs"]["generated"].as_u64().expect("a number");
    assert_eq!(shards.iter().map(made).sum::<u64>(), 6);
    let calls = server.log().len();
    let merge = [
        "ledger",
        "merge",
        "g.shard-1-of-2",
        "g.shard-2-of-2",
        "--into",
        "g",
    ];
    let merged = json_of(dir.path(), &merge, 0);
    assert_eq!(merged["requests"], 6);
    assert_eq!(merged["absent_shards"], json!([]));
    let out = fs::rename(dir.path().join("out"), dir.path().join("by-shards"));
    out.expect("moved");
    assert_eq!(made(&json_of(dir.path(), &args(&[]), 0)), 6);
    assert_eq!(server.log().len(), calls, "nothing is asked again");
    let names = |folder: &str| {
        let files = tree(&dir.path().join(folder)).into_iter();
        let own = files.map(|(p, b)| {
            (
                p.strip_prefix(dir.path().join(folder)).unwrap().to_owned(),
                b,
            )
        });
        own.collect::<Vec<_>>()
    };
    assert_eq!(names("out"), names("by-shards"));

    let args = [
        "generate", "specv", "--data", "suite", "--model", "banana", "--out", "b", "--tracks",
        "t2i", "--run", "b",
    ];
    let other = json_of(dir.path(), &args, 0);
    assert_eq!(made(&other), 2);
    let unlike = run(dir.path(), &["ledger", "merge", "g", "b", "--into", "both"]);
    assert_eq!(unlike.status.code(), Some(2));
    assert!(text(&unlike.stderr).contains("are not of one run"));
}

/// Another run of the same model finds what was made, files included.
#[test]
fn outputs_of_another_run_are_copied_with_their_files() {
    let server = maker(Faults::default());
    let dir = tempfile::tempdir().expect("temporary folder");
    six_tracks(&dir.path().join("suite"));
    config(dir.path(), &server);
    json_of(
        dir.path(),
        &generate("specv", "pictures", &["--tracks", "t2i", "--run", "a"]),
        0,
    );
    let args = [
        "generate", "specv", "--data", "suite", "--model", "pictures", "--out", "copy", "--run",
        "b", "--tracks", "t2i",
    ];
    assert_eq!(json_of(dir.path(), &args, 0)["calls"], 0);
    fs::remove_dir_all(dir.path().join("runs/a")).expect("folder");
    assert_eq!(
        tree(&dir.path().join("out/t2i"))
            .iter()
            .map(|(_, b)| b.clone())
            .collect::<Vec<_>>(),
        tree(&dir.path().join("copy/t2i"))
            .iter()
            .map(|(_, b)| b.clone())
            .collect::<Vec<_>>()
    );
    assert_eq!(json_of(dir.path(), &args, 0)["calls"], 0);
}

#[test]
fn nothing_of_others_is_overwritten_and_wrong_words_are_told() {
    let server = maker(Faults::default());
    let dir = tempfile::tempdir().expect("temporary folder");
    six_tracks(&dir.path().join("suite"));
    config(dir.path(), &server);
    write(&dir.path().join("out/t2i/composition_0.png"), "mine");
    let args = generate("specv", "pictures", &["--tracks", "t2i"]);
    let refused = run(dir.path(), &args);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("no output of this run"),
        "{}",
        text(&refused.stderr)
    );
    assert_eq!(
        fs::read(dir.path().join("out/t2i/composition_0.png")).expect("file"),
        b"mine"
    );
    for (more, word) in [
        (&["--retry", "sulking"][..], "reasons: refused"),
        (&["--oracle", "intermediate=suite"], "no"),
        (&["--oracle", "dir"], "intermediate=DIR"),
        (&["--tracks", "t3i"], "t3i"),
    ] {
        let said = run(dir.path(), &generate("specv", "pictures", more));
        assert_eq!(said.status.code(), Some(2), "{more:?}");
        assert!(text(&said.stderr).contains(word), "{}", text(&said.stderr));
    }
    let judge = [
        "judge",
        "specv",
        "--data",
        "suite",
        "--judge",
        "openai-images:x",
    ];
    let said = run(dir.path(), &judge);
    assert!(
        text(&said.stderr).contains("cannot judge"),
        "{}",
        text(&said.stderr)
    );
}

#[test]
fn a_price_makes_no_call_and_no_folder() {
    let server = maker(Faults::default());
    let dir = tempfile::tempdir().expect("temporary folder");
    six_tracks(&dir.path().join("suite"));
    config(dir.path(), &server);
    let args = generate("specv", "pictures", &["--tracks", "t2i", "--dry-run"]);
    let price = json_of(dir.path(), &args, 0);
    assert_eq!(
        (&price["calls"], &price["calls_at_most"]),
        (&json!(2), &json!(2))
    );
    assert!(server.log().is_empty());
    assert!(!dir.path().join("out").exists() && !dir.path().join("runs").exists());
}

/// The released prompts of all text-to-image tasks, and of the interleaved ones without images.
#[test]
fn a_whole_track_of_the_released_suite_is_complete_to_check() {
    let Some(data) = test_data() else { return };
    let data = data.join("data/SpecV");
    let data = data.to_str().expect("a path");
    let server = maker(Faults {
        shares: vec![(Fault::RateLimited, 0.05), (Fault::ServerError, 0.05)],
        ..Faults::default()
    });
    let dir = tempfile::tempdir().expect("temporary folder");
    config(dir.path(), &server);
    let args = |model, track| {
        vec![
            "generate",
            "specv",
            "--data",
            data,
            "--model",
            model,
            "--out",
            "out",
            "--tracks",
            track,
            "--backoff",
            "0.01",
        ]
    };
    let done = json_of(dir.path(), &args("pictures", "t2i"), 0);
    assert_eq!(done["outputs"]["generated"], 200);
    let check = [
        "check",
        "specv",
        "--data",
        data,
        "--outputs",
        "out",
        "--models",
        "m",
        "--tracks",
        "t2i",
    ];
    assert_eq!(
        matched(&json_of(dir.path(), &check, 0)),
        [("t2i".to_owned(), 200, 200)]
    );
    // Fifty of the interleaved tasks show images, which the data at hand lacks.
    let done = json_of(dir.path(), &args("banana", "interleave"), 0);
    let outputs = &done["outputs"];
    assert_eq!(
        (&outputs["generated"], &outputs["data_failed"]),
        (&json!(150), &json!(50))
    );
}

#[test]
fn prompts_of_dsg_and_steps_of_xtc() {
    let server = maker(Faults::default());
    let dir = tempfile::tempdir().expect("temporary folder");
    config(dir.path(), &server);
    if let Some(data) = test_data() {
        let data = data.join("data/dsg");
        let data = data.to_str().expect("a path");
        let args = [
            "generate", "dsg", "--data", data, "--model", "pictures", "--out", "dsg", "--dims",
            "tifa160", "--limit", "3",
        ];
        assert_eq!(json_of(dir.path(), &args, 0)["outputs"]["generated"], 3);
        assert!(dir.path().join("dsg/tifa160_0.png").is_file());
    }
    let xtc = dir.path().join("suite");
    let prompts = json!({"12": {"prompt": "a dog on a sofa", "original_prompt": "x"},
        "7": {"prompt": "two cats"}});
    write(
        &xtc.join("6_prompt_generation/prompts.json"),
        &prompts.to_string(),
    );
    image(&xtc.join("images/7.png"), 3);
    let questions = json!({"questions": [
        {"image_id": "7", "image_file": "000007.jpg", "question": "What colour is the cat?",
            "question_type": "attribute_query", "answer": "grey", "template_index": "required",
            "meta": {"attribute": "colour"}},
        {"image_id": "12", "image_file": "12.jpg", "question": "Where is the dog?",
            "question_type": "relation_query", "answer": "on", "template_index": "required"},
    ]});
    write(
        &xtc.join("vqa_questions/generated_questions.json"),
        &questions.to_string(),
    );
    let done = json_of(dir.path(), &generate("xtc", "mixed", &[]), 0);
    assert_eq!(
        (
            &done["outputs"]["generated"],
            &done["outputs"]["data_failed"]
        ),
        (&json!(3), &json!(1))
    );
    let status = status(dir.path(), "images/12").to_string();
    assert!(
        status.contains("\"seed\":54"),
        "42 and the image's id: {status}"
    );
    assert!(dir.path().join("out/7_images/mixed/mixed/7.png").is_file());
    let chunk = dir.path().join("out/vqa_outputs/mixed/chunk_0");
    let lines = |name: &str| {
        fs::read_to_string(chunk.join(name))
            .expect("lines")
            .lines()
            .count()
    };
    assert_eq!(
        lines("gt_index.jsonl"),
        2,
        "a question without its image stays in the index"
    );
    assert_eq!(lines("mixed_answers.gpu0.jsonl"), 1);
    image(&xtc.join("images/12.png"), 4);
    let answers = ["--tracks", "answers"];
    for id in ["1", "0"] {
        let one = [&answers[..], &["--ids", id]].concat();
        let done = json_of(dir.path(), &generate("xtc", "mixed", &one), 0);
        assert_eq!(done["outputs"]["generated"], 1);
    }
    assert_eq!(lines("gt_index.jsonl"), 2);
    assert_eq!(
        lines("mixed_answers.gpu0.jsonl"),
        2,
        "a part of the questions leaves the others' answers"
    );
    let none = run(
        dir.path(),
        &generate("xtc", "mixed", &["--dims", "composition"]),
    );
    assert_eq!(none.status.code(), Some(2), "{}", text(&none.stderr));

    // What is broken is said; only what is not there is left out without a word.
    write(&xtc.join("6_prompt_generation/prompts.json"), "{torn");
    let broken = run(dir.path(), &generate("xtc", "mixed", &[]));
    assert_eq!(broken.status.code(), Some(1));
    assert!(text(&broken.stderr).contains("prompts.json"));
    fs::remove_file(xtc.join("6_prompt_generation/prompts.json")).expect("removed");
    let done = json_of(dir.path(), &generate("xtc", "mixed", &[]), 0);
    assert_eq!(done["outputs"]["generated"], 2);
}

/// The adapters we show, with stand-ins for the libraries that they load models with.
#[test]
fn example_adapters_speak_the_lines() {
    let dir = tempfile::tempdir().expect("temporary folder");
    six_tracks(&dir.path().join("suite"));
    let lib = dir.path().join("lib");
    write(
        &lib.join("torch.py"),
        "float16 = 'f16'\nclass Generator:\n    def __init__(self, d): pass\n    def manual_seed(self, s):\n        self.s = s\n        return self\n",
    );
    write(
        &lib.join("diffusers.py"),
        "\
import types\nPNG = open('dot.png', 'rb').read()\nclass Image:\n    def save(self, path): open(path, 'wb').write(PNG)\n\
class Pipe:\n    @classmethod\n    def from_pretrained(cls, name, torch_dtype=None): return cls()\n    @classmethod\n    def from_pipe(cls, pipe): return cls()\n    def to(self, device): return self\n    def __call__(self, prompt, **settings):\n        assert settings['generator'].s == 5\n        return types.SimpleNamespace(images=[Image()])\n\
AutoPipelineForText2Image = AutoPipelineForImage2Image = Pipe\n",
    );
    write(
        &lib.join("transformers.py"),
        "\
def set_seed(seed): pass\ndef pipeline(task, model, device_map):\n    def chat(text, max_new_tokens, return_full_text):\n        parts = text[0]['content']\n        return [{'generated_text': 'saw ' + ' '.join(p['type'] for p in parts)}]\n    return chat\n",
    );
    image(&dir.path().join("dot.png"), 5);
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let model = |name: &str, file: &str| {
        format!(
            "[model.{name}]\ngenerate = {{ provider = \"command\", command = [\"env\", \
            \"PYTHONPATH=lib\", \"python3\", '{examples}/{file}', \"--model\", \"none\"] }}\n"
        )
    };
    let config = model("sd", "generate_diffusers.py") + &model("vl", "generate_chat.py");
    write(&dir.path().join("verispec.toml"), &config);
    let seed = ["--tracks", "t2i", "--seed", "5", "--limit", "1"];
    let done = json_of(dir.path(), &generate("specv", "sd", &seed), 0);
    assert_eq!(done["outputs"]["generated"], 1, "{done}");
    assert_eq!(
        fs::read(dir.path().join("out/t2i/composition_0.png")).expect("png"),
        fs::read(dir.path().join("dot.png")).expect("png")
    );
    json_of(
        dir.path(),
        &generate("specv", "vl", &["--tracks", "understanding"]),
        0,
    );
    let response = fs::read_to_string(dir.path().join("out/understanding/charxiv_0.json"));
    assert!(response.expect("response").contains("saw image text"));
    let runs = fs::read_dir(dir.path().join("runs"))
        .expect("runs")
        .flatten();
    let left: usize = runs
        .map(|r| fs::read_dir(r.path().join("incoming")).map_or(0, Iterator::count))
        .sum();
    assert_eq!(
        left, 0,
        "files that were taken over are gone from where they were written"
    );
}
