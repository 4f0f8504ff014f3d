//! `verispec judge`

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use verispec_engine::execute::{ExecuteOptions, Setup, Summary, execute_keeping, map_steps};
use verispec_engine::ledger::{LEDGER_FILE, LedgerReplies, Outcome, RunLock, Spending};
use verispec_model::score::Counters;
use verispec_model::{
    Hash, JudgeIdentity, MANIFEST_FORMAT, Manifest, Reading, RunSource, SpecResult, Unjudged,
    file_name,
};
use verispec_report::{Context, RunSummary, render_run, render_warnings};
use verispec_suites::specv::Plan;

use crate::account::Account;
use crate::ahead::Ahead;
use crate::args::{Cli, JudgeArgs, Only, SuiteName};
use crate::calls::{CallOptions, block_on, observers, reasons, run_summary};
use crate::config::Config;
use crate::connect::check;
use crate::exit::{Exit, usage};
use crate::folder;
use crate::judge::{Judge, resolve};
use crate::output;
use crate::progress::Bar;
use crate::run::{MANIFEST_FILE, hash_cache, read_manifest, reopen, write_manifest};
use crate::selection::Selection;
use crate::target::Target;
use crate::trouble::LastTrouble;

pub(super) fn run(cli: &Cli, args: &JudgeArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let judge = resolve(&args.target, &config)?;
    let begun = Begun::again(&cli.runs, args)?;
    let target = Target::from_args(&args.target, &config)?;
    let mut target = target.for_panel(judge.panel.as_ref());
    target.filters.shard = args.shard;
    if args.target.preset.is_some() && args.target.suite == SuiteName::Realunify {
        output::note(
            "preset published: --protocol realunify-published, reader published; the release leaves \
             its judge open; score it with --preset published",
        );
    } else if args.target.preset.is_some() {
        output::note(&format!(
            "preset published: --protocol specv-published (as {}), temperature 0.1, reader \
             published, --reask off; score it with --preset published",
            target.shown_protocol()
        ));
    }
    let done = judge_target(&cli.runs, args, begun, target, &judge)?;
    if cli.json {
        let context = Context::of(std::slice::from_ref(&done.manifest));
        output::json(&verispec_report::json::run(&done.summary, &context));
    } else {
        output::table(&render_run(&done.summary, output::style()));
    }
    Ok(done.exit)
}

/// A finished judge run.
pub(super) struct Done {
    pub(super) manifest: Manifest,
    pub(super) summary: RunSummary,
    pub(super) exit: Exit,
}

/// A run that is gone on with: locked, and its ledger being read.
pub(super) struct Begun {
    lock: RunLock,
    replies: Ahead<LedgerReplies>,
    spending: Ahead<Spending>,
}

impl Begun {
    fn of(lock: RunLock) -> Self {
        Self {
            replies: Ahead::replies(lock.dir()),
            spending: Ahead::spending(lock.dir()),
            lock,
        }
    }

    /// The run that `--run` names, if it has begun: a large ledger is read while suite and outputs
    /// are.
    fn again(runs: &Path, args: &JudgeArgs) -> anyhow::Result<Option<Self>> {
        let Some(name) = args.run.clone() else {
            return Ok(None);
        };
        let name = file_name(&folder::of_shard(name, args.shard));
        let is_there = runs.join(&name).join(MANIFEST_FILE).is_file();
        let lock = is_there.then(|| folder::locked(runs, &name)).transpose()?;
        Ok(lock.map(Self::of))
    }
}

