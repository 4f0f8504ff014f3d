//! From imported files to results: who entered what, and what is missing.

use std::collections::{BTreeSet, HashMap};

use verispec_model::{
    DataFailure, DimensionResults, InstanceResult, InstanceState, ModelResults, OutputFailure,
    Reading, Results, SpecResult, Suite, TrackResults, Unjudged, Warning, parallel,
};

use super::expected::{self, Expected, Plan};
use super::read::{self, Known, ReadFile};
use super::{Entry, ImportError, ImportKind, Imported};
use crate::specv::layout::{TRACKS, sort_by_order};

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
    let groups = groups(&imported.entries);
    let files = read_all(imported, &groups, suite, options);
    let all_tracks = all_tracks(imported, suite);
    let found = expected::Found {
        imported,
        groups: &groups,
        files: &files,
    };
    let plan = expected::plan(&found, suite, &all_tracks, options.reader);
    drop(groups);
    warnings.extend(plan.warnings.iter().cloned());
    let maker = Maker {
        imported,
        plan: &plan,
        options,
        all_tracks: &all_tracks,
    };
    let made = maker.models(files);
    let mut models = Vec::with_capacity(made.len());
    for (model, remarks) in made {
        models.push(model);
        warnings.extend(remarks);
    }
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

/// Entries of each instance by their place, in order.
pub(super) type Groups<'a> = Vec<(Key<'a>, Vec<usize>)>;

fn groups(entries: &[Entry]) -> Groups<'_> {
    let mut groups: HashMap<Key<'_>, Vec<usize>> = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        if let Some(key) = Key::of(entry) {
            groups.entry(key).or_default().push(index);
        }
    }
    groups.into_iter().collect()
}

/// Reads all files, those of one instance after one another; folders have none.
fn read_all(
    imported: &Imported,
    groups: &Groups<'_>,
    suite: Option<&Suite>,
    options: ResultOptions,
) -> Vec<Option<ReadFile>> {
    let entries = &imported.entries;
    let read = parallel::map(groups, |(key, group)| {
        let instance = suite.and_then(|suite| suite.instance(key.track, key.id));
        let instance = instance.map(AsRef::as_ref);
        let mut known = Known::default();
        let file = |index: &usize| {
            let entry = &entries[*index];
            read::file(entry, instance, imported.kind, options, &mut known)
        };
        group.iter().map(file).collect::<Vec<ReadFile>>()
    });
    let mut files: Vec<Option<ReadFile>> = entries.iter().map(|_| None).collect();
    for ((_, group), read) in groups.iter().zip(read) {
        for (index, file) in group.iter().zip(read) {
            files[*index] = Some(file);
        }
    }
    files
}

/// Which instance an entry is of; no tree and no table has one outside of a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key<'a> {
    pub(super) track: &'a str,
    pub(super) dimension: &'a str,
    pub(super) id: &'a str,
}

impl<'a> Key<'a> {
    fn of(entry: &'a Entry) -> Option<Self> {
        Some(Self {
            track: &entry.track,
            dimension: entry.dimension.as_deref()?,
            id: entry.instance.as_deref()?,
        })
    }
}

struct Maker<'a> {
    imported: &'a Imported,
    plan: &'a Plan,
    options: ResultOptions,
    all_tracks: &'a [String],
}

/// Files of one model by instance.
type Found<'a> = HashMap<Key<'a>, InstanceState>;

/// Results of a model, and remarks about its files.
type Made = (ModelResults, Vec<Warning>);

impl<'a> Maker<'a> {
    /// Results of all models; `files` are those of the import's entries.
    fn models(&self, files: Vec<Option<ReadFile>>) -> Vec<Made> {
        let entries = &self.imported.entries;
        let mut files = files.into_iter();
        let models = entries.chunk_by(|a, b| a.model == b.model).map(|entries| {
            let own = files.by_ref().take(entries.len());
            (entries, own.collect::<Vec<Option<ReadFile>>>())
        });
        parallel::map_into(models.collect(), |(entries, files)| {
            self.model(entries, files)
        })
    }

    fn model(&self, entries: &'a [Entry], files: Vec<Option<ReadFile>>) -> Made {
        let (mut found, mut remarks) = (Found::new(), vec![]);
        for (entry, file) in entries.iter().zip(files) {
            let (Some(file), Some(key)) = (file, Key::of(entry)) else {
                continue;
            };
            if !file.warnings.is_empty() && self.plan.expects(entry) {
                remarks.extend(file.warnings);
            }
            found.insert(key, file.state);
        }
        let tracks = self
            .all_tracks
            .iter()
            .filter_map(|track| self.track(entries, &mut found, track));
        let model = ModelResults {
            model: entries[0].model.clone(),
            tracks: tracks.collect(),
        };
        (model, remarks)
    }

    fn track(
        &self,
        own: &'a [Entry],
        found: &mut Found<'a>,
        track: &'a str,
    ) -> Option<TrackResults> {
        let entries: Vec<&Entry> = own.iter().filter(|e| e.track == track).collect();
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
            let key = |e: &'a Expected| Key {
                track,
                dimension: name,
                id: &e.id,
            };
            let instances = expected
                .iter()
                .map(|e| self.instance(found.remove(&key(e)), e))
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

    fn instance(&self, found: Option<InstanceState>, expected: &Expected) -> InstanceResult {
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
