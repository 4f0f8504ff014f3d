//! `verispec xtc score`, `facts`, `import`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use serde::Serialize;
use serde_json::json;
use verispec_graph::metrics::{Grade, IdMatch, IntervalPlan, MetricPolicy, MissingU};
use verispec_suites::published::xtc as published;
use verispec_suites::xtc::{
    DatasetRow, ModelFacts, Questions, ScoreOptions, Tables, released_model, released_models,
    tables,
};

use super::driver::Driver;
use super::look::Looker;
use super::manifest::{Dataset, RunSource, Source, XtcManifest, find};
use super::pipeline::{Pipeline, Tested, facts as model_facts};
use super::{inputs, lists, run};
use crate::args::Cli;
use crate::args::xtc::{
    IdMatchArg, MissingUArg, XtcFactsArgs, XtcImportArgs, XtcMetricArgs, XtcScoreArgs,
};
use crate::exit::{Exit, usage};
use crate::output;
use crate::run::hash_cache;

/// A run, read again without a call.
pub(super) struct ReadRun {
    pub(super) manifest: XtcManifest,
    /// Its folder; `None` for a folder of the release, which is only read.
    pub(super) dir: Option<PathBuf>,
    pub(super) datasets: Vec<DatasetRow>,
    pub(super) models: Vec<ModelFacts>,
    /// Sheets with graphs, where models were put to the test here.
    pub(super) tested: Vec<Tested>,
    pub(super) bundles: Vec<verispec_suites::xtc::Bundle>,
    pub(super) policies: Vec<(String, String)>,
}

/// Reads a run by name, or a released run folder as it is.
pub(super) fn read(runs: &Path, name: &str) -> anyhow::Result<ReadRun> {
    let dir = match find(runs, name) {
        Ok(dir) => dir,
        Err(error) => {
            let folder = inputs::dataset(name).ok();
            let released = folder.filter(|(_, path)| path.join("final_graphs_pt").is_dir());
            let Some((dataset, path)) = released else {
                return Err(error);
            };
            let source = Source::Released {
                ids: IdMatch::default(),
            };
            let folders = vec![Dataset {
                name: dataset,
                path,
                revision: String::new(),
            }];
            let mut manifest = XtcManifest::new(folders, BTreeMap::new(), source);
            manifest.run.clone_from(&manifest.datasets[0].name);
            return read_released(manifest, IdMatch::default());
        }
    };
    let manifest = XtcManifest::read(&dir)?;
    match manifest.source.clone() {
        Source::Run(source) => read_run(&dir, manifest, &source),
        Source::Released { ids } => Ok(ReadRun {
            dir: Some(dir),
            ..read_released(manifest, ids)?
        }),
        Source::Extract { .. } | Source::Describe { .. } => Err(usage(format!(
            "run {name:?} made graphs or prompts and tested no model; nothing is scored"
        ))),
    }
}

fn read_run(dir: &Path, manifest: XtcManifest, source: &RunSource) -> anyhow::Result<ReadRun> {
    let mut bundles = vec![];
    for dataset in &manifest.datasets {
        let bundle = inputs::load(&dataset.name, &dataset.path, source.options)?;
        if bundle.revision != dataset.revision {
            return Err(usage(format!(
                "bundle {} has changed since this run ({} then, {} now): its facts are others; \
                 run again under another name",
                dataset.path.display(),
                dataset.revision,
                bundle.revision
            )));
        }
        bundles.push(bundle);
    }
    let hashes = hash_cache(dir, false);
    let mut driver = Driver::replay(dir)?;
    let mut pipeline = Pipeline {
        dir,
        manifest: &manifest,
        source,
        bundles: &bundles,
        looker: Looker::new(&hashes),
        notes: vec![],
    };
    let tested = pipeline.run(&mut driver)?;
    pipeline.notes.iter().for_each(|n| output::note(n));
    if driver.pending() > 0 {
        output::note(&format!(
            "run {}: {} requests are still wanted; the numbers are of what is there",
            manifest.run,
            driver.pending()
        ));
    }
    Ok(ReadRun {
        dir: Some(dir.to_owned()),
        datasets: bundles.iter().map(lists::row).collect(),
        models: model_facts(&tested, &bundles),
        policies: policies(source),
        tested,
        bundles,
        manifest,
    })
}

