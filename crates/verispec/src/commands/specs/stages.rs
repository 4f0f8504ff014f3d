//! `verispec specs generate`, `merge`, `filter`, `update`

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::json;
use verispec_engine::execute::{ExecuteOptions, Setup, Summary, map_steps};
use verispec_engine::ledger::{LEDGER_FILE, LedgerReplies};
use verispec_model::{Hash, Job, JudgeIdentity, Unjudged};
use verispec_specs::merge::Proposer;
use verispec_specs::ser::{Failures, GenerateJob, MergeJob, RateJob, RatePlan, Task, Taxonomy};
use verispec_specs::set::{
    Decision, FilterSettings, FilterVariant, GeneratorState, InstanceRecord, MergeBy, Points,
    Settings, Which,
};

use super::members::{Reachable, lanes, reach, reach_again};
use super::set::{OpenSet, unchanged};
use crate::args::{
    AskArgs, Cli, ProposeArg, SpecsFilterArgs, SpecsGenerateArgs, SpecsMergeArgs, SpecsUpdateArgs,
    VariantArg,
};
use crate::calls::{CallOptions, block_on, observers, reasons};
use crate::config::Config;
use crate::data::Loaded;
use crate::embedder::Minilm;
use crate::exit::{Exit, usage};
use crate::output;
use crate::progress::Bar;
use crate::target::{absolute, filters};

/// Reasons that `--retry` knows.
const RETRIED: [Unjudged; 5] = [
    Unjudged::Refused,
    Unjudged::Truncated,
    Unjudged::Unparsed,
    Unjudged::Timeout,
    Unjudged::ProviderError,
];

/// What works without the embedding model.
const LEXICAL: &str = "--propose lexical";

