//! Stepwise chains: mixed systems, true middle steps, `kill -9` in the middle of a chain.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use verispec_engine::ledger::BATCH_ROWS;
use verispec_model::Hash;
use verispec_suites::realunify;
use verispec_testkit::{FakeConfig, FakeJudge, Faults, Latency, LocalVlm};

use crate::generate::{config, generate, maker};
use crate::kill::{recorded, wait_for, wait_idle};
use crate::support::{bodies, image, json_of, run, text, verispec, write};

/// RealUnify's four files with `n` items each, of our own.
fn set(root: &Path, n: usize) {
    let poll = || json!([{"question": "Is there a boat?", "answer": "yes"}]);
    let choice = |i: usize| {
        json!({"task_type": "mental_tracking", "index": i, "question": "Which way?",
            "option": ["left", "right"], "answer": "A",
            "evaluation_prompt": format!("Item {i}: which way? A. left B. right"),
            "input_image": "./image/mental_tracking/turns/images/0.png"})
    };
    let make = |name: &str, record: &dyn Fn(usize) -> Value| {
        let records: Vec<Value> = (0..n).map(record).collect();
        write(
            &root.join(format!("{name}.json")),
            &json!(records).to_string(),
        );
    };
    make("UEG_direct", &|i| {
        json!({"task_type": "world_knowledge", "index": i, "question_list": poll(),
            "prompt": format!("Paint boat {i}.")})
    });
    make("UEG_step", &|i| {
        json!({"task_type": "world_knowledge", "index": i, "question_list": poll(),
            "new_prompt": format!("Say what boat {i} looks like.")})
    });
    make("GEU_direct", &choice);
    make("GEU_step", &|i| {
        let mut record = choice(i);
        record["edit_prompt"] = json!(format!("Draw path {i}."));
        record
    });
    image(&root.join("image/mental_tracking/turns/images/0.png"), 77);
}

/// Items of a split whose output and middle step are there, as the suite's own reader sees them.
fn found(root: &Path, out: &Path, split: &str) -> (usize, usize) {
    let loaded = realunify::load(root).expect("the set loads");
    let split: realunify::Split = split.parse().expect("a split");
    let outputs = realunify::outputs(loaded.items(split), split, out).expect("outputs");
    let items = outputs.items.values();
    let middle = |item: &&realunify::ItemOutput| matches!(item.middle, Some(Ok(_)));
    (
        items.clone().filter(|item| item.last.is_ok()).count(),
        items.filter(middle).count(),
    )
}

#[test]
fn all_four_protocols_with_one_model_and_with_two() {
    let server = maker(Faults::default());
    let dir = tempfile::tempdir().expect("temporary folder");
    let suite = dir.path().join("suite");
    set(&suite, 3);
    config(dir.path(), &server);
    let done = json_of(dir.path(), &generate("realunify", "mixed", &[]), 0);
    assert_eq!(done["outputs"]["generated"], 12);
    assert_eq!(done["calls"], 3 + 6 + 3 + 6);
    let out = dir.path().join("out");
    assert_eq!(found(&suite, &out, "ueg_direct"), (3, 0));
    assert_eq!(found(&suite, &out, "ueg_step"), (3, 3));
    assert_eq!(found(&suite, &out, "geu_direct"), (3, 0));
    assert_eq!(found(&suite, &out, "geu_step"), (3, 3));
    // Texts come from one model, images from the other.
    let models: HashSet<(String, String)> = server
        .log()
        .iter()
        .map(|e| (e.dialect.clone(), e.model.clone()))
        .collect();
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(
        models,
        HashSet::from([
            pair("openai", "chat-1"),
            pair("openai-images", "pictures-1")
        ])
    );
    let one = [
        "generate",
        "realunify",
        "--data",
        "suite",
        "--model",
        "banana",
        "--out",
        "one",
    ];
    assert_eq!(json_of(dir.path(), &one, 0)["outputs"]["generated"], 12);
    assert_eq!(found(&suite, &dir.path().join("one"), "geu_step"), (3, 3));

    // A true middle step takes the first stage's place: only the last is asked.
    let before = server.log().len();
    let oracle = [
        "generate",
        "realunify",
        "--data",
        "suite",
        "--model",
        "chat",
        "--out",
        "oracle",
        "--tracks",
        "geu_step",
        "--oracle",
        "intermediate=one",
    ];
    let done = json_of(dir.path(), &oracle, 0);
    assert_eq!(
        (&done["calls"], &done["outputs"]["generated"]),
        (&json!(3), &json!(3))
    );
    assert!(server.log()[before..].iter().all(|e| e.dialect == "openai"));
    assert_eq!(found(&suite, &dir.path().join("oracle"), "geu_step").0, 3);
    let status = fs::read_to_string(
        dir.path()
            .join("oracle/.status/geu_step/mental_tracking/0.json"),
    );
    assert!(
        status
            .expect("status")
            .contains("\"oracle\": \"intermediate\"")
    );
    fs::remove_file(dir.path().join("one/GEU_step/mental_tracking/1.step.png")).expect("file");
    let other = [&oracle[..], &["--run", "other"]].concat();
    let said = run(dir.path(), &other);
    assert_eq!(said.status.code(), Some(2));
    assert!(
        text(&said.stderr).contains("1 of 3 middle steps"),
        "{}",
        text(&said.stderr)
    );
}

