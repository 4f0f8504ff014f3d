//! `verispec xtc show`, `questions`, `prompts`: what is in bundles.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use serde_json::{Value, json};
use verispec_graph::facts::{FactKind, WORDING};
use verispec_suites::xtc::{Bundle, DatasetRow, asked};

use super::inputs;
use crate::args::Cli;
use crate::args::xtc::{XtcBundleArgs, XtcListArgs};
use crate::exit::Exit;
use crate::output;

pub(super) fn show(cli: &Cli, args: &XtcBundleArgs) -> anyhow::Result<Exit> {
    let bundles = inputs::bundles(args)?;
    let rows: Vec<DatasetRow> = bundles.iter().map(row).collect();
    if cli.json {
        let revisions: Vec<&str> = bundles.iter().map(|b| b.revision.as_str()).collect();
        output::json(&json!({
            "format": 1, "kind": "xtc-bundles", "wording": WORDING,
            "datasets": rows, "revisions": revisions,
        }));
    } else {
        output::result(&verispec_report::xtc::render_datasets(
            &rows,
            output::style(),
        ));
    }
    Ok(Exit::Ok)
}

/// A bundle as the first table shows it.
pub(super) fn row(bundle: &Bundle) -> DatasetRow {
    let mut by_kind: BTreeMap<FactKind, usize> = BTreeMap::new();
    for fact in bundle.images.values().flat_map(|i| &i.facts) {
        *by_kind.entry(fact.key.target.kind()).or_default() += 1;
    }
    DatasetRow {
        dataset: bundle.dataset.clone(),
        images: bundle.images.len(),
        facts: bundle.facts(),
        by_kind,
        means: bundle.means,
        skipped: bundle.skipped.clone(),
    }
}

pub(super) fn questions(args: &XtcListArgs) -> anyhow::Result<Exit> {
    let bundles = inputs::bundles(&args.bundle)?;
    let images = bundles
        .iter()
        .flat_map(|b| b.images.iter().map(move |i| (b, i)));
    let lines = images.flat_map(|(bundle, (id, image))| {
        image.facts.iter().map(move |fact| {
            let kind = fact.key.target.kind();
            json!({
                "fact": fact.key.to_string(),
                "dataset": bundle.dataset,
                "image_id": id,
                "image": image.picture,
                "kind": kind,
                "question": asked(kind, &fact.question),
            })
        })
    });
    write(lines, args.out.as_deref())
}

pub(super) fn prompts(args: &XtcListArgs) -> anyhow::Result<Exit> {
    let bundles = inputs::bundles(&args.bundle)?;
    let images = bundles
        .iter()
        .flat_map(|b| b.images.iter().map(move |i| (b, i)));
    let lines = images.map(|(bundle, (id, image))| {
        json!({"dataset": bundle.dataset, "image_id": id, "prompt": image.prompt})
    });
    write(lines, args.out.as_deref())
}

fn write(lines: impl Iterator<Item = Value>, out: Option<&Path>) -> anyhow::Result<Exit> {
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    match out {
        None => output::result(&text),
        Some(path) => {
            std::fs::write(path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(Exit::Ok)
}
