//! Looking up answers by id as the released scripts do.

use std::collections::HashMap;

use serde_json::Value;
use verispec_model::SpecId;

use super::NOT_AVAILABLE;
use super::json::PyValue;

/// The scripts raise here and ask the judge again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// An id that cannot be a dictionary key.
    #[error("element {index} of the judge's list has a {kind} as id; ask the judge again")]
    UnhashableId {
        /// Element of the judge's list, from 0.
        index: usize,
        /// `list` or `dict`.
        kind: &'static str,
    },
}

/// One answer per checklist id, in their order: what the last element with an equal id says, `N/A`
/// if it lacks an `answer`, `N/A` if there is none.
///
/// Ids compare as in Python: `1`, `1.0` and `true` are equal, `"1"` is not. Elements that are no
/// objects, or have no `id`, are ignored.
///
/// # Errors
/// [`MergeError::UnhashableId`] if any element's id is a list or an object.
pub fn merge(list: &[PyValue], checklist: &[SpecId]) -> Result<Vec<Value>, MergeError> {
    let mut answers: HashMap<SpecId, &PyValue> = HashMap::new();
    let missing = PyValue::Str(NOT_AVAILABLE.to_owned());
    for (index, element) in list.iter().enumerate() {
        let PyValue::Dict(members) = element else {
            continue;
        };
        let get = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, v)| v);
        let Some(id) = get("id") else { continue };
        let kind = match id {
            PyValue::List(_) => "list",
            PyValue::Dict(_) => "dict",
            _ => "",
        };
        if !kind.is_empty() {
            return Err(MergeError::UnhashableId { index, kind });
        }
        if let Some(id) = equal_id(id) {
            answers.insert(id, get("answer").unwrap_or(&missing));
        }
    }
    Ok(checklist
        .iter()
        .map(|id| answers.get(id).unwrap_or(&&missing).to_json())
        .collect())
}

/// The id that a Python value is equal to.
fn equal_id(value: &PyValue) -> Option<SpecId> {
    match value {
        PyValue::Bool(b) => Some(SpecId::from(*b)),
        PyValue::Int(digits) => digits.parse().ok(),
        PyValue::Float(x) if x.fract() == 0.0 && (0.0..=f64::from(SpecId::MAX)).contains(x) =>
        {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "checked"
            )]
            Some(*x as SpecId)
        }
        _ => None,
    }
}
