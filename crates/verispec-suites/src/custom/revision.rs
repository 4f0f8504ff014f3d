//! The content version of a suite.

use verispec_model::{Instance, KeyBuilder, Specification};

use super::load::Loaded;

/// First digits of a hash over everything that decides what is measured and how it counts, in the
/// order of the suite: names, prompts, references as paths below the root, specifications with
/// their rules, choices with their answers. Descriptions and metadata do not count.
pub(super) fn revision(loaded: &Loaded) -> String {
    let mut key = KeyBuilder::new("verispec/custom-suite");
    for instance in loaded.suite.instances() {
        add_instance(&mut key, loaded, instance);
    }
    key.finish().short()
}

fn add_instance(key: &mut KeyBuilder, loaded: &Loaded, instance: &Instance) {
    key.field("track", instance.track.as_bytes())
        .field("dimension", instance.dimension.as_bytes())
        .field("id", instance.id.as_bytes())
        .field("prompt", instance.prompt.as_bytes());
    for path in &instance.references {
        let path = path.strip_prefix(&loaded.suite.root).unwrap_or(path);
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        key.field("reference", parts.join("/").as_bytes());
    }
    match loaded.choice_of(instance) {
        Some(choice) => {
            for option in &choice.options {
                key.field("option", option.as_bytes());
            }
            key.field("answer", choice.answer.to_string().as_bytes());
        }
        None => instance
            .specifications
            .iter()
            .for_each(|s| add_spec(key, s)),
    }
}

fn add_spec(key: &mut KeyBuilder, spec: &Specification) {
    let number = |value: Option<f64>| value.map(|v| v.to_string());
    key.field("spec", &spec.id.to_le_bytes())
        .field("question", spec.question.as_bytes())
        .field("expected", spec.expected.as_str().as_bytes())
        .field("category", spec.category.as_bytes())
        .field("subcategory", spec.subcategory.as_bytes())
        .field("critical", &[u8::from(spec.rules.critical)])
        .optional("rating", number(spec.rating).as_ref().map(String::as_bytes))
        .optional(
            "weight",
            number(spec.rules.weight).as_ref().map(String::as_bytes),
        );
    for id in &spec.rules.depends_on {
        key.field("depends-on", &id.to_le_bytes());
    }
}
