//! A canary before a run spends money: outputs of an earlier run are put to the judge anew, and the
//! verdicts compared.
//!
//! What is asked stands in `canary/` inside the run's folder, so that it is asked once however
//! often the run is resumed, and replies of other runs are never taken for new ones.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use verispec_engine::execute::{Executed, execute, map_steps};
use verispec_engine::ledger::{LEDGER_FILE, LedgerReplies, Reuse, RunLock};
use verispec_model::{Hash, Job, JudgeIdentity, Manifest, RunSource, SpecResult};
use verispec_studies::compare::Options;
use verispec_studies::drift::{SelfNoise, disagreement, self_noise};
use verispec_suites::specv::{Plan, SpecvJob};

use super::judge::setup;
use crate::account::{Account, CANARY};
use crate::args::{CallArgs, JudgeArgs};
use crate::calls::block_on;
use crate::exit::{Exit, stopped, usage};
use crate::judge::Judge;
use crate::output;
use crate::progress::Bar;
use crate::run::{Run, hash_cache};
use crate::target::Target;

/// Outputs of the canary set unless something is said.
const OUTPUTS: u32 = 30;

/// The canary set: jobs that the earlier run has verdicts of, and these.
pub(super) struct Canary {
    /// The earlier run.
    name: String,
    jobs: Vec<SpecvJob>,
    before: Vec<Vec<SpecResult>>,
    noise: Option<SelfNoise>,
    /// Share of verdicts that may differ.
    tolerance: f64,
}

/// The canary that is wanted, if one is; what is wrong with it shows before anything is written.
pub(super) fn wanted(
    runs: &Path,
    args: &JudgeArgs,
    judge: &Judge,
) -> anyhow::Result<Option<Canary>> {
    let Some(name) = &args.canary.canary else {
        return Ok(None);
    };
    let run = Run::open(runs, name)?;
    same_judge(&run.manifest, judge)?;
    let outputs = args.canary.canary_n.unwrap_or(OUTPUTS) as usize;
    let (jobs, before, noise) = choose(run, judge, outputs)?;
    let tolerance = args.canary.canary_tolerance;
    let tolerance = tolerance.or_else(|| noise.as_ref()?.rate.value);
    let tolerance = tolerance.ok_or_else(|| {
        usage(format!(
            "--canary: run {name:?} has no repeats, so the judge's own noise is not known: say \
             which share of verdicts may differ with --canary-tolerance, or make the canary's run \
             with --repeats 2"
        ))
    })?;
    Ok(Some(Canary {
        name: name.clone(),
        jobs,
        before,
        noise,
        tolerance,
    }))
}

impl Canary {
    /// Asks the set and compares. An error ends the run before its first own call.
    pub(super) fn first(
        &self,
        runs: &Path,
        args: &JudgeArgs,
        judge: &Judge,
        account: &Account,
        dir: &Path,
    ) -> anyhow::Result<()> {
        let folder = dir.join(CANARY);
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        let executed = ask(runs, args, judge, account, (dir, &folder), &self.jobs)?;
        let found = compare(&self.before, &executed.readings).ok_or_else(|| {
            stopped(
                Exit::Incomplete,
                "canary: the judge gave no verdict to compare; nothing else was asked",
            )
        })?;
        tell(self, &found, args.canary.canary_stop)
    }
}

/// Drift is of one judge; a revision is how a user tells apart what is otherwise the same.
fn same_judge(manifest: &Manifest, judge: &Judge) -> anyhow::Result<()> {
    let plain = |identity: &JudgeIdentity| JudgeIdentity {
        revision: None,
        ..identity.clone()
    };
    let why = match &manifest.judge {
        _ if judge.panel.is_some() => "a panel of judges has no canary".to_owned(),
        Some(was) if manifest.source == RunSource::Judge => {
            if plain(was) == plain(&judge.identity) {
                return Ok(());
            }
            format!(
                "run {:?} was judged by {}, this one is by {}: a difference would be one of judges",
                manifest.run,
                verispec_report::judge_line(was),
                verispec_report::judge_line(&judge.identity)
            )
        }
        _ => format!("run {:?} was not judged by one judge here", manifest.run),
    };
    Err(usage(format!("--canary: {why}")))
}

/// Jobs, what the earlier run reads of them, and its noise.
type Chosen = (Vec<SpecvJob>, Vec<Vec<SpecResult>>, Option<SelfNoise>);

