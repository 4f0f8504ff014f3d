//! One small file an instance: what became of it, and what it came from.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use verispec_model::Hash;

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

/// What a status file said before: which files are ours, and what they came from.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Before {
    pub(crate) model: String,
    pub(crate) files: Vec<String>,
    stages: Vec<StageBefore>,
    #[serde(default)]
    kept: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct StageBefore {
    request: String,
}

impl Before {
    /// What a file says; `None` if it is no status.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        serde_json::from_slice(text).ok()
    }

    /// Whether what was made is still an answer to what is asked now: a call that is pending has
    /// the same request.
    pub(crate) fn holds_for(&self, made: &Made) -> bool {
        let same = |request: Hash| {
            let request = request.to_string();
            self.requests().any(|known| *known == request)
        };
        matches!(made.state, State::Pending(..)) && made.stopped_at.is_some_and(same)
    }

    /// Requests from which what is there was made.
    pub(crate) fn requests(&self) -> impl Iterator<Item = &String> {
        let stages = self.stages.iter().map(|stage| &stage.request);
        stages.chain(&self.kept)
    }
}

/// What the file says. Holds no time: the same replies give the same file. `kept` are the requests
/// from which files were made that stay while the call is pending.
pub(crate) fn document(
    job: &GenerateJob,
    made: &Made,
    model: &str,
    (files, kept): (&[String], &[&String]),
) -> Value {
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
            let mut pending = json!({"stage": stage, "last_error": why});
            if let Some(lost) = &made.lost {
                pending["file"] = json!(lost);
            }
            set("pending", pending);
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
    if !kept.is_empty() {
        set("kept", json!(kept));
    }
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
