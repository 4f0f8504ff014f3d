//! Which instances are expected of the models of an import.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use verispec_model::{InstanceState, Specification, Suite, Warning};

use super::read::{ReadFile, warning};
use super::results::{Groups, ImportReader, without_suite};
use super::{Entry, Imported};
use crate::nearest::nearest;
use crate::specv::layout::{file_order, published_dimensions, sort_by_order};

/// An instance that every model in its track should have.
pub(super) struct Expected {
    pub(super) id: String,
    /// Number of its specifications, as far as known.
    pub(super) k: usize,
    /// The specifications themselves, where an absent instance is pending.
    pub(super) specifications: Vec<Arc<Specification>>,
}

/// Expected instances of all tracks.
pub(super) struct Plan {
    /// Track to dimensions in order, each with its instances in file order.
    pub(super) tracks: BTreeMap<String, Vec<(String, Vec<Expected>)>>,
    pub(super) warnings: Vec<Warning>,
}

impl Plan {
    /// Whether an entry's file is one of those that count.
    pub(super) fn expects(&self, entry: &Entry) -> bool {
        let dimensions = self
            .tracks
            .get(&entry.track)
            .map(Vec::as_slice)
            .unwrap_or_default();
        dimensions
            .iter()
            .find(|(name, _)| entry.dimension.as_ref() == Some(name))
            .is_some_and(|(_, expected)| {
                let id = entry.instance.as_deref().unwrap_or_default();
                expected.binary_search_by(|e| file_order(&e.id, id)).is_ok()
            })
    }
}

/// Instances of one track by dimension and id.
type Known<'a> = BTreeMap<&'a str, BTreeMap<&'a str, (usize, Vec<Arc<Specification>>)>>;

/// What an import holds.
pub(super) struct Found<'a> {
    pub(super) imported: &'a Imported,
    /// Its files by instance.
    pub(super) groups: &'a Groups<'a>,
    /// One for each of its entries.
    pub(super) files: &'a [Option<ReadFile>],
}

pub(super) fn plan(
    found: &Found<'_>,
    suite: Option<&Suite>,
    all_tracks: &[String],
    reader: ImportReader,
) -> Plan {
    let mut plan = Plan {
        tracks: BTreeMap::new(),
        warnings: vec![],
    };
    for track in all_tracks {
        let mut known = suite.map_or_else(Known::new, |suite| of_suite(suite, track));
        // The released script knows no list of instances: it takes what lies there.
        if suite.is_none() || reader == ImportReader::Published {
            found.add_to(&mut known, track);
        }
        let dimensions = ordered(known, track, reader);
        plan.tracks.insert(track.clone(), dimensions);
    }
    if suite.is_none() {
        plan.warnings.push(without_suite(&found.imported.source));
    }
    let remarks = found.unknown(&plan);
    let remarks = remarks.map(|entry| unknown_instance(entry, suite));
    let remarks: Vec<Warning> = remarks.collect();
    plan.warnings.extend(remarks);
    plan
}

fn of_suite<'a>(suite: &'a Suite, track: &str) -> Known<'a> {
    let dimensions = suite
        .track(track)
        .map(|t| t.dimensions.as_slice())
        .unwrap_or_default();
    let instances = dimensions.iter().map(|dimension| {
        let instances = dimension.instances.iter().map(|instance| {
            let specs = instance.specifications.clone();
            (instance.id.as_str(), (specs.len(), specs))
        });
        (dimension.name.as_str(), instances.collect())
    });
    instances.collect()
}

impl<'a> Found<'a> {
    fn add_to(&self, known: &mut Known<'a>, track: &str) {
        let entries = &self.imported.entries;
        for entry in entries.iter().filter(|e| e.instance.is_none()) {
            if let Some(dimension) = entry.dimension.as_deref().filter(|_| entry.track == track) {
                known.entry(dimension).or_default();
            }
        }
        for (key, group) in self.groups.iter().filter(|(key, _)| key.track == track) {
            let instances = known.entry(key.dimension).or_default();
            let (most, specifications) = instances.entry(key.id).or_default();
            for file in group.iter().filter_map(|index| self.files[*index].as_ref()) {
                let k = file.state.spec_count();
                if k <= *most {
                    continue;
                }
                *most = k;
                // Only a table of verdicts needs them: its absent instances are pending.
                if let (InstanceState::Generated(specs), true) =
                    (&file.state, self.imported.kind.is_table())
                {
                    *specifications = specs.iter().map(|s| s.spec.clone()).collect();
                }
            }
        }
    }

    /// Entries whose instance nobody expects, in order.
    fn unknown(&self, plan: &Plan) -> impl Iterator<Item = &'a Entry> {
        let entries = &self.imported.entries;
        let unknown = self
            .groups
            .iter()
            .filter(|(_, group)| !plan.expects(&entries[group[0]]));
        let mut places: Vec<usize> = unknown.flat_map(|(_, group)| group).copied().collect();
        let adrift = |e: &Entry| e.instance.is_some() && e.dimension.is_none();
        places.extend((0..entries.len()).filter(|place| adrift(&entries[*place])));
        places.sort_unstable();
        places.into_iter().map(|place| &entries[place])
    }
}

fn ordered(
    mut known: Known<'_>,
    track: &str,
    reader: ImportReader,
) -> Vec<(String, Vec<Expected>)> {
    let published = published_dimensions(track);
    let mut names: Vec<String> = known.keys().map(|name| (*name).to_owned()).collect();
    if reader == ImportReader::Published && !published.is_empty() {
        names = published.iter().map(|name| (*name).to_owned()).collect();
    }
    sort_by_order(&mut names, published);
    let fill = |name: String| {
        let instances = known.remove(name.as_str()).unwrap_or_default().into_iter();
        let mut expected: Vec<Expected> = instances
            .map(|(id, (k, specifications))| Expected {
                id: id.to_owned(),
                k,
                specifications,
            })
            .collect();
        expected.sort_by(|a, b| file_order(&a.id, &b.id));
        (name, expected)
    };
    names.into_iter().map(fill).collect()
}

fn unknown_instance(entry: &Entry, suite: Option<&Suite>) -> Warning {
    let dimension = entry.dimension.as_deref().unwrap_or_default();
    let id = entry.instance.as_deref().unwrap_or_default();
    let elsewhere = suite
        .and_then(|s| s.instance(&entry.track, id))
        .map(|i| &i.dimension);
    let message = match (suite, elsewhere) {
        (_, Some(other)) => format!("not scored: `{id}` belongs to dimension `{other}`"),
        (Some(suite), None) => {
            let ids: BTreeSet<&str> = suite
                .track(&entry.track)
                .into_iter()
                .flat_map(|t| &t.dimensions)
                .flat_map(|d| &d.instances)
                .map(|i| i.id.as_str())
                .collect();
            match nearest(id, ids) {
                Some(near) => format!("not scored: no instance `{id}`; nearest is `{near}`"),
                None => format!("not scored: the suite has no track `{}`", entry.track),
            }
        }
        (None, None) => format!("not scored: the release knows no dimension `{dimension}`"),
    };
    warning(entry, None, "unknown-instance", message)
}
