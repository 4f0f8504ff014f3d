//! From what was typed to bundles, models and policies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use verispec_graph::answers::AnswerCleaning;
use verispec_graph::clean::Verification;
use verispec_graph::extraction::Presence;
use verispec_graph::facts::{FactPolicy, Overlap};
use verispec_graph::scene::{GroupRelations, ScenePolicy, UnknownValues};
use verispec_suites::xtc::{
    Bundle, BundleOptions, ExactAnswers, ExtractPolicy, Questions, SheetPolicy, UnderstandingImage,
};

use super::manifest::{Dataset, ModelEntry};
use crate::args::xtc::{
    CleaningArg, GroupRelationsArg, OverlapArg, QuestionsArg, UnderstandingArg, UnknownArg,
    VerifyArg, XtcBundleArgs, XtcGraphArgs, XtcOptions, XtcRunArgs,
};
use crate::config::Config;
use crate::exit::usage;
use crate::output;
use crate::target::absolute;

pub(super) fn options(args: &XtcOptions) -> BundleOptions {
    BundleOptions {
        scene: ScenePolicy {
            group_relations: match args.group_relations {
                Some(GroupRelationsArg::All) => GroupRelations::All,
                _ => GroupRelations::Members,
            },
            unknown: match args.unknown {
                Some(UnknownArg::Drop) => UnknownValues::Drop,
                _ => UnknownValues::Keep,
            },
        },
        facts: FactPolicy {
            overlap: match args.overlap {
                Some(OverlapArg::Published) => Overlap::Published,
                _ => Overlap::Tokens,
            },
        },
        questions: match args.questions {
            Some(QuestionsArg::Released) => Questions::Released,
            _ => Questions::Ours,
        },
    }
}

pub(super) fn graph_policy(args: &XtcGraphArgs) -> ExtractPolicy {
    ExtractPolicy {
        verification: match args.verify {
            Some(VerifyArg::Off) => None,
            Some(VerifyArg::Lenient) => Some(Verification::Lenient),
            _ => Some(Verification::Strict),
        },
        presence: if args.forced_attributes {
            Presence::Forced
        } else {
            Presence::Optional
        },
        ..ExtractPolicy::default()
    }
}

pub(super) fn sheet_policy(args: &XtcRunArgs) -> SheetPolicy {
    SheetPolicy {
        cleaning: match args.answer_cleaning {
            Some(CleaningArg::Published) => AnswerCleaning::Published,
            _ => AnswerCleaning::Clean,
        },
        ..SheetPolicy::default()
    }
}

pub(super) const fn understanding(args: &XtcRunArgs) -> UnderstandingImage {
    match args.understanding_image {
        Some(UnderstandingArg::Generated) => UnderstandingImage::Generated,
        Some(UnderstandingArg::None) => UnderstandingImage::None,
        _ => UnderstandingImage::Original,
    }
}

pub(super) const fn exact(args: &XtcRunArgs) -> ExactAnswers {
    if args.exact_is_five {
        ExactAnswers::Five
    } else {
        ExactAnswers::Ask
    }
}

/// `NAME=REST`.
pub(super) fn named<'t>(text: &'t str, flag: &str) -> anyhow::Result<(&'t str, &'t str)> {
    let parts = text
        .split_once('=')
        .filter(|(name, rest)| !name.is_empty() && !rest.is_empty());
    parts.ok_or_else(|| usage(format!("{flag} {text:?}: NAME=VALUE is wanted")))
}

/// Name and folder of a data set: `NAME=DIR`, or a folder that gives its name.
pub(super) fn dataset(text: &str) -> anyhow::Result<(String, PathBuf)> {
    if let Some((name, dir)) = text.split_once('=').filter(|_| !Path::new(text).is_dir()) {
        return Ok((name.to_owned(), usable(dir)?));
    }
    let dir = usable(text)?;
    let name = dir.file_name().map(|n| n.to_string_lossy().into_owned());
    let name = name.ok_or_else(|| usage(format!("{text:?}: name the data set: NAME={text}")))?;
    Ok((name, dir))
}

/// A folder that was named: that it is not there is a slip in the arguments.
fn usable(dir: &str) -> anyhow::Result<PathBuf> {
    absolute(Path::new(dir)).map_err(|e| usage(format!("{e:#}")))
}

