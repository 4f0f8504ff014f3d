//! XTC-Bench: images of step 8 and answers of step 17, from the files of steps 6 and 7.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::parts::image;
use super::{Layout, Place, PlanError, PlanOptions, Task};
use crate::chain::{Input, Stage, Wants};

/// Where step 6 leaves prompts and step 7 questions, and where a bundle keeps its images.
const PROMPTS: &str = "6_prompt_generation/prompts.json";
const QUESTIONS: &str = "vqa_questions/generated_questions.json";
const IMAGES: &str = "images";

/// Extensions of images, in the order of the release.
const EXTENSIONS: [&str; 4] = ["jpg", "jpeg", "png", "webp"];

/// Track of the images, and of the answers.
const STEP_8: &str = "images";
const STEP_17: &str = "answers";

/// Both have one dimension.
const DIMENSION: &str = "all";

/// What is added to a question, in our own words: the release asks for the relations that hold, or
/// for a few words.
const RELATIONS: &str = "\nReply with the relation or relations that hold, and nothing else.";
const FEW_WORDS: &str = "\nReply with at most three words.";

/// Step 8: an image for each prompt, with seed 42 and the image's id.
///
/// # Errors
/// The file of prompts is not there or is not one.
pub fn xtc_image_tasks(
    root: &Path,
    model: &str,
    options: &PlanOptions<'_>,
) -> Result<Vec<Task>, PlanError> {
    if !wanted(options, STEP_8) {
        return Ok(vec![]);
    }
    let path = root.join(PROMPTS);
    let mut prompts = vec![];
    for record in records(&path, &read(&path)?)? {
        let id = number(record.get("image_id"));
        let fields = ["prompt", "caption", "text"];
        let text = fields.iter().find_map(|f| record.get(*f)?.as_str());
        let (Some(id), Some(text)) = (id, text) else {
            let message = format!("a record without image_id or prompt: {}", short(&record));
            return Err(format_error(&path, message));
        };
        prompts.push((id, text.to_owned()));
    }
    prompts.sort();
    prompts.dedup_by_key(|(id, _)| *id);
    let wanted = prompts
        .into_iter()
        .filter(|(id, _)| options.filters.wants_id(&id.to_string()));
    let tasks = wanted.map(|(id, text)| {
        let stage = Stage::only(Wants::Image, vec![Input::Text(text)]);
        let output = Layout::Image(format!("7_images/{model}/{model}/{id}"));
        let place = place(STEP_8, &id.to_string());
        Task {
            seed: Some(id),
            ..Task::new(place, Ok(vec![stage]), output)
        }
    });
    Ok(tasks
        .take(options.filters.limit.unwrap_or(usize::MAX))
        .collect())
}

/// Step 17: an answer to each question, which goes into one file of lines. A question's id is its
/// place in the file.
///
/// # Errors
/// The file of questions is not there or is not one.
pub fn xtc_answer_tasks(root: &Path, options: &PlanOptions<'_>) -> Result<Vec<Task>, PlanError> {
    if !wanted(options, STEP_17) {
        return Ok(vec![]);
    }
    let mut tasks = vec![];
    for (id, record) in xtc_questions(root)?.iter().enumerate() {
        let id = id.to_string();
        if options.filters.wants_id(&id) {
            tasks.push(answer(root, &id, record, options)?);
        }
    }
    tasks.truncate(options.filters.limit.unwrap_or(usize::MAX));
    Ok(tasks)
}

/// The questions of step 7, in the order of their file.
///
/// # Errors
/// The file is not there or is not one.
pub fn xtc_questions(root: &Path) -> Result<Vec<Value>, PlanError> {
    let path = root.join(QUESTIONS);
    let mut document = read(&path)?;
    match document.get_mut("questions").map(Value::take) {
        Some(Value::Array(list)) => Ok(list),
        _ => Err(format_error(&path, "no list `questions`".to_owned())),
    }
}

fn answer(
    root: &Path,
    id: &str,
    record: &Value,
    options: &PlanOptions<'_>,
) -> Result<Task, PlanError> {
    let text = |name: &str| record.get(name).and_then(Value::as_str);
    let (Some(question), Some(kind)) = (text("question"), text("question_type")) else {
        let message = format!("question {id} lacks question or question_type");
        return Err(format_error(&root.join(QUESTIONS), message));
    };
    let suffix = if kind.contains("relation") {
        RELATIONS
    } else {
        FEW_WORDS
    };
    let shown = find(root, record)
        .ok_or_else(|| format!("no image of question {id} in {IMAGES}"))
        .and_then(|path| image(&path, options.hash));
    let asked = Input::Text(format!("{question}{suffix}"));
    let stages = shown.map(|shown| vec![Stage::only(Wants::Text, vec![shown, asked])]);
    Ok(Task::new(place(STEP_17, id), stages, Layout::Line))
}

/// The image of a question: by id, else by the name of its file.
fn find(root: &Path, record: &Value) -> Option<PathBuf> {
    let folder = root.join(IMAGES);
    let id = number(record.get("image_id"));
    let by_id = id
        .into_iter()
        .flat_map(|id| EXTENSIONS.iter().map(move |ext| format!("{id}.{ext}")));
    let named = record.get("image_file").and_then(Value::as_str);
    let base = named.and_then(|n| Path::new(n).file_name()?.to_str());
    let mut names = by_id.chain(base.map(str::to_owned));
    names.find_map(|name| Some(folder.join(name)).filter(|path| path.is_file()))
}

fn wanted(options: &PlanOptions<'_>, track: &str) -> bool {
    options.filters.wants_track(track) && options.filters.wants_dimension(DIMENSION)
}

fn place(track: &str, id: &str) -> Place {
    Place {
        track: track.to_owned(),
        dimension: DIMENSION.to_owned(),
        id: id.to_owned(),
    }
}

fn read(path: &Path) -> Result<Value, PlanError> {
    let text = std::fs::read(path).map_err(|source| PlanError::Io {
        path: path.to_owned(),
        source,
    })?;
    serde_json::from_slice(&text).map_err(|e| format_error(path, e.to_string()))
}

/// Records of a list, or of an object by image id.
fn records(path: &Path, document: &Value) -> Result<Vec<Value>, PlanError> {
    match document {
        Value::Array(list) => Ok(list.clone()),
        Value::Object(map) => Ok(map
            .iter()
            .map(|(id, record)| {
                let mut record = record.clone();
                if let Some(fields) = record.as_object_mut() {
                    fields
                        .entry("image_id")
                        .or_insert_with(|| id.as_str().into());
                }
                record
            })
            .collect()),
        _ => Err(format_error(
            path,
            "neither a list nor an object".to_owned(),
        )),
    }
}

fn number(value: Option<&Value>) -> Option<u64> {
    value?.as_u64().or_else(|| value?.as_str()?.parse().ok())
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

fn format_error(path: &Path, message: String) -> PlanError {
    PlanError::Format {
        path: path.to_owned(),
        message,
    }
}
