//! `verispec import realunify-scored`

use std::path::Path;

use verispec_suites::realunify::{Loaded, Split, import_scored, scored_files};
use verispec_suites::specv::import::Imported;

use crate::exit::usage;

/// Reads scored files, each of one model in one split.
pub(super) fn read(loaded: &Loaded, path: &Path, split: Option<&str>) -> anyhow::Result<Imported> {
    let split = split.map(str::parse::<Split>).transpose();
    let split = split.map_err(|e| usage(format!("--split: {e}")))?;
    let files = scored_files(path, split).map_err(|e| usage(e.to_string()))?;
    let twice = files
        .windows(2)
        .find(|w| (&w[0].model, w[0].split) == (&w[1].model, w[1].split));
    if let Some([one, two]) = twice {
        return Err(usage(format!(
            "{} and {} are both {} in {}: leave one out",
            one.path.display(),
            two.path.display(),
            one.model,
            one.split
        )));
    }
    let absent = files.iter().find(|f| loaded.items(f.split).is_empty());
    if let Some(file) = absent {
        return Err(usage(format!(
            "{}: scored from {}, which {} lacks; --data names the folder with RealUnify's files",
            file.path.display(),
            file.split,
            loaded.suite.root.display()
        )));
    }
    Ok(import_scored(loaded, path, &files)?)
}
