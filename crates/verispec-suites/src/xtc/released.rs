//! Scored files of a released run.

use std::path::{Path, PathBuf};

use verispec_graph::import::{matched_graphs, scored_lines};
use verispec_graph::metrics::{FactScore, IdMatch, ImageCoverage, ImageOutcome, Released, join};

use super::error::XtcError;
use super::files;

/// What a released run folder says of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct ReleasedModel {
    /// Facts with both scores.
    pub facts: Vec<FactScore>,
    /// Images that the files know of.
    pub images: Vec<ImageCoverage>,
    /// What is odd, for people.
    pub notes: Vec<String>,
}

/// Models of a run folder: those with scored generation answers.
///
/// # Errors
/// The folder is no run folder.
pub fn released_models(run: &Path) -> Result<Vec<String>, XtcError> {
    let folder = run.join("final_graphs_pt");
    if !folder.is_dir() {
        let what = "is no released run: final_graphs_pt/<model>/ is not there";
        return Err(XtcError::folder(run, what));
    }
    let mut names = vec![];
    for path in files::entries(&folder)? {
        let Some(name) = path.file_name().map(|n| n.to_string_lossy().into_owned()) else {
            continue;
        };
        if path.join(format!("ige_scored_{name}.jsonl")).is_file() {
            names.push(name);
        }
    }
    Ok(names)
}

/// Reads `final_graphs_pt/<model>/ige_scored_<model>.jsonl`, `scene_graphs_matched.json` and
/// `vqa_outputs/<model>/scored_<model>.jsonl`. Exact names: of several scored files the release
/// takes whichever comes first.
///
/// # Errors
/// A file is missing, cannot be read, or both sides ask different questions under one number.
pub fn released_model(
    run: &Path,
    dataset: &str,
    model: &str,
    ids: IdMatch,
) -> Result<ReleasedModel, XtcError> {
    let mut notes = vec![];
    let graphs = run.join("final_graphs_pt").join(model);
    let scored = |path: PathBuf, notes: &mut Vec<String>| files::lines(&path, scored_lines, notes);
    let generation = scored(graphs.join(format!("ige_scored_{model}.jsonl")), &mut notes)?;
    let answers = run.join("vqa_outputs").join(model);
    let understanding = scored(answers.join(format!("scored_{model}.jsonl")), &mut notes)?;
    let path = graphs.join("scene_graphs_matched.json");
    let matched = matched_graphs(&path.display().to_string(), &files::json(&path)?)?;
    let released = Released {
        dataset,
        generation: &generation,
        understanding: &understanding,
        matched: &matched,
    };
    let joined = join(released, ids)?;
    let counts = [
        (
            joined.understanding_only,
            "questions on the understanding side alone",
        ),
        (
            joined.replaced,
            "records that a later one of the same number replaced",
        ),
        (joined.counting, "counting questions of an early release"),
    ];
    notes.extend(
        counts
            .iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, what)| format!("{model}: {n} {what}")),
    );
    let asked: std::collections::BTreeSet<u64> = joined.facts.iter().map(|f| f.image_id).collect();
    let absent = asked.iter().filter(|id| !matched.contains_key(id)).count();
    if absent > 0 {
        notes.push(format!(
            "{model}: {absent} images have facts and no matching; how many nodes they have is not \
             in these files, so that the match ratio leaves them out"
        ));
    }
    Ok(ReleasedModel {
        facts: joined.facts,
        images: matched
            .values()
            .flatten()
            .map(|image| ImageCoverage {
                gt_nodes: image.gt_nodes,
                outcome: ImageOutcome::Matched {
                    nodes: image.pairs.len(),
                },
            })
            .chain(
                matched
                    .values()
                    .filter(|i| i.is_none())
                    .map(|_| ImageCoverage {
                        gt_nodes: 0,
                        outcome: ImageOutcome::Failed,
                    }),
            )
            .collect(),
        notes,
    })
}
