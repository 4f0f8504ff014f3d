//! Runs side by side: those of one judge become one column of a report, each other judge has its
//! own.

use std::collections::HashSet;

use verispec_engine::ledger::{LEDGER_FILE, Ledger, Spending, Used};
use verispec_model::score::{Policy, ScoreTable, complexity, contrast};
use verispec_model::{Manifest, Measure, Results, RunSource};
use verispec_providers::price::Price;
use verispec_report::{
    Context, CostCard, Judged, OutputPart, RankBy, RankTable, RunCard, Tokens, judge_line,
};
use verispec_suites::specv::import::ImportReader;

use crate::args::Cli;
use crate::exit::usage;
use crate::judge::BUILTIN;
use crate::reduce::ReduceArgs;
use crate::run::{Read, Run};
use crate::{money, policy, reduce, run};

/// Tracks that show understanding; all others of a suite show generation.
const UNDERSTANDING: [&str; 1] = ["understanding"];

/// Runs of one judge, put together.
pub(crate) struct Column {
    /// Short name, distinct among the columns.
    pub(crate) name: String,
    /// Descriptions of its runs.
    pub(crate) manifests: Vec<Manifest>,
    /// What its numbers were made with.
    pub(crate) context: Context,
    /// Results of all its runs.
    pub(crate) results: Results,
    /// Their scores.
    pub(crate) scores: ScoreTable,
}

/// Reads runs, in the order in which they were named.
pub(crate) fn read(
    cli: &Cli,
    names: &[String],
    reader: Option<ImportReader>,
    reduce: &ReduceArgs,
) -> anyhow::Result<Vec<Read>> {
    let mut folders = HashSet::new();
    let mut reads = vec![];
    for name in names {
        let run = Run::open(&cli.runs, name)?;
        if !folders.insert(run.dir.canonicalize()?) {
            return Err(usage(format!("run {name:?} is named twice")));
        }
        reads.push(run.reduced(reduce)?.read(reader, false)?);
    }
    Ok(reads)
}

/// Columns of a report. Runs of one judge share a column unless they hold the same model.
pub(crate) fn columns(reads: &[Read], policy: Policy) -> anyhow::Result<Vec<Column>> {
    let first = reads.first().map(|r| (&r.results.suite, r.results.measure));
    let mut groups: Vec<(Vec<Manifest>, Results)> = vec![];
    for read in reads {
        let (manifest, results) = (&read.run.manifest, &read.results);
        if first
            .is_some_and(|(suite, measure)| *suite != results.suite || measure != results.measure)
        {
            return Err(usage(
                "runs of different suites, or holistic grades beside verdicts, cannot share a page",
            ));
        }
        let fits = |(manifests, held): &&mut (Vec<Manifest>, Results)| {
            let both = [manifests[0].clone(), manifest.clone()];
            let new =
                |m: &&verispec_model::ModelResults| held.models.iter().all(|h| h.model != m.model);
            run::check_alike(&both).is_ok()
                && alike_sources(&both)
                && results.models.iter().filter(new).count() == results.models.len()
        };
        match groups.iter_mut().find(fits) {
            Some((manifests, held)) => {
                *held = run::merge(held.clone(), results.clone(), &manifest.run)?;
                manifests.push(manifest.clone());
            }
            None => groups.push((vec![manifest.clone()], results.clone())),
        }
    }
    let mut columns = vec![];
    for (manifests, results) in groups {
        let holistic = results.measure == Measure::Holistic;
        if !holistic {
            reduce::check_policy(policy, &results, &manifests)?;
        }
        columns.push(Column {
            name: String::new(),
            context: Context::of(&manifests),
            scores: policy::score(&results, policy),
            results,
            manifests,
        });
    }
    name(&mut columns);
    Ok(columns)
}

/// Imports do not say who judged: two of them are not one judge.
fn alike_sources(manifests: &[Manifest; 2]) -> bool {
    manifests.iter().all(|m| m.source == RunSource::Judge)
}

/// The shortest names that tell the columns apart: model, with protocol, with run.
fn name(columns: &mut [Column]) {
    let judge = |m: &Manifest| match (&m.judge, &m.panel) {
        (Some(judge), _) => format!("{}/{}", judge.provider, judge.model),
        (None, Some(panel)) => format!("panel of {}", panel.members.len()),
        (None, None) => m.run.clone(),
    };
    let full = |m: &Manifest| m.judge.as_ref().map_or_else(|| judge(m), judge_line);
    let protocol = |m: &Manifest| m.protocol.clone().unwrap_or_default();
    let ways: [&dyn Fn(&Manifest) -> String; 4] = [
        &judge,
        &|m| format!("{}, {}", judge(m), protocol(m)),
        &|m| format!("{}, {}", full(m), protocol(m)),
        &|m| format!("{}, {}", judge(m), m.run),
    ];
    for way in ways {
        let names: Vec<String> = columns.iter().map(|c| way(&c.manifests[0])).collect();
        let distinct = names.iter().collect::<HashSet<_>>().len() == names.len();
        for (column, name) in columns.iter_mut().zip(names) {
            column.name = name;
        }
        if distinct {
            return;
        }
    }
}

