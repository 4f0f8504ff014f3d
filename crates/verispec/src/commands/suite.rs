//! `verispec suite …`

use std::path::Path;

use verispec_report::{InspectDimension, InspectTrack, Inspection, SuiteCounts, render_inspect};
use verispec_suites::specv;

use crate::args::{Cli, SuiteCommand};
use crate::config::Config;
use crate::exit::Exit;
use crate::output;

pub(super) fn run(cli: &Cli, command: &SuiteCommand) -> anyhow::Result<Exit> {
    let SuiteCommand::Inspect { suite, data, all } = command;
    let config = Config::load(cli.config.as_deref())?;
    let root = config.data(suite.as_str(), data.as_deref())?;
    let loaded = specv::load(&root)?;
    let inspection = specv::inspect(&loaded);
    let shown = for_report(&inspection, &root);
    if cli.json {
        output::json(&verispec_report::json::inspect(&shown));
    } else {
        output::result(&render_inspect(
            &shown,
            *all || cli.verbose > 0,
            output::style(),
        ));
    }
    Ok(Exit::Ok)
}

fn for_report(i: &specv::Inspection, root: &Path) -> Inspection {
    let track = |t: &specv::TrackInspection| InspectTrack {
        track: t.name.clone(),
        counts: SuiteCounts {
            always_yes: t.baseline.yes_uniform,
            always_no: t.baseline.no_uniform,
            ..counts(&t.counts)
        },
        dimensions: t.dimensions.iter().map(dimension).collect(),
    };
    Inspection {
        suite: i.suite.clone(),
        root: root.display().to_string(),
        revision: i.revision.clone(),
        tracks: i.tracks.iter().map(track).collect(),
        total: counts(&i.counts),
        warnings: i.warnings.clone(),
    }
}

fn dimension(d: &specv::DimensionInspection) -> InspectDimension {
    InspectDimension {
        dimension: d.name.clone(),
        counts: counts(&d.counts),
    }
}

fn counts(c: &specv::Counts) -> SuiteCounts {
    SuiteCounts {
        instances: c.tasks,
        specifications: c.specs,
        mean: c.mean_k(),
        min: c.k_min,
        max: c.k_max,
        expected_no: c.expected_no,
        images: c.images,
        always_yes: None,
        always_no: None,
    }
}
