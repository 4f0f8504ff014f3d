//! The fake judge, asked through the codecs over real sockets.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;
use std::io::BufRead as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use common::{Received, client, encode, request, send};
use serde_json::{Value, json};
use verispec_model::{ApiErrorKind, Finish, Hash};
use verispec_providers::{EncodedImage, names, retry_after};
use verispec_testkit::{Answers, FakeConfig, FakeJudge, Fault, Faults, Latency, data};

/// The fake judge does not decode images.
fn image(bytes: &[u8]) -> EncodedImage {
    EncodedImage {
        mime: "image/png".into(),
        bytes: bytes.to_vec().into(),
    }
}

const LONG: Duration = Duration::from_secs(30);

/// Our own kind of prompt with three statements.
fn whole(salt: &str) -> String {
    format!("{salt}\nStatements:\n1. A?\n2. B?\n3. C?\n\nReply with one JSON array.")
}

async fn ask(judge: &FakeJudge, name: &str, params: Value, text: &str) -> Received {
    let message = encode(&request(name, params, text), image(b"abc"));
    send(&client(), &judge.endpoint(name), Some("k"), &message, LONG)
        .await
        .unwrap()
}

fn with(faults: Faults) -> FakeJudge {
    FakeJudge::start(FakeConfig {
        answers: Answers::NoEvery(2),
        faults,
        ..FakeConfig::default()
    })
}