/// What a stage did.
struct Done {
    stage: &'static str,
    summary: Summary,
    /// Further counts, in words and by name.
    counts: Vec<(&'static str, u64)>,
    /// Instances that cannot go on.
    stuck: Vec<String>,
}

pub(super) fn generate(cli: &Cli, args: &SpecsGenerateArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let data = absolute(&config.data(args.suite.as_str(), args.data.as_deref())?)?;
    let loaded = Loaded::load(args.suite, &data)?;
    let models = reach(&args.generators, &config)?;
    let settings = Settings {
        suite: args.suite.as_str().to_owned(),
        data,
        filters: filters(&args.part, &loaded.suite)?,
        generators: models.iter().map(|m| m.member.clone()).collect(),
        seed: args.seed,
        taxonomies: taxonomies(args.taxonomy.as_deref())?,
        merge: None,
        proposer: None,
        filter: None,
    };
    let mut set = OpenSet::create(&cli.runs, &args.set, settings)?;
    let tasks = set.tasks_of(&loaded)?;
    let done = generate_stage(cli, &mut set, &tasks, (&models, &args.ask))?;
    set.write()?;
    finish(cli, &set, vec![done])
}

pub(super) fn merge(cli: &Cli, args: &SpecsMergeArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let mut set = OpenSet::open(&cli.runs, &args.set)?;
    let models = reach(args.merger.as_slice(), &config)?;
    let by = match models.first() {
        Some(model) => MergeBy::Model(model.member.clone()),
        None => MergeBy::Local,
    };
    let embedder = match args.propose {
        ProposeArg::Lexical => None,
        ProposeArg::Minilm => Some(Minilm::load(LEXICAL)?),
    };
    set.manifest.settings.merge = Some(by);
    set.manifest.settings.proposer = Some(proposer(embedder.as_ref()).name());
    let tasks = unchanged(&set.manifest, set.lock.dir())?;
    let done = merge_stage(
        cli,
        &mut set,
        &tasks,
        (&models, &args.ask),
        embedder.as_ref(),
    )?;
    set.write()?;
    finish(cli, &set, vec![done])
}

pub(super) fn filter(cli: &Cli, args: &SpecsFilterArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let mut set = OpenSet::open(&cli.runs, &args.set)?;
    let models = match args.raters.as_slice() {
        [] => reach_again(&set.manifest.settings.generators, &config)?,
        names => reach(names, &config)?,
    };
    let tau = Points::of(args.tau).ok_or_else(|| usage("--tau: 0 to 10, two decimals at most"))?;
    set.manifest.settings.filter = Some(FilterSettings {
        raters: models.iter().map(|m| m.member.clone()).collect(),
        tau,
        variant: match args.variant {
            VariantArg::Full => FilterVariant::Full,
            VariantArg::Disputed => FilterVariant::Disputed,
            VariantArg::EarlyStop => FilterVariant::EarlyStop,
        },
    });
    let tasks = unchanged(&set.manifest, set.lock.dir())?;
    let done = filter_stage(cli, &mut set, &tasks, (&models, &args.ask))?;
    set.note_version();
    set.write()?;
    finish(cli, &set, vec![done])
}

/// All stages that the set has been through, over the data as it is now. Requests of unchanged
/// instances are the same as before, so their replies are in the ledger.
pub(super) fn update(cli: &Cli, args: &SpecsUpdateArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let mut set = OpenSet::open(&cli.runs, &args.set)?;
    if let Some(data) = &args.data {
        set.manifest.settings.data = absolute(data)?;
    }
    let done = again(cli, &mut set, &config, &args.ask)?;
    set.write()?;
    finish(cli, &set, done)
}

/// The stages of an update, up to the first one that is stopped: what it lacks, later ones lack.
fn again(
    cli: &Cli,
    set: &mut OpenSet,
    config: &Config,
    args: &AskArgs,
) -> anyhow::Result<Vec<Done>> {
    let settings = set.manifest.settings.clone();
    let tasks = set.tasks()?;
    let stopped = |done: &[Done]| done.iter().any(|d| d.summary.stopped.is_some());
    let models = reach_again(&settings.generators, config)?;
    let mut done = vec![generate_stage(cli, set, &tasks, (&models, args))?];
    if let Some(by) = settings.merge.as_ref().filter(|_| !stopped(&done)) {
        let embedder = match &settings.proposer {
            Some(name) if *name != Proposer::Lexical.name() => Some(Minilm::load(LEXICAL)?),
            _ => None,
        };
        let merger = match by {
            MergeBy::Model(member) => reach_again(std::slice::from_ref(member), config)?,
            MergeBy::Local => vec![],
        };
        let ask = (merger.as_slice(), args);
        done.push(merge_stage(cli, set, &tasks, ask, embedder.as_ref())?);
    }
    if let Some(filter) = settings.filter.as_ref().filter(|_| !stopped(&done)) {
        let raters = reach_again(&filter.raters, config)?;
        done.push(filter_stage(cli, set, &tasks, (&raters, args))?);
        set.note_version();
    }
    Ok(done)
}

type Ask<'a> = (&'a [Reachable], &'a AskArgs);

fn generate_stage(
    cli: &Cli,
    set: &mut OpenSet,
    tasks: &[Arc<Task>],
    ask: Ask<'_>,
) -> anyhow::Result<Done> {
    let settings = &set.manifest.settings;
    let generators: Arc<[Arc<JudgeIdentity>]> = settings
        .generators
        .iter()
        .map(|m| Arc::new(m.judge.clone()))
        .collect();
    let job = |task: &Arc<Task>| {
        let taxonomy = Arc::new(settings.taxonomy(&task.track));
        GenerateJob::new(task.clone(), generators.clone(), taxonomy)
    };
    let jobs: Vec<GenerateJob> = tasks.iter().map(job).collect();
    let (readings, summary) = execute(cli, set, &jobs, ask)?;
    let mut before: BTreeMap<String, InstanceRecord> = set
        .manifest
        .instances
        .drain(..)
        .map(|i| (i.place(), i))
        .collect();
    let (mut candidates, mut blocked, mut stuck) = (0, 0, vec![]);
    for (task, made) in tasks.iter().zip(readings) {
        candidates += made.candidates.len() as u64;
        blocked += made.candidates.iter().filter(|c| c.is_blocked()).count() as u64;
        stuck.extend(failed(&made.generators).map(|why| format!("{}: {why}", task.place())));
        let known = before.remove(&task.place());
        let record = InstanceRecord::generated(known, task, made);
        set.manifest.instances.push(record);
    }
    Ok(Done {
        stage: "generate",
        summary,
        counts: vec![("candidates", candidates), ("blocked by lint", blocked)],
        stuck,
    })
}

fn merge_stage(
    cli: &Cli,
    set: &mut OpenSet,
    tasks: &[Arc<Task>],
    ask: Ask<'_>,
    embedder: Option<&Minilm>,
) -> anyhow::Result<Done> {
    let merger = ask.0.first().map(|m| Arc::new(m.member.judge.clone()));
    let (mut jobs, mut at, mut stuck) = (vec![], vec![], vec![]);
    for (i, task) in tasks.iter().enumerate() {
        let record = &set.manifest.instances[i];
        if !record.generators.iter().all(GeneratorState::is_done) {
            stuck.push(format!(
                "{}: not all generators gave candidates",
                task.place()
            ));
            continue;
        }
        let proposer = proposer(embedder);
        jobs.push(MergeJob::new(
            task.clone(),
            &record.candidates,
            merger.clone(),
            &proposer,
        )?);
        at.push(i);
    }
    let (readings, summary) = execute(cli, set, &jobs, ask)?;
    let (mut groups, mut held) = (0, 0);
    for (i, made) in at.into_iter().zip(readings) {
        let record = &mut set.manifest.instances[i];
        let place = record.place();
        stuck.extend(failed(made.merger.as_slice()).map(|why| format!("{place}: {why}")));
        groups += made.groups.as_ref().map_or(0, Vec::len) as u64;
        let holds = made.groups.iter().flatten().filter(|g| !g.holds.is_empty());
        held += holds.count() as u64;
        record.merge(made);
    }
    Ok(Done {
        stage: "merge",
        summary,
        counts: vec![("groups", groups), ("wait for review", held)],
        stuck,
    })
}

fn filter_stage(
    cli: &Cli,
    set: &mut OpenSet,
    tasks: &[Arc<Task>],
    ask: Ask<'_>,
) -> anyhow::Result<Done> {
    let settings = &set.manifest.settings;
    let filter = settings
        .filter
        .as_ref()
        .context("the set has no filter settings")?;
    let plan = RatePlan {
        raters: filter
            .raters
            .iter()
            .map(|m| Arc::new(m.judge.clone()))
            .collect(),
        tau: filter.tau,
        variant: filter.variant,
        seed: settings.seed,
        generators: settings.generators.len(),
    };
    let (mut jobs, mut at, mut stuck) = (vec![], vec![], vec![]);
    for (i, task) in tasks.iter().enumerate() {
        let record = &set.manifest.instances[i];
        let Some(groups) = record.merged() else {
            stuck.push(format!("{}: its candidates are not merged", task.place()));
            continue;
        };
        jobs.push(RateJob::new(
            task.clone(),
            groups,
            &record.candidates,
            plan.clone(),
        ));
        at.push(i);
    }
    let (readings, summary) = execute(cli, set, &jobs, ask)?;
    let (mut calls, mut ratings) = (0, 0);
    let mut decided: BTreeMap<&'static str, u64> = BTreeMap::new();
    for (i, made) in at.into_iter().zip(readings) {
        calls += made.calls_saved;
        ratings += made.ratings_saved;
        let record = &mut set.manifest.instances[i];
        for rated in &made.rated {
            *decided.entry(named(&rated.decision)).or_default() += 1;
            if matches!(rated.decision, Decision::Unrated { .. }) {
                let place = record.place();
                stuck.push(format!(
                    "{place} group {}: a rating is missing",
                    rated.group
                ));
            }
        }
        record.rated = Some(made.rated);
    }
    let saved = [("calls saved", calls), ("ratings saved", ratings)];
    Ok(Done {
        stage: "filter",
        summary,
        counts: decided.into_iter().chain(saved).collect(),
        stuck,
    })
}

const fn named(decision: &Decision) -> &'static str {
    match decision {
        Decision::Kept => "kept",
        Decision::Agreed => "kept unrated",
        Decision::Dropped => "dropped",
        Decision::Hopeless => "dropped early",
        Decision::Unrated { .. } => "unrated",
        Decision::Pending => "pending",
    }
}

