//! `verispec xtc extract`, `verispec xtc recall`

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::json;
use verispec_graph::import::{annotations, raw_relations};
use verispec_graph::matching::{BagOfWords, EmbeddingTable, texts};
use verispec_graph::scene::{ImageId, SceneGraph, ScenePolicy};
use verispec_graph::vocabulary::PREDICATES;
use verispec_model::ImageRole;
use verispec_suites::xtc::{
    ExtractJob, Extraction, Recall, Start, merged_graphs, pictures, write_graph,
};

use super::driver::{Asked, Driver};
use super::inputs;
use super::look::Looker;
use super::manifest::{Source, XtcManifest};
use super::run::{open, plain, stage};
use crate::args::Cli;
use crate::args::xtc::{XtcExtractArgs, XtcRecallArgs};
use crate::config::Config;
use crate::exit::{Exit, usage};
use crate::judge::resolve_name;
use crate::output;
use crate::run::hash_cache;
use crate::target::absolute;

pub(super) fn run(cli: &Cli, args: &XtcExtractArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let extractor = Asked::new(resolve_name(&args.extractor, &config)?)?;
    let folder = picture_folder(&args.pictures)?;
    let policy = inputs::graph_policy(&args.graph);
    let files = args.segments.clone().zip(args.relations.clone());
    let manifest = XtcManifest::new(
        vec![],
        BTreeMap::new(),
        Source::Extract {
            pictures: folder.clone(),
            scores: files.clone(),
            extractor: extractor.judge.identity.clone(),
            policy,
        },
    );
    let model = plain(&extractor.judge.identity.model);
    let name = args
        .run
        .clone()
        .unwrap_or_else(|| manifest.default_name(&model));
    let starts = files.as_ref().map(|(a, b)| scores(a, b)).transpose()?;
    let (lock, manifest) = open(&cli.runs, &name, manifest)?;
    let hashes = hash_cache(lock.dir(), false);
    let mut looker = Looker::new(&hashes);
    let mut notes = vec![];
    let mut jobs = vec![];
    for (id, path) in pictures(&folder).map_err(|e| usage(e.to_string()))?.0 {
        let start = match &starts {
            None => Some(Start::Nothing),
            Some(known) => known.get(&id).cloned(),
        };
        let Some(start) = start else {
            notes.push(format!(
                "image {id}: no segments or no relation scores; left out"
            ));
            continue;
        };
        let Ok(picture) = looker.look(id, &path, ImageRole::Reference, &mut notes) else {
            continue;
        };
        jobs.push(ExtractJob {
            id: format!("extract/{id}"),
            picture,
            start,
            judge: extractor.identity.clone(),
            policy,
        });
    }
    hashes.save()?;
    if jobs.is_empty() {
        return Err(usage(format!(
            "{}: no picture whose name is a number",
            folder.display()
        )));
    }
    let mut driver = Driver::live(&cli.runs, &lock, vec![&extractor], &args.calls)?;
    let read = driver.run("extract", &jobs)?;
    let done = write(&args.out, &jobs, &read, &mut notes)?;
    notes.iter().for_each(|n| output::note(n));
    tell(cli, args, &manifest, &driver, (done, jobs.len()));
    let failed = read
        .iter()
        .filter(|r| matches!(r, Extraction::Failed { .. }))
        .count();
    Ok(match driver.exit() {
        _ if args.calls.purse.dry_run => Exit::Ok,
        Exit::Ok if failed == jobs.len() => Exit::Incomplete,
        exit => exit,
    })
}

/// Pictures of a bundle are in `images/`.
fn picture_folder(given: &Path) -> anyhow::Result<std::path::PathBuf> {
    if !given.is_dir() {
        return Err(usage(format!("{}: no such folder", given.display())));
    }
    let inside = given.join("images");
    absolute(if inside.is_dir() { &inside } else { given })
}

