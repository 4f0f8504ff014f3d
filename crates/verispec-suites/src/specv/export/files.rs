//! The results tree: one file per judged output.

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};
use verispec_model::{InstanceState, Results, SpecResult};

use super::{ExportError, ExportReport, folders};
use crate::specv::python_json::dumps;

/// What SpecV writes for an item without an answer.
const NOT_AVAILABLE: &str = "N/A";

pub(super) fn write_results(
    results: &Results,
    dir: &Path,
    report: &mut ExportReport,
) -> Result<(), ExportError> {
    for model in &results.models {
        for (track, folder) in folders(model, dir) {
            make_folder(&folder)?;
            for dimension in &track.dimensions {
                let folder = folder.join(&dimension.name);
                if dimension.folder_present {
                    make_folder(&folder)?;
                }
                for instance in &dimension.instances {
                    let place = || {
                        format!(
                            "{}/{}/{}/{}",
                            model.model, track.track, dimension.name, instance.id
                        )
                    };
                    match &instance.state {
                        InstanceState::Generated(specs) => {
                            let items = items(specs)
                                .ok_or_else(|| ExportError::NoRecord { place: place() })?;
                            write_json(&folder.join(format!("{}.json", instance.id)), &items)?;
                            report.result_files += 1;
                        }
                        InstanceState::OutputFailed(..) => report.without_output += 1,
                        InstanceState::Unjudgeable(..) => report.unjudgeable += 1,
                    }
                }
            }
        }
    }
    Ok(())
}

/// Items of a file; `None` if a record was not kept.
fn items(specs: &[SpecResult]) -> Option<Vec<Map<String, Value>>> {
    specs
        .iter()
        .map(|spec| (!spec.spec.record.is_empty()).then(|| item(spec)))
        .collect()
}

/// A specification's record with its answer. A record that was imported with this answer stays as
/// it was; a verdict of our own is written as `Yes` or `No`, whatever the judge's spelling, and
/// also where a checklist has a field of that name.
fn item(spec: &SpecResult) -> Map<String, Value> {
    let mut record = spec.spec.record.fields();
    if spec.provenance.raw_answer.is_none()
        || record.get("answer") != spec.provenance.raw_answer.as_ref()
    {
        record.insert("answer".to_owned(), answer(spec));
    }
    record
}

fn answer(spec: &SpecResult) -> Value {
    if let Some(verdict) = spec.verdict() {
        return verdict.as_str().into();
    }
    // An unusable answer is kept as it came, as the release does, unless it would read as one.
    match &spec.provenance.raw_answer {
        Some(raw) if !matches!(raw.as_str(), Some("Yes" | "No")) => raw.clone(),
        _ => NOT_AVAILABLE.into(),
    }
}

pub(super) fn make_folder(path: &Path) -> Result<(), ExportError> {
    fs::create_dir_all(path).map_err(|source| ExportError::Io {
        path: path.to_owned(),
        source,
    })
}

/// Writes one file, its folder first; no final newline, as in the release.
pub(super) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), ExportError> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    let text = dumps(value).map_err(std::io::Error::from);
    text.and_then(|text| fs::write(path, text))
        .map_err(|source| ExportError::Io {
            path: path.to_owned(),
            source,
        })
}
