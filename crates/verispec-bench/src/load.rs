//! A plain load tool: posts bodies that are ready in memory and reads the answers, so many at a
//! time. It says what this machine and this judge allow a client that does nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use bytes::Bytes;
use serde_json::json;

use crate::args::{Cli, LoadArgs};

/// Different bodies held ready; with more the tool's memory would disturb what it measures.
const BODIES: usize = 24;

/// Statements in a body, as many as a usual checklist has.
const STATEMENTS: usize = 15;

pub(crate) fn run(args: &LoadArgs) -> anyhow::Result<()> {
    use clap::Parser as _;
    let in_flight = Cli::parse().in_flight;
    let text = std::fs::read_to_string(&args.sizes)?;
    let sizes: Vec<usize> = serde_json::from_str(&text)?;
    let (count, bodies) = (sizes.len(), bodies(sizes));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let sent = runtime.block_on(post_all(&args.url, Arc::new(bodies), count, in_flight))?;
    println!("{sent}");
    Ok(())
}

async fn post_all(
    url: &str,
    bodies: Arc<Vec<Bytes>>,
    count: usize,
    in_flight: usize,
) -> anyhow::Result<usize> {
    let client = reqwest::Client::builder()
        .http1_only()
        .no_proxy()
        .tcp_nodelay(true)
        .build()?;
    let next = Arc::new(AtomicUsize::new(0));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..in_flight {
        let (client, url, bodies, next) =
            (client.clone(), url.to_owned(), bodies.clone(), next.clone());
        tasks.spawn(async move {
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= count {
                    return anyhow::Ok(());
                }
                let body = bodies[i % bodies.len()].clone();
                let request = client.post(&url).header("content-type", "application/json");
                let answer = request.body(body).send().await?.error_for_status()?;
                anyhow::ensure!(!answer.bytes().await?.is_empty(), "an empty answer");
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.context("a sender died")??;
    }
    Ok(count)
}

/// Bodies spread evenly over the sorted sizes, so that their mean is that of all.
fn bodies(mut sizes: Vec<usize>) -> Vec<Bytes> {
    sizes.sort_unstable();
    let n = sizes.len().min(BODIES);
    let at = |i: usize| sizes[(2 * i + 1) * sizes.len() / (2 * n)];
    (0..n).map(|i| body(at(i)).into()).collect()
}

/// A request of the proxy dialect, filled up with an image of no meaning to the wanted size.
fn body(size: usize) -> Vec<u8> {
    let items: Vec<_> = (1..=STATEMENTS)
        .map(|id| json!({"id": id, "question": format!("Is part {id} of the scene there?")}))
        .collect();
    let prompt = format!("Judge each statement.\n{}", serde_json::Value::Array(items));
    let with = |image: &str| {
        json!({
            "model": "fake", "stream": true,
            "contents": [{"role": "user", "parts": [
                {"inline_data": {"mime_type": "image/png", "data": image}}, {"text": prompt},
            ]}],
        })
        .to_string()
        .into_bytes()
    };
    // Whole groups of base64; a call without image gets the smallest one.
    let groups = size.saturating_sub(with("").len()) / 4;
    with(&"AAAA".repeat(groups.max(1)))
}
