//! Rules of a whole set.

use std::collections::BTreeMap;

use verispec_model::{Instance, SpecId, Specification, YesNo};

use super::LintOptions;
use crate::phrase::Phrase;

type Found = (&'static str, Option<SpecId>, String);

pub(super) fn lint(instance: &Instance, options: &LintOptions) -> Vec<Found> {
    let mut found = duplicates(instance);
    let specs = &instance.specifications;
    if !specs.is_empty() && specs.iter().all(|s| s.expected == YesNo::Yes) {
        let message = format!("all {} expected answers are Yes", specs.len());
        found.push(("no-negative-control", None, message));
    }
    found.extend(groups(instance, options));
    found
}

/// Specifications that say the same as an earlier one.
fn duplicates(instance: &Instance) -> Vec<Found> {
    let mut seen: BTreeMap<(String, bool), SpecId> = BTreeMap::new();
    let mut found = vec![];
    for spec in &instance.specifications {
        let key = (
            Phrase::of(&spec.question).key(),
            spec.expected == YesNo::Yes,
        );
        match seen.get(&key) {
            Some(first) => found.push((
                "duplicate",
                Some(spec.id),
                format!("says the same as #{first}"),
            )),
            None => {
                seen.insert(key, spec.id);
            }
        }
    }
    found
}

fn groups(instance: &Instance, options: &LintOptions) -> Vec<Found> {
    let known = options.groups.iter().filter(|g| g.track == instance.track);
    let mut found = vec![];
    for group in known {
        let label = |s: &Specification| match group.by_subcategory {
            true => s.subcategory.clone(),
            false => s.category.clone(),
        };
        for (i, prefix) in group.prefixes.iter().enumerate() {
            let mut labels = instance.specifications.iter().map(|s| label(s));
            if labels.any(|l| l.starts_with(prefix.as_str())) {
                continue;
            }
            let code = if i == 0 {
                "no-final-answer"
            } else {
                "missing-weight-group"
            };
            found.push((code, None, format!("no specification of {prefix:?}")));
        }
    }
    found
}
