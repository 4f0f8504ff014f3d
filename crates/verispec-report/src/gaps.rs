//! Why a model has no number or no rank, in words.

use verispec_model::score::{Counters, ModelScore, ScoreTable, TrackScore};

use crate::number::count;

/// Why a model's average is missing or not rankable; empty when it is.
#[must_use]
pub fn model_gaps(model: &ModelScore, all_tracks: &[String]) -> Vec<String> {
    let missing: Vec<&str> = all_tracks
        .iter()
        .filter(|t| model.track(t).is_none())
        .map(String::as_str)
        .collect();
    let mut gaps = vec![];
    if !missing.is_empty() {
        gaps.push(format!("not entered: {}", missing.join(", ")));
    }
    gaps.extend(model.tracks.iter().flat_map(|t| {
        track_gaps(t)
            .into_iter()
            .map(move |gap| format!("{}: {gap}", t.track))
    }));
    if gaps.is_empty() && model.average.is_none() {
        gaps.push("no average defined".to_owned());
    }
    gaps
}

/// Why a track's score is missing or not rankable; empty when it is.
#[must_use]
pub fn track_gaps(track: &TrackScore) -> Vec<String> {
    let mut gaps = vec![];
    if track.counters.pending > 0 {
        gaps.push(format!(
            "{} of {} specifications pending",
            count(track.counters.pending),
            count(track.counters.expected)
        ));
    }
    let undefined: Vec<&str> = track
        .dimensions
        .iter()
        .filter(|d| d.score.is_none())
        .map(|d| d.name.as_str())
        .collect();
    if undefined.len() == track.dimensions.len() && track.score.is_none() {
        gaps.push(undefined_because(&track.counters).to_owned());
    } else if !undefined.is_empty() {
        gaps.push(format!("no score in {}", undefined.join(", ")));
    }
    if gaps.is_empty() && !track.rankable {
        gaps.push("partial run".to_owned());
    }
    gaps
}

/// Why there is no number although the track was entered.
pub(crate) const fn undefined_because(c: &Counters) -> &'static str {
    if c.expected == 0 {
        "no specifications"
    } else if c.pending > 0 {
        "nothing judged yet"
    } else if c.unjudgeable == c.generated && c.unjudgeable > 0 {
        "nothing judgeable: data missing"
    } else if c.unjudged > 0 {
        "nothing judged: the judge failed on all"
    } else {
        "every output missing and left out by policy"
    }
}

/// Why a model has no average.
pub(crate) fn average_missing_because(model: &ModelScore, table: &ScoreTable) -> String {
    let missing: Vec<&str> = table
        .all_tracks
        .iter()
        .filter(|t| model.track(t).is_none_or(|t| t.score.is_none()))
        .map(String::as_str)
        .collect();
    if missing.is_empty() {
        "not defined".to_owned()
    } else {
        format!("tracks without a score: {}", missing.join(", "))
    }
}
