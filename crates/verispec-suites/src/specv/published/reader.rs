//! The released reader, behind one function.

use serde_json::Value;
use verispec_model::{ReadStage, Specification};

/// What a reply says, in the order of the specifications.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Merged {
    /// Answers as they stand; `None` where the reply has none.
    pub(super) answers: Vec<Option<Value>>,
    /// Stage of the reader.
    pub(super) stage: ReadStage,
}

/// Reads a reply, or `None` where the released worker would call again.
pub(super) fn read(text: &str, specs: &[Specification]) -> Option<Merged> {
    let list: Vec<Value> = serde_json::from_str(text.trim()).ok()?;
    let find = |id: u32| {
        list.iter()
            .rev()
            .find(|v| v["id"] == id)
            .and_then(|v| v.get("answer"))
            .cloned()
    };
    Some(Merged {
        answers: specs.iter().map(|s| find(s.id)).collect(),
        stage: ReadStage::Strict,
    })
}
