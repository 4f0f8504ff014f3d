//! Results side by side: for every level of a factor, every model's score on every instance.

use std::collections::{BTreeMap, HashMap};

use verispec_model::score::ScoreTable;
use verispec_model::{InstanceState, Measure, Results, SpecResult, YesNo};

/// One set of results and what distinguishes it.
#[derive(Debug)]
pub struct Source<'a> {
    /// Name in tables.
    pub level: Level,
    /// Verdicts.
    pub results: &'a Results,
    /// Scores of the same results.
    pub scores: &'a ScoreTable,
}

/// A level of the factor under study: usually one judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// Name in tables.
    pub name: String,
    /// Who made the judge, where the configuration says so.
    pub family: Option<String>,
    /// What all compared levels have in common, for instance the protocol. Levels of different
    /// groups are never paired; groups are compared as wholes.
    pub group: String,
}

/// Instances that belong together: those that share a source image, by track and id.
pub type Clusters = HashMap<(String, String), u32>;

/// All levels, models and tracks.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// Levels, in the order given.
    pub levels: Vec<Level>,
    /// Tracks in suite order that at least one model entered under every level.
    pub tracks: Vec<TrackMatrix>,
    /// Texts of all specifications.
    pub specs: Specs,
}

/// One track under all levels.
#[derive(Debug, Clone, PartialEq)]
pub struct TrackMatrix {
    /// Track.
    pub name: String,
    /// Dimensions.
    pub dimensions: Vec<String>,
    /// Models that entered the track under every level, by name.
    pub models: Vec<String>,
    /// Models that some level lacks, with the first such level: they are left out.
    pub left_out: Vec<(String, String)>,
    /// Instances of any level, by dimension, then id.
    pub units: Vec<Unit>,
    cells: Vec<Cell>,
}

/// An instance.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    /// Index of its dimension.
    pub dimension: usize,
    /// Id inside the track.
    pub id: String,
    /// Instances with the same number share a source image.
    pub cluster: u32,
}

/// One model's result on one instance under one level.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cell {
    /// Percent, 0-100; `None` where nothing is decided or nobody can judge.
    pub score: Option<f64>,
    /// Verdicts, in the order of the specifications; of several opinions the first.
    pub marks: Vec<Mark>,
    /// The output was there to be judged.
    pub generated: bool,
}

/// A specification's verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Label.
    pub id: u32,
    /// Hash of question and expected answer, to pair verdicts of several runs.
    pub content: u64,
    /// Answer that counts as met.
    pub expected: YesNo,
    /// What was said, if it is a verdict.
    pub verdict: Option<YesNo>,
}

impl Mark {
    /// Verdict against expectation.
    #[must_use]
    pub fn met(&self) -> Option<bool> {
        self.verdict.map(|v| v == self.expected)
    }

    fn of(result: &SpecResult, specs: &mut Specs) -> Self {
        let spec = &result.spec;
        let hash = verispec_model::Hash::of(
            format!("{}\0{}", spec.question, spec.expected.as_str()).as_bytes(),
        );
        let [a, b, c, d, e, f, g, h, ..] = *hash.as_bytes();
        let content = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        specs.entry(content).or_insert_with(|| SpecText {
            question: spec.question.clone(),
            category: spec.category.clone(),
        });
        Self {
            id: spec.id,
            content,
            expected: spec.expected,
            verdict: result.verdict(),
        }
    }
}

/// What a specification says, by [`Mark::content`].
pub type Specs = HashMap<u64, SpecText>;

/// A specification's text, once for all models and levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecText {
    /// The statement, as a question.
    pub question: String,
    /// Category; may be empty.
    pub category: String,
}

