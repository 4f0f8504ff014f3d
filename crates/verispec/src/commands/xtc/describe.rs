//! `verispec xtc describe`: prompts in which a vision-language model describes each object.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::{Map, Value, json};
use verispec_graph::prompts::{IdStyle, SemanticIds, described_prompt, relation_texts};
use verispec_model::ImageRole;
use verispec_suites::xtc::{Bundle, BundleImage, DescribeItem, DescribeJob, Description};

use super::driver::{Asked, Driver};
use super::inputs;
use super::look::Looker;
use super::manifest::{Source, XtcManifest};
use super::run::{open, plain, stage};
use crate::args::Cli;
use crate::args::xtc::XtcDescribeArgs;
use crate::config::Config;
use crate::exit::{Exit, usage};
use crate::folder;
use crate::judge::resolve_name;
use crate::output;
use crate::run::hash_cache;

pub(super) fn run(cli: &Cli, args: &XtcDescribeArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let describer = Asked::new(resolve_name(&args.describer, &config)?)?;
    let bundles = inputs::bundles(&args.bundle)?;
    let [bundle] = bundles.as_slice() else {
        return Err(usage("one bundle at a time: its prompts are one file"));
    };
    let identity = describer.judge.identity.clone();
    let prefix = plain(&identity.model);
    let source = Source::Describe {
        options: inputs::options(&args.bundle.options),
        describer: identity,
    };
    let manifest = XtcManifest::new(inputs::datasets(&bundles), BTreeMap::new(), source);
    let name = args.run.clone();
    let name = name.unwrap_or_else(|| manifest.default_name(&prefix));
    let (lock, manifest) = open(&cli.runs, &name, manifest)?;
    let hashes = hash_cache(lock.dir(), false);
    let mut notes = vec![];
    let (ids, jobs) = jobs(bundle, &describer, &mut Looker::new(&hashes), &mut notes);
    hashes.save()?;
    let mut driver = Driver::live(&cli.runs, &lock, vec![&describer], &args.calls)?;
    let read = driver.run("describe", &jobs)?;
    let counts = Counts::of(&read);
    let of_image: BTreeMap<u64, Vec<Description>> = ids.into_iter().zip(read).collect();
    let whole = driver.pending() == 0 && !args.calls.purse.dry_run;
    if whole {
        write(&args.out, bundle, &of_image)?;
    }
    notes.iter().for_each(|n| output::note(n));
    tell(cli, args, (&manifest, whole), &driver, &counts);
    Ok(if args.calls.purse.dry_run {
        Exit::Ok
    } else {
        driver.exit()
    })
}

/// Objects by what became of them.
struct Counts {
    said: usize,
    failed: usize,
}

impl Counts {
    fn of(read: &[Vec<Description>]) -> Self {
        let all = || read.iter().flatten();
        let said = |d: &&Description| matches!(d, Description::Said(_));
        let open = |d: &&Description| **d == Description::Pending;
        let said = all().filter(said).count();
        Self {
            said,
            failed: all().count() - said - all().filter(open).count(),
        }
    }
}

fn jobs(
    bundle: &Bundle,
    describer: &Asked,
    looker: &mut Looker<'_>,
    notes: &mut Vec<String>,
) -> (Vec<u64>, Vec<DescribeJob>) {
    let job = |(id, image): (&u64, &BundleImage)| {
        let path = image.picture.as_deref()?;
        let picture = looker.look(*id, path, ImageRole::Reference, notes).ok()?;
        let objects = image.scene.nodes.iter().map(|node| DescribeItem {
            label: node.label.clone(),
            bbox: image.boxes.get(&node.id).copied(),
            attributes: node.attributes.clone(),
        });
        let job = DescribeJob {
            id: format!("describe/{}/{id}", bundle.dataset),
            picture,
            objects: objects.collect(),
            judge: Arc::clone(&describer.identity),
        };
        Some((*id, job))
    };
    bundle.images.iter().filter_map(job).unzip()
}

/// The prompts of all images, in the release's form. Images without a picture have the prompt that
/// label and attributes give.
fn write(
    out: &Path,
    bundle: &Bundle,
    read: &BTreeMap<u64, Vec<Description>>,
) -> anyhow::Result<()> {
    let records = bundle.images.iter().map(|(id, image)| {
        let said = read.get(id).into_iter().flatten();
        let said: Vec<Option<String>> = said
            .map(|d| match d {
                Description::Said(text) => Some(text.clone()),
                _ => None,
            })
            .collect();
        record(*id, image, &said)
    });
    let records = Value::from_iter(records);
    if let Some(folder) = out.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    folder::write(out, &records)
}

fn record(id: u64, image: &BundleImage, said: &[Option<String>]) -> Value {
    let style = IdStyle::default();
    let scene = &image.scene;
    let mut objects = Map::new();
    for (at, group) in scene.groups.iter().enumerate() {
        for (member, node) in group.nodes.iter().enumerate() {
            let name = match group.nodes.len() {
                1 => at.to_string(),
                _ => format!("{at}_member_{member}"),
            };
            if let Some(Some(text)) = said.get(*node) {
                objects.insert(name, json!(text));
            }
        }
    }
    json!({
        "image_id": id,
        "file_name": image.file_name,
        "prompt": described_prompt(scene, said, style),
        "object_descriptions": objects,
        "relation_descriptions": relation_texts(scene, &SemanticIds::new(scene, style)),
    })
}

fn tell(
    cli: &Cli,
    args: &XtcDescribeArgs,
    (manifest, whole): (&XtcManifest, bool),
    driver: &Driver<'_>,
    counts: &Counts,
) {
    if cli.json {
        output::json(&json!({
            "format": 1, "kind": "xtc-describe", "run": manifest.run,
            "out": whole.then_some(&args.out), "described": counts.said, "failed": counts.failed,
            "stages": driver.stages, "pending_requests": driver.pending(),
        }));
        return;
    }
    let dry = args.calls.purse.dry_run;
    let mut lines = vec![format!(
        "run {}: {} objects described, {} have no description",
        manifest.run, counts.said, counts.failed
    )];
    lines.extend(driver.stages.iter().map(|s| stage(s, dry)));
    match (whole, dry) {
        (true, _) => lines.push(format!(
            "prompts in {}; as 6_prompt_generation/prompts.json of the bundle they are what models \
             are asked to draw",
            args.out.display()
        )),
        (false, false) => lines.push("next: the same command again resumes".to_owned()),
        (false, true) => {}
    }
    output::result(&lines.join("\n"));
}
