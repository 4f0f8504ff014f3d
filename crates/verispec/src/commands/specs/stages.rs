//! `verispec specs generate`, `merge`, `filter`, `update`

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::json;
use verispec_engine::execute::Summary;
use verispec_model::{JudgeIdentity, file_name};
use verispec_specs::merge::Proposer;
use verispec_specs::ser::{GenerateJob, MergeJob, RateJob, RatePlan, Task, Taxonomy};
use verispec_specs::set::{
    Decision, FilterSettings, FilterVariant, GeneratorState, InstanceRecord, MergeBy, Points,
    Settings, Which,
};

use super::asking::{Asking, Estimate};
use super::members::{Reachable, reach, reach_again};
use super::set::{OpenSet, unchanged};
use crate::args::{
    Cli, ProposeArg, SpecsFilterArgs, SpecsGenerateArgs, SpecsMergeArgs, SpecsUpdateArgs,
    VariantArg,
};
use crate::config::Config;
use crate::data::Loaded;
use crate::embedder::Minilm;
use crate::exit::{Exit, usage};
use crate::output;
use crate::target::{absolute, filters};

/// What works without the embedding model.
const LEXICAL: &str = "--propose lexical";

/// What a stage did.
struct Done {
    stage: &'static str,
    summary: Summary,
    /// What it would ask, where it was not to ask anything.
    estimate: Option<Estimate>,
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
    let dir = cli.runs.join(file_name(&args.set));
    let asking = Asking::of(cli, &args.ask, &dir, &models)?;
    let mut set = OpenSet::create(&cli.runs, &args.set, settings, asking.is_dry())?;
    let tasks = set.tasks_of(&loaded)?;
    let done = generate_stage(&mut set, &tasks, (&models, &asking))?;
    set.write()?;
    finish(cli, &set, &asking, vec![done])
}

pub(super) fn merge(cli: &Cli, args: &SpecsMergeArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let mut set = OpenSet::open(&cli.runs, &args.set, args.ask.purse.dry_run)?;
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
    let asking = Asking::of(cli, &args.ask, &set.dir, &models)?;
    let tasks = unchanged(&set.manifest, &set.dir)?;
    let done = merge_stage(&mut set, &tasks, (&models, &asking), embedder.as_ref())?;
    set.write()?;
    finish(cli, &set, &asking, vec![done])
}

pub(super) fn filter(cli: &Cli, args: &SpecsFilterArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let mut set = OpenSet::open(&cli.runs, &args.set, args.ask.purse.dry_run)?;
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
    let asking = Asking::of(cli, &args.ask, &set.dir, &models)?;
    let tasks = unchanged(&set.manifest, &set.dir)?;
    let done = filter_stage(&mut set, &tasks, (&models, &asking))?;
    set.note_version();
    set.write()?;
    finish(cli, &set, &asking, vec![done])
}

/// All stages that the set has been through, over the data as it is now. Requests of unchanged
/// instances are the same as before, so their replies are in the ledger.
pub(super) fn update(cli: &Cli, args: &SpecsUpdateArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let mut set = OpenSet::open(&cli.runs, &args.set, args.ask.purse.dry_run)?;
    if let Some(data) = &args.data {
        set.manifest.settings.data = absolute(data)?;
    }
    let models = Everybody::of(&set.manifest.settings, &config)?;
    let asking = Asking::of(cli, &args.ask, &set.dir, models.all())?;
    let done = again(&mut set, &models, &asking)?;
    set.write()?;
    finish(cli, &set, &asking, done)
}

/// The models of all stages that a set has been through.
struct Everybody {
    generators: Vec<Reachable>,
    merger: Vec<Reachable>,
    raters: Vec<Reachable>,
}

impl Everybody {
    fn of(settings: &Settings, config: &Config) -> anyhow::Result<Self> {
        let merger = match &settings.merge {
            Some(MergeBy::Model(member)) => std::slice::from_ref(member),
            Some(MergeBy::Local) | None => &[],
        };
        let filter = settings.filter.as_ref();
        let raters = filter.map_or(&[][..], |f| f.raters.as_slice());
        Ok(Self {
            generators: reach_again(&settings.generators, config)?,
            merger: reach_again(merger, config)?,
            raters: reach_again(raters, config)?,
        })
    }

    fn all(&self) -> impl Iterator<Item = &Reachable> {
        let rest = self.merger.iter().chain(&self.raters);
        self.generators.iter().chain(rest)
    }
}

/// The stages of an update, up to the first one that is stopped or would ask something: what it
/// lacks, later ones lack.
fn again(set: &mut OpenSet, models: &Everybody, asking: &Asking<'_>) -> anyhow::Result<Vec<Done>> {
    let settings = set.manifest.settings.clone();
    let tasks = set.tasks()?;
    let ends = |done: &[Done]| {
        let ends = |d: &Done| {
            d.summary.stopped.is_some() || (d.estimate.is_some() && d.summary.pending > 0)
        };
        done.iter().any(ends)
    };
    let mut done = vec![generate_stage(set, &tasks, (&models.generators, asking))?];
    if settings.merge.is_some() && !ends(&done) {
        let embedder = match &settings.proposer {
            Some(name) if *name != Proposer::Lexical.name() => Some(Minilm::load(LEXICAL)?),
            _ => None,
        };
        let ask = (models.merger.as_slice(), asking);
        done.push(merge_stage(set, &tasks, ask, embedder.as_ref())?);
    }
    if settings.filter.is_some() && !ends(&done) {
        done.push(filter_stage(set, &tasks, (&models.raters, asking))?);
        set.note_version();
    }
    Ok(done)
}

