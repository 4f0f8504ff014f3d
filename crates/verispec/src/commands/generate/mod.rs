//! `verispec generate`

mod open;
mod price;
mod report;
mod tasks;

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use verispec_engine::execute::{ExecuteOptions, Lane, Setup, execute, map_steps};
use verispec_engine::ledger::{LEDGER_FILE, LedgerReplies, Outcome, RunLock, blob_path};
use verispec_engine::transport::{INCOMING_DIR, KeepFiles, ProcessTransport, Transport};
use verispec_generate::{
    BlobFolder, Blobs, FailureKind, GenerateJob, Generation, Made, SeedRule, State, Task, Tree,
};
use verispec_model::Hash;
use verispec_providers::command::COMMAND;

use crate::account::Account;
use crate::args::{Cli, GenerateArgs, SeedArg};
use crate::calls::{CallOptions, block_on, observers};
use crate::config::Config;
use crate::connect::{check, transport};
use crate::exit::{Exit, usage};
use crate::judge::Judge;
use crate::output;
use crate::progress::Bar;
use crate::run::hash_cache;
use crate::system::{Target, resolve};
use crate::trouble::LastTrouble;

/// Word for requests that a provider calls wrong, in `--retry`.
const ERROR: &str = "error";

pub(super) fn run(cli: &Cli, args: &GenerateArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let target = resolve(args, &config)?;
    let suite = tasks::load(args, &config)?;
    let described = describe(args, &target, &suite)?;
    let runs = &cli.runs;
    if args.dry_run {
        let folder = runs.join(open::name(args, &described));
        let tasks = suite.tasks(&described, &hash_cache(&folder, false))?;
        return price::tell(cli, args, &target, (&described, &folder), tasks);
    }
    retried(&args.retry)?;
    target.models.iter().try_for_each(check)?;
    let accounts = accounts(args, &target)?;
    let (lock, described) = open::open(runs, args, described)?;
    let hashes = hash_cache(lock.dir(), false);
    let tasks = suite.tasks(&described, &hashes)?;
    hashes.save()?;
    let folder: Arc<dyn Blobs> = Arc::new(BlobFolder::new(lock.dir(), blob_path));
    let jobs = jobs(&described, tasks, &folder);
    check_params(&jobs)?;
    let bar = Bar::new();
    let trouble = LastTrouble::default();
    let setup = setup(
        runs,
        args,
        &target,
        &lock,
        (&jobs, &bar, &trouble),
        &accounts,
    )?;
    let stop = setup.stop.clone();
    let executed = block_on(stop, &bar, execute(&jobs, &lock, setup))??;
    bar.finish();
    let tree = Tree::new(&args.out, &described.model, described.replicates, folder);
    write(&tree, &suite, &described, (&jobs, &executed.readings))?;
    if let Some(line) = trouble.tell(&executed.summary, &target.models[0]) {
        output::note(&line);
    }
    let account = accounts.first().filter(|_| accounts.len() == 1);
    let cost = account
        .map(|a| a.cost(lock.dir(), &executed.summary, None))
        .transpose()?;
    let (summary, exit) = report::summary(
        &lock,
        args,
        &described,
        &executed,
        (bar.retries(), cost.flatten()),
    );
    report::print(cli, &summary);
    Ok(exit)
}

fn describe(
    args: &GenerateArgs,
    target: &Target,
    suite: &tasks::Loaded,
) -> anyhow::Result<Generation> {
    let oracle = args.oracle.as_deref().map(oracle_dir).transpose()?;
    Ok(Generation {
        format: verispec_generate::GENERATION_FORMAT,
        verispec: env!("CARGO_PKG_VERSION").into(),
        run: String::new(),
        created: crate::clock::now_rfc3339(),
        suite: args.suite.kind(),
        data: suite.data.clone(),
        suite_revision: suite.revision(),
        model: target.name.clone(),
        system: target.system.clone(),
        filters: suite.filters(args)?,
        replicates: args.replicates,
        seed: match args.seed {
            None => SeedRule::Suite,
            Some(SeedArg::None) => SeedRule::Never,
            Some(SeedArg::Number(n)) => SeedRule::From(n),
        },
        wants: args
            .want
            .map_or(verispec_generate::Wants::Any, |w| w.wants()),
        oracle,
    })
}

fn oracle_dir(text: &str) -> anyhow::Result<PathBuf> {
    let dir = text.strip_prefix("intermediate=");
    let dir = dir.ok_or_else(|| usage("--oracle takes intermediate=DIR"))?;
    crate::target::absolute(Path::new(dir))
}

fn accounts(args: &GenerateArgs, target: &Target) -> anyhow::Result<Vec<Account>> {
    if target.system.is_mixed() && args.max_cost.is_some() {
        return Err(usage(
            "--max-cost limits one model; a mixed system has no common price",
        ));
    }
    let open =
        |model: &Judge| Account::open(args.prices.as_deref(), args.max_cost, &model.identity);
    target.models.iter().map(open).collect()
}

/// Every replicate of every task that belongs to the share.
pub(super) fn jobs(
    described: &Generation,
    tasks: Vec<Task>,
    blobs: &Arc<dyn Blobs>,
) -> Vec<GenerateJob> {
    let suite = described.suite.as_str();
    let (model, of) = (described.model.as_str(), described.replicates);
    let own = |task: &Task| {
        let place = &task.place;
        described
            .filters
            .wants_output(suite, &place.track, &place.id, model)
    };
    let tasks = tasks.into_iter().filter(own).map(Arc::new);
    let each = |task: Arc<Task>| {
        (0..of).map(move |k| {
            let who = (model, &described.system);
            GenerateJob::new(task.clone(), who, (k, of), described.seed, blobs.clone())
        })
    };
    tasks.flat_map(each).collect()
}

