//! Six tracks beside a plain load tool.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Bench, judge, ms_each};
use crate::child::{Memory, Taken, run as run_child};
use crate::figure::{Bound, Figure, median};
use crate::machine::load;
use crate::place::{Pool, Size, images_per_output, lay_out};
use crate::server::Server;

pub(crate) const TEXT: &str = "`verispec judge specv --preset published`: every output is a file \
    of its own with a hash of its own (photo-like PNG of 1024x1024, 1.8 MB), so nothing can be \
    shared but the suite's input images; t2i and edit send files as they are, the four others \
    re-encode to JPEG as the release does. The judge answers after the given latency. *whole \
    command* is items over the time from start to exit, with reading and hashing all files; \
    *while calling* is from the first request to the last answer. Beside both stands a plain \
    load tool of the same HTTP library that posts bodies of the same sizes from memory and does \
    nothing else: what this machine and this judge allow. The judge runs on the same processors, \
    and *judge's own* is what it takes there.";

/// Samples of one track at one latency.
#[derive(Default)]
struct Samples {
    whole: Vec<f64>,
    calling: Vec<f64>,
    plain: Vec<f64>,
    cpu: Vec<f64>,
    plain_cpu: Vec<f64>,
    judge_cpu: Vec<f64>,
    peak: Vec<f64>,
    in_flight: Vec<f64>,
    body_mb: Vec<f64>,
}

pub(super) fn run(bench: &mut Bench<'_>) -> anyhow::Result<()> {
    let pool = Pool::open(&bench.tools.work.dir, Size::Photo)?;
    for track in bench.tracks() {
        let dir = bench.tools.fresh("judge")?;
        let items = bench.cli.items;
        lay_out(&dir, &bench.source, &[track], items, &pool)?;
        for latency in bench.cli.latency.clone() {
            let load = load();
            let mut samples = Samples::default();
            for _ in 0..bench.cli.rounds {
                once(bench, track, &dir, latency, &mut samples)?;
            }
            tell(bench, track, latency, &samples, load);
        }
        if track == "t2i" {
            same_image(bench, &dir)?;
        }
    }
    bench.tools.fresh("judge")?;
    Ok(())
}

#[allow(
    clippy::cast_precision_loss,
    reason = "counts and sizes far below 2^52"
)]
fn once(
    bench: &Bench<'_>,
    track: &str,
    dir: &Path,
    latency: u64,
    samples: &mut Samples,
) -> anyhow::Result<()> {
    let (tools, items) = (bench.tools, bench.cli.items);
    let in_flight = bench.cli.in_flight.to_string();
    let server = Server::start(&tools.fake_judge, latency)?;
    let proxy = server.proxy();
    let args = published_args(&proxy, track, &in_flight);
    let runs = tools.fresh("runs")?;
    let (taken, judged) = judge(tools, dir, &runs, &args)?;
    anyhow::ensure!(judged.calls == items as u64, "{} calls", judged.calls);
    let seen = server.seen()?;
    anyhow::ensure!(
        seen.counters.completed == items as u64,
        "{:?}",
        seen.counters
    );
    let last = seen.log.iter().map(|e| e.at_ms).max().unwrap_or(0);
    let first = seen.log.iter().map(|e| e.at_ms).min().unwrap_or(0);
    let calling = (last - first.saturating_sub(latency)) as f64 / 1000.0;
    let sizes: Vec<u64> = seen.log.iter().map(|e| e.body_len).collect();
    samples.whole.push(items as f64 / taken.wall);
    samples.calling.push(items as f64 / calling);
    samples.cpu.extend(ms_each(taken.cpu, items));
    samples.judge_cpu.extend(ms_each(server.cpu(), items));
    samples.peak.extend(taken.peak_mb);
    samples.in_flight.push(seen.counters.max_in_flight as f64);
    let sum = sizes.iter().sum::<u64>() as f64;
    samples.body_mb.push(sum / 1e6 / items as f64);
    drop(server);
    let plain = plain(bench, latency, &sizes)?;
    samples.plain.push(items as f64 / plain.wall);
    samples.plain_cpu.extend(ms_each(plain.cpu, items));
    Ok(())
}

/// Arguments of a run under the released protocol.
pub(super) fn published_args<'a>(
    proxy: &'a str,
    track: &'a str,
    in_flight: &'a str,
) -> [&'a str; 10] {
    [
        "--preset",
        "published",
        "--judge",
        "gemini-dashscope:fake",
        "--endpoint",
        proxy,
        "--tracks",
        track,
        "-j",
        in_flight,
    ]
}

/// The load tool with bodies of the same sizes.
fn plain(bench: &Bench<'_>, latency: u64, sizes: &[u64]) -> anyhow::Result<Taken> {
    let dir = bench.tools.fresh("load")?;
    let file: PathBuf = dir.join("sizes.json");
    std::fs::write(&file, serde_json::to_string(sizes)?)?;
    let server = Server::start(&bench.tools.fake_judge, latency)?;
    let mut command = Command::new(&bench.tools.own);
    command
        .args(["load", "--url", &server.proxy(), "--sizes"])
        .arg(&file)
        .args(["--in-flight", &bench.cli.in_flight.to_string()]);
    let (taken, _) = run_child(&mut command, &dir, Memory::Own)?;
    let seen = server.seen()?;
    anyhow::ensure!(
        seen.counters.completed == sizes.len() as u64,
        "{:?}",
        seen.counters
    );
    Ok(taken)
}

