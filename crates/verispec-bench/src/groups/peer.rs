//! SpecV's own runner, on the same files and against the same judge.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::judge::published_args;
use super::{Bench, judge, ms_each};
use crate::child::{Memory, Taken, run as run_child};
use crate::figure::Figure;
use crate::machine::load;
use crate::place::{Pool, Size, lay_out, models};
use crate::server::Server;
use crate::source::checkout;

pub(crate) const TEXT: &str = "`run_eval.py --num-processes 50` of the checkout beside `verispec \
    judge specv --preset published -j 50`, taking turns on the same outputs against a judge that \
    answers after 200 ms. Both send the same requests. Memory is that of `verispec`, and of the \
    runner's processes together (proportional share).";

/// Outputs per track: as many as take the runner about a minute.
const ITEMS: [(&str, usize); 6] = [
    ("t2i", 2000),
    ("edit", 1000),
    ("many2one", 600),
    ("interleave", 600),
    ("think_with_img", 600),
    ("understanding", 1000),
];

const LATENCY: u64 = 200;

/// Samples of one side.
#[derive(Default)]
struct Side {
    rate: Vec<f64>,
    cpu: Vec<f64>,
    peak: Vec<f64>,
}

impl Side {
    #[allow(clippy::cast_precision_loss, reason = "counts of items")]
    fn add(&mut self, taken: Taken, items: usize) {
        self.rate.push(items as f64 / taken.wall);
        self.cpu.extend(ms_each(taken.cpu, items));
        self.peak.extend(taken.peak_mb);
    }
}

pub(super) fn run(bench: &mut Bench<'_>) -> anyhow::Result<()> {
    if checkout().is_none() {
        bench.note(
            "peer: SPECV_CHECKOUT names no checkout with SpecV's code, so its runner is left out",
        );
        return Ok(());
    }
    if !bench.tools.python_has("requests, PIL") {
        bench.note(
            "peer: no Python with requests and Pillow, so SpecV's runner is left out; name one in \
             VERISPEC_BENCH_PYTHON",
        );
        return Ok(());
    }
    let pool = Pool::open(&bench.tools.work.dir, Size::Photo)?;
    for track in bench.tracks() {
        let counted = ITEMS.iter().find(|(t, _)| *t == track);
        let items = counted.map_or(0, |(_, n)| *n).min(bench.cli.items);
        let dir = bench.tools.fresh("peer")?;
        lay_out(&dir, &bench.source, &[track], items, &pool)?;
        let load = load();
        let (mut own, mut peer) = (Side::default(), Side::default());
        for _ in 0..bench.cli.rounds {
            own.add(ours(bench, track, &dir, items)?, items);
            peer.add(theirs(bench, track, &dir, items)?, items);
        }
        let row = format!("{track}, {items} items");
        let pairs = [
            ("whole command", "items/s", &own.rate, &peer.rate),
            ("processor", "ms/item", &own.cpu, &peer.cpu),
            ("peak memory", "MB", &own.peak, &peer.peak),
        ];
        for (measure, unit, own, peer) in pairs {
            if !own.is_empty() {
                bench.add(Figure::new(&row, measure, unit, own, load).beside("SpecV", peer));
            }
        }
    }
    bench.tools.fresh("peer")?;
    Ok(())
}

fn ours(bench: &Bench<'_>, track: &str, dir: &Path, items: usize) -> anyhow::Result<Taken> {
    let server = Server::start(&bench.tools.fake_judge, LATENCY)?;
    let proxy = server.proxy();
    let args = published_args(&proxy, track, "50");
    let runs = bench.tools.fresh("runs")?;
    let (taken, judged) = judge(bench.tools, dir, &runs, &args)?;
    anyhow::ensure!(judged.calls == items as u64, "{} calls", judged.calls);
    Ok(taken)
}

fn theirs(bench: &Bench<'_>, track: &str, dir: &Path, items: usize) -> anyhow::Result<Taken> {
    let server = Server::start(&bench.tools.fake_judge, LATENCY)?;
    let folder = dir.join("eval").join(track);
    let results = folder.join("results");
    if results.exists() {
        fs::remove_dir_all(&results)?;
    }
    let logs = bench.tools.fresh("peer-logs")?;
    let mut runner = Command::new(&bench.tools.python);
    runner
        .arg(folder.join("run_eval.py"))
        .arg("--model-name")
        .args(models(&bench.source, track, items))
        .args(["--num-processes", "50"])
        .current_dir(&folder)
        .env("DASHSCOPE_API_KEY", "none")
        .env("JUDGE_API_URL", server.proxy())
        .env("JUDGE_MODEL", "fake")
        .env("no_proxy", "*");
    let (taken, _) = run_child(&mut runner, &logs, Memory::Tree)?;
    let written = count_json(&results)?;
    anyhow::ensure!(
        written == items,
        "the runner wrote {written} of {items} results"
    );
    Ok(taken)
}

fn count_json(dir: &Path) -> anyhow::Result<usize> {
    let mut count = 0;
    for path in crate::source::sorted(dir)? {
        if path.is_dir() {
            count += count_json(&path)?;
        } else {
            count += usize::from(path.extension().is_some_and(|e| e == "json"));
        }
    }
    Ok(count)
}
