//! Judges that are programs: lines in and out, crashes, hangs, chatter.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::time::Duration;

use common::{judge, request};
use verispec_engine::ledger::decode;
use verispec_engine::transport::{Attempted, Failure, ProcessTransport, Transport as _};
use verispec_model::{ApiErrorKind, Finish, Hash, ImagePart, ImageRole, Part, Request};

/// A shell program; `$id` is the id of the line just read in `$line`.
fn program(loop_body: &str, timeout: Duration) -> ProcessTransport {
    let script = format!(
        "while read -r line; do\n\
         id=$(printf '%s' \"$line\" | sed 's/.*\"id\":\"\\([0-9]*\\)\".*/\\1/')\n\
         {loop_body}\ndone"
    );
    let argv = ["sh", "-c", script.as_str()].map(str::to_owned).to_vec();
    ProcessTransport::new(argv, timeout)
}

const LONG: Duration = Duration::from_secs(30);

/// Says its process id, so that a test sees which process answered.
const ECHO: &str = r#"echo "{\"id\":\"$id\",\"text\":\"Yes $$\"}""#;

async fn ask(transport: &ProcessTransport) -> Attempted {
    transport.send(&request(&judge("m"), "Is it red?")).await
}

fn failure(attempted: Attempted) -> Failure {
    attempted.result.unwrap_err()
}

#[tokio::test]
async fn one_process_serves_one_request_after_the_other() {
    let transport = program(ECHO, LONG);
    let first = ask(&transport).await;
    let text = first.result.unwrap().text;
    assert!(text.starts_with("Yes "));
    assert_eq!(
        ask(&transport).await.result.unwrap().text,
        text,
        "the same process"
    );
    // Two at once are two processes.
    let (a, b) = tokio::join!(ask(&transport), ask(&transport));
    assert_ne!(a.result.unwrap().text, b.result.unwrap().text);
    // The line is stored as it came and read back from there.
    let raw = first.raw.unwrap();
    assert_eq!(&*raw.dialect, "command");
    assert_eq!(decode(&raw.dialect, &raw.response()).unwrap().text, text);
}

#[tokio::test]
async fn the_line_holds_parts_questions_and_files() {
    let dir = tempfile::tempdir().unwrap();
    let (seen, picture) = (dir.path().join("seen"), dir.path().join("a b.bin"));
    std::fs::write(&picture, b"\x89PNG\r\n\x1a\nrest").unwrap();
    let image = |path: &Path| {
        Part::Image(ImagePart {
            path: path.into(),
            source: Hash::of(b"x"),
            profile: "original@1".into(),
            role: ImageRole::Output,
        })
    };
    let body = format!("printf '%s\\n' \"$line\" > '{}'\n{ECHO}", seen.display());
    let transport = program(&body, LONG);
    let asked = Request {
        parts: vec![image(&picture), Part::Text("Is \"it\" red?\n".into())],
        questions: vec![verispec_model::Question {
            id: 7,
            text: "Is it red?".into(),
        }],
        ..request(&judge("m"), "")
    };
    transport.send(&asked).await.result.unwrap();
    let line: serde_json::Value = serde_json::from_slice(&std::fs::read(&seen).unwrap()).unwrap();
    assert_eq!(
        line,
        serde_json::json!({"format": 1, "id": "1", "protocol": "test@1", "model": "m",
            "parts": [{"image": picture.to_str().unwrap(), "mime": "image/png", "role": "output",
                "profile": "original@1"}, {"text": "Is \"it\" red?\n"}],
            "questions": [{"id": 7, "text": "Is it red?"}], "params": {}, "repeat": 0})
    );
    // A picture that has gone is never asked about.
    let gone = Request {
        parts: vec![image(&dir.path().join("gone.png"))],
        ..asked
    };
    let error = failure(transport.send(&gone).await);
    assert!(
        matches!(&error, Failure::Unsendable(m) if m.contains("gone.png")),
        "{error}"
    );
}

