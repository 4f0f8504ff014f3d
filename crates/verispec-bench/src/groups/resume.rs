//! Planning and resuming over many replies.

use super::{Bench, judge, ms_each};
use crate::child::{Memory, run as run_child};
use crate::figure::{Bound, Figure};
use crate::machine::load;
use crate::place::{Pool, Size, lay_out};
use crate::server::Server;
use crate::source::TRACKS;

pub(crate) const TEXT: &str = "All six tracks, one call a specification (`--protocol \
    independent`), until the ledger holds that many replies; images are 8x8, so that calls alone \
    count. *making* is that run. *resume* is the same command again: load the suite, find \
    outputs, plan every request with its key, look each up, read all replies, sum up. *plan* is \
    `verispec check` of a run that would be made beside that one: it plans as much, reads the \
    same ledger and finds that nothing would have to be asked. Hashes of files are cached. Whole \
    commands, from start to exit.";

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub(super) fn run(bench: &mut Bench<'_>) -> anyhow::Result<()> {
    let pool = Pool::open(&bench.tools.work.dir, Size::Tiny)?;
    let dir = bench.tools.fresh("resume")?;
    let (instances, specifications) = size(bench);
    let models = bench.cli.replies.div_ceil(specifications);
    for track in TRACKS {
        let items = models * bench.source.instances(track).len();
        lay_out(&dir, &bench.source, &[track], items, &pool)?;
    }
    std::thread::sleep(std::time::Duration::from_secs(3));
    let server = Server::start(&bench.tools.fake_judge, 0)?;
    let endpoint = server.openai();
    let args = [
        "--judge",
        "openai:fake",
        "--endpoint",
        &endpoint,
        "--protocol",
        "independent",
        "-j",
        "50",
    ];
    let runs = bench.tools.fresh("runs")?;
    let load_making = load();
    let (made, first) = judge(bench.tools, &dir, &runs, &args)?;
    drop(server);
    let calls = usize::try_from(first.calls)?;
    let row = format!("{calls} replies, {} outputs", models * instances);
    let new = |measure: &str, unit: &str, values: &[f64], load: f64| {
        Figure::new(&row, measure, unit, values, load)
    };
    bench.add(new(
        "making",
        "calls/s",
        &[calls as f64 / made.wall],
        load_making,
    ));
    if let Some(ms) = ms_each(made.cpu, calls) {
        bench.add(new("processor while making", "ms/call", &[ms], load_making));
    }
    let load = load();
    let (mut resume, mut cpu, mut peak, mut plan) = (vec![], vec![], vec![], vec![]);
    for _ in 0..bench.cli.rounds {
        let (taken, again) = judge(bench.tools, &dir, &runs, &args)?;
        anyhow::ensure!(again.calls == 0, "{} calls", again.calls);
        resume.push(taken.wall);
        cpu.extend(taken.cpu);
        peak.extend(taken.peak_mb);
        let mut check = bench.tools.verispec(&dir);
        check
            .args(["check", "specv", "--data", ".", "--runs"])
            .arg(&runs);
        let (taken, _) = run_child(check.args(&args[..6]), &runs, Memory::Own)?;
        plan.push(taken.wall);
    }
    bench.add(new("resume", "s", &resume, load).bound(Bound::AtMost(2.0)));
    bench.add(new("plan", "s", &plan, load).bound(Bound::AtMost(2.0)));
    if !cpu.is_empty() {
        bench.add(new("processor, resume", "s", &cpu, load));
        bench.add(new("peak memory, resume", "MB", &peak, load));
    }
    bench.tools.fresh("resume")?;
    bench.tools.fresh("runs")?;
    Ok(())
}

/// Instances and specifications of one model over all tracks.
fn size(bench: &Bench<'_>) -> (usize, usize) {
    let all = TRACKS.iter().flat_map(|t| bench.source.instances(t));
    all.fold((0, 0), |(n, k), i| (n + 1, k + i.specifications))
}
