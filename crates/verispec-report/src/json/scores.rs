//! Documents of scores and ranks.

use serde_json::{Map, Value, json};
use verispec_model::score::{
    Counters, DimensionScore, ModelScore, Policy, Score, ScoreTable, TrackScore,
};

use super::document;
use crate::context::{Context, estimand};
use crate::gaps::{average_missing_because, model_gaps, track_gaps, undefined_because};
use crate::rank::RankTable;

/// Scores of all models, kind `scores`. Percent, unrounded; `exact` is the fraction (0-1) where
/// the rule does not round on the way.
#[must_use]
pub fn scores(table: &ScoreTable, context: &Context) -> Value {
    let mut body = head(table.policy, context);
    body.insert("tracks".into(), json!(table.all_tracks));
    let models: Vec<Value> = table.models.iter().map(|m| model(m, table)).collect();
    body.insert("models".into(), json!(models));
    document("scores", body)
}

/// A ranking, kind `rank`.
#[must_use]
pub fn rank(table: &RankTable, context: &Context) -> Value {
    let mut body = head(table.policy, context);
    body.insert("by".into(), json!(table.by));
    body.insert("columns".into(), json!(table.columns));
    body.insert("rows".into(), json!(table.rows));
    body.insert("unranked".into(), json!(table.unranked));
    document("rank", body)
}

fn head(policy: Policy, context: &Context) -> Map<String, Value> {
    Map::from_iter([
        ("context".to_owned(), json!(context)),
        ("policy".to_owned(), json!(policy)),
        ("policy_text".to_owned(), json!(policy.to_string())),
        ("estimand".to_owned(), json!(estimand(policy))),
    ])
}

fn model(model: &ModelScore, table: &ScoreTable) -> Value {
    let gaps = model_gaps(model, &table.all_tracks);
    let mut object = Map::new();
    object.insert("model".into(), json!(model.model));
    let why = || average_missing_because(model, table);
    number(&mut object, "average", model.average.as_ref(), why);
    object.insert("rankable".into(), json!(gaps.is_empty()));
    object.insert("not_rankable_because".into(), json!(gaps));
    counted(&mut object, &model.counters);
    let tracks = table.all_tracks.iter().map(|name| match model.track(name) {
        Some(t) => track(t),
        None => json!({"track": name, "entered": false, "score": null, "why": "not entered"}),
    });
    object.insert("tracks".into(), tracks.collect());
    Value::Object(object)
}

fn track(track: &TrackScore) -> Value {
    let mut object = Map::new();
    object.insert("track".into(), json!(track.track));
    object.insert("entered".into(), json!(true));
    let why = || undefined_because(&track.counters).to_owned();
    number(&mut object, "score", track.score.as_ref(), why);
    object.insert("pooled".into(), json!(track.pooled));
    object.insert("all_met".into(), json!(track.all_met));
    object.insert("rankable".into(), json!(track.rankable));
    object.insert("not_rankable_because".into(), json!(track_gaps(track)));
    counted(&mut object, &track.counters);
    object.insert(
        "dimensions".into(),
        track.dimensions.iter().map(dimension).collect(),
    );
    Value::Object(object)
}

fn dimension(dimension: &DimensionScore) -> Value {
    let mut object = Map::new();
    object.insert("dimension".into(), json!(dimension.name));
    let why = || undefined_because(&dimension.counters).to_owned();
    number(&mut object, "score", dimension.score.as_ref(), why);
    counted(&mut object, &dimension.counters);
    let instances = dimension
        .instances
        .iter()
        .map(|(id, score)| json!({"id": id, "score": score}));
    object.insert("instances".into(), instances.collect());
    Value::Object(object)
}

/// A score, or `null` and why.
fn number(
    object: &mut Map<String, Value>,
    name: &str,
    score: Option<&Score>,
    why: impl Fn() -> String,
) {
    object.insert(name.into(), json!(score));
    if score.is_none() {
        object.insert("why".into(), json!(why()));
    }
}

fn counted(object: &mut Map<String, Value>, counters: &Counters) {
    object.insert("coverage".into(), json!(counters.coverage()));
    object.insert("counters".into(), json!(counters));
}
