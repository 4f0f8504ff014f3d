//! A finished run again: nothing is asked, everything is planned and read.

use super::{Bench, judge};
use crate::figure::{Bound, Figure};
use crate::machine::load;
use crate::place::{Pool, Size, lay_out};
use crate::server::Server;

pub(crate) const TEXT: &str = "The same command once more after 1,000 t2i outputs were judged: \
    all answers are in the ledger, no call is made. The whole command, from start to exit.";

const ITEMS: usize = 1000;

pub(super) fn run(bench: &mut Bench<'_>) -> anyhow::Result<()> {
    let pool = Pool::open(&bench.tools.work.dir, Size::Photo)?;
    let dir = bench.tools.fresh("cache")?;
    lay_out(&dir, &bench.source, &["t2i"], ITEMS, &pool)?;
    // The hash of a file that was written just now is not kept, since it may change again.
    std::thread::sleep(std::time::Duration::from_secs(3));
    let server = Server::start(&bench.tools.fake_judge, 0)?;
    let endpoint = server.openai();
    let args = [
        "--judge",
        "openai:fake",
        "--endpoint",
        &endpoint,
        "--tracks",
        "t2i",
        "-j",
        "50",
    ];
    let runs = bench.tools.fresh("runs")?;
    let (_, first) = judge(bench.tools, &dir, &runs, &args)?;
    anyhow::ensure!(first.calls == ITEMS as u64, "{} calls", first.calls);
    let load = load();
    let mut seconds = vec![];
    for _ in 0..bench.cli.rounds {
        let (taken, again) = judge(bench.tools, &dir, &runs, &args)?;
        anyhow::ensure!(again.calls == 0, "{} calls", again.calls);
        seconds.push(taken.wall);
    }
    bench.add(
        Figure::new("1,000 cached items", "whole command", "s", &seconds, load)
            .bound(Bound::AtMost(1.0)),
    );
    bench.tools.fresh("cache")?;
    Ok(())
}
