//! The review page as the program serves it: links, kill, files for `study human`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::support::{json_of, run, text, verispec, workplace, write};

/// A running `verispec review`, killed when dropped.
pub(crate) struct Page {
    child: Child,
    port: u16,
    cookie: String,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Page {
    pub(crate) fn start(dir: &Path, args: &[&str]) -> Self {
        let mut child = verispec(dir)
            .arg("review")
            .args(args)
            .args(["--port", "0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("review");
        let mut line = String::new();
        let mut lines = BufReader::new(child.stdout.take().expect("review"));
        lines.read_line(&mut line).expect("review");
        let link = line.trim().split_once(": ").expect("review").1.to_owned();
        let rest = link.strip_prefix("http://127.0.0.1:").expect("review");
        let (port, path) = rest.split_once('/').expect("review");
        let mut page = Self {
            child,
            port: port.parse().expect("review"),
            cookie: String::new(),
        };
        let entered = page.ask("GET", &format!("/{path}"), "");
        let set = entered.split("set-cookie: ").nth(1).expect("review");
        set.split(';')
            .next()
            .expect("review")
            .clone_into(&mut page.cookie);
        page
    }

    pub(crate) fn ask(&self, method: &str, path: &str, form: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("review");
        let (port, cookie) = (self.port, &self.cookie);
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
             Cookie: {cookie}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{form}",
            form.len()
        );
        stream.write_all(request.as_bytes()).expect("review");
        let mut answer = vec![];
        stream.read_to_end(&mut answer).expect("review");
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn decide(&self, place: usize, what: &str) {
        let path = format!("/item/{place}");
        let page = self.ask("GET", &path, "");
        let hidden = |name: &str| {
            let start = format!("name=\"{name}\" value=\"");
            let value = page.split(&start).nth(1).expect(name);
            value
                .split('"')
                .next()
                .expect("review")
                .replace("&#x2f;", "/")
                .replace('/', "%2F")
        };
        let [csrf, item, version, seen] = ["csrf", "item", "version", "seen"].map(hidden);
        let form = format!("csrf={csrf}&item={item}&version={version}&seen={seen}&{what}");
        let answer = self.ask("POST", &path, &form);
        assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    }
}

fn set(dir: &Path) {
    let line = |i: usize| {
        json!({"id": format!("t2i/1/{i}"), "kind": "specification", "track": "t2i",
               "instance": "1", "prompt": "A boat.", "question": format!("Boat {i}?"),
               "expected": "Yes"})
    };
    let lines: String = (1..=3).map(|i| format!("{}\n", line(i))).collect();
    write(&dir.join("set.jsonl"), &lines);
}

pub(crate) fn rows(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("review");
    text.lines()
        .map(|l| serde_json::from_str(l).expect("review"))
        .collect()
}

#[test]
fn decisions_survive_a_kill_and_become_files() {
    let dir = tempfile::tempdir().expect("review");
    set(dir.path());
    let mut page = Page::start(dir.path(), &["set.jsonl", "--annotator", "ann"]);
    page.decide(1, "do=accept&reason=");
    // A second writer is refused while this one runs.
    let second = run(
        dir.path(),
        &["review", "set.jsonl", "--annotator", "bob", "--port", "0"],
    );
    let said = text(&second.stderr);
    assert_eq!(second.status.code(), Some(2), "{said}");
    assert!(said.contains("in use"), "{said}");
    page.child.kill().expect("review");
    page.child.wait().expect("review");
    let page = Page::start(dir.path(), &["set.jsonl", "--annotator", "ann"]);
    page.decide(2, "do=reject&reason=ambiguous");
    drop(page);
    let args = ["review", "set.jsonl", "--export", "out"];
    let exported = json_of(dir.path(), &args, 0);
    assert_eq!(exported["conflicts"], 0);
    let found = rows(&dir.path().join("out/reviewed.jsonl"));
    let states: Vec<&str> = found
        .iter()
        .map(|r| r["state"].as_str().expect("review"))
        .collect();
    assert_eq!(states, ["accepted", "rejected", "open"]);
}

#[test]
fn what_is_wrong_is_said_before_anything_is_served() {
    let dir = tempfile::tempdir().expect("review");
    set(dir.path());
    let said = |args: &[&str], word: &str| {
        let outcome = run(dir.path(), args);
        let told = text(&outcome.stderr);
        assert_eq!(outcome.status.code(), Some(2), "{told}");
        assert!(told.contains(word), "{told}");
    };
    said(&["review", "set.jsonl"], "--annotator");
    said(&["review", "nothing", "--annotator", "a"], "no run");
    said(&["review", "set.jsonl", "--annotator", "a<b"], "a name is");
    said(
        &["review", "set.jsonl", "--annotator", "a", "--likert", "5"],
        "belong to a run",
    );
    write(&dir.path().join("bad.jsonl"), "{\"id\": 1}\n");
    said(&["review", "bad.jsonl", "--annotator", "a"], "line 1");
}

#[test]
fn a_sample_is_answered_on_the_page_and_read_by_the_study() {
    let dir = workplace(4, 5);
    let mut verdicts = String::from("model,track,instance,specification,answer\n");
    for i in 0..4 {
        for s in 1..=5 {
            let answer = if (i + s) % 3 == 0 { "No" } else { "Yes" };
            verdicts += &format!("m,t2i,comp_{i:03},{s},{answer}\n");
        }
    }
    write(&dir.path().join("v.csv"), &verdicts);
    let import = [
        "import", "verdicts", "v.csv", "--data", "suite", "--run", "j",
    ];
    json_of(dir.path(), &import, 0);
    let sample = [
        "study", "human", "sample", "j", "--n", "10", "--out", "s.jsonl",
    ];
    json_of(dir.path(), &sample, 0);
    let review = ["j", "--sample", "s.jsonl", "--annotator", "ann"];
    let page = Page::start(dir.path(), &review);
    assert!(page.ask("GET", "/item/1", "").contains("Draw scene"));
    for place in 1..=9 {
        let said = ["yes", "no"][place % 2];
        page.decide(place, &format!("do=answer&said={said}&reason="));
    }
    page.decide(10, "do=answer&said=cannot-tell&reason=blurred");
    drop(page);
    let export = ["review", "j", "--sample", "s.jsonl", "--export", "out"];
    json_of(dir.path(), &export, 0);
    let human = rows(&dir.path().join("out/human.jsonl"));
    let drawn = rows(&dir.path().join("s.jsonl"));
    assert_eq!(human.len(), 10);
    for (human, drawn) in human.iter().zip(&drawn) {
        for column in [
            "model",
            "track",
            "instance",
            "spec",
            "question",
            "verdict",
            "inclusion",
        ] {
            assert_eq!(human[column], drawn[column], "{column}");
        }
    }
    let study = ["study", "human", "j", "--human", "out/human.jsonl"];
    let study = json_of(dir.path(), &study, 0);
    assert_eq!(study["study"][0]["labelled"]["models"][0]["labelled"], 9);
    // The same outputs, rated.
    let page = Page::start(dir.path(), &["j", "--likert", "7", "--annotator", "ann"]);
    for place in 1..=4 {
        page.decide(place, &format!("do=grade&grade={}&reason=", place + 2));
    }
    drop(page);
    json_of(
        dir.path(),
        &["review", "j", "--likert", "7", "--export", "out"],
        0,
    );
    let study = ["study", "human", "j", "--human", "out/ratings.jsonl"];
    assert_eq!(json_of(dir.path(), &study, 0)["kind"], "human");
}
