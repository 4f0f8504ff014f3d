//! Documents of scores and ranks.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value, json};
use verispec_model::score::{
    CategoryScore, Counters, DimensionScore, ModelScore, Policy, Score, ScoreTable, TrackScore,
};

use super::{document, document_head};
use crate::context::{Context, estimand};
use crate::gaps::{average_missing_because, model_gaps, track_gaps, undefined_because};
use crate::rank::RankTable;

/// Scores of all models, kind `scores`, with those by category if there are any. Percent, unrounded;
/// `exact` is the fraction (0-1) where the rule does not round on the way.
#[derive(Debug, Clone, Copy)]
pub struct Scores<'a> {
    /// The scores.
    pub table: &'a ScoreTable,
    /// What they were made with.
    pub context: &'a Context,
    /// Scores by category, where they were asked for.
    pub categories: Option<&'a [CategoryScore]>,
}

// A table may hold the scores of a hundred thousand instances: it is written as it stands, without
// a tree of values in between.
impl Serialize for Scores<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in document_head("scores") {
            map.serialize_entry(name, &value)?;
        }
        for (name, value) in head(self.table.policy, self.context) {
            map.serialize_entry(&name, &value)?;
        }
        map.serialize_entry("tracks", &self.table.all_tracks)?;
        let model = |model| Model(model, self.table);
        map.serialize_entry("models", &Each(&self.table.models, model))?;
        if let Some(categories) = self.categories {
            map.serialize_entry("categories", categories)?;
        }
        map.end()
    }
}

/// A list whose items are written as `F` makes them.
struct Each<'a, T, F>(&'a [T], F);

impl<'a, T, W: Serialize, F: Fn(&'a T) -> W> Serialize for Each<'a, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
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

struct Model<'a>(&'a ModelScore, &'a ScoreTable);

impl<'a> Serialize for Model<'a> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(model, table): &Model<'a> = self;
        let gaps = model_gaps(model, &table.all_tracks);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("model", &model.model)?;
        let why = || average_missing_because(model, table);
        number(&mut map, "average", model.average.as_ref(), why)?;
        map.serialize_entry("rankable", &gaps.is_empty())?;
        map.serialize_entry("not_rankable_because", &gaps)?;
        counted(&mut map, &model.counters)?;
        let track = |name: &'a String| Entered(name, model.track(name));
        map.serialize_entry("tracks", &Each(&table.all_tracks, track))?;
        map.end()
    }
}

/// A track that a model has entered, or has not.
struct Entered<'a>(&'a str, Option<&'a TrackScore>);

impl Serialize for Entered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(name, track) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("track", name)?;
        map.serialize_entry("entered", &track.is_some())?;
        let Some(track) = track else {
            map.serialize_entry("score", &())?;
            map.serialize_entry("why", "not entered")?;
            return map.end();
        };
        let why = || undefined_because(&track.counters).to_owned();
        number(&mut map, "score", track.score.as_ref(), why)?;
        map.serialize_entry("pooled", &track.pooled)?;
        map.serialize_entry("all_met", &track.all_met)?;
        map.serialize_entry("rankable", &track.rankable)?;
        map.serialize_entry("not_rankable_because", &track_gaps(track))?;
        counted(&mut map, &track.counters)?;
        map.serialize_entry("dimensions", &Each(&track.dimensions, Dimension))?;
        map.end()
    }
}

struct Dimension<'a>(&'a DimensionScore);

impl Serialize for Dimension<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(dimension) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("dimension", &dimension.name)?;
        let why = || undefined_because(&dimension.counters).to_owned();
        number(&mut map, "score", dimension.score.as_ref(), why)?;
        counted(&mut map, &dimension.counters)?;
        map.serialize_entry("instances", &Each(&dimension.instances, Instance::new))?;
        map.end()
    }
}

#[derive(Serialize)]
struct Instance<'a> {
    id: &'a str,
    score: Option<f64>,
}

impl<'a> Instance<'a> {
    fn new((id, score): &'a (String, Option<f64>)) -> Self {
        Self { id, score: *score }
    }
}

/// A score, or `null` and why.
fn number<M: SerializeMap>(
    map: &mut M,
    name: &str,
    score: Option<&Score>,
    why: impl Fn() -> String,
) -> Result<(), M::Error> {
    map.serialize_entry(name, &score)?;
    if score.is_none() {
        map.serialize_entry("why", &why())?;
    }
    Ok(())
}

fn counted<M: SerializeMap>(map: &mut M, counters: &Counters) -> Result<(), M::Error> {
    map.serialize_entry("coverage", &counters.coverage())?;
    map.serialize_entry("counters", counters)
}