/// Judges a target and says how it went.
pub(super) fn judge_target(
    runs: &Path,
    args: &JudgeArgs,
    begun: Option<Begun>,
    target: Target,
    judge: &Judge,
) -> anyhow::Result<Done> {
    if judge.panel.is_some() && args.max_cost.is_some() {
        return Err(usage(
            "--max-cost limits one judge; a panel has no common price",
        ));
    }
    let account = Account::open(
        args.target.prices.as_deref(),
        args.max_cost,
        &judge.identity,
    )?;
    judge.each().into_iter().try_for_each(check)?;
    if let Some(line) = Selection::of(&target).summary() {
        output::note(&line);
    }
    let canary = super::canary::wanted(runs, args, judge)?;
    let (lock, ahead) = match begun {
        Some(begun) => (Some(begun.lock), Some((begun.replies, begun.spending))),
        None => (None, None),
    };
    let (lock, manifest) = open_run(runs, args, lock, &target, judge)?;
    let dir = lock.dir().to_owned();
    if let Some(canary) = canary {
        canary.first(runs, args, judge, &account, &dir)?;
    }
    let (ahead, spent) = ahead.unwrap_or_else(|| (Ahead::replies(&dir), Ahead::spending(&dir)));
    let hashes = hash_cache(&dir, args.target.rehash);
    let identity = Arc::new(judge.identity.clone());
    let mut plan = target.into_plan(identity.clone(), &hashes)?;
    reopen(&mut plan, &dir)?;
    hashes.save()?;
    drop(hashes);
    let bar = Bar::new();
    let mut setup = setup(runs, args, judge, &identity, &lock, (Some(&plan), &bar))?;
    let trouble = LastTrouble::default();
    let watching = trouble.clone();
    setup.observers = setup.observers.with(move |e| watching.observe(e));
    let spent = Some(spent.finish()?).filter(|_| judge.panel.is_none());
    setup.budget = account.budget(lock.dir(), spent)?;
    setup.settled = Some(ahead.finish()?);
    let stop = setup.stop.clone();
    let jobs = std::mem::take(&mut plan.jobs);
    let work = execute_keeping(jobs, &lock, setup, |readings| plan.keep(readings));
    let executed = block_on(stop, &bar, work)??;
    bar.finish();
    let counters = plan.counters(executed.readings);
    let exit = exit(&executed.summary, &counters, args.min_coverage);
    if !plan.warnings().is_empty() {
        let style = verispec_report::Style::plain();
        output::note(&render_warnings(plan.warnings(), false, style));
    }
    if let Some(line) = trouble.tell(&executed.summary, judge) {
        output::note(&line);
    }
    if exit == Exit::Incomplete {
        let why = incomplete(&executed.summary, &counters, args.min_coverage);
        output::note(&format!("exit 3: {why}"));
    }
    let mut summary = summary(
        &dir,
        &manifest,
        &executed.summary,
        counters,
        (exit, bar.retries()),
    );
    if judge.panel.is_none() {
        summary.cost = account.cost(lock.dir(), &executed.summary, spent)?;
    }
    output::leave((plan, executed.replies));
    Ok(Done {
        manifest,
        summary,
        exit,
    })
}

/// The run, locked, with its description: a new one, or one with the same description to resume.
/// `lock` is that of the run that `--run` names, where it was taken already.
pub(super) fn open_run(
    runs: &Path,
    args: &JudgeArgs,
    lock: Option<RunLock>,
    target: &Target,
    judge: &Judge,
) -> anyhow::Result<(RunLock, Manifest)> {
    let mut manifest = describe(target, judge);
    let name = args.run.clone().unwrap_or_else(|| default_name(&manifest));
    manifest.run = file_name(&folder::of_shard(name, args.shard));
    let lock = match lock {
        Some(lock) => lock,
        None => folder::locked(runs, &manifest.run)?,
    };
    let dir = lock.dir();
    if !dir.join(MANIFEST_FILE).is_file() {
        write_manifest(dir, &manifest)?;
        return Ok((lock, manifest));
    }
    let was = read_manifest(dir)?;
    if !same_run(&was, &manifest) {
        return Err(usage(format!(
            "run {:?} exists and judges something else ({}); choose another --run name",
            manifest.run,
            difference(&was, &manifest)
        )));
    }
    Ok((lock, was))
}

fn describe(target: &Target, judge: &Judge) -> Manifest {
    let published = [
        verispec_suites::specv::published::PROTOCOL,
        verispec_suites::realunify::published::PROTOCOL,
    ]
    .contains(&target.protocol.as_str());
    Manifest {
        format: MANIFEST_FORMAT,
        verispec: env!("CARGO_PKG_VERSION").into(),
        run: String::new(),
        created: crate::clock::now_rfc3339(),
        source: RunSource::Judge,
        suite: target.loaded.suite.name.clone(),
        data: Some(target.loaded.data.clone()),
        suite_revision: Some(target.loaded.suite.revision.clone()),
        models: target.models.clone(),
        protocol: Some(target.shown_protocol()),
        judge: Some(judge.identity.clone()).filter(|_| judge.panel.is_none()),
        reader: if published { "published" } else { "default" }.into(),
        encoder: Some(verispec_media::ENCODER.into()),
        filters: target.filters.clone(),
        reask: target.reask.clone(),
        repeats: target.repeats,
        repeat_reduce: verispec_model::RepeatReduce::Mean,
        panel: judge.panel.clone(),
    }
}

