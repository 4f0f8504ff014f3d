//! `--dry-run`: what would be asked and cost.

use std::path::Path;
use std::sync::Arc;

use verispec_generate::{AnyBlobs, Blobs, Generation, Task};
use verispec_model::Job as _;
use verispec_report::CheckMoney;

use super::super::check_price::{costliest, course, money};
use super::jobs;
use crate::args::{Cli, GenerateArgs};
use crate::exit::Exit;
use crate::known::{Known, Ledgers};
use crate::money::{Estimator, Size, prices};
use crate::output;
use crate::system::Target;

/// Says what is left to ask, and makes no call and no folder.
pub(super) fn tell(
    cli: &Cli,
    args: &GenerateArgs,
    target: &Target,
    (described, own): (&Generation, &Path),
    tasks: Vec<Task>,
) -> anyhow::Result<Exit> {
    // What a chain's first stage makes is not there yet: any file will do.
    let blobs: Arc<dyn Blobs> = Arc::new(AnyBlobs);
    let jobs = jobs(described, tasks, &blobs);
    super::check_params(&jobs)?;
    let estimator = Estimator::new(None);
    let mut known = Known::new(Ledgers::open(&cli.runs)?, own, &jobs)?;
    let (mut first, mut most) = (Size::default(), Size::default());
    for job in &jobs {
        let open = known.first_calls(job)?;
        if open.is_empty() {
            continue;
        }
        first += course(&estimator, &open);
        // Stages that were answered are not asked again.
        let answered = job.task.stages.len() - stages_left(job, &known);
        let all = costliest(&estimator, job);
        most += course(&estimator, &all[answered.min(all.len())..]);
    }
    let table = prices(args.prices.as_deref())?;
    let money = match target.models.as_slice() {
        [one] => Some(money(one, &table, (first, most))),
        _ => None,
    };
    print(
        cli,
        (jobs.len(), known.reused()),
        (first, most),
        money.as_ref(),
    );
    Ok(Exit::Ok)
}

fn stages_left(job: &verispec_generate::GenerateJob, known: &Known) -> usize {
    job.task.stages.len() - job.step(known).readings.stages.len()
}

fn print(
    cli: &Cli,
    (outputs, reused): (usize, usize),
    (first, most): (Size, Size),
    money: Option<&CheckMoney>,
) {
    if cli.json {
        output::json(&serde_json::json!({
            "format": verispec_report::json::FORMAT,
            "kind": "generation-price",
            "verispec": env!("CARGO_PKG_VERSION"),
            "outputs": outputs,
            "calls": first.calls,
            "calls_at_most": most.calls,
            "reused": reused,
            "bytes": first.bytes,
            "tokens": first.input,
            "money": money,
        }));
        return;
    }
    let mut lines = vec![
        format!("outputs  {outputs}"),
        format!(
            "calls    {} first, at most {}; {reused} answered already",
            first.calls, most.calls
        ),
        format!("tokens   about {} in the first calls", first.input),
    ];
    match money {
        None => lines.push("cost     not known for a mixed system".to_owned()),
        Some(m) => {
            lines.extend(m.why_none.iter().map(|why| format!("cost     {why}")));
            let rows = m.rows.iter();
            lines.extend(rows.map(|r| format!("cost     {} ${:.4}", r.name, r.plain)));
        }
    }
    output::result(&lines.join("\n"));
}