/// What the numbers of a run were made with.
fn policies(source: &RunSource) -> Vec<(String, String)> {
    let judge = |j: &verispec_model::JudgeIdentity| format!("{}:{}", j.provider, j.model);
    let questions = match source.options.questions {
        Questions::Ours => verispec_graph::facts::WORDING.to_owned(),
        Questions::Released => "released".to_owned(),
    };
    let extractor = source
        .extractor
        .as_ref()
        .map_or_else(|| "none".to_owned(), judge);
    let verification = source
        .extract
        .verification
        .map_or_else(|| "off".to_owned(), |v| name(&v));
    [
        ("judge", judge(&source.judge)),
        ("embedder", source.embedder.shown()),
        ("questions", questions),
        ("understanding image", name(&source.understanding)),
        ("extractor", extractor),
        ("verification", verification),
        ("attributes", name(&source.extract.presence)),
        (
            "group relations",
            name(&source.options.scene.group_relations),
        ),
        ("unknown values", name(&source.options.scene.unknown)),
        ("overlap", name(&source.options.facts.overlap)),
        ("answers of graphs", name(&source.sheet.cleaning)),
        ("exact answers", name(&source.exact)),
        (
            "matching",
            format!(
                "alpha {}, beta {}",
                source.sheet.matching.alpha, source.sheet.matching.beta
            ),
        ),
    ]
    .map(|(a, b)| (a.to_owned(), b))
    .to_vec()
}

/// The name of a policy as files have it.
fn name(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    let word = value.as_str().map(str::to_owned);
    word.unwrap_or_else(|| value.to_string())
}

fn read_released(manifest: XtcManifest, ids: IdMatch) -> anyhow::Result<ReadRun> {
    let mut models: BTreeMap<String, ModelFacts> = BTreeMap::new();
    let mut datasets = vec![];
    for dataset in &manifest.datasets {
        let there = released_models(&dataset.path).map_err(|e| usage(e.to_string()))?;
        let wanted = |m: &String| manifest.models.is_empty() || manifest.models.contains_key(m);
        let mut row = DatasetRow {
            dataset: dataset.name.clone(),
            images: 0,
            facts: 0,
            by_kind: BTreeMap::new(),
            means: None,
            skipped: BTreeMap::new(),
        };
        for model in there.into_iter().filter(wanted) {
            let read = released_model(&dataset.path, &dataset.name, &model, ids);
            let read = read.map_err(|e| usage(e.to_string()))?;
            read.notes.iter().for_each(|n| output::note(n));
            if row.facts == 0 {
                row.facts = read.facts.len();
                row.images = read
                    .facts
                    .iter()
                    .map(|f| f.image_id)
                    .collect::<std::collections::BTreeSet<_>>()
                    .len();
                for fact in &read.facts {
                    *row.by_kind.entry(fact.kind).or_default() += 1;
                }
            }
            let family = manifest.models.get(&model).and_then(|m| m.family.clone());
            let entry = models.entry(model.clone()).or_insert_with(|| ModelFacts {
                model,
                family,
                facts: vec![],
                images: BTreeMap::new(),
                pending: 0,
            });
            entry.facts.extend(read.facts);
            entry
                .images
                .insert(Arc::from(dataset.name.as_str()), read.images);
        }
        datasets.push(row);
    }
    let ids = match ids {
        IdMatch::GroundTruth => "ground truth",
        IdMatch::Published => "published",
    };
    let policies = [
        ("scores", "imported from released files"),
        ("id match", ids),
    ];
    Ok(ReadRun {
        manifest,
        dir: None,
        datasets,
        models: models.into_values().collect(),
        tested: vec![],
        bundles: vec![],
        policies: policies.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec(),
    })
}

