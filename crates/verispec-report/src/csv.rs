//! Scores and verdicts as CSV, one number or verdict a line.
//!
//! A field that does not exist is empty, never 0. Numbers are unrounded.

use serde::Serialize;
use verispec_model::score::{
    Counters, MissingRule, Score, ScoreTable, Scoring, SumRule, UnjudgedRule,
};
use verispec_model::{InstanceState, ReadStage, Results, SpecResult};

use crate::context::Context;
use crate::error::ReportError;
use crate::input::{SpecState, data_failure, expected, grade, votes};
use crate::rank::{RankTable, RowSource};

/// A line of the table of scores. `track` is empty for the average, `dimension` for a track.
#[derive(Serialize)]
pub(crate) struct ScoreLine<'a> {
    model: &'a str,
    level: &'static str,
    track: &'a str,
    dimension: &'a str,
    score: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    pooled: Option<f64>,
    all_met: Option<f64>,
    rankable: Option<bool>,
    coverage: Option<f64>,
    instances: usize,
    expected: usize,
    output_failed: usize,
    judged: usize,
    met: usize,
    unjudged: usize,
    unjudgeable: usize,
    pending: usize,
    scoring: &'static str,
    missing: &'static str,
    unjudged_rule: &'static str,
    sum: &'static str,
    suite: &'a str,
    revision: &'a str,
    protocol: &'a str,
    judge: &'a str,
    reader: &'a str,
    runs: &'a str,
    partial: &'a str,
}

/// Scores in long form: a line for each model's average, tracks and dimensions.
///
/// # Errors
/// A line cannot be written.
pub fn scores(table: &ScoreTable, context: &Context) -> Result<String, ReportError> {
    let mut writer = ::csv::Writer::from_writer(vec![]);
    each_score(table, context, |line| Ok(writer.serialize(line)?))?;
    text(writer)
}

/// Hands on every line of [`scores`].
pub(crate) fn each_score(
    table: &ScoreTable,
    context: &Context,
    mut take: impl FnMut(&ScoreLine<'_>) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    let runs = context.runs.join(" ");
    let maker = Lines {
        table,
        context,
        runs: &runs,
    };
    for model in &table.models {
        let name = model.model.as_str();
        let mut line = maker.line(name, "average", model.average.as_ref(), &model.counters);
        take(&line)?;
        for track in &model.tracks {
            line = maker.line(name, "track", track.score.as_ref(), &track.counters);
            line.track = &track.track;
            line.pooled = track.pooled;
            line.all_met = track.all_met;
            line.rankable = Some(track.rankable);
            take(&line)?;
            for dimension in &track.dimensions {
                let score = dimension.score.as_ref();
                line = maker.line(name, "dimension", score, &dimension.counters);
                line.track = &track.track;
                line.dimension = &dimension.name;
                take(&line)?;
            }
        }
    }
    Ok(())
}

struct Lines<'a> {
    table: &'a ScoreTable,
    context: &'a Context,
    runs: &'a str,
}