#[tokio::test]
async fn all_fields_of_a_reply() {
    let reply = r#"echo "{\"id\":\"$id\",\"text\":\"\",\"finish\":\"length\",\"reasoning\":\"hm\",\"model\":\"w-1\",\"usage\":{\"input\":5,\"output\":2},\"logprobs\":[{\"token\":\"Yes\",\"logprob\":-0.5,\"top\":[]}]}""#;
    let reply = ask(&program(reply, LONG)).await.result.unwrap();
    assert_eq!(
        (reply.finish, reply.reasoning.as_deref()),
        (Finish::Length, Some("hm"))
    );
    assert_eq!((reply.usage.input, reply.usage.output), (Some(5), Some(2)));
    assert_eq!(reply.served_model.as_deref(), Some("w-1"));
    assert_eq!(reply.logprobs.unwrap()[0].logprob, -0.5);
}

#[tokio::test]
async fn a_crash_is_followed_by_one_new_process() {
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("mark");
    let mark = mark.display();
    let transport = program(
        &format!("if [ ! -e '{mark}' ]; then touch '{mark}'; exit 3; fi\n{ECHO}"),
        LONG,
    );
    assert!(
        ask(&transport)
            .await
            .result
            .unwrap()
            .text
            .starts_with("Yes")
    );

    // Twice is pending, with what the program said last; three requests in a row stop the run.
    let transport = program("echo 'no weights here' >&2; exit 3", LONG);
    for _ in 0..2 {
        let error = failure(ask(&transport).await);
        assert!(matches!(error, Failure::Unsendable(_)), "{error}");
        let message = error.to_string();
        assert!(
            message.contains("exit status: 3") && message.contains("no weights here"),
            "{message}"
        );
    }
    let error = failure(ask(&transport).await);
    assert!(matches!(error, Failure::Config(_)), "{error}");
}

#[tokio::test]
async fn a_program_that_hangs_is_ended() {
    let transport = program("exec sleep 600", Duration::from_millis(300));
    let error = failure(ask(&transport).await);
    assert!(matches!(error, Failure::TimedOut(_)), "{error}");
}

#[tokio::test]
async fn errors_of_the_program() {
    let refused = r#"echo "{\"id\":\"$id\",\"error\":\"too large\"}""#;
    let again = r#"echo "{\"id\":\"$id\",\"error\":\"busy\",\"retry\":true}""#;
    for (body, kind) in [
        (refused, ApiErrorKind::BadRequest),
        (again, ApiErrorKind::Server),
    ] {
        let Failure::Api { error, .. } = failure(ask(&program(body, LONG)).await) else {
            panic!("{body}")
        };
        assert_eq!(error.kind, kind);
    }
}

#[tokio::test]
async fn lines_that_are_no_replies() {
    for body in [
        "echo loading weights",
        r#"echo "{\"id\":\"other\",\"text\":\"Yes\"}""#,
        r#"echo "{\"id\":\"$id\",\"txt\":\"Yes\"}""#,
        r#"echo "{\"id\":\"$id\"}""#,
    ] {
        let error = failure(ask(&program(body, LONG)).await);
        assert!(matches!(error, Failure::Config(_)), "{body}: {error}");
    }
    // Once it has answered, a bad line is a fault of one request, and of that process.
    let body = format!("if [ \"$id\" = 2 ]; then echo chatter; else {ECHO}; fi");
    let transport = program(&body, LONG);
    let first = ask(&transport).await.result.unwrap().text;
    let Failure::Api { error, .. } = failure(ask(&transport).await) else {
        panic!()
    };
    assert_eq!(error.kind, ApiErrorKind::Malformed);
    assert_ne!(ask(&transport).await.result.unwrap().text, first);
}

#[tokio::test]
async fn a_missing_program_stops_the_run() {
    let transport = ProcessTransport::new(vec!["no-such-program-here".into()], LONG);
    let error = failure(ask(&transport).await);
    assert!(
        matches!(&error, Failure::Config(m) if m.contains("no-such-program-here")),
        "{error}"
    );
}
