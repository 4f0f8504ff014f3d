//! The scores tree: what the released scoring script writes.

use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};
use verispec_model::score::{DimensionScore, Policy, ScoreTable, TrackScore};
use verispec_model::{DimensionResults, Results, TrackResults};

use super::files::write_json;
use super::{ExportError, ExportReport};
use crate::specv::board::{board, question_score};
use crate::specv::layout::{published_dimensions, sort_by_order};

#[derive(Serialize)]
struct DimensionFile<'a> {
    track: &'a str,
    track_average: f64,
    questions: Vec<QuestionEntry<'a>>,
}

#[derive(Serialize)]
struct QuestionEntry<'a> {
    question_id: &'a str,
    score: f64,
    correct: usize,
    total: usize,
}

#[derive(Serialize)]
struct Summary<'a> {
    model: &'a str,
    overall_average: f64,
    tracks: Map<String, Value>,
}

#[derive(Serialize)]
struct RankingEntry<'a> {
    rank: usize,
    model: &'a str,
    score: f64,
}

pub(super) fn write_scores(
    results: &Results,
    policy: Policy,
    dir: &Path,
    report: &mut ExportReport,
) -> Result<(), ExportError> {
    let table = board(results, policy);
    for track in &results.all_tracks {
        let folder = dir.join("eval").join(track).join("scores");
        let entered: Vec<Scored<'_>> = entered(results, &table, track);
        if entered.is_empty() && !results.models.is_empty() {
            continue;
        }
        for model in &entered {
            report.score_files += write_model(&folder.join(model.name), model, policy)?;
        }
        report.score_files += write_rankings(&folder, track, &entered, policy)?;
    }
    Ok(())
}

/// One model in one track, results and scores side by side.
struct Scored<'a> {
    name: &'a str,
    results: &'a TrackResults,
    score: &'a TrackScore,
}

impl<'a> Scored<'a> {
    fn dimensions(&self) -> impl Iterator<Item = (&'a DimensionResults, &'a DimensionScore)> {
        self.results.dimensions.iter().zip(&self.score.dimensions)
    }
}

fn entered<'a>(results: &'a Results, table: &'a ScoreTable, track: &str) -> Vec<Scored<'a>> {
    let models = results.models.iter().zip(&table.models);
    let scored = models.filter_map(|(model, scores)| {
        let place = model.tracks.iter().position(|t| t.track == track)?;
        let (results, score) = (&model.tracks[place], &scores.tracks[place]);
        Some(Scored {
            name: &model.model,
            results,
            score,
        })
    });
    scored.collect()
}

fn write_model(folder: &Path, model: &Scored<'_>, policy: Policy) -> Result<usize, ExportError> {
    let mut tracks = Map::new();
    let mut files = 0;
    for (results, score) in model.dimensions() {
        let Some(mean) = &score.score else { continue };
        tracks.insert(score.name.clone(), mean.value.into());
        let questions = results.instances.iter().filter_map(|instance| {
            let q = question_score(&model.results.track, &instance.state, policy)?;
            let (correct, total) = (q.correct, q.total);
            Some(QuestionEntry {
                question_id: &instance.id,
                score: q.score?,
                correct,
                total,
            })
        });
        let file = DimensionFile {
            track: &score.name,
            track_average: mean.value,
            questions: questions.collect(),
        };
        write_json(&folder.join(format!("{}.json", score.name)), &file)?;
        files += 1;
    }
    // A model that nobody can judge has no number; the release cannot say so.
    let Some(overall) = &model.score.score else {
        return Ok(files);
    };
    let summary = Summary {
        model: model.name,
        overall_average: overall.value,
        tracks,
    };
    write_json(&folder.join("summary.json"), &summary)?;
    Ok(files + 1)
}

fn write_rankings(
    folder: &Path,
    track: &str,
    models: &[Scored<'_>],
    policy: Policy,
) -> Result<usize, ExportError> {
    let overall = ranking(models, |m| m.score.score.as_ref().map(|s| s.value));
    write_json(&folder.join("overall_ranking.json"), &overall)?;
    let names = dimension_names(track, models);
    for name in &names {
        let score = |m: &Scored<'_>| {
            let dimension = m.score.dimensions.iter().find(|d| d.name == *name);
            let value = dimension.and_then(|d| d.score.as_ref()).map(|s| s.value);
            // The release ranks an absent dimension as 0, for models that it scores at all.
            let zero = policy.empty_dimension_is_zero && m.score.score.is_some();
            value.or(zero.then_some(0.0))
        };
        write_json(
            &folder.join(format!("{name}_ranking.json")),
            &ranking(models, score),
        )?;
    }
    Ok(1 + names.len())
}

fn dimension_names(track: &str, models: &[Scored<'_>]) -> Vec<String> {
    let published = published_dimensions(track);
    let mut names: Vec<String> = published.iter().map(|name| (*name).to_owned()).collect();
    let found = models
        .iter()
        .flat_map(|m| &m.score.dimensions)
        .map(|d| &d.name);
    for name in found {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    sort_by_order(&mut names, published);
    names
}

/// Best first; equal scores keep the order of names and get different ranks, as in the release.
fn ranking<'a>(
    models: &[Scored<'a>],
    score: impl Fn(&Scored<'a>) -> Option<f64>,
) -> Vec<RankingEntry<'a>> {
    let mut scored: Vec<(&str, f64)> = models
        .iter()
        .filter_map(|m| Some((m.name, score(m)?)))
        .collect();
    scored.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let ranked = scored.into_iter().enumerate();
    ranked
        .map(|(i, (model, score))| RankingEntry {
            rank: i + 1,
            model,
            score,
        })
        .collect()
}