/// Reads several runs side by side. A model that two runs hold is told apart by the run's name.
pub(super) fn read_all(runs: &Path, names: &[String]) -> anyhow::Result<Vec<ReadRun>> {
    let mut all: Vec<ReadRun> = vec![];
    for name in names {
        let mut one = read(runs, name)?;
        let taken = |m: &str| all.iter().any(|r| r.models.iter().any(|o| o.model == m));
        let names = one.models.iter_mut().map(|m| &mut m.model);
        for name in names.chain(one.tested.iter_mut().map(|t| &mut t.model)) {
            if taken(name) {
                *name = format!("{name} ({})", one.manifest.run);
            }
        }
        all.push(one);
    }
    Ok(all)
}

/// The tables of several runs. Policies in which they differ are marked.
pub(super) fn tables_of(read: &[ReadRun], args: &XtcMetricArgs) -> Tables {
    let options = ScoreOptions {
        policy: MetricPolicy {
            missing_u: match args.missing_u {
                Some(MissingUArg::Zero) => MissingU::Zero,
                _ => MissingU::Drop,
            },
            tau: args.tau,
        },
        intervals: IntervalPlan {
            level: args.level,
            draws: args.draws as usize,
            seed: args.seed,
        },
        permutations: args.permutations,
    };
    let mut datasets: Vec<DatasetRow> = vec![];
    for row in read.iter().flat_map(|r| &r.datasets) {
        if !datasets.contains(row) {
            datasets.push(row.clone());
        }
    }
    let models: Vec<ModelFacts> = read.iter().flat_map(|r| r.models.iter().cloned()).collect();
    let mut lines = joined_policies(read);
    let missing = match options.policy.missing_u {
        MissingU::Drop => "drop",
        MissingU::Zero => "zero",
    };
    lines.push(("missing understanding".into(), missing.into()));
    lines.push((
        "threshold of quadrants".into(),
        options.policy.tau.to_string(),
    ));
    lines.push(("headline".into(), "V3, unmatched facts have g = 0".into()));
    if args.draws > 0 {
        let line = format!(
            "{} %, {} draws of images within data sets",
            args.level * 100.0,
            args.draws
        );
        lines.push(("intervals".into(), line));
    }
    tables(datasets, &models, options, lines)
}

fn joined_policies(read: &[ReadRun]) -> Vec<(String, String)> {
    let mut all: Vec<(String, Vec<(String, String)>)> = vec![];
    for run in read {
        for (name, value) in &run.policies {
            let pair = (value.clone(), run.manifest.run.clone());
            match all.iter_mut().find(|(n, _)| n == name) {
                Some((_, values)) => values.push(pair),
                None => all.push((name.clone(), vec![pair])),
            }
        }
    }
    let line = |values: Vec<(String, String)>| {
        let same = values.iter().all(|(v, _)| *v == values[0].0);
        if same {
            return values[0].0.clone();
        }
        let each: Vec<String> = values
            .iter()
            .map(|(v, run)| format!("{v} ({run})"))
            .collect();
        format!("{} - not comparable", each.join("; "))
    };
    all.into_iter()
        .map(|(name, values)| (name, line(values)))
        .collect()
}

pub(super) fn score(cli: &Cli, args: &XtcScoreArgs) -> anyhow::Result<Exit> {
    let read = read_all(&cli.runs, &args.metric.run)?;
    let tables = tables_of(&read, &args.metric);
    let beside = args.with_published.then(published);
    if cli.json {
        output::json(&json!({
            "format": 1, "kind": "xtc-scores",
            "runs": read.iter().map(|r| &r.manifest.run).collect::<Vec<_>>(),
            "tables": tables, "published": beside,
        }));
    } else {
        let style = output::style();
        output::table(&verispec_report::xtc::render_tables(&tables, beside, style));
    }
    Ok(if tables.models.iter().any(|m| m.pending > 0) {
        Exit::Incomplete
    } else {
        Exit::Ok
    })
}

