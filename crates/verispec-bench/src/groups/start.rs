//! Start-up.

use std::time::Instant;

use super::Bench;
use crate::figure::{Bound, Figure};
use crate::machine::load;

pub(crate) const TEXT: &str = "From starting the process to its end, for a command that only says \
    its version. Beside it `true` of the system: what any process costs.";

const TIMES: usize = 31;

pub(super) fn run(bench: &mut Bench<'_>) -> anyhow::Result<()> {
    let load = load();
    let (mut own, mut nothing) = (vec![], vec![]);
    for _ in 0..TIMES {
        own.push(timed(
            bench.tools.verispec(&bench.tools.work.dir).arg("--version"),
        )?);
        nothing.push(timed(&mut std::process::Command::new("true"))?);
    }
    bench.add(
        Figure::new("verispec --version", "time", "ms", &own, load)
            .beside("true", &nothing)
            .bound(Bound::AtMost(30.0)),
    );
    Ok(())
}

fn timed(command: &mut std::process::Command) -> anyhow::Result<f64> {
    let begin = Instant::now();
    let output = command.output()?;
    let ms = begin.elapsed().as_secs_f64() * 1000.0;
    anyhow::ensure!(output.status.success(), "{command:?} failed");
    Ok(ms)
}
