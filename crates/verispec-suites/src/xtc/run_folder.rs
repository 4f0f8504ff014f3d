//! What a run folder of the release holds of a model under test: pictures, graphs, raw answers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use verispec_graph::answers::UndAnswer;
use verispec_graph::import::{attribute_lines, chunk_answers, chunk_questions, merge_chunks};
use verispec_graph::scene::{AttributeIndex, ImageId, MergedGraph};

use super::answers_file::{Answers, read_answers};
use super::bundle::Bundle;
use super::error::XtcError;
use super::files;

/// Folder of pictures of a model: `images/`, `7_images/<model>/`, or the folder itself.
#[must_use]
pub fn model_pictures(root: &Path, model: &str) -> PathBuf {
    let ours = root.join("images");
    let released = root.join("7_images").join(model);
    match () {
        () if ours.is_dir() => ours,
        () if released.is_dir() => released,
        () => root.to_owned(),
    }
}

/// Whether graphs of the model's pictures are in the folder already.
#[must_use]
pub fn has_graphs(root: &Path, model: &str) -> bool {
    root.join(files::COMPLETE).is_dir() || root.join("11_graph_merge_pt").join(model).is_dir()
}

/// Graphs of the model's pictures: `sg_with_attributes/`, or `11_graph_merge_pt/<model>/` with the
/// attributes of `12_attributes_pt/<model>/attributes.jsonl`. Empty where there are none.
///
/// # Errors
/// A file cannot be read or holds something else.
pub fn model_graphs(
    root: &Path,
    model: &str,
    notes: &mut Vec<String>,
) -> Result<BTreeMap<ImageId, MergedGraph>, XtcError> {
    let ours = root.join(files::COMPLETE);
    if ours.is_dir() {
        return files::merged_graphs(&ours);
    }
    let merged = root.join("11_graph_merge_pt").join(model);
    if !merged.is_dir() {
        return Ok(BTreeMap::new());
    }
    let mut graphs = files::merged_graphs(&merged)?;
    let described = root
        .join("12_attributes_pt")
        .join(model)
        .join("attributes.jsonl");
    if described.is_file() {
        let index = AttributeIndex::new(&files::lines(&described, attribute_lines, notes)?);
        for graph in graphs.values_mut() {
            index.attach(graph);
        }
    }
    Ok(graphs)
}

/// Answers of the model: `answers.jsonl`, or the shards of `vqa_outputs/<model>/chunk_<k>/`, whose
/// numbers are those of the released questions. Empty where there are none.
///
/// # Errors
/// A file cannot be read or holds something else; a shard's question is not the bundle's.
pub fn model_answers(
    root: &Path,
    model: &str,
    bundle: &Bundle,
    notes: &mut Vec<String>,
) -> Result<Answers, XtcError> {
    let ours = root.join("answers.jsonl");
    if ours.is_file() {
        return read_answers(&ours, bundle);
    }
    let shards = root.join("vqa_outputs").join(model);
    if !shards.is_dir() {
        return Ok(Answers::new());
    }
    read_shards(&shards, model, bundle, notes)
}

fn read_shards(
    shards: &Path,
    model: &str,
    bundle: &Bundle,
    notes: &mut Vec<String>,
) -> Result<Answers, XtcError> {
    let mut chunks = vec![];
    for folder in chunk_folders(shards)? {
        let questions = files::lines(&folder.join("gt_index.jsonl"), chunk_questions, notes)?;
        let mut answers = vec![];
        let prefix = format!("{model}_answers");
        for path in files::entries(&folder)? {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
            if name.is_some_and(|n| n.starts_with(&prefix) && n.ends_with(".jsonl")) {
                answers.extend(files::lines(&path, chunk_answers, notes)?);
            }
        }
        chunks.push((questions, answers));
    }
    let known: BTreeMap<u64, (String, &str)> = bundle
        .images
        .values()
        .flat_map(|image| {
            let named = |(number, at): (&u64, &usize)| {
                let fact = image.facts.get(*at)?;
                Some((*number, (fact.key.to_string(), fact.question.as_str())))
            };
            image.numbers.iter().filter_map(named)
        })
        .collect();
    let mut all = Answers::new();
    for record in merge_chunks(&chunks) {
        let Some((fact, question)) = known.get(&record.id) else {
            let what = format!(
                "answers question {}, which the bundle does not have; shards answer released \
                 questions (--questions released)",
                record.id
            );
            return Err(XtcError::folder(shards, what));
        };
        if *question != record.question {
            let what = format!(
                "question {} is {:?} here and {question:?} in the bundle",
                record.id, record.question
            );
            return Err(XtcError::folder(shards, what));
        }
        if record.answer != UndAnswer::NotAsked {
            all.insert(fact.clone(), record.answer);
        }
    }
    Ok(all)
}

/// `chunk_0`, `chunk_1`, … by number: as text, 10 would come before 2.
fn chunk_folders(shards: &Path) -> Result<Vec<PathBuf>, XtcError> {
    let mut found: Vec<(u64, PathBuf)> = vec![];
    for path in files::entries(shards)? {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
        let number = name.and_then(|n| n.strip_prefix("chunk_")?.parse().ok());
        if let (Some(number), true) = (number, path.is_dir()) {
            found.push((number, path));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}
