//! A set as a suite of its own.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::{Map, Value, json};
use verispec_specs::ser::Task;
use verispec_specs::set::{FinalSpec, SetManifest, Which};
use verispec_suites::custom;

/// Folder of input images, beside the suite's file.
const IMAGES: &str = "references";

/// Writes every instance that is ready; how many, and which are not and why.
pub(super) fn write(
    manifest: &SetManifest,
    which: &Which,
    folder: &Path,
    tasks: &[Arc<Task>],
) -> anyhow::Result<(usize, Vec<String>)> {
    let plain = |c: char| match c {
        _ if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') => c,
        _ => '-',
    };
    let header = json!({
        "suite": manifest.name.chars().map(plain).collect::<String>(),
        "format": custom::FORMAT,
        "description": format!("version {} of this set", manifest.version(which)),
    });
    let (mut lines, mut not_yet) = (vec![header.to_string()], vec![]);
    for (task, record) in tasks.iter().zip(&manifest.instances) {
        let specs = match record.specs(which) {
            Ok(specs) if !specs.is_empty() => specs,
            Ok(_) => {
                not_yet.push(format!("{}: no specification is left", record.place()));
                continue;
            }
            Err(why) => {
                not_yet.push(format!("{} is not written: {why}", record.place()));
                continue;
            }
        };
        let references = task.references.iter().map(|r| image(&r.path, folder));
        let references = references.collect::<anyhow::Result<Vec<String>>>()?;
        let numbered = (1..).zip(&specs).map(|(id, spec)| item(id, spec));
        let mut instance = json!({
            "id": record.id, "track": record.track, "dimension": record.dimension,
            "prompt": task.prompt, "specifications": numbered.collect::<Vec<Value>>(),
        });
        if !references.is_empty() {
            instance["references"] = json!(references);
        }
        lines.push(instance.to_string());
    }
    let path = folder.join(custom::FILE);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, lines.join("\n") + "\n"))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok((lines.len() - 1, not_yet))
}

fn item(id: u32, spec: &FinalSpec) -> Value {
    let mut item = Map::new();
    item.insert("id".into(), json!(id));
    item.insert("question".into(), json!(spec.wording.question));
    item.insert("expected".into(), json!(spec.wording.expected.as_str()));
    // A field that is there is not empty.
    for (name, text) in [
        ("category", &spec.wording.category),
        ("subcategory", &spec.wording.subcategory),
    ] {
        if !text.is_empty() {
            item.insert(name.into(), json!(text));
        }
    }
    if let Some(score) = spec.score {
        item.insert("rating".into(), json!(score));
    }
    Value::Object(item)
}

/// Copies an input image under the name of its content; the path in the suite.
fn image(path: &Path, folder: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let hash = verispec_model::Hash::of(&bytes).short();
    let name = match path.extension().and_then(|e| e.to_str()) {
        Some(extension) => format!("{IMAGES}/{hash}.{extension}"),
        None => format!("{IMAGES}/{hash}"),
    };
    let to = folder.join(&name);
    std::fs::create_dir_all(folder.join(IMAGES))
        .and_then(|()| std::fs::write(&to, bytes))
        .with_context(|| format!("cannot write {}", to.display()))?;
    Ok(name)
}
