//! Writes SpecV's own trees, byte for byte as its Python scripts do.
//!
//! ```text
//! eval/<track>/results/<model>/<dimension>/<id>.json   items with `answer`
//! eval/<track>/scores/<model>/<dimension>.json         questions and mean of a dimension
//! eval/<track>/scores/<model>/summary.json             means of a model
//! eval/<track>/scores/{overall,<dimension>}_ranking.json
//! ```
//!
//! These files have no place for a verdict that is not there, other than `N/A`, which the release
//! counts as wrong. So an export is refused while verdicts are missing, unless that is asked for.

mod files;
mod scores;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use verispec_model::score::{Policy, UnjudgedRule};
use verispec_model::{InstanceState, ModelResults, Reading, Results, SpecResult, Unjudged};

use files::write_results;
use scores::write_scores;

/// How to export.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Write `N/A` for every specification without a verdict, and score it as not met.
    pub unjudged_na: bool,
}

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExportReport {
    /// Result files.
    pub result_files: usize,
    /// Score files.
    pub score_files: usize,
    /// Specifications written as `N/A`.
    pub written_na: usize,
    /// Instances without a file because the model under test gave no output.
    pub without_output: usize,
    /// Instances without a file because nobody can judge them.
    pub unjudgeable: usize,
}

/// Why nothing, or not everything, was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// Verdicts are missing.
    #[error(
        "{unjudged} specifications are unjudged and {pending} pending; SpecV's files can only \
         hold them as `N/A`, which counts as wrong: judge them, or ask for `--unjudged na`"
    )]
    Undecided {
        /// Specifications that the judge failed on.
        unjudged: usize,
        /// Specifications without a settled reply.
        pending: usize,
    },
    /// A name that cannot be a folder or file.
    #[error("{what} {name:?} cannot be a folder name")]
    Name {
        /// Model, dimension or instance.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Results of this model are there already.
    #[error("{} exists already; choose another folder or remove it", path.display())]
    Exists {
        /// Folder that would have been mixed with others' files.
        path: PathBuf,
    },
    /// An item's record is not kept; see [`ResultOptions`](super::import::ResultOptions).
    #[error("{place}: the record of a specification was not kept, so it cannot be exported")]
    NoRecord {
        /// Model, track, dimension and instance.
        place: String,
    },
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// The system's own words.
        source: std::io::Error,
    },
}

/// Writes `results/` and `scores/` of every track below `dir`. Scores follow `policy`;
/// [`Policy::published`] gives the release's own.
///
/// # Errors
/// Nothing is written when verdicts are missing (and `unjudged_na` is not set), when a name
/// cannot be a file name, or when a model's folder exists already. I/O errors may leave a part.
pub fn export(
    results: &Results,
    policy: Policy,
    dir: &Path,
    options: ExportOptions,
) -> Result<ExportReport, ExportError> {
    check_names(results)?;
    check_free(results, dir)?;
    let (unjudged, pending) = undecided(results);
    if unjudged + pending > 0 && !options.unjudged_na {
        return Err(ExportError::Undecided { unjudged, pending });
    }
    let mut policy = policy;
    if options.unjudged_na {
        policy.unjudged = UnjudgedRule::Na;
    }
    let results = settle(results, pending);
    let mut report = ExportReport {
        written_na: unjudged + pending,
        ..ExportReport::default()
    };
    write_results(&results, dir, &mut report)?;
    write_scores(&results, policy, dir, &mut report)?;
    Ok(report)
}

fn spec_results(results: &Results) -> impl Iterator<Item = &SpecResult> {
    let instances = results
        .models
        .iter()
        .flat_map(|m| &m.tracks)
        .flat_map(|t| &t.dimensions)
        .flat_map(|d| &d.instances);
    instances.flat_map(|i| match &i.state {
        InstanceState::Generated(specs) => specs.as_slice(),
        _ => &[],
    })
}

/// Specifications without a verdict: unjudged, pending.
fn undecided(results: &Results) -> (usize, usize) {
    let (mut unjudged, mut pending) = (0, 0);
    for spec in spec_results(results).filter(|s| s.verdict().is_none()) {
        match spec.reading {
            Some(_) => unjudged += 1,
            None => pending += 1,
        }
    }
    (unjudged, pending)
}

/// Pending specifications as the files will hold them: without an answer.
fn settle(results: &Results, pending: usize) -> Cow<'_, Results> {
    if pending == 0 {
        return Cow::Borrowed(results);
    }
    let mut settled = results.clone();
    let instances = settled
        .models
        .iter_mut()
        .flat_map(|m| &mut m.tracks)
        .flat_map(|t| &mut t.dimensions)
        .flat_map(|d| &mut d.instances);
    for instance in instances {
        if let InstanceState::Generated(specs) = &mut instance.state {
            for spec in specs.iter_mut().filter(|s| s.reading.is_none()) {
                spec.reading = Some(Reading::Unjudged(Unjudged::MissingId));
            }
        }
    }
    Cow::Owned(settled)
}

fn check_names(results: &Results) -> Result<(), ExportError> {
    let check = |what: &'static str, name: &str| {
        let plain = !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', '\0']);
        let bad = || ExportError::Name {
            what,
            name: name.to_owned(),
        };
        plain.then_some(()).ok_or_else(bad)
    };
    for model in &results.models {
        check("model", &model.model)?;
        for track in &model.tracks {
            check("track", &track.track)?;
            for dimension in &track.dimensions {
                check("dimension", &dimension.name)?;
                dimension
                    .instances
                    .iter()
                    .try_for_each(|i| check("instance", &i.id))?;
            }
        }
    }
    Ok(())
}

fn check_free(results: &Results, dir: &Path) -> Result<(), ExportError> {
    for model in &results.models {
        for (_, folder) in folders(model, dir) {
            if folder.exists() {
                return Err(ExportError::Exists { path: folder });
            }
        }
    }
    Ok(())
}

/// A model's results folder in each of its tracks.
fn folders<'a>(
    model: &'a ModelResults,
    dir: &'a Path,
) -> impl Iterator<Item = (&'a verispec_model::TrackResults, PathBuf)> {
    model.tracks.iter().map(move |track| {
        (
            track,
            dir.join("eval")
                .join(&track.track)
                .join("results")
                .join(&model.model),
        )
    })
}