#[allow(clippy::cast_precision_loss, reason = "small whole numbers")]
fn tell(bench: &mut Bench<'_>, track: &str, latency: u64, samples: &Samples, load: f64) {
    let row = format!("{track}, {latency} ms");
    let new =
        |measure: &str, unit: &str, values: &[f64]| Figure::new(&row, measure, unit, values, load);
    let plain = |f: Figure| f.beside("plain", &samples.plain);
    let mut calling = plain(new("while calling", "items/s", &samples.calling));
    if track == "t2i" && latency == 200 {
        let ideal = bench.cli.in_flight as f64 * 1000.0 / latency as f64;
        let ceiling = median(&samples.plain).map_or(ideal, |p| p.min(ideal));
        let what = if ceiling < ideal { "plain" } else { "ideal" };
        calling = calling
            .beside(what, &[ceiling])
            .bound(Bound::RatioAtLeast(0.95));
    }
    bench.add(plain(new("whole command", "items/s", &samples.whole)));
    bench.add(calling);
    if !samples.cpu.is_empty() {
        let cpu = new("processor", "ms/item", &samples.cpu);
        bench.add(cpu.beside("plain", &samples.plain_cpu));
        bench.add(new("judge's own", "ms/item", &samples.judge_cpu));
    }
    if !samples.peak.is_empty() {
        bench.add(new("peak memory", "MB", &samples.peak).bound(Bound::AtMost(150.0)));
    }
    bench.add(new("body", "MB", &samples.body_mb));
    bench.add(new("most in flight", "", &samples.in_flight));
    if latency > 0 {
        let ideal = bench.cli.in_flight as f64 * 1000.0 / latency as f64;
        let share: Vec<f64> = samples.calling.iter().map(|r| r / ideal).collect();
        bench.add(new("share of the ideal", "", &share));
    }
    // Where each item brings images that are encoded: elsewhere all the rest would be divided by few.
    let encodes = matches!(track, "many2one" | "interleave" | "think_with_img");
    if encodes && latency == 0 && !samples.cpu.is_empty() {
        let items = bench.cli.items;
        let each = new_images(bench, track) as f64 / items as f64;
        let each: Vec<f64> = samples.cpu.iter().map(|c| c / each).collect();
        let figure = new("processor per image", "ms", &each);
        bench.add(figure.bound(Bound::AtMost(12.0)));
    }
}

/// Files that a run has to encode: its outputs' own and the suite's, each once.
fn new_images(bench: &Bench<'_>, track: &str) -> usize {
    let items = bench.cli.items;
    let instances = bench.source.instances(track);
    let inputs = instances.iter().take(items).flat_map(|i| &i.inputs);
    items * images_per_output(track) + inputs.collect::<std::collections::BTreeSet<_>>().len()
}

/// Outputs of which every specification is asked on its own: the image is there already.
const SHARED: usize = 60;

/// Many calls that share an image: own processor time of a call that brings no new one.
#[allow(
    clippy::cast_precision_loss,
    reason = "counts and sizes far below 2^52"
)]
fn same_image(bench: &mut Bench<'_>, dir: &Path) -> anyhow::Result<()> {
    let (mut cpu, mut body_mb) = (vec![], 0.0);
    let load = load();
    let ids: Vec<&str> = bench
        .source
        .instances("t2i")
        .iter()
        .map(|i| i.id.as_str())
        .collect();
    let ids = ids[..SHARED.min(ids.len()).min(bench.cli.items)].join(",");
    let in_flight = bench.cli.in_flight.to_string();
    for _ in 0..bench.cli.rounds {
        let server = Server::start(&bench.tools.fake_judge, 0)?;
        let endpoint = server.openai();
        let args = [
            "--judge",
            "openai:fake",
            "--endpoint",
            &endpoint,
            "--tracks",
            "t2i",
            "--models",
            "m000",
            "--ids",
            &ids,
            "--protocol",
            "independent",
            "-j",
            &in_flight,
        ];
        let runs = bench.tools.fresh("runs")?;
        let (taken, judged) = judge(bench.tools, dir, &runs, &args)?;
        let calls = usize::try_from(judged.calls)?;
        cpu.extend(ms_each(taken.cpu, calls));
        let sizes = server.seen()?.log.into_iter().map(|e| e.body_len);
        body_mb = sizes.sum::<u64>() as f64 / 1e6 / calls as f64;
    }
    if !cpu.is_empty() {
        let row = format!("t2i, one call a specification, bodies of {body_mb:.2} MB");
        let figure = Figure::new(&row, "processor", "ms/call", &cpu, load);
        let figure = figure.beside("1 ms + 0.6 ms/MB", &[1.0 + 0.6 * body_mb]);
        bench.add(figure.bound(Bound::RatioAtMost(1.0)));
    }
    Ok(())
}
