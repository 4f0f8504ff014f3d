//! Ten and a hundred times as much.

use super::{Bench, judge, ms_each};
use crate::figure::{Bound, Figure};
use crate::machine::load;
use crate::place::{Pool, Size, lay_out};
use crate::server::Server;
use crate::source::TRACKS;

pub(crate) const TEXT: &str = "All six tracks with 1, 10 and 100 models, one call an output, a \
    judge that answers at once, images of 8x8 that all differ: what the program itself costs as \
    a run grows. Beside each step is the first one; growth is linear where the ratio of the time \
    per item stays at 1.";

pub(super) fn run(bench: &mut Bench<'_>) -> anyhow::Result<()> {
    let pool = Pool::open(&bench.tools.work.dir, Size::Tiny)?;
    let mut first: Option<(Vec<f64>, Vec<f64>, Vec<f64>)> = None;
    for items in [bench.cli.most / 100, bench.cli.most / 10, bench.cli.most] {
        let dir = bench.tools.fresh("growth")?;
        for track in TRACKS {
            lay_out(&dir, &bench.source, &[track], items / TRACKS.len(), &pool)?;
        }
        std::thread::sleep(std::time::Duration::from_secs(3));
        let load = load();
        let (mut wall, mut cpu, mut peak) = (vec![], vec![], vec![]);
        for _ in 0..bench.cli.rounds {
            let server = Server::start(&bench.tools.fake_judge, 0)?;
            let endpoint = server.openai();
            let args = [
                "--judge",
                "openai:fake",
                "--endpoint",
                &endpoint,
                "-j",
                "50",
            ];
            let runs = bench.tools.fresh("runs")?;
            let (taken, judged) = judge(bench.tools, &dir, &runs, &args)?;
            let calls = usize::try_from(judged.calls)?;
            wall.extend(ms_each(Some(taken.wall), calls));
            cpu.extend(ms_each(taken.cpu, calls));
            peak.extend(taken.peak_mb);
        }
        tell(bench, items, (&wall, &cpu, &peak), first.as_ref(), load);
        first.get_or_insert((wall, cpu, peak));
    }
    bench.tools.fresh("growth")?;
    Ok(())
}

type Samples<'a> = (&'a [f64], &'a [f64], &'a [f64]);

fn tell(
    bench: &mut Bench<'_>,
    items: usize,
    (wall, cpu, peak): Samples<'_>,
    first: Option<&(Vec<f64>, Vec<f64>, Vec<f64>)>,
    load: f64,
) {
    let row = format!("{items} items");
    let mut add = |measure: &str, unit: &str, values: &[f64], base: Option<&[f64]>, most: f64| {
        if values.is_empty() {
            return;
        }
        let mut figure = Figure::new(&row, measure, unit, values, load);
        if let Some(base) = base {
            figure = figure.beside("first", base).bound(Bound::RatioAtMost(most));
        }
        bench.add(figure);
    };
    // 1.2 allows for noise only.
    add("time", "ms/item", wall, first.map(|f| f.0.as_slice()), 1.2);
    add(
        "processor",
        "ms/item",
        cpu,
        first.map(|f| f.1.as_slice()),
        1.2,
    );
    if !peak.is_empty() {
        let figure = Figure::new(&row, "peak memory", "MB", peak, load);
        bench.add(figure.bound(Bound::AtMost(150.0)));
    }
}
