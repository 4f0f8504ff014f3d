//! Runs on disk: finding, describing, reading.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use verispec_engine::execute::map_steps;
use verispec_engine::ledger::{LEDGER_FILE, Ledger, LedgerReplies};
use verispec_media::HashCache;
use verispec_model::{Filters, MANIFEST_FORMAT, Manifest, Results, RunSource, Suite, Warning};
use verispec_suites::nearest_first;
use verispec_suites::realunify::strict_suite;
use verispec_suites::specv::Plan;
use verispec_suites::specv::import::{
    ImportReader, Imported, ResultOptions, list_tree, read_imported, to_results,
};

use crate::data::Loaded;
use crate::exit::usage;
use crate::folder;
use crate::reduce::{self, ReduceArgs};
use crate::target::{Target, absolute};

/// Description of a run, inside its folder.
pub(crate) const MANIFEST_FILE: &str = "manifest.json";

/// Content hashes of files, beside the runs that use them.
const HASHES_FILE: &str = "hashes.bin";

/// A run with what it says.
pub(crate) struct Run {
    /// Its folder.
    pub(crate) dir: PathBuf,
    /// Its description.
    pub(crate) manifest: Manifest,
    /// What it holds, where it is a folder of result files that was never imported.
    tree: Option<Imported>,
}

/// A run's results with what they are about.
pub(crate) struct Read {
    /// The run.
    pub(crate) run: Run,
    /// Results.
    pub(crate) results: Results,
    /// The suite, where its data is at hand.
    pub(crate) suite: Option<Loaded>,
    /// Outputs and jobs, for judged runs.
    pub(crate) target: Option<Target>,
}

impl Run {
    /// Opens a run by its name below `runs`, or by its folder. A folder that is no run but holds
    /// SpecV's result files is read as an import of it would be, without storing anything.
    pub(crate) fn open(runs: &Path, name: &str) -> anyhow::Result<Self> {
        let candidates = [
            PathBuf::from(name),
            runs.join(name),
            runs.join(verispec_model::file_name(name)),
        ];
        let dir = candidates
            .into_iter()
            .find(|d| d.join(MANIFEST_FILE).is_file());
        let Some(dir) = dir else {
            if Path::new(name).is_dir() {
                return Self::of_tree(Path::new(name));
            }
            let there = nearest_runs(&list(runs), name);
            return Err(usage(format!(
                "no run {name:?}; in {}: {there}",
                runs.display()
            )));
        };
        let manifest = read_manifest(&dir)?;
        Ok(Self {
            dir,
            manifest,
            tree: None,
        })
    }

    fn of_tree(dir: &Path) -> anyhow::Result<Self> {
        let tree = list_tree(dir, None).map_err(|e| {
            let neither = "is neither a run (it has no manifest.json) nor a tree of result files";
            usage(format!("{} {neither}: {e}", dir.display()))
        })?;
        let path = absolute(dir)?;
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
        let source = RunSource::SpecvResults { path: path.clone() };
        let manifest = describe_import(&tree, None, source, name.unwrap_or_default());
        Ok(Self {
            dir: path,
            manifest,
            tree: Some(tree),
        })
    }

    /// The run under another rule for several opinions.
    pub(crate) fn reduced(mut self, args: &ReduceArgs) -> anyhow::Result<Self> {
        reduce::apply(&mut self.manifest, args)?;
        Ok(self)
    }

    /// Reads everything the run knows, without a call.
    pub(crate) fn read(self, reader: Option<ImportReader>, records: bool) -> anyhow::Result<Read> {
        match self.manifest.source {
            RunSource::Judge => self.read_judged(),
            _ => self.read_imported(reader.unwrap_or_default(), records),
        }
    }

    fn read_judged(self) -> anyhow::Result<Read> {
        let target = Target::from_manifest(&self.manifest)?;
        let first = self.manifest.panel.as_ref().and_then(|p| p.members.first());
        let judge = self
            .manifest
            .judge
            .clone()
            .or_else(|| first.map(|m| m.judge.clone()))
            .context("the run's manifest names no judge")?;
        let hashes = hash_cache(&self.dir, false);
        let mut plan = target.plan(Arc::new(judge), &hashes)?;
        reopen(&mut plan, &self.dir)?;
        let replies = LedgerReplies::load(&self.dir.join(LEDGER_FILE))?;
        let readings = map_steps(&plan.jobs, &replies, |_, step| {
            let mut readings = step.readings;
            verispec_judge::quote_unjudged(&mut readings, &replies);
            readings
        });
        let results = plan.reduced(readings, &reduce::rule(&self.manifest));
        Ok(Read {
            run: self,
            results,
            suite: None,
            target: Some(target),
        })
    }