fn answers(text: &str) -> Vec<(u64, String)> {
    let rows: Value = serde_json::from_str(text).unwrap();
    let rows = rows.as_array().unwrap();
    rows.iter()
        .map(|r| {
            (
                r["id"].as_u64().unwrap(),
                r["answer"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
}

fn expected() -> Vec<(u64, String)> {
    vec![
        (1, "Yes".to_owned()),
        (2, "No".to_owned()),
        (3, "Yes".to_owned()),
    ]
}

/// Parameters that stream, for dialects where this is a choice.
fn streaming(name: &str) -> Value {
    if name == "gemini-dashscope" {
        json!({})
    } else {
        json!({"stream": true})
    }
}

#[tokio::test]
async fn every_dialect_is_answered_plain_and_streamed() {
    let judge = with(Faults::default());
    for name in names() {
        for params in [json!({}), streaming(name)] {
            let message = encode(&request(name, params, &whole("")), image(b"abc"));
            let got = send(&client(), &judge.endpoint(name), None, &message, LONG)
                .await
                .unwrap();
            let reply = got.decode(name).unwrap();
            assert_eq!(answers(&reply.text), expected(), "{name}");
            assert_eq!(reply.finish, Finish::Stop);
            assert_eq!(reply.served_model.as_deref(), Some("judge"));
            let last = judge.log().pop().unwrap();
            assert_eq!(last.dialect, name);
            assert_eq!((last.status, last.ids.as_slice()), (200, &[1, 2, 3][..]));
            assert_eq!(last.body, Hash::of(&message.body_bytes()));
        }
    }
    let counters = judge.counters();
    assert_eq!(
        (counters.started, counters.completed, counters.in_flight),
        (8, 8, 0)
    );
}

#[tokio::test]
async fn faults_of_the_answer_are_what_they_say() {
    for name in names() {
        for params in [json!({}), streaming(name)] {
            for fault in Fault::all() {
                let judge = with(Faults {
                    trickle: Duration::from_millis(5),
                    ..Faults::always(fault)
                });
                check_fault(&judge, name, &params, fault).await;
            }
        }
    }
}

async fn check_fault(judge: &FakeJudge, name: &str, params: &Value, fault: Fault) {
    let what = format!("{name} {params} {}", fault.name());
    let message = encode(&request(name, params.clone(), &whole("")), image(b"abc"));
    let patience = if fault == Fault::Stall {
        Duration::from_millis(200)
    } else {
        LONG
    };
    let sent = send(&client(), &judge.endpoint(name), None, &message, patience).await;
    if matches!(fault, Fault::Reset | Fault::ResetMidway | Fault::Stall) {
        let error = sent.unwrap_err();
        assert_eq!(error.is_timeout(), fault == Fault::Stall, "{what}: {error}");
        assert_eq!(judge.log(), [], "{what}");
        return;
    }
    let decoded = sent.unwrap().decode(name);
    let log = judge.log();
    assert_eq!(log.len(), 1, "{what}");
    assert_eq!(log[0].fault, Some(fault.name()));
    let kind = match fault {
        Fault::RateLimited => Some(ApiErrorKind::RateLimit),
        Fault::ServerError | Fault::HtmlError | Fault::InBandError => Some(ApiErrorKind::Server),
        Fault::BadRequest => Some(ApiErrorKind::BadRequest),
        Fault::Unauthorized => Some(ApiErrorKind::Auth),
        _ => None,
    };
    if let Some(kind) = kind {
        assert_eq!(decoded.unwrap_err().kind, kind, "{what}");
        return;
    }
    let reply = decoded.unwrap_or_else(|e| panic!("{what}: {e}"));
    let rows = || answers(&reply.text);
    match fault {
        Fault::Trickle => assert_eq!(rows(), expected()),
        Fault::Truncated => assert_eq!(reply.finish, Finish::Length, "{what}"),
        Fault::Refusal => assert_eq!((reply.finish, reply.text.as_str()), (Finish::Refused, "")),
        Fault::Empty => assert_eq!((reply.finish, reply.text.as_str()), (Finish::Stop, "")),
        Fault::LackIds => assert_eq!(rows(), expected()[1..2]),
        Fault::ExtraIds => assert_eq!(rows().len(), 4),
        Fault::DuplicateIds => assert_eq!(rows()[3], rows()[0]),
        Fault::Conflict => assert_eq!(rows()[3], (1, "No".to_owned())),
        Fault::Malformed => assert!(serde_json::from_str::<Value>(&reply.text).is_err()),
        Fault::Prose | Fault::Fenced => assert!(!reply.text.starts_with('[')),
        _ => unreachable!("{what}"),
    }
}

#[tokio::test]
async fn a_wrong_key_is_refused() {
    let config = FakeConfig {
        api_key: Some("right".into()),
        ..FakeConfig::default()
    };
    let judge = FakeJudge::start(config);
    for name in names() {
        let message = encode(&request(name, json!({}), &whole("")), image(b"abc"));
        for (key, ok) in [(None, false), (Some("wrong"), false), (Some("right"), true)] {
            let got = send(&client(), &judge.endpoint(name), key, &message, LONG)
                .await
                .unwrap();
            let kind = got.decode(name).map(|_| ()).map_err(|e| e.kind);
            assert_eq!(
                kind,
                if ok { Ok(()) } else { Err(ApiErrorKind::Auth) },
                "{name} {key:?}"
            );
        }
    }
}

#[tokio::test]
async fn first_requests_are_limited_and_say_how_long() {
    let faults = Faults {
        retry_after: Some("2".into()),
        ..Faults::first(2, Fault::RateLimited)
    };
    let judge = with(faults);
    for n in 0..4 {
        let got = ask(&judge, "openai", json!({}), &whole("")).await;
        assert_eq!(got.status, if n < 2 { 429 } else { 200 });
        let headers = got
            .header("retry-after")
            .map(|value| ("retry-after", value));
        let wait = retry_after(headers, &got.body, SystemTime::now());
        assert_eq!(wait, (n < 2).then_some(Duration::from_secs(2)));
    }
}

#[tokio::test]
async fn more_than_the_limit_in_flight_are_turned_away() {
    let judge = FakeJudge::start(FakeConfig {
        latency: Latency::Fixed(Duration::from_millis(200)),
        faults: Faults {
            limit_in_flight: Some(2),
            ..Faults::default()
        },
        ..FakeConfig::default()
    });
    let texts: Vec<String> = (0..6).map(|n| whole(&n.to_string())).collect();
    let calls = texts
        .iter()
        .map(|text| ask(&judge, "openai", json!({}), text));
    let got = futures_util::future::join_all(calls).await;
    let limited = got.iter().filter(|r| r.status == 429).count();
    let answered = got.iter().filter(|r| r.status == 200).count();
    assert_eq!(limited + answered, 6);
    assert!(limited > 0 && answered > 0, "{limited} turned away");
}

#[tokio::test]
async fn which_request_fails_depends_on_seed_body_and_attempt_only() {
    let faults = |seed| Faults {
        seed,
        shares: vec![(Fault::ServerError, 0.3)],
        ..Faults::default()
    };
    let failed = async |judge: &FakeJudge, order: Vec<usize>| -> BTreeSet<usize> {
        let mut failed = BTreeSet::new();
        for n in order {
            if ask(judge, "openai", json!({}), &whole(&n.to_string()))
                .await
                .status
                == 500
            {
                failed.insert(n);
            }
        }
        failed
    };
    let (one, two, three) = (with(faults(1)), with(faults(1)), with(faults(2)));
    let up = failed(&one, (0..100).collect()).await;
    assert_eq!(failed(&two, (0..100).rev().collect()).await, up);
    assert!(
        (15..45).contains(&up.len()),
        "{} of 100 failed at a share of 0.3",
        up.len()
    );
    assert_ne!(failed(&three, (0..100).collect()).await, up);
    assert_ne!(
        failed(&one, (0..100).collect()).await,
        up,
        "a second attempt draws anew"
    );
}

#[tokio::test]
async fn answers_go_to_the_one_who_asked() {
    let custom = Answers::Custom(Arc::new(|_, question| question.text.replace("Is it ", "")));
    let judge = FakeJudge::start(FakeConfig {
        answers: custom,
        latency: Latency::Uniform(Duration::ZERO, Duration::from_millis(40)),
        ..FakeConfig::default()
    });
    let http = client();
    let calls = (0..200).map(|n| {
        let (http, endpoint) = (http.clone(), judge.endpoint("openai"));
        async move {
            let text = format!("Statement:\nIs it {n}");
            let message = encode(&request("openai", json!({}), &text), image(b"abc"));
            let got = send(&http, &endpoint, None, &message, LONG).await.unwrap();
            let text = got.decode("openai").unwrap().text;
            assert!(text.starts_with(&format!("{n}. ")), "{n}: {text}");
        }
    });
    futures_util::future::join_all(calls).await;
    let counters = judge.counters();
    assert_eq!((counters.completed, counters.in_flight), (200, 0));
    assert!(counters.max_in_flight > 10, "{counters:?}");
}

#[tokio::test]
async fn what_was_not_sent_whole_is_not_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.jsonl");
    let judge = FakeJudge::start(FakeConfig {
        faults: Faults {
            containing: vec![("hang".into(), Fault::Stall)],
            ..Faults::default()
        },
        log_file: Some(file.clone()),
        ..FakeConfig::default()
    });
    ask(&judge, "openai", json!({}), &whole("one")).await;
    let message = encode(&request("openai", json!({}), &whole("hang")), image(b"abc"));
    let short = Duration::from_millis(100);
    let hung = send(&client(), &judge.endpoint("openai"), None, &message, short).await;
    assert!(hung.unwrap_err().is_timeout());
    ask(&judge, "openai", json!({}), &whole("two")).await;
    let log = judge.log();
    assert_eq!((log.len(), judge.counters().started), (2, 3));
    let text = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(Value::from(lines), serde_json::to_value(&log).unwrap());
    // The server notices the closed connection by itself.
    for _ in 0..200 {
        if judge.counters().in_flight == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the hung request is still counted: {:?}", judge.counters());
}

#[tokio::test]
async fn the_program_serves_and_shows_its_log() {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_fake-judge"))
        .args([
            "--answers",
            "no-every:2",
            "--fault",
            "server-error=0",
            "--latency",
            "1..2",
        ])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufReader::new(program.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let url = line.trim().to_owned();
    let message = encode(&request("openai", json!({}), &whole("")), image(b"abc"));
    let got = send(&client(), &format!("{url}/v1"), None, &message, LONG)
        .await
        .unwrap();
    let text = got.decode("openai").unwrap().text;
    let log = client()
        .get(format!("{url}/log"))
        .send()
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!(answers(&text), expected());
    let log: Value = serde_json::from_slice(&log).unwrap();
    assert_eq!(log["counters"]["completed"], 1);
    assert_eq!(
        log["log"][0]["body"],
        Hash::of(&message.body_bytes()).to_string()
    );
}

/// Every published template with every checklist of its track: all ids are found.
#[test]
fn questions_of_the_published_prompts_are_found() {
    let Some(root) = data::test_data() else {
        return;
    };
    let specv = root.join("data/SpecV");
    let mut specifications = 0;
    let mut checklists = 0;
    for track in std::fs::read_dir(specv.join("eval_checklist")).unwrap() {
        let track = track.unwrap();
        let prompt = specv
            .join("eval")
            .join(track.file_name())
            .join("eval_prompt.txt");
        let template = std::fs::read_to_string(prompt).unwrap();
        for file in json_files(&track.path()) {
            let checklist = std::fs::read_to_string(file).unwrap();
            let items: Value = serde_json::from_str(&checklist).unwrap();
            let ids: Vec<u32> = items
                .as_array()
                .unwrap()
                .iter()
                .map(|i| i["id"].as_u64().unwrap().try_into().unwrap())
                .collect();
            let prompt = verispec_testkit::fake::Prompt {
                dialect: "gemini-dashscope",
                model: "m".into(),
                text: format!("{template}\n{}\n", checklist.trim()),
                images: vec![],
                schema: None,
                rest: Value::Null,
            };
            let asked = verispec_testkit::fake::find_questions(&prompt).unwrap();
            assert_eq!(
                asked.questions.iter().map(|q| q.id).collect::<Vec<_>>(),
                ids
            );
            checklists += 1;
            specifications += ids.len();
        }
    }
    assert_eq!((checklists, specifications), (1200, 17_604));
}

fn json_files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                json_files(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect()
}
