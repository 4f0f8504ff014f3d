//! What `show` and the HTML page are made from: results beside what was asked and what was made.

use std::collections::HashMap;
use std::path::PathBuf;

use verispec_model::score::{ComplexityCurve, Contrast, Counters, ScoreTable};
use verispec_model::{
    Answer, DataFailure, InstanceState, ReadStage, Reading, Results, SoftVerdict, SpecResult,
    Suite, Unjudged, Vote,
};

use crate::context::Context;
use crate::identity::RunCard;
use crate::rank::RankTable;
use crate::statistics::Statistics;

/// One part of a model's output, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputPart {
    /// An image file.
    Image(PathBuf),
    /// Text.
    Text(String),
}

/// One model's result for one instance, beside the task and the output.
#[derive(Debug, Clone)]
pub struct InstanceView<'a> {
    /// Model.
    pub model: &'a str,
    /// Track.
    pub track: &'a str,
    /// Dimension.
    pub dimension: &'a str,
    /// Instance id.
    pub id: &'a str,
    /// Prompt that the model was given; `None` when the suite's data is not at hand.
    pub prompt: Option<&'a str>,
    /// Input images in prompt order.
    pub references: &'a [PathBuf],
    /// What the model made; empty when it is not at hand.
    pub output: Vec<OutputPart>,
    /// What the judge made of it.
    pub state: &'a InstanceState,
    /// Score of the instance, percent; `None` where undefined or left out.
    pub score: Option<f64>,
}

/// What one judge says about all models: one run, or runs of the same judge put together.
#[derive(Debug, Clone)]
pub struct Judged<'a> {
    /// Short name, distinct in the report, for instance `openai/gpt-4.1`.
    pub name: String,
    /// What the numbers were made with.
    pub context: &'a Context,
    /// Results.
    pub results: &'a Results,
    /// Scores.
    pub scores: &'a ScoreTable,
    /// Rankings to show: of the average, and of tracks.
    pub ranks: Vec<RankTable>,
    /// Scores against the number of specifications.
    pub complexity: Vec<ComplexityCurve>,
    /// Understanding beside generation.
    pub contrast: Option<Contrast>,
}

/// Finds what a model made for `(model, track, id)`.
pub type Outputs<'a> = dyn Fn(&str, &str, &str) -> Vec<OutputPart> + 'a;

/// Everything a page shows.
pub struct ReportInput<'a> {
    /// Judges side by side, at least one.
    pub judged: Vec<Judged<'a>>,
    /// The suite, where its data is at hand: prompts and references.
    pub suite: Option<&'a Suite>,
    /// What models made.
    pub outputs: &'a Outputs<'a>,
    /// What each run is, in full.
    pub runs: Vec<RunCard>,
    /// Statistics made elsewhere.
    pub statistics: Statistics,
}

/// Views of all results in track, dimension, instance, model order.
///
/// `suite` gives prompts and references where it is at hand; `outputs` gives what a model made
/// for `(model, track, id)`.
#[must_use]
pub fn views<'a>(
    results: &'a Results,
    suite: Option<&'a Suite>,
    scores: &ScoreTable,
    outputs: impl Fn(&str, &str, &str) -> Vec<OutputPart>,
) -> Vec<InstanceView<'a>> {
    let tasks: HashMap<(&str, &str), _> = suite
        .into_iter()
        .flat_map(Suite::instances)
        .map(|i| ((i.track.as_str(), i.id.as_str()), i))
        .collect();
    let points = instance_scores(scores);
    let mut keyed = vec![];
    for (m, model) in results.models.iter().enumerate() {
        for track in &model.tracks {
            let t = position(&results.all_tracks, &track.track);
            for (d, dimension) in track.dimensions.iter().enumerate() {
                for item in &dimension.instances {
                    let task = tasks.get(&(track.track.as_str(), item.id.as_str()));
                    let key = (model.model.as_str(), track.track.as_str(), item.id.as_str());
                    let view = InstanceView {
                        model: &model.model,
                        track: &track.track,
                        dimension: &dimension.name,
                        id: &item.id,
                        prompt: task.map(|i| i.prompt.as_str()),
                        references: task.map_or(&[], |i| i.references.as_slice()),
                        output: outputs(&model.model, &track.track, &item.id),
                        state: &item.state,
                        score: points.get(&key).copied().flatten(),
                    };
                    keyed.push(((t, d, item.id.as_str(), m), view));
                }
            }
        }
    }
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, view)| view).collect()
}