type Ask<'a> = (&'a [Reachable], &'a Asking<'a>);

fn generate_stage(set: &mut OpenSet, tasks: &[Arc<Task>], ask: Ask<'_>) -> anyhow::Result<Done> {
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
    let executed = ask.1.execute(set, (&jobs, &[]), ask.0)?;
    let mut before: BTreeMap<String, InstanceRecord> = set
        .manifest
        .instances
        .drain(..)
        .map(|i| (i.place(), i))
        .collect();
    let (mut candidates, mut blocked, mut stuck) = (0, 0, vec![]);
    for (task, made) in tasks.iter().zip(executed.readings) {
        candidates += made.candidates.len() as u64;
        blocked += made.candidates.iter().filter(|c| c.is_blocked()).count() as u64;
        stuck.extend(failed(&made.generators).map(|why| format!("{}: {why}", task.place())));
        let known = before.remove(&task.place());
        let record = InstanceRecord::generated(known, task, made);
        set.manifest.instances.push(record);
    }
    Ok(Done {
        stage: "generate",
        summary: executed.summary,
        estimate: executed.estimate,
        counts: vec![("candidates", candidates), ("blocked by lint", blocked)],
        stuck,
    })
}

fn merge_stage(
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
    let executed = ask.1.execute(set, (&jobs, &[]), ask.0)?;
    let (mut groups, mut held) = (0, 0);
    for (i, made) in at.into_iter().zip(executed.readings) {
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
        summary: executed.summary,
        estimate: executed.estimate,
        counts: vec![("groups", groups), ("wait for review", held)],
        stuck,
    })
}

fn filter_stage(set: &mut OpenSet, tasks: &[Arc<Task>], ask: Ask<'_>) -> anyhow::Result<Done> {
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
    // An early stop asks in turn; how far it gets is not known ahead.
    let wider = jobs
        .iter()
        .filter(|_| plan.variant == FilterVariant::EarlyStop);
    let wider: Vec<RateJob> = wider.map(RateJob::in_full).collect();
    let executed = ask.1.execute(set, (&jobs, &wider), ask.0)?;
    let (mut calls, mut ratings) = (0, 0);
    let mut decided: BTreeMap<&'static str, u64> = BTreeMap::new();
    for (i, made) in at.into_iter().zip(executed.readings) {
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
        summary: executed.summary,
        estimate: executed.estimate,
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
fn finish(cli: &Cli, set: &OpenSet, asking: &Asking<'_>, done: Vec<Done>) -> anyhow::Result<Exit> {
    let spent = asking.spent(set)?;
    let version = set.manifest.version(&Which::Complete);
    if cli.json {
        let stage = |d: &Done| {
            let counts: BTreeMap<&str, u64> = d.counts.iter().copied().collect();
            json!({
                "stage": d.stage, "calls": d.summary.calls_made(),
                "reused": d.summary.reused, "pending": d.summary.pending,
                "counts": counts, "stuck": d.stuck, "tokens": d.summary.usage,
                "stopped": d.summary.stopped.as_ref().map(ToString::to_string),
                "estimate": d.estimate.as_ref().map(Estimate::json),
            })
        };
        output::json(&json!({
            "format": 1, "kind": "specs", "set": set.manifest.name, "version": version,
            "instances": set.manifest.instances.len(),
            "stages": done.iter().map(stage).collect::<Vec<_>>(),
            "spent_usd": spent.map(|s| s.money.as_dollars()),
            "replies_without_counts": spent.map(|s| s.unknown),
        }));
    } else {
        output::result(&done.iter().map(in_words).collect::<Vec<_>>().join("\n"));
        let cost = spent.map(|s| format!(", {}", s.line())).unwrap_or_default();
        output::result(&format!(
            "set {}, version {version}{cost}",
            set.manifest.name
        ));
    }
    if asking.is_dry() {
        return Ok(Exit::Ok);
    }
    for stuck in done.iter().flat_map(|d| &d.stuck) {
        output::note(stuck);
    }
    Ok(exit(&done))
}

/// A stop says more than what is open because of it, and nothing comes after it.
fn exit(done: &[Done]) -> Exit {
    if let Some(why) = done.iter().find_map(|d| d.summary.stopped.as_ref()) {
        output::note(&format!("stopped: {why}"));
        return Exit::of_stop(why);
    }
    let open = |d: &Done| d.summary.pending > 0 || !d.stuck.is_empty();
    match done.iter().any(open) {
        true => Exit::Incomplete,
        false => Exit::Ok,
    }
}

fn in_words(done: &Done) -> String {
    if let Some(estimate) = &done.estimate {
        return format!("{}: {}", done.stage, estimate.line());
    }
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