/// What is asked again though it is settled: the last request of those that failed so; with the
/// ledger, if it had to be read for that.
fn retried<J>(
    set: &OpenSet,
    jobs: &[J],
    args: &AskArgs,
) -> anyhow::Result<(ExecuteOptions, Option<LedgerReplies>)>
where
    J: Job<Readings: Failures>,
{
    let mut options = ExecuteOptions::default();
    let wanted = reasons(&args.retry, &RETRIED)?;
    if wanted.is_empty() {
        return Ok((options, None));
    }
    let replies = LedgerReplies::load(&set.lock.dir().join(LEDGER_FILE))?;
    let keys = map_steps(jobs, &replies, |_, step| step.readings.failures());
    let meant = |(why, key): (Unjudged, Hash)| wanted.contains(&why).then_some(key);
    options.ask_again_keys = keys.into_iter().flatten().filter_map(meant).collect();
    Ok((options, Some(replies)))
}

/// Runs the jobs of a stage; readings in the order of the jobs.
fn execute<J>(
    cli: &Cli,
    set: &OpenSet,
    jobs: &[J],
    (models, args): Ask<'_>,
) -> anyhow::Result<(Vec<J::Readings>, Summary)>
where
    J: Job<Readings: Failures>,
{
    let calls = CallOptions {
        concurrency: args.concurrency,
        timeout: args.timeout,
        calls: &args.calls,
    };
    let bar = Bar::new();
    let mut setup = Setup::new(lanes(models, calls)?);
    setup.reuse = args.calls.reuse(&cli.runs, set.lock.dir())?;
    let (options, settled) = retried(set, jobs, args)?;
    setup.options = calls.execute(options)?;
    setup.settled = settled;
    setup.observers = observers(set.lock.dir(), &bar)?;
    let executed = block_on(
        setup.stop.clone(),
        &bar,
        verispec_engine::execute::execute(jobs, &set.lock, setup),
    )??;
    bar.finish();
    Ok((executed.readings, executed.summary))
}

