//! From imported files to results: who entered what, and what is missing.

use std::collections::{BTreeMap, BTreeSet};

use verispec_model::{
    DataFailure, DimensionResults, InstanceResult, InstanceState, ModelResults, OutputFailure,
    Reading, Results, SpecResult, Suite, TrackResults, Unjudged, Warning,
};

use super::expected::{self, Expected, Plan};
use super::read::{self, Known, ReadFile};
use super::{Entry, ImportError, ImportKind, Imported};
use crate::specv::layout::{TRACKS, sort_by_order};
use crate::specv::parallel;

/// How answers of imported files are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ImportReader {
    /// Answers in any spelling that is certain; a model entered a track if it has a file there.
    #[default]
    Default,
    /// As the released scoring script: `Yes` and `No` to the letter; a model entered a track if
    /// it has a folder there; folders that the script does not know do not count.
    Published,
}

/// How results are made from an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResultOptions {
    /// Reader.
    pub reader: ImportReader,
    /// Keep every item's record and its answer as it was written, as an export needs them. Scores do
    /// not; without records a large tree takes a fraction of time and memory.
    pub records: bool,
}

/// Makes results of an import.
///
/// With a suite, its instances are expected of every model in every track that it entered.
/// Without one, the union over the models of the import is, and a warning says so. An expected
/// instance that is absent is a missing output in a result tree and pending in a table of
/// verdicts; the specifications of a broken file are unjudged, or left out where no suite says
/// which they are. Files that the suite does not know are left out with a warning.
///
/// # Errors
/// [`ImportError::NoModels`], except with the published reader, which writes empty rankings then.
pub fn to_results(
    imported: &Imported,
    suite: Option<&Suite>,
    options: ResultOptions,
) -> Result<Results, ImportError> {
    if imported.entries.is_empty() && options.reader == ImportReader::Default {
        return Err(ImportError::NoModels {
            source_name: imported.source.clone(),
        });
    }
    let mut warnings = imported.warnings.clone();
    let files = parallel::map_with(&imported.entries, Known::default, |known, entry| {
        let id = entry.instance.as_deref()?;
        let instance = suite.and_then(|suite| suite.instance(&entry.track, id));
        Some(read::file(
            entry,
            instance.map(AsRef::as_ref),
            imported.kind,
            options,
            known,
        ))
    });
    let all_tracks = all_tracks(imported, suite);
    let plan = expected::plan(imported, &files, suite, &all_tracks, options.reader);
    warnings.extend(plan.warnings.iter().cloned());
    let mut maker = Maker {
        imported,
        plan: &plan,
        options,
        found: BTreeMap::new(),
    };
    for (entry, file) in imported.entries.iter().zip(files) {
        let Some(ReadFile {
            state,
            warnings: remarks,
        }) = file
        else {
            continue;
        };
        if plan.expects(entry) {
            warnings.extend(remarks);
            maker.found.insert(Key::of(entry), state);
        }
    }
    let models = imported
        .models()
        .into_iter()
        .map(|name| maker.model(name, &all_tracks))
        .collect();
    Ok(Results {
        suite: imported.suite.clone(),
        all_tracks,
        models,
        measure: match imported.kind {
            ImportKind::Grades => verispec_model::Measure::Holistic,
            ImportKind::SpecvResults | ImportKind::Verdicts => {
                verispec_model::Measure::Specifications
            }
        },
        warnings,
    })
}

/// All tracks of the suite, or of the import, and SpecV's if it is that.
fn all_tracks(imported: &Imported, suite: Option<&Suite>) -> Vec<String> {
    if let Some(suite) = suite {
        return suite.tracks.iter().map(|t| t.name.clone()).collect();
    }
    // A suite of another tool has no track of SpecV.
    let own = if imported.suite == "specv" {
        TRACKS.as_slice()
    } else {
        &[]
    };
    let names: BTreeSet<&str> = own
        .iter()
        .copied()
        .chain(imported.tracks.iter().map(String::as_str))
        .collect();
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    sort_by_order(&mut names, &TRACKS);
    names
}

