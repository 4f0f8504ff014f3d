//! How long it takes to resume a finished run: loads a ledger of N replies, then steps N jobs.
//!
//! `cargo run --release -p verispec-engine --example resume -- 350000`. Prints medians of 3.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measuring program"
)]

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant, UNIX_EPOCH};

use bytes::Bytes;
use verispec_engine::execute::map_steps;
use verispec_engine::ledger::{
    Attempt, LEDGER_FILE, LedgerOptions, LedgerReplies, LedgerWriter, Outcome, Raw, Record,
    Sending, Via, now,
};
use verispec_model::{
    Hash, ImagePart, ImageRole, Job, JudgeIdentity, Params, Part, Replies, Reply, Request, Step,
    Structured, request_key,
};

/// One request of about 2 kB of text and one image.
struct One(Request);

impl Job for One {
    type Readings = usize;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed("job")
    }

    fn step(&self, replies: &dyn Replies) -> Step<usize> {
        let readings = usize::from(replies.get(&request_key(&self.0)).is_some());
        let ask = if readings == 1 {
            vec![]
        } else {
            vec![self.0.clone()]
        };
        Step { ask, readings }
    }
}

fn main() {
    let n: usize = std::env::args()
        .nth(1)
        .map_or(350_000, |n| n.parse().unwrap());
    let dir = std::env::temp_dir().join(format!(
        "verispec-resume-{}",
        UNIX_EPOCH.elapsed().unwrap().as_nanos()
    ));
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join(LEDGER_FILE);
    let jobs: Vec<One> = jobs(n);
    let begin = Instant::now();
    write(&path, &jobs);
    let size = std::fs::metadata(&path).unwrap().len() >> 20;
    println!("{n} replies written in {:.1?}, {size} MiB", begin.elapsed());
    let mut load = vec![];
    let mut step = vec![];
    for _ in 0..3 {
        let begin = Instant::now();
        let replies = LedgerReplies::load(&path).unwrap();
        load.push(begin.elapsed());
        let begin = Instant::now();
        let done: usize = map_steps(&jobs, &replies, |_, s| s.readings).iter().sum();
        step.push(begin.elapsed());
        assert_eq!(done, n);
    }
    println!(
        "load {:.2?}, step {:.2?}",
        median(&mut load),
        median(&mut step)
    );
    std::fs::remove_dir_all(dir).unwrap();
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn jobs(n: usize) -> Vec<One> {
    let judge = Arc::new(JudgeIdentity {
        provider: "openai".into(),
        model: "m".into(),
        params: Params::new(),
        structured: Structured::None,
        revision: None,
    });
    let image = |i: usize| {
        Part::Image(ImagePart {
            path: std::path::PathBuf::from(format!("{i}.png")).into(),
            source: Hash::of(&i.to_le_bytes()),
            profile: "original@1".into(),
            role: ImageRole::Output,
        })
    };
    let request = |i: usize| Request {
        protocol: "independent@1".into(),
        template: Hash::of(b"t"),
        judge: judge.clone(),
        parts: vec![
            image(i / 15),
            Part::Text(format!(
                "{} {i}",
                "Is what the statement says there? ".repeat(60)
            )),
        ],
        questions: vec![],
        schema: None,
        repeat: 0,
        parent: None,
        derivation: None,
    };
    (0..n).map(|i| One(request(i))).collect()
}

fn write(path: &std::path::Path, jobs: &[One]) {
    let writer = LedgerWriter::open(path, LedgerOptions::default()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let handle = writer.handle();
    runtime.block_on(async {
        for (i, job) in jobs.iter().enumerate() {
            handle.record(row(i, &job.0)).await.unwrap();
        }
    });
    drop(handle);
    writer.finish().unwrap();
}

fn row(i: usize, request: &Request) -> Record {
    let answer = if i.is_multiple_of(3) { "No" } else { "Yes" };
    let body = format!(
        "{{\"id\":\"chatcmpl-{i}\",\"object\":\"chat.completion\",\"model\":\"m-1\",\"choices\":[{{\
         \"index\":0,\"message\":{{\"role\":\"assistant\",\"content\":\"{{\\\"reason\\\": \\\"Part \
         {i} of the scene is in plain sight near the left edge.\\\", \\\"answer\\\": \\\"{answer}\
         \\\"}}\"}},\"finish_reason\":\"stop\"}}],\"usage\":{{\"prompt_tokens\":900,\
         \"completion_tokens\":30,\"total_tokens\":930}}}}"
    );
    let attempt = Attempt {
        outcome: Outcome::Answered,
        settles: true,
        round: 0,
        error: None,
        raw: Some(Raw {
            dialect: "openai".into(),
            status: 200,
            content_type: Some("application/json".into()),
            body: Bytes::from(body),
        }),
        reply: Some(Reply::text(answer)),
        sending: Sending::default(),
        via: Via::Call,
        sent_at: now(),
        received_at: now(),
    };
    Record {
        key: request_key(request),
        job: "job".into(),
        step: 0,
        request: Arc::new(request.clone()),
        attempt,
    }
}