impl Column {
    /// The column as a report takes it.
    pub(crate) fn judged(&self) -> anyhow::Result<Judged<'_>> {
        let (x, y): (Vec<&str>, Vec<&str>) = self
            .scores
            .all_tracks
            .iter()
            .map(String::as_str)
            .partition(|t| UNDERSTANDING.contains(t));
        Ok(Judged {
            name: self.name.clone(),
            context: &self.context,
            results: &self.results,
            scores: &self.scores,
            ranks: vec![RankTable::build(
                &self.scores,
                &ranked_by(&self.scores),
                &[],
            )?],
            complexity: complexity(&self.results, &self.scores),
            contrast: contrast(&self.scores, &x, &y),
        })
    }
}

/// The average; the only track that was entered where there is one alone.
fn ranked_by(scores: &ScoreTable) -> RankBy {
    let entered = |t: &&String| scores.models.iter().any(|m| m.track(t).is_some());
    let entered: Vec<&String> = scores.all_tracks.iter().filter(entered).collect();
    match entered.as_slice() {
        [only] => RankBy::Track((*only).clone()),
        _ => RankBy::Average,
    }
}

/// What a model made for an instance, where one of the runs has it at hand.
pub(crate) fn outputs(reads: &[Read], model: &str, track: &str, id: &str) -> Vec<OutputPart> {
    let found = |read: &Read| {
        let parts = crate::commands::output_parts(read, model, track, id);
        (!parts.is_empty()).then_some(parts)
    };
    reads.iter().find_map(found).unwrap_or_default()
}

/// The identity card of a run.
pub(crate) fn card(read: &Read) -> anyhow::Result<RunCard> {
    let manifest = &read.run.manifest;
    let path = read.run.dir.join(LEDGER_FILE);
    let empty = std::fs::metadata(&path).map_or(true, |m| m.len() == 0);
    if manifest.source != RunSource::Judge || empty {
        return Ok(RunCard::of(manifest, None, &[], None));
    }
    let ledger = Ledger::open_read(&path)?;
    let digest = ledger.digest()?.to_string();
    let cost = cost(manifest, &ledger.spending()?)?;
    Ok(RunCard::of(
        manifest,
        Some(&digest),
        &ledger.served()?,
        cost,
    ))
}

/// Model ids that the judge's server named in its replies, with the number of replies.
pub(crate) fn served(read: &Read) -> anyhow::Result<Vec<(String, u64)>> {
    let path = read.run.dir.join(LEDGER_FILE);
    let empty = std::fs::metadata(&path).map_or(true, |m| m.len() == 0);
    if read.run.manifest.source != RunSource::Judge || empty {
        return Ok(vec![]);
    }
    Ok(Ledger::open_read(&path)?.served()?)
}

/// What a run cost; `None` for a judge of this program, which costs nothing.
fn cost(manifest: &Manifest, spending: &Spending) -> anyhow::Result<Option<CostCard>> {
    let builtin = manifest
        .judge
        .as_ref()
        .is_some_and(|j| j.provider == BUILTIN);
    if builtin {
        return Ok(None);
    }
    let table = money::prices(None)?;
    let judge = manifest.judge.as_ref();
    let price = judge.and_then(|j| money::price_of(&table, j));
    let ways = [&spending.calls, &spending.batch];
    let sum = |of: &dyn Fn(&Used) -> u64| ways.iter().map(|w| of(w)).sum();
    let why_none = || match judge {
        Some(judge) => money::no_price(judge),
        None => "members of a panel have prices of their own; no sum is made".to_owned(),
    };
    Ok(Some(CostCard {
        replies: sum(&|w| w.replies),
        tokens: Tokens {
            input: sum(&|w| w.usage.input.unwrap_or(0)),
            cached: sum(&|w| w.usage.cached.unwrap_or(0)),
            output: sum(&|w| w.usage.output.unwrap_or(0)),
            reasoning: sum(&|w| w.usage.reasoning.unwrap_or(0)),
            unknown: sum(&|w| w.unknown),
        },
        timed_out: sum(&|w| w.timed_out),
        dollars: price
            .as_ref()
            .map(|p| money::spent(p, spending).as_dollars()),
        price: price.as_ref().map_or_else(why_none, Price::line),
    }))
}
