//! What the page shows, as its template sees it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use verispec_model::Warning;

use super::charts::{Models, heat};
use super::data::{Pack, Tasks};
use super::failures::{self, CostRow, Failures, WarningGroup};
use super::plots::{self, KeyEntry, Plot};
use super::scores::{self, JudgeTable, NumberTable, Weakest};
use crate::input::{Judged, ReportInput};
use crate::number::{count, coverage, fixed2, percent, plural};
use crate::statistics::{ScoreInterval, Stability};

/// The page.
#[derive(Debug, Serialize)]
pub(crate) struct Page {
    pub suite: String,
    pub verispec: &'static str,
    pub subtitle: String,
    pub facts: Vec<Fact>,
    pub partial: Option<String>,
    pub judges: Vec<JudgeView>,
    pub side_by_side: Option<JudgeTable>,
    pub legend: Vec<KeyEntry>,
    pub crowded: bool,
    pub stability: Option<StabilityView>,
    pub costs: Vec<CostRow>,
    pub total_cost: Option<String>,
    pub cards: Vec<Card>,
    pub warnings: Vec<WarningGroup>,
    pub warning_count: String,
    /// What was left out of a single page.
    pub omissions: Vec<String>,
    /// Names, as data for the script.
    pub index: String,
    /// Data blocks of a single page.
    pub packs: Vec<Pack>,
}

/// A number at the head of the page.
#[derive(Debug, Serialize)]
pub(crate) struct Fact {
    pub value: String,
    pub name: &'static str,
    pub detail: String,
}

/// One judge's sections.
#[derive(Debug, Serialize)]
pub(crate) struct JudgeView {
    pub at: usize,
    pub name: String,
    /// Names and values of what the numbers were made with.
    pub lines: Vec<(&'static str, String)>,
    pub scores: NumberTable,
    /// What was ranked, and by which methods intervals were made.
    pub ranked_by: Option<String>,
    pub intervals: Option<String>,
    pub bounded: bool,
    pub not_entered: Option<String>,
    pub dimension_plots: Vec<Plot>,
    pub dimensions: Vec<NumberTable>,
    pub weakest: Option<Weakest>,
    pub complexity: Vec<Plot>,
    pub contrast: Option<Plot>,
    pub failures: Option<Failures>,
}

/// Agreement of rankings.
#[derive(Debug, Serialize)]
pub(crate) struct StabilityView {
    pub method: String,
    pub picture: String,
    /// Judge, yes rate, spread, human correlation.
    pub rows: Vec<(String, String, String, String)>,
    /// Some judge has a correlation with people.
    pub human: bool,
    pub warnings: Vec<String>,
}

/// An identity card.
#[derive(Debug, Serialize)]
pub(crate) struct Card {
    pub run: String,
    pub lines: Vec<(String, String)>,
}

/// Makes the page's content, without data blocks and omissions.
pub(crate) fn page(input: &ReportInput<'_>, tasks: &Tasks<'_>, index: String) -> Page {
    let models: Models<'_> = &tasks.models;
    let warnings = all_warnings(&input.judged);
    let costs = failures::costs(&input.runs);
    Page {
        suite: input
            .judged
            .first()
            .map(|j| j.scores.suite.clone())
            .unwrap_or_default(),
        verispec: env!("CARGO_PKG_VERSION"),
        subtitle: subtitle(input, tasks),
        facts: facts(input),
        partial: input.judged.iter().find_map(|j| j.context.partial.clone()),
        judges: input
            .judged
            .iter()
            .enumerate()
            .map(|(at, judged)| judge(at, judged, input, models))
            .collect(),
        side_by_side: scores::judges(&input.judged, models),
        legend: plots::legend(input.judged.first(), models),
        crowded: plots::crowded(models.len()),
        stability: input.statistics.stability.as_ref().map(stability),
        total_cost: total_cost(input),
        costs,
        cards: input
            .runs
            .iter()
            .map(|r| Card {
                run: r.run.clone(),
                lines: r.lines.clone(),
            })
            .collect(),
        warning_count: count(warnings.len()),
        warnings: failures::warnings(&warnings),
        omissions: vec![],
        index,
        packs: vec![],
    }
}

/// Names that the script needs before anything is loaded.
pub(crate) fn index(input: &ReportInput<'_>, tasks: &Tasks<'_>, single: bool) -> Value {
    let judges: Vec<&str> = input.judged.iter().map(|j| j.name.as_str()).collect();
    json!({
        "models": tasks.models,
        "tracks": tasks.tracks,
        "judges": judges,
        "single": single,
    })
}

fn subtitle(input: &ReportInput<'_>, tasks: &Tasks<'_>) -> String {
    let tracks: std::collections::HashSet<usize> = tasks.tasks.iter().map(|t| t.track).collect();
    let mut words = vec![
        plural(tasks.models.len(), "model", "models"),
        plural(tracks.len(), "track", "tracks"),
        plural(tasks.tasks.len(), "task", "tasks"),
        plural(tasks.results(), "output judged", "outputs judged"),
    ];
    if input.judged.len() > 1 {
        words.push(plural(input.judged.len(), "judge", "judges"));
    }
    words.join(" · ")
}

fn facts(input: &ReportInput<'_>) -> Vec<Fact> {
    let mut sum = verispec_model::score::Counters::default();
    for model in input.judged.iter().flat_map(|j| &j.scores.models) {
        sum += &model.counters;
    }
    let met = match sum.graded {
        0 => format!("{} met", count(sum.met)),
        n => format!("{} grades", count(n)),
    };
    let mut facts = vec![
        Fact {
            value: count(sum.judged),
            name: "verdicts",
            detail: met,
        },
        Fact {
            value: coverage(sum.coverage()),
            name: "coverage",
            detail: format!("{} unjudged", count(sum.unjudged)),
        },
        Fact {
            value: count(sum.failed_instances.values().sum()),
            name: "outputs failed",
            detail: format!("{} specifications lost", count(sum.output_failed)),
        },
    ];
    if sum.pending + sum.unjudgeable > 0 {
        facts.push(Fact {
            value: count(sum.pending),
            name: "pending",
            detail: format!("{} not judgeable", count(sum.unjudgeable)),
        });
    }
    if let Some(cost) = total_cost(input) {
        let priced = input.runs.iter().filter_map(|r| r.cost.as_ref());
        let replies: u64 = priced.map(|c| c.replies).sum();
        facts.push(Fact {
            value: cost,
            name: "cost",
            detail: format!("{} replies", crate::number::count64(replies)),
        });
    }
    facts
}

/// The sum over all runs; `None` unless all that called a judge have a price.
fn total_cost(input: &ReportInput<'_>) -> Option<String> {
    let costs: Vec<Option<f64>> = input
        .runs
        .iter()
        .filter_map(|r| r.cost.as_ref())
        .map(|c| c.dollars)
        .collect();
    let sum: Option<f64> = costs.iter().copied().sum();
    sum.filter(|_| !costs.is_empty())
        .map(crate::number::dollars)
}

fn judge(at: usize, judged: &Judged<'_>, input: &ReportInput<'_>, models: Models<'_>) -> JudgeView {
    let stats = &input.statistics;
    let mut lines = judged.context.lines(Some(judged.scores.policy));
    lines.retain(|(name, _)| *name != "partial");
    let scores = scores::leaderboard(judged, stats, models);
    let bounded = scores
        .rows
        .iter()
        .flat_map(|r| &r.cells)
        .any(|c| c.bounds.is_some());
    JudgeView {
        at,
        name: judged.name.clone(),
        lines,
        ranked_by: judged
            .ranks
            .first()
            .filter(|r| !r.rows.is_empty())
            .map(|r| r.by.clone()),
        intervals: methods(stats.intervals.iter().filter(|i| i.judge == judged.name)),
        bounded,
        not_entered: not_entered(judged),
        scores,
        dimension_plots: plots::by_dimension(judged, stats, models),
        dimensions: scores::dimensions(judged, stats, models),
        weakest: scores::weakest(judged.scores, models),
        complexity: plots::by_complexity(judged, models),
        contrast: plots::contrast(judged, models),
        failures: failures::failures(judged, stats, models),
    }
}

/// Levels and methods of intervals, each once.
fn methods<'a>(intervals: impl Iterator<Item = &'a ScoreInterval>) -> Option<String> {
    let mut found: BTreeMap<String, ()> = BTreeMap::new();
    for i in intervals {
        let line = format!(
            "{} % {}",
            super::svg::num(i.interval.level * 100.0),
            i.interval.method
        );
        found.insert(line, ());
    }
    (!found.is_empty()).then(|| found.into_keys().collect::<Vec<_>>().join("; "))
}

