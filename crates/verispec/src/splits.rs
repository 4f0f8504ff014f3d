//! RealUnify's results by split, however a run came to them.

use verispec_model::{Manifest, ModelResults, RunSource, TrackResults};
use verispec_suites::realunify::{ItemResult, Loaded, Split, item_results, scored_results};

/// Results of a model, in the order of its tracks; tracks of other suites are left out.
pub(crate) fn by_split(
    data: &Loaded,
    manifest: &Manifest,
    model: &ModelResults,
) -> Vec<(Split, Vec<ItemResult>)> {
    let scored = matches!(manifest.source, RunSource::RealunifyScored { .. });
    let published = manifest.reader == "published";
    let one = |track: &TrackResults| {
        let split: Split = track.track.parse().ok()?;
        let items = data.items(split);
        let results = match scored {
            true => scored_results(items, track),
            false => item_results(items, track, published),
        };
        Some((split, results))
    };
    model.tracks.iter().filter_map(one).collect()
}
