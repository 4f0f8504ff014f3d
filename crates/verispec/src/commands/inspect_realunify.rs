//! `verispec suite inspect realunify`

use std::path::Path;

use verispec_model::{Instance, Track, YesNo};
use verispec_report::{InspectDimension, InspectTrack, Inspection, SuiteCounts, render_inspect};
use verispec_suites::realunify::{Axis, Loaded, Split, Way, load, pair};
use verispec_suites::specv;

use crate::args::Cli;
use crate::exit::Exit;
use crate::output;

pub(super) fn run(cli: &Cli, root: &Path, all: bool) -> anyhow::Result<Exit> {
    let loaded = load(root)?;
    let mut shown = inspection(&loaded, root);
    let mut lines = vec![];
    for axis in Axis::ALL {
        let direct = loaded.items(Split::new(axis, Way::Direct));
        let step = loaded.items(Split::new(axis, Way::Step));
        if direct.is_empty() || step.is_empty() {
            continue;
        }
        let pairing = pair(direct, step);
        lines.push(format!(
            "{axis}: {} of {} direct and {} stepwise items are pairs",
            pairing.pairs.len(),
            direct.len(),
            step.len()
        ));
        shown.warnings.extend(pairing.warnings);
    }
    if cli.json {
        output::json(&verispec_report::json::inspect(&shown));
    } else {
        let style = output::style();
        output::result(&render_inspect(&shown, all || cli.verbose > 0, style));
        output::result(&lines.join("\n"));
    }
    Ok(Exit::Ok)
}

fn inspection(loaded: &Loaded, root: &Path) -> Inspection {
    let suite = &loaded.suite;
    Inspection {
        suite: suite.name.clone(),
        root: root.display().to_string(),
        revision: suite.revision.clone(),
        tracks: suite.tracks.iter().map(track).collect(),
        total: counts(suite.instances().map(AsRef::as_ref)),
        warnings: loaded.warnings.clone(),
    }
}

fn track(track: &Track) -> InspectTrack {
    let instances: Vec<&Instance> = track
        .dimensions
        .iter()
        .flat_map(|d| &d.instances)
        .map(AsRef::as_ref)
        .collect();
    let poll = track
        .name
        .parse::<Split>()
        .is_ok_and(|s| s.axis == Axis::Ueg);
    let constant = |answer| poll.then(|| constant_judge(&instances, answer)).flatten();
    InspectTrack {
        track: track.name.clone(),
        counts: SuiteCounts {
            always_yes: constant(YesNo::Yes),
            always_no: constant(YesNo::No),
            ..counts(instances.iter().copied())
        },
        dimensions: track
            .dimensions
            .iter()
            .map(|d| InspectDimension {
                dimension: d.name.clone(),
                counts: counts(d.instances.iter().map(AsRef::as_ref)),
            })
            .collect(),
    }
}

/// Strict accuracy in percent that a judge gives which always answers the same.
fn constant_judge(instances: &[&Instance], answer: YesNo) -> Option<f64> {
    let polled: Vec<_> = instances
        .iter()
        .filter(|i| !i.specifications.is_empty())
        .collect();
    let right = polled
        .iter()
        .filter(|i| i.specifications.iter().all(|s| s.expected == answer))
        .count();
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    (!polled.is_empty()).then(|| 100.0 * right as f64 / polled.len() as f64)
}

fn counts<'a>(instances: impl Iterator<Item = &'a Instance>) -> SuiteCounts {
    super::suite::counts(&specv::Counts::of(instances))
}