impl<'a> Lines<'a> {
    fn line(
        &self,
        model: &'a str,
        level: &'static str,
        score: Option<&Score>,
        c: &Counters,
    ) -> ScoreLine<'a> {
        let policy = self.table.policy;
        let context = self.context;
        let or_empty = |s: &'a Option<String>| s.as_deref().unwrap_or_default();
        ScoreLine {
            model,
            level,
            track: "",
            dimension: "",
            score: score.map(|s| s.value),
            low: score.map(|s| s.low),
            high: score.map(|s| s.high),
            pooled: None,
            all_met: None,
            rankable: None,
            coverage: c.coverage(),
            instances: c.instances,
            expected: c.expected,
            output_failed: c.output_failed,
            judged: c.judged,
            met: c.met,
            unjudged: c.unjudged,
            unjudgeable: c.unjudgeable,
            pending: c.pending,
            scoring: match policy.scoring {
                Scoring::Uniform => "uniform",
                Scoring::Board => "board",
                Scoring::Strict => "strict",
                Scoring::Holistic => "holistic",
            },
            missing: match policy.missing {
                MissingRule::Zero => "zero",
                MissingRule::Exclude => "exclude",
            },
            unjudged_rule: match policy.unjudged {
                UnjudgedRule::Exclude => "exclude",
                UnjudgedRule::Na => "na",
            },
            sum: match (policy.scoring, policy.sum) {
                (Scoring::Uniform | Scoring::Strict | Scoring::Holistic, _) => "exact",
                (Scoring::Board, SumRule::Plain) => "plain",
                (Scoring::Board, SumRule::Compensated) => "compensated",
            },
            suite: &self.table.suite,
            revision: or_empty(&context.revision),
            protocol: or_empty(&context.protocol),
            judge: or_empty(&context.judge),
            reader: or_empty(&context.reader),
            runs: self.runs,
            partial: or_empty(&context.partial),
        }
    }
}

/// A line of a table of ranks. Models without a place have empty ranks and say why.
#[derive(Serialize)]
pub(crate) struct RankLine<'a> {
    by: &'a str,
    rank_first: Option<usize>,
    rank_last: Option<usize>,
    model: &'a str,
    source: &'static str,
    group: &'a str,
    score: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    coverage: Option<f64>,
    why_unranked: String,
    note: &'a str,
    policy: String,
}

/// Ranks, one line a model and ranking.
///
/// # Errors
/// A line cannot be written.
pub fn ranks(tables: &[RankTable]) -> Result<String, ReportError> {
    let mut writer = ::csv::Writer::from_writer(vec![]);
    each_rank(tables, |line| Ok(writer.serialize(line)?))?;
    text(writer)
}

/// Hands on every line of [`ranks`].
pub(crate) fn each_rank(
    tables: &[RankTable],
    mut take: impl FnMut(&RankLine<'_>) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    for table in tables {
        let policy = table.policy.to_string();
        for row in &table.rows {
            let (source, group) = source_of(&row.source);
            take(&RankLine {
                by: &table.by,
                rank_first: Some(row.first),
                rank_last: Some(row.last),
                model: &row.model,
                source,
                group,
                score: Some(row.score.value),
                low: Some(row.score.low),
                high: Some(row.score.high),
                coverage: row.coverage,
                why_unranked: String::new(),
                note: row.note.as_deref().unwrap_or_default(),
                policy: policy.clone(),
            })?;
        }
        for row in &table.unranked {
            let (source, group) = source_of(&row.source);
            take(&RankLine {
                by: &table.by,
                rank_first: None,
                rank_last: None,
                model: &row.model,
                source,
                group,
                score: row.score,
                low: None,
                high: None,
                coverage: None,
                why_unranked: row.reasons.join("; "),
                note: "",
                policy: policy.clone(),
            })?;
        }
    }
    Ok(())
}

fn source_of(source: &RowSource) -> (&'static str, &str) {
    match source {
        RowSource::Own => ("own", ""),
        RowSource::Published { group } => ("published", group),
    }
}

/// A line of the table of verdicts. An output or data failure is one line without a
/// specification that stands for `count` of them.
#[derive(Serialize)]
pub(crate) struct VerdictLine<'a> {
    model: &'a str,
    track: &'a str,
    dimension: &'a str,
    instance: &'a str,
    specification: Option<u32>,
    count: usize,
    question: &'a str,
    category: &'a str,
    subcategory: &'a str,
    expected: &'a str,
    answer: &'a str,
    state: &'static str,
    reason: String,
    note: &'a str,
    stage: &'static str,
    asked_with: Option<u32>,
    request: String,
    judge: &'a str,
    protocol: &'a str,
    member: &'a str,
    repeat: u32,
    grade: Option<f64>,
    p_yes: Option<f64>,
    p_mass: Option<f64>,
    votes: String,
}

