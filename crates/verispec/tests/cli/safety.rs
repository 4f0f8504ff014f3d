//! Secrets, full disks, names.

use std::path::Path;
use std::time::Duration;

use verispec_engine::ledger::{LEDGER_FILE, Ledger, LedgerReplies, Outcome};
use verispec_testkit::{FakeConfig, FakeJudge, Fault, Faults, Latency};

use crate::support::{json_of, judge_args, run, text, tree, verispec, workplace};

const CANARY: &str = "sk-canary-4f1d9b7e2c";

/// Runs with the canary as key; everything that was printed.
fn with_canary(dir: &Path, args: &[&str]) -> String {
    let output = verispec(dir)
        .env("OPENAI_API_KEY", CANARY)
        .args(args)
        .output()
        .expect("the program starts");
    text(&output.stdout) + &text(&output.stderr)
}

fn assert_unseen(dir: &Path, said: &str) {
    assert!(!said.contains(CANARY), "printed: {said}");
    for (path, bytes) in tree(dir) {
        let seen = bytes.windows(CANARY.len()).any(|w| w == CANARY.as_bytes());
        assert!(!seen, "{}", path.display());
        if path.ends_with(LEDGER_FILE) && !bytes.is_empty() {
            assert_unseen_packed(&path);
        }
    }
}

/// Replies and requests are packed inside the ledger.
fn assert_unseen_packed(path: &Path) {
    let ledger = Ledger::open_read(path).expect("a ledger");
    let replies = LedgerReplies::load(path).expect("a ledger");
    for key in replies.keys_with(&Outcome::ALL) {
        let request = ledger.request(key).expect("readable");
        let attempts = ledger.attempts(key).expect("readable");
        let all = format!("{request:?} {attempts:?}");
        assert!(!all.contains(CANARY), "{all}");
    }
}

#[test]
fn the_key_stands_nowhere() {
    let faults = Faults {
        shares: vec![(Fault::ServerError, 0.2), (Fault::BadRequest, 0.2)],
        seed: 2,
        ..Faults::default()
    };
    let right = FakeJudge::start(FakeConfig {
        api_key: Some(CANARY.into()),
        faults,
        ..FakeConfig::default()
    });
    let wrong = FakeJudge::start(FakeConfig {
        api_key: Some("another".into()),
        ..FakeConfig::default()
    });
    let dir = workplace(20, 2);
    let gone = "http://127.0.0.1:9/v1";
    for endpoint in [&right.endpoint("openai"), &wrong.endpoint("openai"), gone] {
        let name = format!("r{}", endpoint.len());
        let mut args = judge_args(
            endpoint,
            &["-vv", "--backoff", "0.01", "--max-retries", "1"],
        );
        let at = args.iter().position(|a| *a == "r").expect("run name");
        args[at] = &name;
        let mut said = with_canary(dir.path(), &args);
        said += &with_canary(dir.path(), &[&args[..], &["--json"]].concat());
        said += &with_canary(dir.path(), &["show", &name, "comp_000", "--json"]);
        said += &with_canary(dir.path(), &["report", &name]);
        assert_unseen(dir.path(), &said);
    }
}

/// The largest file is bounded as a full disk would bound it; nothing recorded is lost.
#[cfg(unix)]
#[test]
fn c02_a_full_disk_stops_in_order_and_keeps_what_was_recorded() {
    let dir = workplace(400, 4);
    // Slow enough that many small batches are committed before the bound: without latency the
    // first batch of a fast machine alone is larger than it, and there is nothing to keep.
    let server = FakeJudge::start(FakeConfig {
        latency: Latency::Fixed(Duration::from_millis(20)),
        ..FakeConfig::default()
    });
    let endpoint = server.endpoint("openai");
    let args = judge_args(&endpoint, &["-j", "4"]);
    let program = env!("CARGO_BIN_EXE_verispec");
    // Units of 512 bytes in POSIX; the signal is ignored so that writes fail with an error.
    let script = format!("trap '' XFSZ; ulimit -f 400; exec '{program}' \"$@\"");
    let output = std::process::Command::new("sh")
        .current_dir(dir.path())
        .env_remove("OPENAI_API_KEY")
        .args(["-c", &script, "sh"])
        .args(&args)
        .output()
        .expect("sh");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("ledger.sqlite"), "{said}");
    let before = LedgerReplies::load(&dir.path().join("runs/r/ledger.sqlite"))
        .expect("the ledger is intact")
        .len() as u64;
    assert!((1..400).contains(&before), "{before}");
    let calls = server.counters().completed;
    let done = json_of(dir.path(), &args, 0);
    assert_eq!(done["counters"]["judged"], 1_600);
    assert_eq!(server.counters().completed - calls, 400 - before);
}