impl Matrix {
    /// Puts results side by side. Models are matched by name, instances by track and id. Without
    /// `clusters` every instance stands alone.
    #[must_use]
    pub fn new(sources: &[Source<'_>], clusters: &Clusters) -> Self {
        let mut names: Vec<&String> = vec![];
        for source in sources {
            let fresh = source.results.all_tracks.iter();
            let fresh: Vec<_> = fresh.filter(|t| !names.contains(t)).collect();
            names.extend(fresh);
        }
        let mut specs = Specs::new();
        let tracks = names
            .into_iter()
            .map(|t| track(t, sources, clusters, &mut specs))
            .filter(|t| !t.models.is_empty())
            .collect();
        Self {
            levels: sources.iter().map(|s| s.level.clone()).collect(),
            tracks,
            specs,
        }
    }

    /// The groups of levels, in order of appearance, each with the indexes of its levels.
    #[must_use]
    pub fn groups(&self) -> Vec<(String, Vec<usize>)> {
        let mut groups: Vec<(String, Vec<usize>)> = vec![];
        for (i, level) in self.levels.iter().enumerate() {
            match groups.iter_mut().find(|(name, _)| *name == level.group) {
                Some((_, members)) => members.push(i),
                None => groups.push((level.group.clone(), vec![i])),
            }
        }
        groups
    }
}

impl TrackMatrix {
    /// The cell of a level, model and unit, by their indexes.
    #[must_use]
    pub fn cell(&self, level: usize, model: usize, unit: usize) -> &Cell {
        &self.cells[(level * self.models.len() + model) * self.units.len() + unit]
    }

    /// The track without any result.
    pub(crate) fn without_cells(&self) -> Self {
        Self {
            cells: vec![],
            units: vec![],
            name: self.name.clone(),
            dimensions: self.dimensions.clone(),
            models: self.models.clone(),
            left_out: vec![],
        }
    }

    /// All cells of a level and model, in the order of the units.
    #[must_use]
    pub fn row(&self, level: usize, model: usize) -> &[Cell] {
        let start = (level * self.models.len() + model) * self.units.len();
        &self.cells[start..start + self.units.len()]
    }

    /// A model's score under a level: mean over dimensions of the mean over instances with a
    /// score, percent. `None` when a dimension has none.
    #[must_use]
    pub fn score(&self, level: usize, model: usize) -> Option<f64> {
        let row = self.units.iter().zip(self.row(level, model));
        mean_of_dimensions(
            self.dimensions.len(),
            row.map(|(u, c)| (u.dimension, c.score)),
        )
    }

    /// Scores of all models under a level, in the order of the models.
    #[must_use]
    pub fn scores(&self, level: usize) -> Vec<Option<f64>> {
        (0..self.models.len())
            .map(|m| self.score(level, m))
            .collect()
    }
}

/// Mean over dimensions of the mean over the values that are there, each with its dimension.
/// `None` when a dimension has none.
pub(crate) fn mean_of_dimensions(
    dimensions: usize,
    values: impl Iterator<Item = (usize, Option<f64>)> + Clone,
) -> Option<f64> {
    let means: Vec<Option<f64>> = (0..dimensions)
        .map(|d| {
            let of = values.clone().filter(|(dimension, _)| *dimension == d);
            let of: Vec<f64> = of.filter_map(|(_, value)| value).collect();
            (!of.is_empty()).then(|| of.iter().sum::<f64>() / of.len() as f64)
        })
        .collect();
    crate::Estimate::mean(&means)
}

/// Of several opinions on an instance the first: one judge in one repetition.
pub(crate) fn first_opinion(specs: &[SpecResult]) -> &[SpecResult] {
    let mut opinions = specs.chunk_by(|a, b| {
        a.provenance.judge == b.provenance.judge && a.provenance.repeat == b.provenance.repeat
    });
    opinions.next().unwrap_or_default()
}

/// What one source knows of one model in one track.
struct Entry<'a> {
    states: BTreeMap<(usize, &'a str), (&'a InstanceState, Option<f64>)>,
}

