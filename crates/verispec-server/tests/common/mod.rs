//! A server of the tests: a process of its own, so that it can be killed.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use verispec_media::HashCache;
use verispec_server::{Journal, Options, Person, Review, ReviewSet, serve};

/// Serves what the environment names, until killed. Called by the ignored test `serve_review`.
pub fn serve_from_environment() {
    let Some(set) = std::env::var_os("REVIEW_SET") else {
        return;
    };
    let set = ReviewSet::read(Path::new(&set), &HashCache::in_memory()).unwrap();
    let events = std::env::var_os("REVIEW_EVENTS").unwrap();
    let (journal, state, _) = Journal::open(Path::new(&events)).unwrap();
    let person = |name: &str, adjudicates| Person {
        name: name.to_owned(),
        adjudicates,
    };
    let people = [
        person("ann", false),
        person("bob", false),
        person("cat", true),
    ];
    let review = Review::new(set, state, &[] as &[&str], &["ann", "bob", "cat"]).unwrap();
    let port = std::env::var("REVIEW_PORT").unwrap().parse().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let served = serve(review, journal, &people, &Options { port })
            .await
            .unwrap();
        for (name, link) in &served.links {
            println!("\nlink {name} {link}");
        }
        std::io::stdout().flush().unwrap();
        served.wait().await.unwrap();
    });
}

/// A running server.
pub struct Server {
    child: Child,
    pub port: u16,
    /// Links of ann, bob and cat, who adjudicates.
    pub links: Vec<String>,
}

impl Server {
    /// Starts this test program again as a server; port 0 takes a free one.
    pub fn start(set: &Path, events: &Path, port: u16) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["serve_review", "--exact", "--ignored", "--nocapture"])
            .env("REVIEW_SET", set)
            .env("REVIEW_EVENTS", events)
            .env("REVIEW_PORT", port.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let links: Vec<String> = lines
            .map_while(Result::ok)
            .filter_map(|l| Some(l.strip_prefix("link ")?.split_once(' ')?.1.to_owned()))
            .take(3)
            .collect();
        let port = links[0].split(['/', ':']).nth(4).unwrap().parse().unwrap();
        Self { child, port, links }
    }

    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// SIGKILL: no chance to tidy up.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends bytes as they are and gives status, head and body.
    pub fn raw(&self, request: &str) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = vec![];
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        Reply {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// A request with further header lines and a body.
    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Reply {
        let host = if headers.to_ascii_lowercase().contains("host:") {
            String::new()
        } else {
            format!("Host: 127.0.0.1:{}\r\n", self.port)
        };
        self.raw(&format!(
            "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\nContent-Length: \
             {}\r\n\r\n{body}",
            body.len()
        ))
    }

    /// Sends a form of a page as a browser does.
    pub fn post(&self, cookie: &str, path: &str, form: &str) -> Reply {
        let origin = self.origin();
        let headers = format!("{cookie}Origin: {origin}\r\nSec-Fetch-Site: same-origin\r\n");
        self.ask("POST", path, &headers, form)
    }

    /// The cookie header line of a person.
    pub fn enter(&self, who: usize) -> String {
        let path = self.links[who].strip_prefix(&self.origin()).unwrap();
        let reply = self.ask("GET", path, "", "");
        assert_eq!(reply.status, 303);
        let set = reply.header("set-cookie").unwrap();
        assert!(
            set.contains("HttpOnly") && set.contains("SameSite=Strict"),
            "{set}"
        );
        format!("Cookie: {}\r\n", set.split(';').next().unwrap())
    }
}

/// A form with the hidden fields of a page and a decision.
pub fn form(page: &Reply, decision: &str) -> String {
    let of = |name| page.field(name).replace('/', "%2F");
    let [csrf, item, version, seen] = ["csrf", "item", "version", "seen"].map(of);
    format!("csrf={csrf}&item={item}&version={version}&seen={seen}&{decision}")
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<String> {
        let mut lines = self.head.lines().filter_map(|l| l.split_once(": "));
        let found = lines.find(|(n, _)| n.eq_ignore_ascii_case(name));
        found.map(|(_, v)| v.to_owned())
    }

    /// Value of the first hidden field of a name.
    pub fn field(&self, name: &str) -> String {
        let start = format!("name=\"{name}\" value=\"");
        let at = self.body.find(&start).expect(name) + start.len();
        let value = self.body[at..].split('"').next().unwrap();
        value.replace("&#x2f;", "/")
    }
}

/// A set of `n` specifications with a picture, then one item of each other kind.
pub fn write_set(folder: &Path, n: usize) -> std::path::PathBuf {
    let boats = ["red", "blue", "green", "yellow"];
    let mut picture = image::RgbImage::from_pixel(480, 320, image::Rgb([188, 219, 235]));
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        if y > 210 {
            *pixel = image::Rgb([38, 98, 140]);
        }
        let (dx, dy) = (x.abs_diff(240), y.abs_diff(200));
        if dy < 30 && dx + dy < 110 {
            *pixel = image::Rgb([196, 48, 40]);
        }
    }
    picture.save(folder.join("boat.png")).unwrap();
    let prompt = "Place the boat of the reference on a calm lake at noon.\nKeep its colour, and \
                  let nothing else float on the water.";
    let mut lines = String::new();
    for i in 1..=n {
        let row = serde_json::json!({
            "id": format!("edit/{}/{i}", i / 10 + 1), "kind": "specification", "track": "edit",
            "dimension": "object addition", "instance": format!("{}", i / 10 + 1),
            "prompt": prompt, "references": ["boat.png"],
            "question": format!("Is boat number {i} {} and does it float on the lake?", boats[i % 4]),
            "expected": if i % 5 == 0 { "No" } else { "Yes" }, "category": "attribute",
            "source": ["writer-a", "writer-b"],
            "ratings": [{"rater": "writer-a", "relevance": 9, "clarity": 8, "verifiability": 9.5},
                        {"rater": "writer-b", "relevance": 8, "clarity": 6, "verifiability": 9}],
            "notes": if i % 7 == 0 { vec!["two claims: joined by \"and\""] } else { vec![] },
        });
        lines += &format!("{row}\n");
    }
    for kind in ["verdict", "rating", "graph", "answer"] {
        let mut row = serde_json::json!({
            "id": kind, "kind": kind, "track": "edit", "instance": "90", "model": "painter",
            "spec": 4, "prompt": prompt, "references": ["boat.png"],
            "output": [{"text": "<script>window.broken = 1</script> Here it is:"},
                       {"image": "boat.png"}],
            "question": "Is there exactly one boat?", "inclusion": 0.125, "verdict": "No",
            "expected": "Yes", "stratum": "edit/No",
        });
        if kind == "answer" {
            row["gold"] = "red".into();
            row["answer"] = "crimson".into();
        }
        if kind == "rating" {
            row["scale"] = serde_json::json!({"low": 1, "high": 5, "low_label": "not at all",
                                              "high_label": "fully"});
        }
        lines += &format!("{row}\n");
    }
    let path = folder.join("boats.jsonl");
    std::fs::write(&path, lines).unwrap();
    path
}