/// Reads the bundles and says what is odd about them.
pub(super) fn bundles(args: &XtcBundleArgs) -> anyhow::Result<Vec<Bundle>> {
    let mut all: Vec<Bundle> = vec![];
    for text in &args.bundles {
        let (name, dir) = dataset(text)?;
        if all.iter().any(|b| b.dataset == name) {
            return Err(usage(format!(
                "two data sets are called {name:?}; name them apart: NAME=DIR"
            )));
        }
        all.push(load(&name, &dir, options(&args.options))?);
    }
    for note in all.iter().flat_map(|b| &b.notes) {
        output::note(note);
    }
    Ok(all)
}

pub(super) fn load(name: &str, dir: &Path, options: BundleOptions) -> anyhow::Result<Bundle> {
    if !dir.is_dir() {
        return Err(usage(format!("{}: no such folder", dir.display())));
    }
    Bundle::load(name, dir, options).map_err(|e| usage(e.to_string()))
}

/// Bundles as a manifest names them.
pub(super) fn datasets(bundles: &[Bundle]) -> Vec<Dataset> {
    let one = |b: &Bundle| Dataset {
        name: b.dataset.clone(),
        path: b.root.clone(),
        revision: b.revision.clone(),
    };
    bundles.iter().map(one).collect()
}

/// The models under test with their folders and families. Who asks and draws is set later.
pub(super) fn models(
    args: &XtcRunArgs,
    config: &Config,
    bundles: &[Bundle],
) -> anyhow::Result<BTreeMap<String, ModelEntry>> {
    let mut all: BTreeMap<String, ModelEntry> = BTreeMap::new();
    for text in &args.models {
        let (name, dir) = match text.split_once('=') {
            Some((name, dir)) => (name, PathBuf::from(dir)),
            None => {
                let known = config.model.get(text.as_str());
                let known = known.ok_or_else(|| {
                    usage(format!(
                        "--model {text:?}: give NAME=DIR, or set [model.{text}] outputs"
                    ))
                })?;
                (text.as_str(), known.outputs.clone())
            }
        };
        if !dir.is_dir() {
            return Err(usage(format!(
                "--model {name}: {}: no such folder",
                dir.display()
            )));
        }
        all.entry(name.to_owned()).or_default().folders = folders(name, &dir, bundles)?;
    }
    for text in args.ask.iter().chain(&args.draw) {
        let (name, _) = named(text, "--ask and --draw")?;
        all.entry(name.to_owned()).or_default();
    }
    if all.is_empty() {
        return Err(usage(
            "which models? give --model NAME=DIR, or --ask and --draw NAME=JUDGE",
        ));
    }
    let families = families(&args.families)?;
    for (name, entry) in &mut all {
        let configured = config.model.get(name).and_then(|m| m.family.clone());
        entry.family = families.get(name).cloned().or(configured);
    }
    if let Some(unknown) = families.keys().find(|f| !all.contains_key(*f)) {
        return Err(usage(format!("--family {unknown}: there is no such model")));
    }
    Ok(all)
}

/// Families by model.
pub(super) fn families(texts: &[String]) -> anyhow::Result<BTreeMap<String, String>> {
    let pairs = texts.iter().map(|t| named(t, "--family"));
    pairs
        .map(|p| p.map(|(a, b)| (a.to_owned(), b.to_owned())))
        .collect()
}

/// A model's folder for each data set: below its name, or the folder itself for the only one.
fn folders(
    name: &str,
    dir: &Path,
    bundles: &[Bundle],
) -> anyhow::Result<BTreeMap<String, PathBuf>> {
    let mut all = BTreeMap::new();
    for bundle in bundles {
        let own = dir.join(&bundle.dataset);
        let folder = match bundles {
            _ if own.is_dir() => own,
            [_] => dir.to_owned(),
            _ => continue,
        };
        all.insert(bundle.dataset.clone(), absolute(&folder)?);
    }
    if all.is_empty() {
        return Err(usage(format!(
            "--model {name}: {} has a folder for none of the data sets",
            dir.display()
        )));
    }
    Ok(all)
}