type InstanceKey<'a> = (&'a str, &'a str, &'a str);

fn instance_scores(scores: &ScoreTable) -> HashMap<InstanceKey<'_>, Option<f64>> {
    let mut points = HashMap::new();
    for model in &scores.models {
        for track in &model.tracks {
            for (id, score) in track.dimensions.iter().flat_map(|d| &d.instances) {
                let key = (model.model.as_str(), track.track.as_str(), id.as_str());
                points.insert(key, *score);
            }
        }
    }
    points
}

fn position(tracks: &[String], track: &str) -> usize {
    tracks
        .iter()
        .position(|t| t == track)
        .unwrap_or(tracks.len())
}

/// What became of one specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpecState {
    Met,
    Unmet,
    /// A grade of the whole output.
    Graded,
    Unjudged(Unjudged),
    Pending,
}

impl SpecState {
    /// The state of a result. An answer that is no yes/no says nothing about a yes/no statement,
    /// as in [`Counters`].
    pub(crate) fn of(result: &SpecResult) -> Self {
        match (result.met(), &result.reading) {
            (Some(true), _) => Self::Met,
            (Some(false), _) => Self::Unmet,
            (None, None) => Self::Pending,
            (None, Some(Reading::Unjudged(why))) => Self::Unjudged(*why),
            (None, Some(Reading::Answer(Answer::Grade { .. }))) => Self::Graded,
            (None, Some(Reading::Answer(_))) => Self::Unjudged(Unjudged::Unparsed),
        }
    }

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Unmet => "unmet",
            Self::Graded => "graded",
            Self::Unjudged(_) => "unjudged",
            Self::Pending => "pending",
        }
    }

    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Met => "✓",
            Self::Unmet => "✗",
            Self::Graded => "•",
            Self::Unjudged(_) => "?",
            Self::Pending => "…",
        }
    }

    /// Why there is no verdict.
    pub(crate) const fn reason(self) -> Option<&'static str> {
        match self {
            Self::Unjudged(why) => Some(why.as_str()),
            _ => None,
        }
    }
}

/// The verdict, or what stands in its place: why there is none, or `pending`.
pub(crate) fn answer(result: &SpecResult) -> String {
    if let Some((value, most)) = grade(result) {
        return format!("{value} of {most}");
    }
    match (result.verdict(), SpecState::of(result).reason()) {
        (Some(verdict), _) => verdict.to_string(),
        (None, Some(why)) => why.to_owned(),
        (None, None) => "pending".to_owned(),
    }
}

/// The expected answer; nothing where a whole output is graded.
pub(crate) fn expected(result: &SpecResult) -> &'static str {
    if result.spec.is_holistic() {
        ""
    } else {
        result.spec.expected.as_str()
    }
}

/// A grade and the largest one of its scale.
pub(crate) const fn grade(result: &SpecResult) -> Option<(f64, f64)> {
    match result.reading {
        Some(Reading::Answer(Answer::Grade { value, range })) => Some((value, range.1)),
        _ => None,
    }
}

/// Who gave an opinion: member of a panel, repetition from 1; empty for the only one.
pub(crate) fn who(judge: Option<&str>, repeat: u32, repeats: bool) -> String {
    let repeat = repeats.then(|| format!("repeat {}", repeat + 1));
    let words: Vec<String> = judge.map(str::to_owned).into_iter().chain(repeat).collect();
    words.join(" ")
}

