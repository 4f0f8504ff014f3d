//! Runs as the levels of a study.

use std::collections::HashMap;

use verispec_model::score::{ModelScore, Policy, ScoreTable};
use verispec_model::{Manifest, ModelResults, Results, Suite};
use verispec_studies::compare::Options;
use verispec_studies::family::ModelFamilies;
use verispec_studies::matrix::{Clusters, Level, Matrix, Source};

use crate::args::{Cli, DrawArgs, FactorArg, LevelArgs, PolicyArgs};
use crate::config::Config;
use crate::exit::usage;
use crate::policy;
use crate::reduce::ReduceArgs;
use crate::run::{Read, Run, check_versions};

/// One run, read and scored.
pub(crate) struct Scored {
    pub(crate) manifest: Manifest,
    pub(crate) results: Results,
    pub(crate) table: ScoreTable,
    /// Instances that share a source image, where the suite's data is at hand.
    clusters: Clusters,
}

impl Scored {
    /// Reads and scores a run.
    pub(crate) fn read(
        cli: &Cli,
        name: &str,
        args: &PolicyArgs,
        reduce: &ReduceArgs,
    ) -> anyhow::Result<Self> {
        let (policy, reader) = policy::resolve(args, false);
        let run = Run::open(&cli.runs, name)?.reduced(reduce)?;
        let read = run.read(reader, false)?;
        let policy = policy::suited(policy, args, false, &read.results)?;
        policy::check_rules(policy, &read.results)?;
        Ok(Self::of(read, policy))
    }

    fn of(read: Read, policy: Policy) -> Self {
        let clusters = read.loaded().map(|l| clusters(&l.suite));
        Self {
            table: policy::score(&read.results, policy),
            clusters: clusters.unwrap_or_default(),
            manifest: read.run.manifest,
            results: read.results,
        }
    }

    /// Drops all tracks but these from the results; the scores keep the others.
    pub(crate) fn keep(&mut self, tracks: &[String]) {
        for model in &mut self.results.models {
            model.tracks.retain(|t| tracks.contains(&t.track));
        }
    }

    /// The run with one of its models alone, under another name. Models are scored each by
    /// itself, so its scores are those it had.
    pub(crate) fn only(&self, model: &str, name: &str) -> Self {
        let (results, table) = (&self.results, &self.table);
        let name = || name.to_owned();
        let own = results.models.iter().filter(|m| m.model == model);
        let scores = table.models.iter().filter(|m| m.model == model);
        Self {
            manifest: self.manifest.clone(),
            clusters: self.clusters.clone(),
            results: Results {
                suite: results.suite.clone(),
                all_tracks: results.all_tracks.clone(),
                models: own
                    .map(|m| ModelResults {
                        model: name(),
                        ..m.clone()
                    })
                    .collect(),
                measure: results.measure,
                warnings: vec![],
            },
            table: ScoreTable {
                suite: table.suite.clone(),
                policy: table.policy,
                all_tracks: table.all_tracks.clone(),
                models: scores
                    .map(|m| ModelScore {
                        model: name(),
                        ..m.clone()
                    })
                    .collect(),
            },
        }
    }
}

/// Reads all runs of a study.
pub(crate) fn read_all(cli: &Cli, args: &LevelArgs) -> anyhow::Result<Vec<Scored>> {
    let mut all: Vec<Scored> = vec![];
    for name in &args.run {
        let one = Scored::read(cli, name, &args.policy, &args.reduce)?;
        if all.iter().any(|a| a.manifest.run == one.manifest.run) {
            return Err(usage(format!("run {name:?} is named twice")));
        }
        if let Some(first) = all.first().filter(|a| a.results.suite != one.results.suite) {
            return Err(usage(format!(
                "runs {:?} ({}) and {name:?} ({}) are of different suites",
                first.manifest.run, first.results.suite, one.results.suite
            )));
        }
        all.push(one);
    }
    check_versions(all.iter().map(|a| &a.manifest), "")?;
    Ok(all)
}

/// Levels side by side.
pub(crate) fn matrix(runs: &[Scored], levels: Vec<Level>) -> Matrix {
    let sources: Vec<Source<'_>> = runs
        .iter()
        .zip(levels)
        .map(|(run, level)| Source {
            level,
            results: &run.results,
            scores: &run.table,
        })
        .collect();
    let known = runs.iter().find(|r| !r.clusters.is_empty());
    let none = Clusters::new();
    Matrix::new(&sources, known.map_or(&none, |r| &r.clusters))
}

/// Families of judges and models: flags win over the configuration.
#[derive(Default)]
pub(crate) struct Families {
    judges: HashMap<String, String>,
    models: ModelFamilies,
    flags: HashMap<String, String>,
}

impl Families {
    pub(crate) fn new(config: &Config, flags: &[(String, String)]) -> Self {
        let judges = config.judge.iter();
        let judges = judges.filter_map(|(name, j)| {
            let model = if j.model.is_empty() { name } else { &j.model };
            Some((model.clone(), j.family.clone()?))
        });
        let models = config.model.iter();
        let models = models.filter_map(|(name, m)| Some((name.clone(), m.family.clone()?)));
        let flags: HashMap<String, String> = flags.iter().cloned().collect();
        Self {
            judges: judges.collect(),
            models: models.chain(flags.clone()).collect(),
            flags,
        }
    }

