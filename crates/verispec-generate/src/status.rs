//! One small file an instance: what became of it, and what it came from.

use serde_json::{Map, Value, json};

use crate::job::GenerateJob;
use crate::made::{Made, MadePart, State};

/// Folder of status files inside a tree. Readers of outputs leave out what starts with a dot.
pub const STATUS_DIR: &str = ".status";

/// Version of the files' format.
pub const STATUS_FORMAT: u32 = 1;

/// Path of a job's status file inside the tree: `<track>/<id>.json`, and `<track>/<id>/<k>.json`
/// where there are several replicates.
pub(crate) fn path(job: &GenerateJob, replicates: u32) -> String {
    let place = &job.task.place;
    match replicates {
        0 | 1 => format!("{STATUS_DIR}/{}/{}.json", place.track, place.id),
        _ => format!(
            "{STATUS_DIR}/{}/{}/{}.json",
            place.track, place.id, job.replicate
        ),
    }
}

/// What the file says. Holds no time: the same replies give the same file.
pub(crate) fn document(job: &GenerateJob, made: &Made, model: &str, files: &[String]) -> Value {
    let place = &job.task.place;
    let mut document = json!({
        "format": STATUS_FORMAT,
        "track": place.track,
        "dimension": place.dimension,
        "id": place.id,
        "model": model,
        "replicate": job.replicate,
    });
    let mut set = |name: &str, value: Value| document[name] = value;
    if let Some(seed) = job.seed {
        set("seed", seed.into());
    }
    if job.task.oracle {
        set("oracle", json!("intermediate"));
    }
    match &made.state {
        State::Generated => set("state", json!("generated")),
        State::Failed(stage, failure) => {
            set("state", json!("failed"));
            let (kind, message) = (failure.kind.as_str(), &failure.message);
            set(
                "failure",
                json!({"kind": kind, "stage": stage, "message": message}),
            );
        }
        State::Pending(stage, why) => {
            set("state", json!("pending"));
            let why = why.map(|w| w.as_str());
            set("pending", json!({"stage": stage, "last_error": why}));
        }
        State::Data(why) => {
            set("state", json!("data-failure"));
            set("message", json!(why));
        }
    }
    let stages = made.stages.iter().map(|stage| {
        let made: Vec<Value> = stage.parts.iter().map(part).collect();
        let mut one = Map::new();
        one.insert("stage".into(), stage.name.into());
        one.insert("model".into(), stage.model.clone().into());
        one.insert("served_model".into(), json!(stage.served_model));
        one.insert("request".into(), stage.request.to_string().into());
        one.insert("finish".into(), json!(stage.finish));
        one.insert("made".into(), made.into());
        Value::Object(one)
    });
    set("stages", stages.collect());
    set("files", json!(files));
    document
}

fn part(part: &MadePart) -> Value {
    match part {
        MadePart::Text(text) => json!({"text": text.chars().count()}),
        MadePart::Image { hash, mime, bytes } => {
            json!({"image": hash.to_string(), "mime": mime, "bytes": bytes})
        }
    }
}