/// Judges onto a disk of 1 MB, reads what is there, gives it room and judges on. `$0` is the
/// program, `$@` its arguments. Runs in a mount namespace of its own, which takes the disk with it.
#[cfg(target_os = "linux")]
const ON_A_SMALL_DISK: &str = "
mount -t tmpfs -o size=1m tmpfs runs || exit 77
\"$0\" \"$@\" >full.out 2>full.err; echo $? >full.code
\"$0\" score r --json >score.out 2>score.err; echo $? >score.code
cp -r runs/r kept
mount -o remount,size=64m runs || exit 78
\"$0\" \"$@\" --json >done.out 2>done.err; echo $? >done.code
";

#[cfg(target_os = "linux")]
#[test]
fn c02_a_real_disk_that_is_full_keeps_what_was_recorded_readable() {
    const ITEMS: u64 = 1_500;
    let dir = workplace(1_500, 4);
    std::fs::create_dir(dir.path().join("runs")).expect("folder");
    let server = FakeJudge::start(FakeConfig {
        latency: Latency::Fixed(Duration::from_millis(5)),
        ..FakeConfig::default()
    });
    let endpoint = server.endpoint("openai");
    let output = std::process::Command::new("unshare")
        .current_dir(dir.path())
        .env_remove("OPENAI_API_KEY")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c"])
        .args([ON_A_SMALL_DISK, env!("CARGO_BIN_EXE_verispec")])
        .args(judge_args(&endpoint, &["-j", "8"]))
        .output();
    let file = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap_or_default();
    if !dir.path().join("full.code").is_file() {
        let why = output.map_or_else(|e| e.to_string(), |o| text(&o.stderr));
        eprintln!("skipped: no small disk can be mounted here: {}", why.trim());
        return;
    }

    let said = file("full.err");
    assert_eq!(file("full.code").trim(), "1", "{said}");
    assert!(
        said.contains("ledger.sqlite") && said.contains("free some space and resume"),
        "{said}"
    );
    let kept = LedgerReplies::load(&dir.path().join("kept").join(LEDGER_FILE))
        .expect("the ledger is intact")
        .len() as u64;
    assert!((1..ITEMS).contains(&kept), "{kept}");
    // It can be looked at while the disk is still full.
    assert_eq!(file("score.code").trim(), "0", "{}", file("score.err"));
    let scores: serde_json::Value = serde_json::from_str(&file("score.out")).expect("document");
    let counters = &crate::support::track(&scores, "m", "t2i")["counters"];
    assert_eq!(counters["judged"], kept * 4);
    assert_eq!(counters["pending"], (ITEMS - kept) * 4);

    assert_eq!(file("done.code").trim(), "0", "{}", file("done.err"));
    let done: serde_json::Value = serde_json::from_str(&file("done.out")).expect("document");
    assert_eq!(done["counters"]["judged"], ITEMS * 4);
    assert_eq!(done["calls"], ITEMS - kept);
}

#[test]
fn e11_odd_names_become_folders_that_stay_apart() {
    let dir = workplace(2, 1);
    let server = FakeJudge::start(FakeConfig::default());
    let endpoint = server.endpoint("openai");
    let names = ["qwen2.5:7b", "a/b", "CON", "x.", "a=2fb"];
    for name in names {
        let mut args = judge_args(&endpoint, &[]);
        let at = args.iter().position(|a| *a == "r").expect("run name");
        args[at] = name;
        json_of(dir.path(), &args, 0);
        json_of(dir.path(), &["score", name], 0);
        let folder = dir
            .path()
            .join("runs")
            .join(verispec_model::file_name(name));
        assert!(folder.join("manifest.json").is_file(), "{name}");
    }
    let mut args = judge_args(&endpoint, &[]);
    let at = args.iter().position(|a| *a == "r").expect("run name");
    args[at] = "QWEN2.5:7b";
    let output = run(dir.path(), &args);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("only by case"));
}
