//! `verispec export` of RealUnify: one scored file a model and split.

use std::collections::BTreeMap;

use anyhow::Context as _;
use serde_json::{Map, Value};
use verispec_suites::realunify::{Axis, Loaded, Split, write_scored};
use verispec_suites::specv::outputs::{OutputPart, PackedOutput};

use crate::args::{Cli, ExportArgs};
use crate::exit::Exit;
use crate::output;
use crate::reduce;
use crate::run::Read;
use crate::splits::by_split;

/// Writes `<out>/<split>/<model>.json`.
pub(super) fn run(
    cli: &Cli,
    args: &ExportArgs,
    read: &Read,
    data: &Loaded,
) -> anyhow::Result<Exit> {
    reduce::check_one_verdict(&read.run.manifest)?;
    let (mut files, mut nulls) = (vec![], 0);
    for model in &read.results.models {
        for (split, results) in by_split(data, &read.run.manifest, model) {
            let dir = args.out.join(split.stem());
            std::fs::create_dir_all(&dir)
                .with_context(|| format!("cannot make {}", dir.display()))?;
            let name = format!("{}.json", verispec_model::file_name(&model.model));
            let path = dir.join(name);
            nulls += results
                .iter()
                .filter(|r| r.outcome.correct().is_none())
                .count();
            let made = made(read, &model.model, split);
            write_scored(&path, data.items(split), &results, &made)?;
            files.push(path);
        }
    }
    if cli.json {
        output::json(&serde_json::json!({
            "format": 1,
            "kind": "export",
            "folder": args.out,
            "files": files,
            "nulls": nulls,
        }));
        return Ok(Exit::Ok);
    }
    output::result(&format!(
        "{} scored files in {}",
        files.len(),
        args.out.display()
    ));
    if nulls > 0 {
        output::note(&format!(
            "{nulls} items are null: neither right nor wrong; the file does not say which they were"
        ));
    }
    Ok(Exit::Ok)
}

/// The fields that the model's run adds: image or response.
fn made(read: &Read, model: &str, split: Split) -> BTreeMap<String, Map<String, Value>> {
    let Some(target) = &read.target else {
        return BTreeMap::new();
    };
    let folder = target.models.get(model).map(|m| m.outputs.as_path());
    let outputs = target.outputs.iter().find(|m| m.model == model);
    let track = outputs.and_then(|m| m.tracks.get(&split.track()));
    let instances = track.iter().flat_map(|t| &t.instances);
    let field = match split.axis {
        Axis::Ueg => "generated_image",
        Axis::Geu => "response",
    };
    let one = |(id, output): (&String, &Result<PackedOutput, _>)| {
        let value = match output.as_ref().ok()?.parts().first()? {
            OutputPart::Text(text) => text.to_string(),
            OutputPart::Image(path) => {
                let below = folder.and_then(|f| path.strip_prefix(f).ok());
                below.unwrap_or(path).display().to_string()
            }
        };
        let fields = Map::from_iter([(field.to_owned(), Value::String(value))]);
        Some((id.clone(), fields))
    };
    instances.filter_map(one).collect()
}
