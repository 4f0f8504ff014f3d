//! What was not judged, by kind and model, and what runs cost.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_model::Warning;
use verispec_model::score::{Counters, ScoreTable};

use super::charts::{Models, position};
use super::svg;
use crate::identity::RunCard;
use crate::input::Judged;
use crate::number::{count, count64, fixed2};
use crate::statistics::Statistics;
use crate::tables::by_kind;

/// A difference of shares between models that deserves a warning, percent points.
const NOTABLE: f64 = 1.0;

/// Failures of all models.
#[derive(Debug, Serialize)]
pub(crate) struct Failures {
    /// Kinds in the order of the columns: title and class.
    pub kinds: Vec<(String, &'static str)>,
    pub rows: Vec<FailureRow>,
    /// What differs between models, in words.
    pub warnings: Vec<String>,
    /// A test of it, in words.
    pub test: Option<String>,
}

/// A model's failures.
#[derive(Debug, Serialize)]
pub(crate) struct FailureRow {
    pub at: usize,
    pub key: String,
    pub model: String,
    pub expected: String,
    /// Count and whether it is 0, a cell a kind.
    pub cells: Vec<(String, bool)>,
    /// Share of expected specifications without a verdict, percent.
    pub lost: String,
    /// Stacked bar: class, left and width in percent.
    pub bars: Vec<(&'static str, String, String)>,
}

/// Takes a count from counters.
type Count = fn(&Counters) -> usize;

/// A kind of failure with a way to count it.
struct Kind {
    title: String,
    class: &'static str,
    count: Box<dyn Fn(&Counters) -> usize>,
    /// Whether the count is in specifications, so that it has a share of the expected ones.
    specs: bool,
}

/// Failures by kind; `None` when nothing failed.
pub(crate) fn failures(
    judged: &Judged<'_>,
    stats: &Statistics,
    models: Models<'_>,
) -> Option<Failures> {
    let kinds = kinds(judged.scores);
    let any = |k: &Kind| {
        judged
            .scores
            .models
            .iter()
            .any(|m| (k.count)(&m.counters) > 0)
    };
    let kinds: Vec<Kind> = kinds.into_iter().filter(any).collect();
    if kinds.is_empty() {
        return None;
    }
    let rows = judged.scores.models.iter().map(|m| {
        let at = position(models, &m.model);
        row(at, &m.model, &m.counters, &kinds)
    });
    let test = stats.missingness.iter().find(|t| t.judge == judged.name);
    Some(Failures {
        rows: rows.collect(),
        warnings: uneven(judged.scores),
        test: test.map(|t| format!("{}: p = {:.3}", t.method, t.p)),
        kinds: kinds.into_iter().map(|k| (k.title, k.class)).collect(),
    })
}

fn kinds(table: &ScoreTable) -> Vec<Kind> {
    let names = |map: fn(&Counters) -> &BTreeMap<String, usize>| {
        let all = table.models.iter().flat_map(|m| map(&m.counters).keys());
        let mut all: Vec<String> = all.cloned().collect();
        all.sort();
        all.dedup();
        all
    };
    let outputs = names(|c| &c.failed_instances).into_iter().map(|why| Kind {
        title: format!("output {why}"),
        class: "failed",
        count: Box::new(move |c| c.failed_instances.get(&why).copied().unwrap_or(0)),
        specs: false,
    });
    let judge = names(|c| &c.unjudged_by).into_iter().map(|why| Kind {
        title: why.clone(),
        class: "unjudged",
        count: Box::new(move |c| c.unjudged_by.get(&why).copied().unwrap_or(0)),
        specs: true,
    });
    let rest: [(&str, &'static str, Count); 2] = [
        ("not judgeable", "unjudgeable", |c| c.unjudgeable),
        ("pending", "pending", |c| c.pending),
    ];
    let rest = rest.into_iter().map(|(title, class, of)| Kind {
        title: title.to_owned(),
        class,
        count: Box::new(of),
        specs: true,
    });
    outputs.chain(judge).chain(rest).collect()
}

fn row(at: usize, model: &str, c: &Counters, kinds: &[Kind]) -> FailureRow {
    let parts = [
        ("failed", c.output_failed),
        ("unjudged", c.unjudged),
        ("unjudgeable", c.unjudgeable),
        ("pending", c.pending),
    ];
    let mut left = 0.0;
    let mut bars = vec![];
    for (class, n) in parts {
        let width = share(n, c.expected);
        if n > 0 {
            bars.push((class, fixed2(left), fixed2(width)));
        }
        left += width;
    }
    FailureRow {
        at,
        key: svg::key(at),
        model: model.to_owned(),
        expected: count(c.expected),
        cells: kinds
            .iter()
            .map(|k| {
                let n = (k.count)(c);
                let unit = if k.specs { "" } else { " inst." };
                (
                    if n == 0 {
                        "0".to_owned()
                    } else {
                        count(n) + unit
                    },
                    n == 0,
                )
            })
            .collect(),
        lost: format!("{}%", fixed2(left)),
        bars,
    }
}

fn share(n: usize, of: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    let share = 100.0 * n as f64 / of.max(1) as f64;
    share
}

/// Kinds whose shares differ between models by more than [`NOTABLE`].
fn uneven(table: &ScoreTable) -> Vec<String> {
    let kinds: [(&str, Count); 3] = [
        ("Output failures", |c| c.output_failed),
        ("Judge failures", |c| c.unjudged),
        ("Pending specifications", |c| c.pending),
    ];
    let models = || table.models.iter().filter(|m| m.counters.expected > 0);
    let warning = |(what, of): (&str, Count)| {
        let shares = models().map(|m| (share(of(&m.counters), m.counters.expected), &m.model));
        let least = shares.clone().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let most = shares.max_by(|a, b| a.0.total_cmp(&b.0))?;
        (most.0 - least.0 > NOTABLE).then(|| {
            format!(
                "{what} are not spread evenly: {}% of specifications for {}, {}% for {}. \
                 Differences between scores may come from that.",
                fixed2(least.0),
                least.1,
                fixed2(most.0),
                most.1
            )
        })
    };
    kinds.into_iter().filter_map(warning).collect()
}

/// What a run cost.
#[derive(Debug, Serialize)]
pub(crate) struct CostRow {
    pub run: String,
    pub replies: String,
    pub input: String,
    pub cached: String,
    pub output: String,
    pub reasoning: String,
    pub amount: Option<String>,
    pub price: String,
    /// Replies without token counts and attempts without an end, in words.
    pub remarks: Option<String>,
}

/// Costs of runs that called a judge.
pub(crate) fn costs(runs: &[RunCard]) -> Vec<CostRow> {
    let row = |run: &RunCard| {
        let cost = run.cost.as_ref()?;
        let remarks: Vec<String> = [
            (cost.tokens.unknown, "replies without token counts"),
            (cost.timed_out, "attempts timed out and may be billed"),
        ]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| format!("{} {what}", count64(n)))
        .collect();
        Some(CostRow {
            run: run.run.clone(),
            replies: count64(cost.replies),
            input: count64(cost.tokens.input),
            cached: count64(cost.tokens.cached),
            output: count64(cost.tokens.output),
            reasoning: count64(cost.tokens.reasoning),
            amount: cost.amount(),
            price: cost.price.clone(),
            remarks: (!remarks.is_empty()).then(|| remarks.join("; ")),
        })
    };
    runs.iter().filter_map(row).collect()
}

/// Warnings of one kind.
#[derive(Debug, Serialize)]
pub(crate) struct WarningGroup {
    pub kind: String,
    pub count: String,
    pub items: Vec<Warning>,
    /// How many more there are than are listed.
    pub more: Option<String>,
}

/// Warnings listed of each kind.
const LISTED: usize = 200;

/// Warnings by kind.
pub(crate) fn warnings(warnings: &[Warning]) -> Vec<WarningGroup> {
    by_kind(warnings)
        .into_iter()
        .map(|(kind, items)| WarningGroup {
            kind: kind.to_owned(),
            count: count(items.len()),
            more: (items.len() > LISTED).then(|| count(items.len() - LISTED)),
            items: items.into_iter().take(LISTED).cloned().collect(),
        })
        .collect()
}
