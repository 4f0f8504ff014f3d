//! The content version of a suite.

use verispec_model::{Hash, Instance, SpecRules, Suite};

/// First digits of a hash over everything that decides what is measured: tracks, dimensions, ids,
/// prompts, references (as paths below the root) and specifications, each with its length, so that
/// no two suites share a serialisation.
pub(super) fn revision(suite: &Suite) -> String {
    let mut bytes = vec![];
    for instance in suite.instances() {
        add_instance(&mut bytes, suite, instance);
    }
    Hash::of(&bytes).short()
}

fn add_instance(bytes: &mut Vec<u8>, suite: &Suite, instance: &Instance) {
    let Instance {
        track,
        dimension,
        id,
        prompt,
        references,
        specifications,
        ..
    } = instance;
    for text in [track, dimension, id, prompt] {
        add(bytes, text);
    }
    add_count(bytes, references.len());
    for path in references {
        let path = path.strip_prefix(&suite.root).unwrap_or(path);
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        add(bytes, &parts.join("/"));
    }
    add_count(bytes, specifications.len());
    for spec in specifications {
        add_count(bytes, spec.id as usize);
        for text in [&spec.question, &spec.category, &spec.subcategory] {
            add(bytes, text);
        }
        add(bytes, spec.expected.as_str());
        add(
            bytes,
            &spec.rating.map(|r| r.to_string()).unwrap_or_default(),
        );
        // Only where there are any: revisions of suites without rules stay what they were.
        let rules = &spec.rules;
        if *rules != SpecRules::default() {
            add_count(bytes, rules.depends_on.len());
            rules
                .depends_on
                .iter()
                .for_each(|id| add_count(bytes, *id as usize));
            add(
                bytes,
                &rules.weight.map(|w| w.to_string()).unwrap_or_default(),
            );
            add_count(bytes, usize::from(rules.critical));
        }
    }
}

fn add(bytes: &mut Vec<u8>, text: &str) {
    add_count(bytes, text.len());
    bytes.extend_from_slice(text.as_bytes());
}

fn add_count(bytes: &mut Vec<u8>, n: usize) {
    bytes.extend_from_slice(&(n as u64).to_le_bytes());
}