fn not_entered(judged: &Judged<'_>) -> Option<String> {
    let table = judged.scores;
    let entered = |t: &&String| table.models.iter().any(|m| m.track(t).is_some());
    let out: Vec<&str> = table
        .all_tracks
        .iter()
        .filter(|t| !entered(t))
        .map(String::as_str)
        .collect();
    (!out.is_empty()).then(|| out.join(", "))
}

fn stability(s: &Stability) -> StabilityView {
    let at = |values: &[Option<f64>], i: usize| values.get(i).copied().flatten();
    let decimal = |v: Option<f64>| v.map_or_else(|| percent(None), |v| format!("{v:.3}"));
    let row = |(i, judge): (usize, &String)| {
        let yes = at(&s.yes_rate, i).map_or_else(|| percent(None), |v| fixed2(v * 100.0) + "%");
        (
            judge.clone(),
            yes,
            percent(at(&s.spread, i)),
            decimal(at(&s.human, i)),
        )
    };
    StabilityView {
        method: s.method.clone(),
        picture: heat(s),
        human: s.human.iter().any(Option::is_some),
        rows: s.judges.iter().enumerate().map(row).collect(),
        warnings: s.warnings.clone(),
    }
}

/// Warnings of all judges, each once.
fn all_warnings(judged: &[Judged<'_>]) -> Vec<Warning> {
    let mut seen = std::collections::HashSet::new();
    let all = judged.iter().flat_map(|j| &j.results.warnings);
    let key = |w: &Warning| (w.kind.clone(), w.place.clone(), w.message.clone());
    all.filter(|w| seen.insert(key(w))).cloned().collect()
}
