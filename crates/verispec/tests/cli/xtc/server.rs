//! A server of embeddings: words counted by their hash.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// Length of its vectors.
const LENGTH: usize = 256;

pub(super) struct Embeddings {
    pub(super) endpoint: String,
    bodies: Arc<Mutex<Vec<String>>>,
}

impl Embeddings {
    /// Serves until the test ends. A request with the text `short` gets a vector too few.
    pub(super) fn start(short: Option<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let endpoint = format!("http://{}/v1", listener.local_addr().expect("address"));
        let bodies = Arc::new(Mutex::new(vec![]));
        let log = bodies.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let log = log.clone();
                std::thread::spawn(move || serve(stream, &log, short));
            }
        });
        Self { endpoint, bodies }
    }

    /// Bodies of all requests.
    pub(super) fn bodies(&self) -> Vec<String> {
        self.bodies.lock().expect("log").clone()
    }
}

fn serve(stream: TcpStream, log: &Mutex<Vec<String>>, short: Option<&str>) {
    let mut writer = stream.try_clone().expect("stream");
    let mut reader = BufReader::new(stream);
    while let Some(body) = request(&mut reader) {
        let reply = reply(&body, short);
        log.lock().expect("log").push(body);
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            reply.len()
        );
        if writer.write_all((head + &reply).as_bytes()).is_err() {
            return;
        }
    }
}

/// The body of the next request; `None` at the end.
fn request(reader: &mut BufReader<TcpStream>) -> Option<String> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim().to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}

fn reply(body: &str, short: Option<&str>) -> String {
    let body: Value = serde_json::from_str(body).expect("JSON");
    let texts: Vec<&str> = body["input"]
        .as_array()
        .expect("texts")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let less = usize::from(short.is_some_and(|s| texts.contains(&s)));
    let data = texts.iter().skip(less).enumerate();
    let data = data.map(|(index, text)| json!({"index": index, "embedding": vector(text)}));
    json!({"data": data.collect::<Vec<_>>(), "usage": {"prompt_tokens": 1}}).to_string()
}

fn vector(text: &str) -> Vec<f32> {
    let mut counts = vec![0.0; LENGTH];
    for word in text.to_lowercase().split_whitespace() {
        let hash = word
            .bytes()
            .fold(7_usize, |h, b| h.wrapping_mul(31) + usize::from(b));
        counts[hash % LENGTH] += 1.0;
    }
    counts
}