/// A name that the same command makes again: suite, judge, protocol and a hash of all the rest.
fn default_name(manifest: &Manifest) -> String {
    let mut neutral = Manifest {
        created: String::new(),
        verispec: String::new(),
        ..manifest.clone()
    };
    without_rule(&mut neutral);
    // The shards of a run have one name.
    neutral.filters.shard = None;
    let one = if manifest.panel.is_some() {
        "panel"
    } else {
        ""
    };
    let judge = manifest.judge.as_ref().map_or(one, |j| j.model.as_str());
    let protocol = manifest
        .protocol
        .as_deref()
        .and_then(|p| p.split('@').next())
        .unwrap_or("");
    let start = format!("{}-{judge}-{protocol}", manifest.suite);
    folder::name_of(&start, &neutral)
}

/// Whether two descriptions are of the same run, whenever and by whichever version it was made.
fn same_run(was: &Manifest, is: &Manifest) -> bool {
    let neutral = |m: &Manifest| {
        let mut neutral = Manifest {
            created: String::new(),
            verispec: String::new(),
            encoder: None,
            ..m.clone()
        };
        without_rule(&mut neutral);
        neutral
    };
    neutral(was) == neutral(is)
}

/// How opinions are reduced is no part of what was asked.
fn without_rule(manifest: &mut Manifest) {
    if let Some(panel) = &mut manifest.panel {
        panel.reduce = verispec_model::Reduce::Mean;
        panel.min_valid = None;
    }
}

/// The parts in which two judges differ.
fn judge_parts(was: Option<&JudgeIdentity>, is: Option<&JudgeIdentity>) -> String {
    let (Some(was), Some(is)) = (was, is) else {
        return "another judge".to_owned();
    };
    let text = |value: &dyn std::fmt::Debug| format!("{value:?}");
    let parts = [
        ("provider", was.provider.clone(), is.provider.clone()),
        ("model", was.model.clone(), is.model.clone()),
        ("structured", text(&was.structured), text(&is.structured)),
        ("revision", text(&was.revision), text(&is.revision)),
    ];
    let plain = parts.into_iter().filter(|(_, was, is)| was != is);
    let plain = plain.map(|(name, was, is)| format!("{name} {was}, now {is}"));
    let names: BTreeSet<&String> = was.params.keys().chain(is.params.keys()).collect();
    let shown = |params: &verispec_model::Params, name: &str| {
        let value = params.get(name);
        value.map_or_else(|| "not set".to_owned(), ToString::to_string)
    };
    let params = names.into_iter().filter_map(|name| {
        let (was, is) = (shown(&was.params, name), shown(&is.params, name));
        (was != is).then(|| format!("{name} {was}, now {is}"))
    });
    format!(
        "another judge: {}",
        plain.chain(params).collect::<Vec<String>>().join("; ")
    )
}

fn difference(was: &Manifest, is: &Manifest) -> String {
    let what = match () {
        () if was.panel != is.panel => "another panel of judges",
        () if was.repeats != is.repeats => "another number of repeats",
        () if was.judge != is.judge => {
            return judge_parts(was.judge.as_ref(), is.judge.as_ref());
        }
        () if was.protocol != is.protocol => "another protocol",
        () if was.suite_revision != is.suite_revision => "other specifications",
        () if was.models != is.models => "other models or outputs",
        () if was.filters != is.filters => "other filters",
        () => "other settings",
    };
    what.to_owned()
}

/// Folder of the run that these arguments make or resume without `--run`.
pub(super) fn default_folder(runs: &Path, target: &Target, judge: &Judge) -> PathBuf {
    runs.join(default_name(&describe(target, judge)))
}