/// Segments and relation scores by image.
fn scores(segments: &Path, relations: &Path) -> anyhow::Result<BTreeMap<ImageId, Start>> {
    let json = |path: &Path| -> anyhow::Result<serde_json::Value> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).map_err(|e| usage(format!("{}: {e}", path.display())))
    };
    let (a, b) = (
        segments.display().to_string(),
        relations.display().to_string(),
    );
    let segmented = annotations(&a, &json(segments)?).map_err(|e| usage(e.to_string()))?;
    let scored = raw_relations(&b, &json(relations)?).map_err(|e| usage(e.to_string()))?;
    let labels: Arc<[String]> = if segmented.labels.is_empty() {
        verispec_graph::vocabulary::LABELS.map(str::to_owned).into()
    } else {
        segmented.labels.into()
    };
    let predicates: Arc<[String]> = if segmented.predicates.is_empty() {
        PREDICATES.map(str::to_owned).into()
    } else {
        segmented.predicates.into()
    };
    let mut by_image: BTreeMap<ImageId, _> = scored.into_iter().map(|r| (r.image_id, r)).collect();
    let joined = segmented.images.into_iter().filter_map(|image| {
        let raw = by_image.remove(&image.image_id)?;
        let (labels, predicates) = (labels.clone(), predicates.clone());
        Some((
            image.image_id,
            Start::Scores {
                image,
                labels,
                predicates,
                raw,
            },
        ))
    });
    Ok(joined.collect())
}

fn write(
    out: &Path,
    jobs: &[ExtractJob],
    read: &[Extraction],
    notes: &mut Vec<String>,
) -> anyhow::Result<usize> {
    let mut done = 0;
    for (job, extraction) in jobs.iter().zip(read) {
        let id = job.picture.image_id;
        match extraction {
            Extraction::Pending => {}
            Extraction::Failed { stage, why } => {
                notes.push(format!("image {id}: no graph ({stage:?}: {why})"));
            }
            Extraction::Done(extracted) => {
                write_graph(out, &extracted.graph, &extracted.cleaned)?;
                done += 1;
                let (unread, blank) = (extracted.unread.len(), extracted.undescribed.len());
                if unread + blank > 0 {
                    notes.push(format!(
                        "image {id}: {unread} pairs without a verdict, {blank} objects without a \
                         description"
                    ));
                }
            }
        }
    }
    Ok(done)
}

fn tell(
    cli: &Cli,
    args: &XtcExtractArgs,
    manifest: &XtcManifest,
    driver: &Driver<'_>,
    (done, all): (usize, usize),
) {
    if cli.json {
        output::json(&json!({
            "format": 1, "kind": "xtc-extract", "run": manifest.run, "out": args.out,
            "graphs": done, "pictures": all, "stages": driver.stages,
            "pending_requests": driver.pending(),
        }));
        return;
    }
    let stages = driver
        .stages
        .iter()
        .map(|s| stage(s, args.calls.purse.dry_run));
    let mut lines = vec![format!(
        "run {}: {done} of {all} graphs in {}",
        manifest.run,
        args.out.display()
    )];
    lines.extend(stages);
    if driver.pending() > 0 && !args.calls.purse.dry_run {
        lines.push("next: the same command again resumes".to_owned());
    }
    output::result(&lines.join("\n"));
}

pub(super) fn recall(cli: &Cli, args: &XtcRecallArgs) -> anyhow::Result<Exit> {
    let graphs = |root: &Path| -> anyhow::Result<BTreeMap<ImageId, SceneGraph>> {
        let folder = root.join("sg_with_attributes");
        let read = merged_graphs(&folder).map_err(|e| usage(e.to_string()))?;
        let scene = |g| SceneGraph::build(g, ScenePolicy::default()).scene;
        Ok(read.iter().map(|(id, g)| (*id, scene(g))).collect())
    };
    let (truth, seen) = (graphs(&args.truth)?, graphs(&args.extracted)?);
    let mut recall = Recall::default();
    for (id, scene) in &truth {
        let extracted = seen.get(id);
        let table =
            EmbeddingTable::new(&BagOfWords, texts(std::iter::once(scene).chain(extracted)))?;
        recall.add(scene, extracted, &table)?;
    }
    if cli.json {
        output::json(&json!({
            "format": 1, "kind": "xtc-recall", "counts": recall,
            "node_recall": recall.node_recall(), "node_precision": recall.node_precision(),
            "edge_recall": recall.edge_recall(), "attribute_recall": recall.attribute_recall(),
        }));
    } else {
        output::result(&verispec_report::xtc::render_recall(
            &recall,
            output::style(),
        ));
    }
    Ok(Exit::Ok)
}