    fn read_imported(mut self, reader: ImportReader, records: bool) -> anyhow::Result<Read> {
        let imported = match self.tree.take() {
            Some(tree) => tree,
            None => read_imported(&self.dir)?,
        };
        let data = self.manifest.data.as_deref();
        let suite = data.map(|d| Loaded::at(&self.manifest.suite, d));
        let suite = suite.transpose()?;
        let options = ResultOptions { reader, records };
        // Scored files say one thing of an item: whether all its questions are answered as wanted.
        let strict = match (&self.manifest.source, &suite) {
            (RunSource::RealunifyScored { .. }, Some(l)) => Some(strict_suite(&l.suite)),
            _ => None,
        };
        let expected = strict.as_ref().or(suite.as_ref().map(|l| &l.suite));
        let mut results = to_results(&imported, expected, options)?;
        let now = suite.as_ref().map(|l| &l.suite);
        results
            .warnings
            .extend(now.and_then(|s| changed(&self.manifest, s)));
        self.manifest.reader = match reader {
            ImportReader::Default => "default".into(),
            ImportReader::Published => "published".into(),
        };
        Ok(Read {
            run: self,
            results,
            suite,
            target: None,
        })
    }
}

/// The description of imported verdicts; `data` is their suite and where it lies.
pub(crate) fn describe_import(
    imported: &Imported,
    data: Option<(&Suite, &Path)>,
    source: RunSource,
    run: String,
) -> Manifest {
    let path = data.map(|(_, path)| path.to_owned());
    Manifest {
        format: MANIFEST_FORMAT,
        verispec: env!("CARGO_PKG_VERSION").into(),
        run,
        created: crate::clock::now_rfc3339(),
        source,
        suite: imported.suite.clone(),
        data: path.map(|p| p.canonicalize().unwrap_or(p)),
        suite_revision: data.map(|(suite, _)| suite.revision.clone()),
        models: std::collections::BTreeMap::new(),
        protocol: None,
        judge: None,
        reader: "default".into(),
        encoder: None,
        filters: Filters::default(),
        reask: "off".into(),
        repeats: 1,
        repeat_reduce: verispec_model::RepeatReduce::Mean,
        panel: None,
    }
}

/// Says that an import stands beside other specifications than when it was made.
fn changed(manifest: &Manifest, suite: &Suite) -> Option<Warning> {
    let was = manifest.suite_revision.as_ref()?;
    (*was != suite.revision).then(|| Warning {
        kind: "suite-changed".to_owned(),
        place: suite.root.display().to_string(),
        message: format!(
            "revision {was} when this was imported, {} now; verdicts keep the specifications \
             they came with",
            suite.revision
        ),
    })
}

impl Read {
    /// The suite, wherever it was loaded.
    pub(crate) fn loaded(&self) -> Option<&Loaded> {
        self.target
            .as_ref()
            .map(|t| &t.loaded)
            .or(self.suite.as_ref())
    }
}

/// Several runs as one.
pub(crate) struct Together {
    /// Models of all runs.
    pub(crate) results: Results,
    /// What the runs say, in the order they were named.
    pub(crate) manifests: Vec<Manifest>,
    /// The suite of the first run whose data is at hand.
    pub(crate) suite: Option<Loaded>,
}

/// Reads several runs and puts their models side by side. A model that two runs hold is told
/// apart by the run's name.
pub(crate) fn read_all(
    runs: &Path,
    names: &[String],
    reader: Option<ImportReader>,
    reduce: &ReduceArgs,
) -> anyhow::Result<Together> {
    let (mut manifests, mut suite) = (vec![], None);
    let mut folders = HashSet::new();
    let mut all: Option<Results> = None;
    for name in names {
        let run = Run::open(runs, name)?;
        if !folders.insert(run.dir.canonicalize()?) {
            return Err(usage(format!("run {name:?} is named twice")));
        }
        let read = run.reduced(reduce)?.read(reader, false)?;
        all = Some(match all {
            None => read.results,
            Some(all) => merge(all, read.results, &read.run.manifest.run)?,
        });
        manifests.push(read.run.manifest);
        suite = suite.or(read.target.map(|t| t.loaded)).or(read.suite);
    }
    Ok(Together {
        results: all.ok_or_else(|| usage("name a run"))?,
        manifests,
        suite,
    })
}

/// Refuses runs whose numbers cannot be ranked together: another judge, protocol or reader.
pub(crate) fn check_alike(manifests: &[Manifest]) -> anyhow::Result<()> {
    let Some((first, others)) = manifests.split_first() else {
        return Ok(());
    };
    let judge = |m: &Manifest| (m.judge.clone(), m.panel.clone());
    for other in others {
        let what = match () {
            () if judge(first) != judge(other) => "judge",
            () if first.protocol != other.protocol => "protocol",
            () if first.reader != other.reader => "reader",
            () => continue,
        };
        return Err(usage(format!(
            "runs {:?} ({}) and {:?} ({}) differ in the {what}: their models cannot be ranked \
             together; rank each alone, or add --across-judges",
            first.run,
            in_words(first, what),
            other.run,
            in_words(other, what)
        )));
    }
    Ok(())
}