    /// Families of models under test.
    pub(crate) const fn models(&self) -> &ModelFamilies {
        &self.models
    }

    /// Says which models are judged by their own family.
    pub(crate) fn kin(&self, manifests: &[Manifest], results: &Results) -> Option<String> {
        let mut lines: Vec<String> = vec![];
        for manifest in manifests {
            let judge = judge_name(manifest);
            let Some(family) = self.of_judge(&judge, &manifest.run) else {
                continue;
            };
            let names = results.models.iter().map(|m| m.model.as_str());
            let own: Vec<&str> = names
                .filter(|m| self.models.get(*m) == Some(&family))
                .collect();
            if own.is_empty() {
                continue;
            }
            let line = format!(
                "judge {judge} is of the same family ({family}) as {}: a judge may favour its \
                 own; `verispec study family` measures it over several judges",
                own.join(", ")
            );
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    fn of_judge(&self, judge: &str, run: &str) -> Option<String> {
        let flag = self.flags.get(judge).or_else(|| self.flags.get(run));
        flag.or_else(|| self.judges.get(judge)).cloned()
    }
}

/// What a run's level is called, and what it is compared within.
pub(crate) fn levels(runs: &[Scored], factor: FactorArg, families: &Families) -> Vec<Level> {
    let mut levels: Vec<Level> = runs
        .iter()
        .map(|run| level(&run.manifest, factor, families))
        .collect();
    for i in 0..levels.len() {
        let twin = |l: &Level| l.name == levels[i].name && l.group == levels[i].group;
        if levels.iter().filter(|l| twin(l)).count() > 1 {
            levels[i].name = format!("{} ({})", levels[i].name, runs[i].manifest.run);
        }
    }
    levels
}

fn level(manifest: &Manifest, factor: FactorArg, families: &Families) -> Level {
    let judge = judge_name(manifest);
    let protocol = manifest.protocol.as_deref().unwrap_or("imported");
    let protocol = protocol.split('@').next().unwrap_or(protocol).to_owned();
    let params = manifest.judge.as_ref().map(|j| {
        let params = j.params.iter().map(|(k, v)| format!("{k}={v}"));
        params.collect::<Vec<String>>().join(" ")
    });
    let params = params.filter(|p| !p.is_empty());
    let (name, group) = match factor {
        FactorArg::Judge => (judge.clone(), protocol),
        FactorArg::Protocol => (protocol, judge.clone()),
        FactorArg::Decoding => (
            params.unwrap_or_else(|| "provider's defaults".to_owned()),
            format!("{judge}, {protocol}"),
        ),
        FactorArg::Repeat | FactorArg::Run => (manifest.run.clone(), "runs".to_owned()),
    };
    Level {
        name,
        family: families.of_judge(&judge, &manifest.run),
        group,
    }
}

/// The judge's model, or the run's name where no judge is known.
pub(crate) fn judge_name(manifest: &Manifest) -> String {
    let judge = manifest.judge.as_ref().map(|j| j.model.clone());
    judge.unwrap_or_else(|| manifest.run.clone())
}

/// The repeats of one run as levels.
pub(crate) fn repeats(run: &Scored) -> anyhow::Result<(Vec<Scored>, Vec<Level>)> {
    let n = run.manifest.repeats;
    if n < 2 {
        return Err(usage(format!(
            "run {:?} has no repeats: judge with --repeats 2 or more",
            run.manifest.run
        )));
    }
    let one = |repeat: u32| {
        let results = verispec_studies::matrix::one_repeat(&run.results, repeat);
        Scored {
            table: policy::score(&results, run.table.policy),
            manifest: run.manifest.clone(),
            clusters: run.clusters.clone(),
            results,
        }
    };
    let level = |repeat: u32| Level {
        name: format!("repeat {}", repeat + 1),
        family: None,
        group: run.manifest.run.clone(),
    };
    Ok(((0..n).map(one).collect(), (0..n).map(level).collect()))
}

/// Options of a bootstrap or test.
pub(crate) const fn options(args: &DrawArgs) -> Options {
    Options {
        draws: args.draws as usize,
        seed: args.seed,
        level: args.level,
    }
}

/// Instances of a track that share a reference image, directly or through others.
pub(crate) fn clusters(suite: &Suite) -> Clusters {
    let mut clusters = Clusters::new();
    for track in &suite.tracks {
        let instances: Vec<_> = track.dimensions.iter().flat_map(|d| &d.instances).collect();
        let mut root: Vec<usize> = (0..instances.len()).collect();
        let mut owner = HashMap::new();
        for (i, instance) in instances.iter().enumerate() {
            for image in &instance.references {
                let first = *owner.entry(image).or_insert(i);
                let (a, b) = (find(&mut root, first), find(&mut root, i));
                root[a.max(b)] = a.min(b);
            }
        }
        for (i, instance) in instances.iter().enumerate() {
            let number = u32::try_from(find(&mut root, i)).unwrap_or(u32::MAX);
            clusters.insert((track.name.clone(), instance.id.clone()), number);
        }
    }
    clusters
}

fn find(root: &mut [usize], mut i: usize) -> usize {
    while root[i] != i {
        root[i] = root[root[i]];
        i = root[i];
    }
    i
}
