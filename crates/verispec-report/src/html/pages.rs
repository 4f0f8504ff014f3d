//! Which pages there are and what each shows.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_model::score::{ScoreTable, Scoring};

use super::card::{Card, Link, card, states};
use super::images::Images;
use super::names::{self, FileNames};
use super::summary::{self, CounterRow, NumberTable, RankView, WarningGroup, counter_row};
use crate::input::{InstanceView, ReportInput};
use crate::number::{count, percent, plural};

/// What every page says about the run.
#[derive(Debug, Serialize)]
pub(crate) struct Head {
    pub suite: String,
    pub verispec: &'static str,
    /// Names and values of what the numbers were made with.
    pub facts: Vec<(&'static str, String)>,
    pub partial: Option<String>,
}

/// The first page.
#[derive(Debug, Serialize)]
pub(crate) struct Index {
    pub head: Head,
    pub subtitle: String,
    pub scores: NumberTable,
    pub dimensions: Vec<NumberTable>,
    pub rank: Option<RankView>,
    pub counter_names: Vec<&'static str>,
    pub counters: Vec<CounterRow>,
    pub warnings: Vec<WarningGroup>,
    pub warning_count: String,
    /// Instances, when all are on this page.
    pub list: Option<List>,
    /// Pages with instances, when they are on pages of their own.
    pub pages: Vec<PageLink>,
}

/// A page of one model in one track.
#[derive(Debug, Serialize)]
pub(crate) struct Part {
    pub head: Head,
    pub model: String,
    pub track: String,
    pub score: NumberTable,
    pub counter_names: Vec<&'static str>,
    pub counters: Vec<CounterRow>,
    pub list: List,
}

/// Instances with what can be filtered by.
#[derive(Debug, Serialize)]
pub(crate) struct List {
    pub models: Vec<String>,
    pub tracks: Vec<String>,
    pub total: String,
    pub groups: Vec<TrackGroup>,
}

/// Instances of a track.
#[derive(Debug, Serialize)]
pub(crate) struct TrackGroup {
    pub track: String,
    pub anchor: String,
    pub dimensions: Vec<DimensionGroup>,
}

/// Instances of a dimension.
#[derive(Debug, Serialize)]
pub(crate) struct DimensionGroup {
    pub dimension: String,
    pub count: String,
    pub cards: Vec<Card>,
}

/// A line of the list of pages.
#[derive(Debug, Serialize)]
pub(crate) struct PageLink {
    pub model: String,
    pub track: String,
    pub href: String,
    pub score: String,
    pub instances: String,
    /// Instances by state word, those that occur: the word and how it is shown.
    pub states: Vec<(&'static str, String)>,
}

/// One model in one track: file and instances.
pub(crate) struct Chapter<'v, 'a> {
    pub model: &'a str,
    pub track: &'a str,
    pub file: String,
    pub views: Vec<&'v InstanceView<'a>>,
}

/// Splits instances by track and model, in the order in which they come.
pub(crate) fn chapters<'v, 'a>(views: &'v [InstanceView<'a>]) -> Vec<Chapter<'v, 'a>> {
    let mut names = FileNames::reserving(&["index.html"]);
    let mut chapters: Vec<Chapter<'v, 'a>> = vec![];
    for view in views {
        let found = chapters
            .iter_mut()
            .rev()
            .find(|c| c.model == view.model && c.track == view.track);
        match found {
            Some(chapter) => chapter.views.push(view),
            None => chapters.push(Chapter {
                model: view.model,
                track: view.track,
                file: names.page(&format!("{}-{}", view.model, view.track)),
                views: vec![view],
            }),
        }
    }
    chapters
}

/// What every page says about the run.
pub(crate) fn head(input: &ReportInput<'_>) -> Head {
    let mut facts = input.context.lines(Some(input.scores.policy));
    facts.retain(|(name, _)| *name != "partial");
    Head {
        suite: input.scores.suite.clone(),
        verispec: env!("CARGO_PKG_VERSION"),
        facts,
        partial: input.context.partial.clone(),
    }
}

/// The first page, with its instances or with links to the chapters that hold them.
pub(crate) fn index(
    input: &ReportInput<'_>,
    chapters: &[Chapter<'_, '_>],
    list: Option<List>,
) -> Index {
    let pages = if list.is_some() { &[] } else { chapters };
    let models = &input.scores.models;
    let holistic = input.scores.policy.scoring == Scoring::Holistic;
    Index {
        head: head(input),
        subtitle: format!(
            "{} · {} · {}",
            plural(models.len(), "model", "models"),
            plural(input.scores.all_tracks.len(), "track", "tracks"),
            plural(input.instances.len(), "result", "results"),
        ),
        scores: summary::tracks(input),
        dimensions: summary::dimensions(input.scores),
        rank: input.rank.map(summary::ranking),
        counter_names: summary::counter_names(holistic),
        counters: models
            .iter()
            .map(|m| counter_row(&m.model, &m.counters, holistic))
            .collect(),
        warnings: summary::warnings(input.warnings),
        warning_count: count(input.warnings.len()),
        list,
        pages: pages.iter().map(|c| page_link(c, input.scores)).collect(),
    }
}

fn page_link(chapter: &Chapter<'_, '_>, scores: &ScoreTable) -> PageLink {
    let track = scores
        .models
        .iter()
        .find(|m| m.model == chapter.model)
        .and_then(|m| m.track(chapter.track));
    let mut tally: BTreeMap<&'static str, usize> = BTreeMap::new();
    for view in &chapter.views {
        for state in states(view.state) {
            *tally.entry(state).or_default() += 1;
        }
    }
    let order = [
        "met",
        "unmet",
        "unjudged",
        "unjudgeable",
        "failed",
        "pending",
    ];
    let states = order
        .into_iter()
        .filter_map(|word| tally.get(word).map(|n| (word, shown(word, *n))))
        .collect();
    PageLink {
        model: chapter.model.to_owned(),
        track: chapter.track.to_owned(),
        href: names::encode(&chapter.file),
        score: percent(track.and_then(|t| t.score.as_ref()).map(|s| s.value)),
        instances: count(chapter.views.len()),
        states,
    }
}

fn shown(word: &str, n: usize) -> String {
    let text = if word == "met" { "all met" } else { word };
    format!("{} {text}", count(n))
}

/// A chapter's page.
pub(crate) fn part(
    input: &ReportInput<'_>,
    chapter: &Chapter<'_, '_>,
    chapters: &[Chapter<'_, '_>],
    images: &mut Images,
) -> Part {
    let mut score = summary::dimensions(input.scores)
        .into_iter()
        .find(|t| t.title == chapter.track)
        .unwrap_or(NumberTable {
            title: chapter.track.to_owned(),
            columns: vec![],
            rows: vec![],
        });
    score.rows.retain(|r| r.model == chapter.model);
    let holistic = input.scores.policy.scoring == Scoring::Holistic;
    let counters = input
        .scores
        .models
        .iter()
        .find(|m| m.model == chapter.model)
        .and_then(|m| m.track(chapter.track))
        .map(|t| counter_row(&t.track, &t.counters, holistic));
    let mut list = list(&chapter.views, images);
    let cards = list
        .groups
        .iter_mut()
        .flat_map(|g| &mut g.dimensions)
        .flat_map(|d| &mut d.cards);
    let others: Vec<&Chapter<'_, '_>> = chapters
        .iter()
        .filter(|c| c.track == chapter.track && c.model != chapter.model)
        .collect();
    for card in cards {
        card.others = others.iter().filter_map(|c| same(c, &card.id)).collect();
    }
    Part {
        head: head(input),
        model: chapter.model.to_owned(),
        track: chapter.track.to_owned(),
        score,
        counter_names: summary::counter_names(holistic),
        counters: counters.into_iter().collect(),
        list,
    }
}

/// Link to the same instance of another model.
fn same(chapter: &Chapter<'_, '_>, id: &str) -> Option<Link> {
    // Views of a chapter are in dimension, id order; ids are unique inside a track.
    chapter.views.iter().any(|v| v.id == id).then(|| Link {
        text: chapter.model.to_owned(),
        href: format!(
            "{}#{}",
            names::encode(&chapter.file),
            names::instance(chapter.track, id, chapter.model)
        ),
    })
}

/// Groups instances by track and dimension, in the order in which they come.
pub(crate) fn list(views: &[&InstanceView<'_>], images: &mut Images) -> List {
    let mut groups: Vec<TrackGroup> = vec![];
    let (mut models, mut tracks) = (vec![], vec![]);
    for view in views {
        remember(&mut models, view.model);
        remember(&mut tracks, view.track);
        if groups.last().is_none_or(|g| g.track != view.track) {
            groups.push(TrackGroup {
                track: view.track.to_owned(),
                anchor: names::track(view.track),
                dimensions: vec![],
            });
        }
        let Some(group) = groups.last_mut() else {
            continue;
        };
        let same = |d: &DimensionGroup| d.dimension == view.dimension;
        if !group.dimensions.last().is_some_and(same) {
            group.dimensions.push(DimensionGroup {
                dimension: view.dimension.to_owned(),
                count: String::new(),
                cards: vec![],
            });
        }
        if let Some(dimension) = group.dimensions.last_mut() {
            dimension.cards.push(card(view, images));
            dimension.count = count(dimension.cards.len());
        }
    }
    List {
        models,
        tracks,
        total: count(views.len()),
        groups,
    }
}

fn remember(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|n| n == name) {
        names.push(name.to_owned());
    }
}