/// Outputs in an order that depends on their names alone, so that the set is the same each time.
fn choose(run: Run, judge: &Judge, wanted: usize) -> anyhow::Result<Chosen> {
    let was = run
        .manifest
        .judge
        .clone()
        .context("a judged run has a judge")?;
    let dir = run.dir.clone();
    let hashes = hash_cache(&dir, false);
    let mut target = Target::from_manifest(&run.manifest)?;
    target.repeats = 1;
    let plan = |identity: &JudgeIdentity| target.plan(Arc::new(identity.clone()), &hashes);
    let (stored, new): (Plan, Plan) = (plan(&was)?, plan(&judge.identity)?);
    let replies = LedgerReplies::load(&dir.join(LEDGER_FILE))?;
    let readings = map_steps(&stored.jobs, &replies, |_, step| step.readings);
    let mut places: Vec<usize> = (0..readings.len())
        .filter(|i| readings[*i].iter().any(|s| s.verdict().is_some()))
        .collect();
    if places.is_empty() {
        return Err(usage(format!(
            "--canary: run {:?} has no verdict on a specification",
            run.manifest.run
        )));
    }
    places.sort_by_cached_key(|i| *Hash::of(stored.jobs[*i].id().as_bytes()).as_bytes());
    places.truncate(wanted);
    let noise = if run.manifest.repeats > 1 {
        self_noise(&run.read(None, false)?.results, Options::default())
    } else {
        None
    };
    let jobs = places.iter().map(|i| new.jobs[*i].clone()).collect();
    let before = places.iter().map(|i| readings[*i].clone()).collect();
    Ok((jobs, before, noise))
}

fn ask(
    runs: &Path,
    args: &JudgeArgs,
    judge: &Judge,
    account: &Account,
    (run, folder): (&Path, &Path),
    jobs: &[SpecvJob],
) -> anyhow::Result<Executed<Vec<SpecResult>>> {
    let lock = RunLock::acquire(folder)?;
    let bar = Bar::new();
    let identity = Arc::new(judge.identity.clone());
    // `--retry` and `--only` are about the run itself.
    let plain = JudgeArgs {
        retry: vec![],
        only: None,
        calls: CallArgs {
            reuse: vec![],
            ..args.calls.clone()
        },
        ..args.clone()
    };
    let mut setup = setup(runs, &plain, judge, &identity, &lock, (None, &bar))?;
    setup.reuse = Reuse::none();
    setup.budget = account.budget(run, None)?;
    let stop = setup.stop.clone();
    let executed = block_on(stop, &bar, execute(jobs, &lock, setup))??;
    bar.finish();
    let exit = match &executed.summary.stopped {
        None if executed.summary.is_complete() => return Ok(executed),
        Some(reason) => Exit::of_stop(reason),
        None => Exit::Incomplete,
    };
    Err(stopped(
        exit,
        format!(
            "canary: {} requests are pending; nothing else was asked, the same command goes on",
            executed.summary.pending
        ),
    ))
}

/// Verdicts that differ, with their interval over outputs; `None` without a pair.
fn compare(before: &[Vec<SpecResult>], after: &[Vec<SpecResult>]) -> Option<SelfNoise> {
    let outputs = before.iter().zip(after);
    let parts: Vec<(usize, usize)> = outputs
        .map(|(was, is)| {
            let mut part = (0, 0);
            for spec in was {
                let twin = is.iter().find(|s| s.id() == spec.id());
                let pair = spec.verdict().zip(twin.and_then(SpecResult::verdict));
                if let Some((a, b)) = pair {
                    part.0 += usize::from(a != b);
                    part.1 += 1;
                }
            }
            part
        })
        .collect();
    disagreement(&parts, Options::default())
}

fn tell(canary: &Canary, found: &SelfNoise, stop: bool) -> anyhow::Result<()> {
    let (name, tolerance) = (&canary.name, canary.tolerance);
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let rate = found.rate.value.unwrap_or_default();
    let interval = found.rate.interval;
    let shown = interval.map_or_else(String::new, |i| {
        format!(" [{:.1}, {:.1}]", 100.0 * i.low, 100.0 * i.high)
    });
    let beside = match &canary.noise {
        Some(noise) if noise.rate.value == Some(tolerance) => {
            format!("its own noise is {}", percent(tolerance))
        }
        _ => format!("{} is tolerated", percent(tolerance)),
    };
    let line = format!(
        "canary: {} of {} verdicts on {} outputs of {name} differ now: {}{shown}; {beside}",
        (rate * found.pairs as f64).round(),
        found.pairs,
        canary.jobs.len(),
        percent(rate),
    );
    // The lower end: few verdicts that differ by chance are no alarm.
    let drifted = interval.map_or(rate, |i| i.low) > tolerance;
    if !drifted {
        output::note(&line);
        return Ok(());
    }
    let what = "the judge is not what it was: old and new verdicts do not compare";
    if stop {
        return Err(stopped(
            Exit::Gate,
            format!(
                "{line}: {what}; nothing else was asked, without --canary-stop the run goes on"
            ),
        ));
    }
    output::note(&format!("warning: {line}: {what}"));
    Ok(())
}