/// Why a model has failed, if one has.
fn failed(states: &[GeneratorState]) -> Option<String> {
    states.iter().find_map(|s| match s {
        GeneratorState::Failed { why, fault, .. } => Some(format!("{why}: {fault}")),
        _ => None,
    })
}

fn taxonomies(file: Option<&std::path::Path>) -> anyhow::Result<BTreeMap<String, Taxonomy>> {
    let Some(path) = file else {
        return Ok(BTreeMap::new());
    };
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    toml::from_str(&text)
        .map_err(|e| usage(format!("{}: {}", path.display(), e.to_string().trim_end())))
}

/// Says what was done. What is pending, stuck or stopped makes it incomplete.
fn finish(cli: &Cli, set: &OpenSet, done: Vec<Done>) -> anyhow::Result<Exit> {
    let version = set.manifest.version(&Which::Complete);
    if cli.json {
        let stage = |d: &Done| {
            let counts: BTreeMap<&str, u64> = d.counts.iter().copied().collect();
            json!({
                "stage": d.stage, "calls": d.summary.calls_made(),
                "reused": d.summary.reused, "pending": d.summary.pending,
                "counts": counts, "stuck": d.stuck, "tokens": d.summary.usage,
                "stopped": d.summary.stopped.as_ref().map(ToString::to_string),
            })
        };
        output::json(&json!({
            "format": 1, "kind": "specs", "set": set.manifest.name, "version": version,
            "instances": set.manifest.instances.len(),
            "stages": done.iter().map(stage).collect::<Vec<_>>(),
        }));
    } else {
        output::result(&done.iter().map(in_words).collect::<Vec<_>>().join("\n"));
        output::result(&format!("set {}, version {version}", set.manifest.name));
    }
    for stuck in done.iter().flat_map(|d| &d.stuck) {
        output::note(stuck);
    }
    Ok(exit(&done))
}

/// A stop says more than what is open because of it, and nothing comes after it.
fn exit(done: &[Done]) -> Exit {
    if let Some(why) = done.iter().find_map(|d| d.summary.stopped.as_ref()) {
        let exit = Exit::of_stop(why);
        if exit == Exit::Error {
            output::note(&format!("stopped: {why}"));
        }
        return exit;
    }
    let open = |d: &Done| d.summary.pending > 0 || !d.stuck.is_empty();
    match done.iter().any(open) {
        true => Exit::Incomplete,
        false => Exit::Ok,
    }
}

fn in_words(done: &Done) -> String {
    let counts = done.counts.iter().map(|(name, n)| format!("{n} {name}"));
    format!(
        "{}: {} calls, {} replies taken from other runs, {} pending; {}",
        done.stage,
        done.summary.calls_made(),
        done.summary.reused,
        done.summary.pending,
        counts.collect::<Vec<_>>().join(", ")
    )
}

fn proposer(embedder: Option<&Minilm>) -> Proposer<'_> {
    match embedder {
        None => Proposer::Lexical,
        Some(model) => Proposer::Embedding(model),
    }
}
