//! One versioned document a command, for machines.
//!
//! Each document is an object that starts with `format` (version), `kind` and `verispec`
//! (version of the program). Fields keep their order. A number that does not exist is `null`
//! and its reason stands beside it in `why`; there is no NaN.

mod scores;
mod show;

pub use scores::{Scores, rank};
pub use show::show;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::check::CheckReport;
use crate::context::Context;
use crate::generation::GenerationSummary;
use crate::inspect::Inspection;
use crate::run::{RunSummary, exit_meaning};

/// Version of all documents.
pub const FORMAT: u32 = 1;

/// What a suite holds, kind `inspect`.
#[must_use]
pub fn inspect(inspection: &Inspection) -> Value {
    document("inspect", plain(inspection))
}

/// What a run would find and cost, kind `check`.
#[must_use]
pub fn check(report: &CheckReport) -> Value {
    document("check", plain(report))
}

/// What a run did, kind `run`.
#[must_use]
pub fn run(summary: &RunSummary, context: &Context) -> Value {
    let mut body = plain(summary);
    body.insert("coverage".into(), json!(summary.counters.coverage()));
    body.insert("exit_meaning".into(), json!(exit_meaning(summary.exit)));
    body.insert("context".into(), json!(context));
    document("run", body)
}

/// What a generation run did, kind `generation`.
#[must_use]
pub fn generation(summary: &GenerationSummary) -> Value {
    let run = &summary.run;
    let mut body = plain(run);
    body.shift_remove("counters");
    // An exit code and the next commands stand last, as in other documents.
    let tail: Vec<_> = ["exit", "next"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), body.shift_remove(name)?)))
        .collect();
    let mut outputs = plain(summary);
    outputs.shift_remove("run");
    body.insert("model".into(), json!(summary.model));
    outputs.shift_remove("model");
    body.insert("outputs".into(), Value::Object(outputs));
    body.extend(tail);
    body.insert("exit_meaning".into(), json!(exit_meaning(run.exit)));
    document("generation", body)
}

/// An error, kind `error`, so that a pipeline finds a document also when a command fails.
///
/// `causes` go from the outermost to the innermost.
#[must_use]
pub fn error(message: &str, causes: &[String], exit: u8) -> Value {
    let body = json!({
        "message": message,
        "causes": causes,
        "exit": exit,
        "exit_meaning": exit_meaning(exit),
    });
    document("error", into_map(body))
}

/// A document as it goes to standard output: indented, one line break at the end.
#[must_use]
pub fn to_text(document: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(document)
        .expect("documents have string keys and no failing serialisers");
    text.push('\n');
    text
}

/// Puts the head before a body.
fn document(kind: &str, body: Map<String, Value>) -> Value {
    let head = document_head(kind).map(|(name, value)| (name.to_owned(), value));
    Value::Object(head.into_iter().chain(body).collect())
}

/// What every document starts with.
fn document_head(kind: &str) -> [(&'static str, Value); 3] {
    [
        ("format", json!(FORMAT)),
        ("kind", json!(kind)),
        ("verispec", json!(env!("CARGO_PKG_VERSION"))),
    ]
}

/// A plain struct of this crate as an object. These have string keys and no failing
/// serialisers, so the conversion cannot fail.
fn plain<T: Serialize>(value: &T) -> Map<String, Value> {
    into_map(json!(value))
}

fn into_map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => Map::from_iter([("value".to_owned(), other)]),
    }
}
