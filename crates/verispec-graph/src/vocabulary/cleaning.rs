//! Labels and predicates as people say them.

/// A label as people say it: `wall-other-merged` is a wall, `floor-wood` a wood floor.
///
/// Removes `-merged` and `-other`, moves a trailing `-wood` to the front, turns other hyphens into
/// spaces. Idempotent on the 133 labels, and no two of them become the same.
#[must_use]
pub fn clean_label(label: &str) -> String {
    let short = label.trim().replace("-merged", "").replace("-other", "");
    match short.strip_suffix("-wood") {
        Some(rest) => format!("wood {}", rest.replace('-', " ")),
        None => short.replace('-', " "),
    }
}

/// A predicate as people say it: two of the 56 are not ("on back of", "lying on").
#[must_use]
pub fn clean_predicate(predicate: &str) -> String {
    match predicate.trim() {
        "on back of" => "behind".to_owned(),
        "lying on" => "on".to_owned(),
        other => other.to_owned(),
    }
}