/// Refuses what a model's dialect cannot say, for instance a seed, before any call.
fn check_params(jobs: &[GenerateJob]) -> anyhow::Result<()> {
    let mut seen: Vec<Vec<&String>> = vec![];
    for identity in jobs.iter().flat_map(GenerateJob::identities) {
        let names: Vec<&String> = identity.params.keys().chain([&identity.provider]).collect();
        if seen.contains(&names) {
            continue;
        }
        if let Some(dialect) = verispec_providers::dialect(&identity.provider) {
            let checked = dialect.check_params(&identity.params);
            checked.map_err(|e| usage(format!("model {}: {e}", identity.model)))?;
        }
        seen.push(names);
    }
    Ok(())
}

fn setup(
    runs: &Path,
    args: &GenerateArgs,
    target: &Target,
    lock: &RunLock,
    (jobs, bar, trouble): (&[GenerateJob], &Bar, &LastTrouble),
    accounts: &[Account],
) -> anyhow::Result<Setup> {
    let dir = lock.dir();
    let calls = CallOptions {
        concurrency: args.concurrency,
        timeout: args.timeout,
        calls: &args.calls,
    };
    let mut lanes = vec![];
    for (model, identity) in target.models.iter().zip(target.system.models()) {
        let way = KeepFiles::new(way(model, calls.timeout(), dir)?, dir);
        lanes.push(calls.lane_by(model, identity, Arc::new(way)));
    }
    let mut setup = Setup::new(lanes.into_iter().map(all_at_once).collect());
    setup.reuse = args.calls.reuse(runs, dir)?.copying_files_into(dir);
    let (options, settled) = again(args, dir, jobs)?;
    setup.options = calls.execute(options)?;
    setup.settled = settled;
    let trouble = trouble.clone();
    setup.observers = observers(dir, bar)?.with(move |e| trouble.observe(e));
    if let [account] = accounts {
        setup.budget = account.budget(dir, None)?;
    }
    Ok(setup)
}

/// No two requests of a step share a prefix.
fn all_at_once(lane: Lane) -> Lane {
    Lane {
        first_alone: false,
        ..lane
    }
}

/// The way to a model: a program is told where it may write.
fn way(model: &Judge, timeout: Duration, dir: &Path) -> anyhow::Result<Arc<dyn Transport>> {
    if model.identity.provider != COMMAND {
        return transport(model, timeout);
    }
    let incoming = std::path::absolute(dir.join(INCOMING_DIR))?;
    std::fs::create_dir_all(&incoming)
        .with_context(|| format!("cannot make {}", incoming.display()))?;
    let shown = incoming.to_str().ok_or_else(|| {
        let shown = incoming.display();
        usage(format!(
            "{shown}: the path is not Unicode, so a program cannot be told about it"
        ))
    })?;
    let program = ProcessTransport::new(model.command.clone(), timeout);
    Ok(Arc::new(program.writing_into(shown)))
}

/// What is asked again though it is settled: calls that failed, always, since a server's failure is
/// no output; a model's own failures on demand. With the ledger, if it had to be read for that.
fn again(
    args: &GenerateArgs,
    dir: &Path,
    jobs: &[GenerateJob],
) -> anyhow::Result<(ExecuteOptions, Option<LedgerReplies>)> {
    let mut options = ExecuteOptions {
        ask_again: BTreeSet::from([Outcome::ServerError, Outcome::Malformed, Outcome::TimedOut]),
        ..ExecuteOptions::default()
    };
    let (kinds, errors) = retried(&args.retry)?;
    if kinds.is_empty() && !errors {
        return Ok((options, None));
    }
    let replies = LedgerReplies::load(&dir.join(LEDGER_FILE))?;
    let keys = map_steps(jobs, &replies, |_, step| {
        let made = step.readings;
        let wanted = match &made.state {
            State::Failed(_, failure) => kinds.contains(&failure.kind),
            State::Pending(..) => errors,
            _ => false,
        };
        made.stopped_at.filter(|_| wanted)
    });
    options.ask_again_keys = keys.into_iter().flatten().collect::<HashSet<Hash>>();
    Ok((options, Some(replies)))
}

fn retried(names: &[String]) -> anyhow::Result<(Vec<FailureKind>, bool)> {
    let (mut kinds, mut errors) = (vec![], false);
    for name in names {
        let kind = FailureKind::ALL.into_iter().find(|k| k.as_str() == name);
        match kind {
            Some(kind) => kinds.push(kind),
            None if name == ERROR => errors = true,
            None => {
                let known: Vec<&str> = FailureKind::ALL.iter().map(|k| k.as_str()).collect();
                let known = known.join(", ");
                return Err(usage(format!(
                    "--retry: no reason {name:?}; reasons: {known}, {ERROR}"
                )));
            }
        }
    }
    Ok((kinds, errors))
}

/// Outputs and status files, all of them: what was there is left alone.
fn write(
    tree: &Tree,
    suite: &tasks::Loaded,
    described: &Generation,
    (jobs, made): (&[GenerateJob], &[Made]),
) -> anyhow::Result<()> {
    suite.write_lines(tree, described.replicates, (jobs, made))?;
    for (job, made) in jobs.iter().zip(made) {
        tree.write(job, made)?;
    }
    Ok(())
}