/// Model, track, dimension, id.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a>(&'a str, &'a str, &'a str, &'a str);

impl<'a> Key<'a> {
    fn of(entry: &'a Entry) -> Self {
        let dimension = entry.dimension.as_deref().unwrap_or_default();
        Self(
            &entry.model,
            &entry.track,
            dimension,
            entry.instance.as_deref().unwrap_or_default(),
        )
    }
}

struct Maker<'a> {
    imported: &'a Imported,
    plan: &'a Plan,
    options: ResultOptions,
    found: BTreeMap<Key<'a>, InstanceState>,
}

impl<'a> Maker<'a> {
    fn model(&mut self, model: &'a str, all_tracks: &'a [String]) -> ModelResults {
        let start = self
            .imported
            .entries
            .partition_point(|e| e.model.as_str() < model);
        let own: Vec<&Entry> = self.imported.entries[start..]
            .iter()
            .take_while(|e| e.model == model)
            .collect();
        let tracks = all_tracks
            .iter()
            .filter_map(|track| self.track(model, &own, track))
            .collect();
        ModelResults {
            model: model.to_owned(),
            tracks,
        }
    }

    fn track(&mut self, model: &'a str, own: &[&'a Entry], track: &'a str) -> Option<TrackResults> {
        let entries: Vec<&Entry> = own.iter().copied().filter(|e| e.track == track).collect();
        let has_file = entries.iter().any(|e| e.instance.is_some());
        let entered = match self.options.reader {
            ImportReader::Default => has_file,
            ImportReader::Published => !entries.is_empty(),
        };
        if !entered {
            return None;
        }
        let plan = self.plan;
        let dimensions = plan.tracks.get(track)?.iter().map(|(name, expected)| {
            let folder_present = entries.iter().any(|e| e.dimension.as_ref() == Some(name));
            let instances = expected
                .iter()
                .map(|e| self.instance(model, track, name, e))
                .collect();
            DimensionResults {
                name: name.clone(),
                instances,
                folder_present,
            }
        });
        let dimensions = dimensions.collect();
        Some(TrackResults {
            track: track.to_owned(),
            dimensions,
            partial: false,
        })
    }

    /// A file that cannot be read says nothing about this one model's output: a failure of the
    /// judging, with bounds. Where the specifications are not known, or where the release would
    /// have ended, it is left out.
    fn broken(&self, why: DataFailure, expected: &Expected) -> InstanceState {
        let released = self.options.reader == ImportReader::Published;
        if released || expected.specifications.is_empty() {
            return InstanceState::Unjudgeable(why, expected.k);
        }
        let unjudged = pending(expected).map(|spec| SpecResult {
            reading: Some(Reading::Unjudged(Unjudged::Unparsed)),
            ..spec
        });
        InstanceState::Generated(unjudged.collect())
    }

    fn instance(
        &mut self,
        model: &'a str,
        track: &'a str,
        dimension: &'a str,
        expected: &'a Expected,
    ) -> InstanceResult {
        let found = self
            .found
            .remove(&Key(model, track, dimension, &expected.id));
        let state = match found {
            Some(InstanceState::Unjudgeable(why @ DataFailure::ResultFile(_), _)) => {
                self.broken(why, expected)
            }
            Some(state) => state,
            None => match self.imported.kind {
                ImportKind::SpecvResults => {
                    InstanceState::OutputFailed(OutputFailure::Missing, expected.k)
                }
                ImportKind::Verdicts | ImportKind::Grades => {
                    InstanceState::Generated(pending(expected).collect())
                }
            },
        };
        InstanceResult {
            id: expected.id.clone(),
            state,
        }
    }
}

fn pending(expected: &Expected) -> impl Iterator<Item = SpecResult> {
    let specs = expected.specifications.iter().cloned();
    specs.map(SpecResult::pending)
}

/// The remark that goes with results made without a suite.
pub(super) fn without_suite(source: &str) -> Warning {
    Warning {
        kind: "no-suite".to_owned(),
        place: source.to_owned(),
        message: "no suite given: expected are the instances that at least one model has; what \
                  all models lack is not noticed"
            .to_owned(),
    }
}
