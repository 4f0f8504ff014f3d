//! A suite of one's own: images, texts, or both.

use verispec_model::Instance;
use verispec_suites::custom::Loaded;

use super::parts::with_images;
use super::{Layout, Place, PlanOptions, Task, wanted};
use crate::chain::{Input, Stage, Wants};

/// Tasks of a suite of one's own. A multiple choice wants a text, everything else `wants`.
#[must_use]
pub fn custom_tasks(loaded: &Loaded, wants: Wants, options: &PlanOptions<'_>) -> Vec<Task> {
    wanted(&loaded.suite, options.filters)
        .map(|instance| task(loaded, instance, wants, options))
        .collect()
}

fn task(loaded: &Loaded, instance: &Instance, wants: Wants, options: &PlanOptions<'_>) -> Task {
    let choice = loaded.choice_of(instance);
    let wants = choice.map_or(wants, |_| Wants::Text);
    let inputs = with_images(&instance.prompt, &instance.references, options.hash);
    let stages = inputs.map(|mut inputs| {
        let listed = choice.and_then(|c| listed(&instance.prompt, &c.options));
        inputs.extend(listed.map(Input::Text));
        vec![Stage::only(wants, inputs)]
    });
    let output = Layout::Parts(format!("{}/{}", instance.track, instance.id));
    Task::new(Place::of(instance), stages, output)
}

/// The options of a choice, as they stand below its prompt, unless the prompt holds them itself.
fn listed(prompt: &str, options: &[String]) -> Option<String> {
    if options.iter().all(|option| prompt.contains(option.trim())) {
        return None;
    }
    let lines = ('A'..='Z')
        .zip(options)
        .map(|(l, text)| format!("\n{l}. {text}"));
    let lines: String = lines.collect();
    Some(format!(
        "\n{lines}\n\nAnswer with the letter of one option."
    ))
}