fn track(
    name: &str,
    sources: &[Source<'_>],
    clusters: &Clusters,
    specs: &mut Specs,
) -> TrackMatrix {
    let dimensions = dimensions(name, sources);
    let entered: Vec<BTreeMap<&str, Entry<'_>>> = sources
        .iter()
        .map(|s| entries(name, s, &dimensions))
        .collect();
    let (models, left_out) = common(sources, &entered);
    let mut units: Vec<(usize, &str)> = vec![];
    for model in &models {
        for level in &entered {
            units.extend(level[model.as_str()].states.keys());
        }
    }
    units.sort_unstable();
    units.dedup();
    let mut cells = Vec::with_capacity(sources.len() * models.len() * units.len());
    for (source, level) in sources.iter().zip(&entered) {
        for model in &models {
            let states = &level[model.as_str()].states;
            let row = units.iter().map(|u| cell(states.get(u), source, specs));
            cells.extend(row);
        }
    }
    TrackMatrix {
        name: name.to_owned(),
        units: numbered(name, &units, clusters),
        dimensions,
        models,
        left_out,
        cells,
    }
}

fn dimensions(track: &str, sources: &[Source<'_>]) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    let models = sources.iter().flat_map(|s| &s.results.models);
    for entered in models.flat_map(|m| &m.tracks).filter(|t| t.track == track) {
        for dimension in &entered.dimensions {
            if !dimension.instances.is_empty() && !names.contains(&dimension.name) {
                names.push(dimension.name.clone());
            }
        }
    }
    names
}

fn entries<'a>(
    track: &str,
    source: &Source<'a>,
    dimensions: &[String],
) -> BTreeMap<&'a str, Entry<'a>> {
    let mut entries = BTreeMap::new();
    for (model, scored) in source.results.models.iter().zip(&source.scores.models) {
        let results = model.tracks.iter().find(|t| t.track == track);
        let (Some(results), Some(scores)) = (results, scored.track(track)) else {
            continue;
        };
        let mut states = BTreeMap::new();
        for (dimension, values) in results.dimensions.iter().zip(&scores.dimensions) {
            let Some(d) = dimensions.iter().position(|n| *n == dimension.name) else {
                continue;
            };
            for (instance, (_, score)) in dimension.instances.iter().zip(&values.instances) {
                states.insert((d, instance.id.as_str()), (&instance.state, *score));
            }
        }
        entries.insert(model.model.as_str(), Entry { states });
    }
    entries
}

/// Models of all levels, and those that some level lacks.
fn common(
    sources: &[Source<'_>],
    entered: &[BTreeMap<&str, Entry<'_>>],
) -> (Vec<String>, Vec<(String, String)>) {
    let mut all: Vec<&str> = entered.iter().flat_map(|e| e.keys().copied()).collect();
    all.sort_unstable();
    all.dedup();
    let (mut models, mut left_out) = (vec![], vec![]);
    for model in all {
        match entered.iter().position(|e| !e.contains_key(model)) {
            None => models.push(model.to_owned()),
            Some(level) => left_out.push((model.to_owned(), sources[level].level.name.clone())),
        }
    }
    (models, left_out)
}

fn cell(
    found: Option<&(&InstanceState, Option<f64>)>,
    source: &Source<'_>,
    specs: &mut Specs,
) -> Cell {
    let Some((state, score)) = found else {
        return Cell::default();
    };
    let marks = match state {
        InstanceState::Generated(found) if source.results.measure == Measure::Specifications => {
            let first = first_opinion(found).iter();
            first.map(|r| Mark::of(r, specs)).collect()
        }
        _ => vec![],
    };
    Cell {
        score: *score,
        marks,
        generated: matches!(state, InstanceState::Generated(_)),
    }
}

/// Units with their cluster; those of no cluster get numbers of their own.
fn numbered(track: &str, units: &[(usize, &str)], clusters: &Clusters) -> Vec<Unit> {
    let mut free = clusters.values().max().map_or(0, |n| n + 1);
    let mut number = |id: &str| {
        let known = clusters.get(&(track.to_owned(), id.to_owned())).copied();
        known.unwrap_or_else(|| {
            free += 1;
            free - 1
        })
    };
    units
        .iter()
        .map(|(dimension, id)| Unit {
            dimension: *dimension,
            id: (*id).to_owned(),
            cluster: number(id),
        })
        .collect()
}

/// The results as one repeat alone gives them.
#[must_use]
pub fn one_repeat(results: &Results, repeat: u32) -> Results {
    let mut one = results.clone();
    let tracks = one.models.iter_mut().flat_map(|m| &mut m.tracks);
    for instance in tracks
        .flat_map(|t| &mut t.dimensions)
        .flat_map(|d| &mut d.instances)
    {
        if let InstanceState::Generated(specs) = &mut instance.state {
            specs.retain(|s| s.provenance.repeat == repeat);
        }
    }
    one
}
