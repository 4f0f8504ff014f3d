//! Atomic facts of a scene and the questions about them.

mod describe;
mod distinguish;
mod fact;
mod generate;
mod overlap;
mod question;

pub use describe::{describe, readable_key};
pub use fact::{Fact, FactKey, FactKind, FactSet, FactTarget, SkipReason, Skipped};
pub use generate::{FactPolicy, MAX_KEYS, generate};
pub use overlap::{Overlap, overlap, stem};
pub use question::{Family, WORDING, family};

#[cfg(test)]
mod tests;

/// `a`, `a and b`, `a, b, and c`.
pub(crate) fn join_values<S: AsRef<str>>(values: &[S]) -> String {
    match values {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [one, two] => format!("{} and {}", one.as_ref(), two.as_ref()),
        [first @ .., last] => {
            let list: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{}, and {}", list.join(", "), last.as_ref())
        }
    }
}