/// What the calls of a run are made with; what is asked again though it is settled only where a
/// plan is given.
pub(super) fn setup(
    runs: &Path,
    args: &JudgeArgs,
    judge: &Judge,
    identity: &Arc<verispec_model::JudgeIdentity>,
    lock: &RunLock,
    (plan, bar): (Option<&Plan>, &Bar),
) -> anyhow::Result<Setup> {
    let calls = CallOptions {
        concurrency: args.concurrency,
        timeout: args.timeout,
        calls: &args.calls,
    };
    let mut lanes = vec![];
    for one in judge.each() {
        let identity = match &judge.panel {
            Some(_) => Arc::new(one.identity.clone()),
            None => identity.clone(),
        };
        lanes.push(calls.lane(one, identity)?);
    }
    let mut setup = Setup::new(lanes);
    setup.reuse = args.calls.reuse(runs, lock.dir())?;
    let base = plan.map(|plan| again(args, lock.dir(), plan)).transpose()?;
    setup.options = calls.execute(base.unwrap_or_default())?;
    setup.observers = observers(lock.dir(), bar)?;
    Ok(setup)
}

/// Reasons that `--retry` knows.
const RETRIED: [Unjudged; 8] = [
    Unjudged::Refused,
    Unjudged::Truncated,
    Unjudged::Unparsed,
    Unjudged::Conflict,
    Unjudged::MissingId,
    Unjudged::Abstained,
    Unjudged::Timeout,
    Unjudged::ProviderError,
];

/// What is asked again though it is settled.
pub(super) fn again(args: &JudgeArgs, dir: &Path, plan: &Plan) -> anyhow::Result<ExecuteOptions> {
    let mut options = ExecuteOptions::default();
    let reasons = reasons(&args.retry, &RETRIED)?;
    if reasons.is_empty() && args.only.is_none() {
        return Ok(options);
    }
    let replies = LedgerReplies::load(&dir.join(LEDGER_FILE))?;
    let wanted = |result: &SpecResult| match &result.reading {
        Some(Reading::Unjudged(why)) => args.only == Some(Only::Unjudged) || reasons.contains(why),
        _ => false,
    };
    let keys = map_steps(&plan.jobs, &replies, |_, step| {
        step.readings
            .iter()
            .filter(|r| wanted(r))
            .filter_map(|r| r.provenance.request)
            .collect::<Vec<Hash>>()
    });
    options.ask_again_keys = keys.into_iter().flatten().collect::<HashSet<Hash>>();
    options.ask_again = reasons
        .iter()
        .flat_map(|r| Outcome::meant_by(*r))
        .copied()
        .collect::<BTreeSet<Outcome>>();
    Ok(options)
}

fn exit(summary: &Summary, counters: &Counters, min_coverage: Option<f64>) -> Exit {
    let covered = counters.coverage().unwrap_or(1.0) >= min_coverage.unwrap_or(0.0);
    match &summary.stopped {
        Some(reason) => Exit::of_stop(reason),
        None if !summary.is_complete() || counters.pending > 0 || !covered => Exit::Incomplete,
        None if nothing_judged(counters) => Exit::Incomplete,
        None => Exit::Ok,
    }
}

const fn nothing_judged(counters: &Counters) -> bool {
    counters.expected > 0 && counters.judged == 0
}

/// What makes a result incomplete, in words.
fn incomplete(summary: &Summary, counters: &Counters, min_coverage: Option<f64>) -> String {
    let coverage = counters.coverage().unwrap_or(1.0);
    match (&summary.stopped, min_coverage) {
        (Some(_), _) => "the run was stopped".to_owned(),
        _ if !summary.is_complete() || counters.pending > 0 => {
            format!("{} requests are pending", summary.pending)
        }
        (_, Some(least)) if coverage < least => {
            format!("coverage {coverage:.3} is under --min-coverage {least}")
        }
        _ => format!("none of {} specifications has a verdict", counters.expected),
    }
}

fn summary(
    dir: &Path,
    manifest: &Manifest,
    s: &Summary,
    counters: Counters,
    (exit, retries): (Exit, u64),
) -> RunSummary {
    RunSummary {
        next: next(&manifest.run, &counters, s),
        counters,
        exit: exit as u8,
        ..run_summary(&manifest.run, dir, s, retries)
    }
}

fn next(run: &str, counters: &Counters, s: &Summary) -> Vec<String> {
    let mut next = vec![];
    if !s.is_complete() {
        next.push("the same command again resumes".to_owned());
    }
    let failed: Vec<&str> = counters
        .unjudged_by
        .keys()
        .map(String::as_str)
        .filter(|reason| *reason != "abstained")
        .collect();
    if !failed.is_empty() {
        next.push(format!(
            "the same command with --retry {}",
            failed.join(",")
        ));
    }
    next.push(format!("verispec score {run}"));
    next.push(format!("verispec report {run}"));
    next
}