pub(super) fn facts(cli: &Cli, args: &XtcFactsArgs) -> anyhow::Result<Exit> {
    let read = read_all(&cli.runs, &args.run)?;
    let models = read.iter().flat_map(|r| &r.models);
    let rows = models.flat_map(|m| m.facts.iter().map(move |f| (m.model.as_str(), f)));
    let mut text = String::new();
    if args.csv {
        let mut writer = csv::Writer::from_writer(vec![]);
        let columns = [
            "model",
            "dataset",
            "image_id",
            "fact",
            "kind",
            "matched",
            "g",
            "u",
            "generation",
            "understanding",
        ];
        writer.write_record(columns)?;
        for (model, fact) in rows {
            let shown = |g: Option<Grade>| g.map(|g| g.score().to_string()).unwrap_or_default();
            writer.write_record([
                model,
                &fact.dataset,
                &fact.image_id.to_string(),
                &fact.id,
                &fact.kind.to_string(),
                fact.matched
                    .map_or("", |m| if m { "true" } else { "false" }),
                &shown(fact.generation.grade()),
                &shown(fact.understanding.grade()),
                &status(&fact.generation),
                &status(&fact.understanding),
            ])?;
        }
        text = String::from_utf8(writer.into_inner()?).context("CSV is UTF-8")?;
    } else {
        for (model, fact) in rows {
            let line = json!({
                "model": model, "dataset": fact.dataset, "image_id": fact.image_id,
                "fact": fact.id, "kind": fact.kind, "matched": fact.matched,
                "g": fact.generation.grade().map(Grade::score),
                "u": fact.understanding.grade().map(Grade::score),
                "generation": fact.generation, "understanding": fact.understanding,
            });
            text.push_str(&format!("{line}\n"));
        }
    }
    output::result(&text);
    Ok(Exit::Ok)
}

/// `graded`, `unmatched`, `model_error`, …
fn status(score: &impl Serialize) -> String {
    let value = serde_json::to_value(score).unwrap_or_default();
    let inner = value.get("answer").and_then(|a| a.get("status"));
    let found = inner.or_else(|| value.get("status"));
    found
        .and_then(|s| s.as_str())
        .unwrap_or_default()
        .to_owned()
}

pub(super) fn import(cli: &Cli, args: &XtcImportArgs) -> anyhow::Result<Exit> {
    let mut datasets = vec![];
    let mut there: Vec<String> = vec![];
    for text in &args.folders {
        let (name, path) = inputs::dataset(text)?;
        there.extend(released_models(&path).map_err(|e| usage(e.to_string()))?);
        datasets.push(Dataset {
            name,
            path,
            revision: String::new(),
        });
    }
    there.sort();
    there.dedup();
    if let Some(unknown) = args.models.iter().find(|m| !there.contains(m)) {
        return Err(usage(format!(
            "no scored files of {unknown:?}; models: {}",
            there.join(", ")
        )));
    }
    let families = inputs::families(&args.families)?;
    let wanted = there
        .iter()
        .filter(|m| args.models.is_empty() || args.models.contains(m));
    let models = wanted.map(|m| {
        let entry = super::manifest::ModelEntry {
            family: families.get(m).cloned(),
            ..Default::default()
        };
        (m.clone(), entry)
    });
    let ids = match args.id_match {
        Some(IdMatchArg::Published) => IdMatch::Published,
        _ => IdMatch::GroundTruth,
    };
    let manifest = XtcManifest::new(datasets, models.collect(), Source::Released { ids });
    // Everything is read once, so that an import that is made can be scored.
    let read = read_released(manifest.clone(), ids)?;
    let (_lock, manifest) = run::open(&cli.runs, &args.run, manifest)?;
    let facts: usize = read.models.iter().map(|m| m.facts.len()).sum();
    if cli.json {
        output::json(&json!({
            "format": 1, "kind": "xtc-import", "run": manifest.run, "models": read.models.iter().map(|m| &m.model).collect::<Vec<_>>(), "facts": facts,
        }));
    } else {
        output::result(&format!(
            "import {}: {} models, {facts} facts\nnext: verispec xtc score {}",
            manifest.run,
            read.models.len(),
            manifest.run
        ));
    }
    Ok(Exit::Ok)
}
