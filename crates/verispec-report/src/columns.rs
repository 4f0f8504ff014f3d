//! Columns of the tables that other programs read: Parquet files and Arrow.

use serde::Serialize;
use serde_json::Value;
use verispec_model::score::ScoreTable;

use crate::context::Context;
use crate::error::ReportError;
use Kind::{Number, Text, Truth, Whole};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Whole,
    Number,
    Truth,
}

pub(crate) type Columns = [(&'static str, Kind)];

/// Rows that are held in memory and written together.
pub(crate) const GROUP: usize = 65_536;

/// Fields of a line, in the order of the columns.
pub(crate) fn fields(line: &impl Serialize) -> Result<Vec<Value>, ReportError> {
    match serde_json::to_value(line).map_err(|source| ReportError::Data { source })? {
        Value::Object(map) => Ok(map.into_values().collect()),
        _ => Ok(vec![]),
    }
}

pub(crate) const SCORES: &Columns = &[
    ("model", Text),
    ("level", Text),
    ("track", Text),
    ("dimension", Text),
    ("score", Number),
    ("low", Number),
    ("high", Number),
    ("pooled", Number),
    ("all_met", Number),
    ("rankable", Truth),
    ("coverage", Number),
    ("instances", Whole),
    ("expected", Whole),
    ("output_failed", Whole),
    ("judged", Whole),
    ("met", Whole),
    ("unjudged", Whole),
    ("unjudgeable", Whole),
    ("pending", Whole),
    ("scoring", Text),
    ("missing", Text),
    ("unjudged_rule", Text),
    ("sum", Text),
    ("suite", Text),
    ("revision", Text),
    ("protocol", Text),
    ("judge", Text),
    ("reader", Text),
    ("runs", Text),
    ("partial", Text),
];

pub(crate) const INSTANCES: &Columns = &[
    ("model", Text),
    ("track", Text),
    ("dimension", Text),
    ("instance", Text),
    ("score", Number),
    ("policy", Text),
    ("protocol", Text),
    ("judge", Text),
    ("runs", Text),
];

pub(crate) const VERDICTS: &Columns = &[
    ("model", Text),
    ("track", Text),
    ("dimension", Text),
    ("instance", Text),
    ("specification", Whole),
    ("count", Whole),
    ("question", Text),
    ("category", Text),
    ("subcategory", Text),
    ("expected", Text),
    ("answer", Text),
    ("state", Text),
    ("reason", Text),
    ("note", Text),
    ("stage", Text),
    ("asked_with", Whole),
    ("request", Text),
    ("judge", Text),
    ("protocol", Text),
    ("member", Text),
    ("repeat", Whole),
    ("grade", Number),
    ("p_yes", Number),
    ("p_mass", Number),
    ("votes", Text),
];

/// A line of the table of instances. `score` is percent, null where nothing is decided.
#[derive(Serialize)]
pub(crate) struct InstanceLine<'a> {
    model: &'a str,
    track: &'a str,
    dimension: &'a str,
    instance: &'a str,
    score: Option<f64>,
    policy: &'a str,
    protocol: &'a str,
    judge: &'a str,
    runs: &'a str,
}

/// Hands on every line of the table of instances.
pub(crate) fn each_instance(
    scores: &ScoreTable,
    context: &Context,
    mut take: impl FnMut(&InstanceLine<'_>) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    let policy = scores.policy.to_string();
    let runs = context.runs.join(" ");
    let or_empty = |text: &'_ Option<String>| text.clone().unwrap_or_default();
    let (protocol, judge) = (or_empty(&context.protocol), or_empty(&context.judge));
    for model in &scores.models {
        for track in &model.tracks {
            for dimension in &track.dimensions {
                for (instance, score) in &dimension.instances {
                    take(&InstanceLine {
                        model: &model.model,
                        track: &track.track,
                        dimension: &dimension.name,
                        instance,
                        score: *score,
                        policy: &policy,
                        protocol: &protocol,
                        judge: &judge,
                        runs: &runs,
                    })?;
                }
            }
        }
    }
    Ok(())
}