/// Verdicts, one line a specification.
///
/// # Errors
/// A line cannot be written.
pub fn verdicts(results: &Results, context: &Context) -> Result<String, ReportError> {
    let mut writer = ::csv::Writer::from_writer(vec![]);
    each_verdict(results, context, |line| Ok(writer.serialize(line)?))?;
    text(writer)
}

/// Hands on every line of [`verdicts`].
pub(crate) fn each_verdict(
    results: &Results,
    context: &Context,
    mut take: impl FnMut(&VerdictLine<'_>) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    for model in &results.models {
        for track in &model.tracks {
            for dimension in &track.dimensions {
                for item in &dimension.instances {
                    let base = || base(&model.model, &track.track, &dimension.name, context);
                    for mut line in instance(&item.state, base) {
                        line.instance = &item.id;
                        take(&line)?;
                    }
                }
            }
        }
    }
    Ok(())
}

fn base<'a>(
    model: &'a str,
    track: &'a str,
    dimension: &'a str,
    context: &'a Context,
) -> VerdictLine<'a> {
    VerdictLine {
        model,
        track,
        dimension,
        instance: "",
        specification: None,
        count: 1,
        question: "",
        category: "",
        subcategory: "",
        expected: "",
        answer: "",
        state: "",
        reason: String::new(),
        note: "",
        stage: "",
        asked_with: None,
        request: String::new(),
        judge: context.judge.as_deref().unwrap_or_default(),
        protocol: context.protocol.as_deref().unwrap_or_default(),
        member: "",
        repeat: 0,
        grade: None,
        p_yes: None,
        p_mass: None,
        votes: String::new(),
    }
}

fn instance<'a>(
    state: &'a InstanceState,
    base: impl Fn() -> VerdictLine<'a>,
) -> Vec<VerdictLine<'a>> {
    match state {
        InstanceState::Generated(specs) => specs.iter().map(|s| verdict(s, base())).collect(),
        InstanceState::OutputFailed(why, k) => vec![VerdictLine {
            count: *k,
            state: "output-failed",
            reason: why.to_string(),
            ..base()
        }],
        InstanceState::Unjudgeable(why, k) => vec![VerdictLine {
            count: *k,
            state: "unjudgeable",
            reason: data_failure(why),
            ..base()
        }],
    }
}

fn verdict<'a>(result: &'a SpecResult, base: VerdictLine<'a>) -> VerdictLine<'a> {
    let state = SpecState::of(result);
    VerdictLine {
        specification: Some(result.id()),
        question: &result.spec.question,
        category: &result.spec.category,
        subcategory: &result.spec.subcategory,
        expected: expected(result),
        answer: result.verdict().map_or("", |v| v.as_str()),
        state: state.word(),
        reason: state.reason().unwrap_or_default().to_owned(),
        note: result.provenance.note.as_deref().unwrap_or_default(),
        stage: match result.provenance.stage {
            None => "",
            Some(ReadStage::Strict) => "strict",
            Some(ReadStage::Extracted) => "extracted",
            Some(ReadStage::Repaired) => "repaired",
        },
        asked_with: result.provenance.asked_with,
        request: result
            .provenance
            .request
            .map(|h| h.to_string())
            .unwrap_or_default(),
        member: result.provenance.judge.as_deref().unwrap_or_default(),
        repeat: result.provenance.repeat,
        grade: grade(result).map(|(value, _)| value),
        p_yes: result.provenance.soft.map(|s| s.p_yes),
        p_mass: result.provenance.soft.map(|s| s.mass),
        votes: votes(result).join("; "),
        ..base
    }
}

pub(crate) fn text(writer: ::csv::Writer<Vec<u8>>) -> Result<String, ReportError> {
    let bytes = writer
        .into_inner()
        .map_err(|e| ReportError::Csv(e.into_error().into()))?;
    // Every field was a string or a number, so the bytes are UTF-8.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