/// The votes behind a common verdict, one by one: `a Yes`, `b repeat 2 unparsed`.
pub(crate) fn votes(result: &SpecResult) -> Vec<String> {
    let repeats = result.provenance.votes.iter().any(|v| v.repeat > 0);
    let vote = |v: &Vote| {
        let who = who(v.judge.as_deref(), v.repeat, repeats || v.judge.is_none());
        let what = vote_answer(v);
        let soft = v.soft.map(|s| format!(" ({})", soft(s)));
        format!("{who} {what}{}", soft.unwrap_or_default())
    };
    result.provenance.votes.iter().map(vote).collect()
}

/// A vote's verdict, or what stands in its place.
pub(crate) fn vote_answer(vote: &Vote) -> String {
    match &vote.reading {
        None => "pending".to_owned(),
        Some(Reading::Unjudged(why)) => why.to_string(),
        Some(Reading::Answer(Answer::YesNo(verdict))) => verdict.to_string(),
        Some(Reading::Answer(Answer::Grade { value, range })) => format!("{value} of {}", range.1),
        Some(Reading::Answer(_)) => Unjudged::Unparsed.to_string(),
    }
}

/// P(yes) with the probability that it speaks for.
pub(crate) fn soft(soft: SoftVerdict) -> String {
    format!("P(yes) {:.3} of {:.3}", soft.p_yes, soft.mass)
}

/// How many specifications shared a call, when it is the same number wherever it is known.
pub(crate) fn together(specs: &[SpecResult]) -> Option<u32> {
    let mut known = specs.iter().filter_map(|s| s.provenance.asked_with);
    let first = known.next()?;
    known.all(|n| n == first).then_some(first)
}

/// How a verdict came about: who gave it, the reader's stage unless it was the strict one, and how
/// many others were asked in the same call unless that is the `usual` number.
pub(crate) fn how(result: &SpecResult, usual: Option<u32>) -> String {
    let who = who(
        result.provenance.judge.as_deref(),
        result.provenance.repeat,
        result.provenance.repeat > 0,
    );
    let words: Vec<String> = [who, manner(result, usual)]
        .into_iter()
        .filter(|w| !w.is_empty())
        .collect();
    words.join(", ")
}

/// As [`how`], without who gave it.
pub(crate) fn manner(result: &SpecResult, usual: Option<u32>) -> String {
    let stage = match result.provenance.stage {
        Some(ReadStage::Extracted) => Some("extracted".to_owned()),
        Some(ReadStage::Repaired) => Some("repaired".to_owned()),
        Some(ReadStage::Strict) | None => None,
    };
    let asked = match result.provenance.asked_with {
        n if n == usual => None,
        Some(1) => Some("asked alone".to_owned()),
        Some(n) => Some(format!("one of {n} asked")),
        None => None,
    };
    let soft = result.provenance.soft.map(soft);
    let words: Vec<String> = stage.into_iter().chain(asked).chain(soft).collect();
    words.join(", ")
}

/// An instance in one line: `2 met · 1 unmet · 1 unjudged of 4`, or why there is nothing.
pub(crate) fn tally(state: &InstanceState) -> String {
    match state {
        InstanceState::OutputFailed(why, k) => format!("output {why}, {k} specifications lost"),
        InstanceState::Unjudgeable(why @ DataFailure::ResultFile(_), _) => {
            format!("no verdicts of this model: broken {}", data_failure(why))
        }
        InstanceState::Unjudgeable(why, _) => {
            format!("not judgeable for any model: {}", data_failure(why))
        }
        InstanceState::Generated(specs) => {
            let c = Counters::of(state);
            let parts: Vec<String> = [
                (c.met, "met"),
                (c.unmet(), "unmet"),
                (c.graded, "graded"),
                (c.unjudged, "unjudged"),
                (c.pending, "pending"),
                (c.not_asked, "not asked"),
            ]
            .into_iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, word)| format!("{n} {word}"))
            .collect();
            format!("{} of {}", parts.join(" · "), specs.len())
        }
    }
}

/// A data failure in words.
pub(crate) fn data_failure(why: &DataFailure) -> String {
    match why {
        DataFailure::Reference(what) => format!("reference image {what}"),
        DataFailure::Task(what) => format!("task {what}"),
        DataFailure::ResultFile(what) => format!("result file {what}"),
        _ => "broken data".to_owned(),
    }
}