/// Refuses runs of different versions of the specifications: their scores answer different
/// questions. A version that is not known (an import without data) is not held against a run.
pub(crate) fn check_versions<'a>(
    manifests: impl IntoIterator<Item = &'a Manifest>,
    way_out: &str,
) -> anyhow::Result<()> {
    let mut known: Option<(&Manifest, &str)> = None;
    for manifest in manifests {
        let Some(version) = manifest.suite_revision.as_deref() else {
            continue;
        };
        match known {
            Some((first, other)) if other != version => {
                return Err(usage(format!(
                    "runs {:?} ({}@{other}) and {:?} ({}@{version}) are of different versions of \
                     the specifications: their scores cannot share a table; judge both over the \
                     same version (only what differs costs calls){way_out}",
                    first.run, first.suite, manifest.run, manifest.suite
                )));
            }
            _ => known = Some((manifest, version)),
        }
    }
    Ok(())
}

/// A run's judge, protocol or reader.
fn in_words(manifest: &Manifest, what: &str) -> String {
    let line = match what {
        "judge" => verispec_report::Context::of(std::slice::from_ref(manifest)).judge,
        "protocol" => manifest.protocol.clone(),
        _ => Some(manifest.reader.clone()),
    };
    line.unwrap_or_else(|| "imported, not known".to_owned())
}

/// Puts the models of two sets of results side by side.
pub(crate) fn merge(mut all: Results, more: Results, run: &str) -> anyhow::Result<Results> {
    if all.suite != more.suite {
        return Err(usage(format!(
            "runs of {} and {} cannot share a table",
            all.suite, more.suite
        )));
    }
    if all.measure != more.measure {
        return Err(usage(
            "holistic grades and verdicts on specifications say different things and cannot share \
             a table",
        ));
    }
    let unknown = more
        .all_tracks
        .iter()
        .filter(|t| !all.all_tracks.contains(t));
    all.all_tracks.extend(unknown.cloned().collect::<Vec<_>>());
    for mut model in more.models {
        while all.models.iter().any(|m| m.model == model.model) {
            model.model = format!("{} ({run})", model.model);
        }
        all.models.push(model);
    }
    all.models.sort_by(|a, b| a.model.cmp(&b.model));
    all.warnings.extend(more.warnings);
    Ok(all)
}

/// Runs that are named when one is not found.
const NAMED: usize = 10;

/// Some names of runs, those most like the wanted one first.
fn nearest_runs(names: &[String], wanted: &str) -> String {
    let mut likely = nearest_first(wanted, names.iter().map(String::as_str));
    likely.truncate(NAMED);
    match names.len() {
        0 => "none yet".to_owned(),
        n if n > NAMED => format!("{} and {} more", likely.join(", "), n - NAMED),
        _ => likely.join(", "),
    }
}

/// Names of runs below a folder, sorted.
fn list(runs: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(runs).into_iter().flatten().flatten();
    let is_run = |e: &std::fs::DirEntry| e.path().join(MANIFEST_FILE).is_file();
    let mut names: Vec<String> = entries
        .filter(is_run)
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The description of a run.
pub(crate) fn read_manifest(dir: &Path) -> anyhow::Result<Manifest> {
    let format = |m: &Manifest| m.format;
    folder::read(
        &dir.join(MANIFEST_FILE),
        "a manifest",
        (MANIFEST_FORMAT, format),
    )
}

/// Writes the description of a run whole or not at all.
pub(crate) fn write_manifest(dir: &Path, manifest: &Manifest) -> anyhow::Result<()> {
    folder::write(&dir.join(MANIFEST_FILE), manifest)
}

/// Takes back what a plan settles without a judge though this run has asked one before.
pub(crate) fn reopen(plan: &mut Plan, dir: &Path) -> anyhow::Result<()> {
    if plan.is_settled_in_part() {
        plan.reopen(&asked(dir)?);
    }
    Ok(())
}

/// Jobs that a judge was asked about in this run.
fn asked(dir: &Path) -> anyhow::Result<HashSet<String>> {
    let path = dir.join(LEDGER_FILE);
    // A run that was killed before its first row has an empty file.
    let is_empty = std::fs::metadata(&path).map_or(true, |m| m.len() == 0);
    if is_empty {
        return Ok(HashSet::new());
    }
    Ok(Ledger::open_read(&path)?.jobs()?)
}

/// Hashes of files known to the runs beside this one.
pub(crate) fn hash_cache(run_dir: &Path, rehash: bool) -> HashCache {
    match run_dir.parent() {
        Some(runs) => HashCache::open(&runs.join(HASHES_FILE), rehash),
        None => HashCache::in_memory(),
    }
}