#[test]
fn a_chain_is_priced_by_its_first_wave_and_its_bound() {
    let server = maker(Faults::default());
    let dir = tempfile::tempdir().expect("temporary folder");
    set(&dir.path().join("suite"), 2);
    config(dir.path(), &server);
    let args = generate(
        "realunify",
        "mixed",
        &["--tracks", "ueg_step,geu_step", "--dry-run"],
    );
    let price = json_of(dir.path(), &args, 0);
    assert_eq!(
        (&price["calls"], &price["calls_at_most"]),
        (&json!(4), &json!(8))
    );
    assert!(server.log().is_empty());
}

/// Programs make the images, a real server the texts.
#[test]
fn a_real_server_and_a_program_are_one_system() {
    let Some(server) = LocalVlm::start() else {
        return;
    };
    let dir = tempfile::tempdir().expect("temporary folder");
    let suite = dir.path().join("suite");
    set(&suite, 2);
    image(&dir.path().join("dot.png"), 9);
    let script = "while read -r line; do \
        id=$(printf %s \"$line\" | sed 's/.*\"id\":\"\\([0-9]*\\)\".*/\\1/'); \
        out=$(printf %s \"$line\" | sed 's/.*\"out\":\"\\([^\"]*\\)\".*/\\1/'); \
        cp dot.png \"$out/$id.png\"; \
        echo \"{\\\"id\\\":\\\"$id\\\",\\\"parts\\\":[{\\\"image\\\":\\\"$out/$id.png\\\"}]}\"; done";
    write(&dir.path().join("draw.sh"), script);
    let config = format!(
        "[model.local]\ngenerate = {{ provider = \"openai\", model = \"{}\", endpoint = \"{}\", \
         api_key_env = \"LOCAL_KEY\", max_concurrency = 1, \
         params = {{ temperature = 0, max_tokens = 24 }} }}\n\
         [model.draws]\ngenerate = {{ provider = \"command\", command = [\"sh\", \"draw.sh\"] }}\n\
         [model.both]\ngenerate = {{ understand = \"local\", generate = \"draws\" }}\n",
        LocalVlm::MODEL,
        server.endpoint()
    );
    write(&dir.path().join("verispec.toml"), &config);
    write(
        &dir.path().join(".env"),
        &format!("LOCAL_KEY={}\n", LocalVlm::KEY),
    );
    let args = generate("realunify", "both", &["--max-retries", "4"]);
    let done = json_of(dir.path(), &args, 0);
    assert_eq!(done["outputs"]["generated"], 8, "{done}");
    assert!(done["tokens"]["output"].as_u64().expect("tokens") > 0);
    let out = dir.path().join("out");
    for (split, middle) in [
        ("ueg_direct", 0),
        ("ueg_step", 2),
        ("geu_direct", 0),
        ("geu_step", 2),
    ] {
        assert_eq!(found(&suite, &out, split), (2, middle), "{split}");
    }
    // What the first stage said is what the second was asked.
    let said = fs::read_to_string(out.join("UEG_step/world_knowledge/0.step.txt")).expect("text");
    assert!(!said.trim().is_empty());
    let oracle = [
        "generate",
        "realunify",
        "--data",
        "suite",
        "--model",
        "local",
        "--out",
        "oracle",
        "--tracks",
        "geu_step",
        "--oracle",
        "intermediate=out",
        "--max-retries",
        "4",
    ];
    let done = json_of(dir.path(), &oracle, 0);
    assert_eq!(done["outputs"]["generated"], 2, "{done}");
    assert_eq!(json_of(dir.path(), &args, 0)["calls"], 0);
}

const CHAINS: usize = 150;
const IN_FLIGHT: usize = 8;
const ROUNDS: usize = 5;

/// Nothing recorded is sent again; what is sent again was under way or not yet committed.
#[test]
fn a_run_killed_inside_chains_goes_on_where_it_was() {
    for round in 0..ROUNDS {
        one_kill(round, 2 * CHAINS * (10 + 80 * round / (ROUNDS - 1)) / 100);
    }
}

fn one_kill(round: usize, target: usize) {
    let server = FakeJudge::start(FakeConfig {
        makes: true,
        latency: Latency::Uniform(Duration::from_millis(4), Duration::from_millis(16)),
        faults: Faults {
            seed: round as u64,
            ..Faults::default()
        },
        ..FakeConfig::default()
    });
    let dir = tempfile::tempdir().expect("temporary folder");
    set(&dir.path().join("suite"), CHAINS);
    config(dir.path(), &server);
    let jobs = (IN_FLIGHT / 2).to_string();
    let more = ["--tracks", "ueg_step", "-j", &jobs, "--run", "r"];
    let args = generate("realunify", "mixed", &more);
    let mut child = verispec(dir.path())
        .args(&args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    wait_for(&server, target, &mut child, 120);
    child.kill().expect("SIGKILL");
    child.wait().expect("ended");
    wait_idle(&server);
    let completed = bodies(&server);
    assert!(
        completed.len() < 2 * CHAINS,
        "round {round}: killed too late"
    );
    let recorded = recorded(&dir.path().join("runs/r"));

    let done = json_of(dir.path(), &args, 0);
    assert_eq!(done["outputs"]["generated"], CHAINS);
    let all = bodies(&server);
    let again: HashSet<Hash> = all[completed.len()..].iter().copied().collect();
    assert!(
        recorded.is_disjoint(&again),
        "round {round}: a recorded reply was sent again"
    );
    let resent = again.iter().filter(|b| completed.contains(b)).count();
    assert!(
        resent <= IN_FLIGHT + BATCH_ROWS,
        "round {round}: {resent} sent again"
    );
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 2 * CHAINS);
    assert_eq!(
        found(
            &dir.path().join("suite"),
            &dir.path().join("out"),
            "ueg_step"
        ),
        (CHAINS, CHAINS)
    );
    assert_eq!(json_of(dir.path(), &args, 0)["calls"], 0);
}
