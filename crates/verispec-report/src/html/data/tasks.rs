//! Tasks with their specifications, whichever judge and model they come from.

use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::{Value, json};
use verispec_model::{InstanceState, SpecResult, Specification, Suite, YesNo};

use crate::input::ReportInput;

/// A task.
#[derive(Debug)]
pub(crate) struct Task<'a> {
    /// Position of its track in [`Tasks::tracks`].
    pub track: usize,
    pub dimension: &'a str,
    pub id: &'a str,
    pub prompt: Option<&'a str>,
    pub references: &'a [PathBuf],
    /// Specifications of all results, each once.
    pub specs: Vec<&'a Specification>,
}

impl<'a> Task<'a> {
    /// Position of a specification: the same label, question and expected answer.
    pub(crate) fn position(&self, spec: &Specification) -> Option<usize> {
        let same = |s: &&Specification| {
            s.id == spec.id && s.question == spec.question && s.expected == spec.expected
        };
        self.specs.iter().position(same)
    }

    fn learn(&mut self, results: &'a [SpecResult]) {
        for result in results {
            if self.position(&result.spec).is_none() {
                self.specs.push(&result.spec);
            }
        }
    }
}

/// All tasks and models of a report, with every result's state.
pub(crate) struct Tasks<'a> {
    pub tracks: Vec<&'a str>,
    /// By the first judge's ranking, then by name.
    pub models: Vec<&'a str>,
    /// By track, dimension and id.
    pub tasks: Vec<Task<'a>>,
    /// For each judge, a state for each task and model, at `task * models + model`.
    pub states: Vec<Vec<Option<&'a InstanceState>>>,
    /// As `states`: scores, percent.
    pub scores: Vec<Vec<Option<f64>>>,
}

type TaskKey<'a> = (&'a str, &'a str);

impl<'a> Tasks<'a> {
    /// Everything that the judges of a report were asked about.
    pub(crate) fn of(input: &'a ReportInput<'a>) -> Self {
        let mut tracks: Vec<&str> = vec![];
        let mut models: Vec<&str> = vec![];
        for judged in &input.judged {
            let names = judged.results.all_tracks.iter().map(String::as_str);
            names.for_each(|name| remember(&mut tracks, name));
            let names = judged.results.models.iter().map(|m| m.model.as_str());
            names.for_each(|name| remember(&mut models, name));
        }
        // Leaders first: with many models they get the colours that are easiest to tell apart.
        let rank = input.judged.first().and_then(|j| j.ranks.first());
        let place = |m: &str| rank.and_then(|r| r.rows.iter().position(|row| row.model == m));
        models.sort_by_key(|m| (place(m).unwrap_or(usize::MAX), *m));
        let mut tasks = gather(input, &tracks);
        if let Some(suite) = input.suite {
            describe(&mut tasks, &tracks, suite);
        }
        let mut all = Self {
            tracks,
            models,
            tasks,
            states: vec![],
            scores: vec![],
        };
        all.place(input);
        all
    }

    /// Puts every result at its place.
    fn place(&mut self, input: &'a ReportInput<'a>) {
        let by_key: HashMap<TaskKey<'_>, usize> = self
            .tasks
            .iter()
            .enumerate()
            .map(|(at, t)| ((self.tracks[t.track], t.id), at))
            .collect();
        let column: HashMap<&str, usize> = self
            .models
            .iter()
            .enumerate()
            .map(|(at, m)| (*m, at))
            .collect();
        let at = |model: &str, track: &str, id: &str| {
            Some(by_key.get(&(track, id))? * column.len() + column.get(model)?)
        };
        for judged in &input.judged {
            let mut states = vec![None; self.tasks.len() * self.models.len()];
            let mut scores = vec![None; states.len()];
            for model in &judged.results.models {
                for track in &model.tracks {
                    for item in track.dimensions.iter().flat_map(|d| &d.instances) {
                        if let Some(at) = at(&model.model, &track.track, &item.id) {
                            states[at] = Some(&item.state);
                        }
                    }
                }
            }
            for model in &judged.scores.models {
                for track in &model.tracks {
                    for (id, score) in track.dimensions.iter().flat_map(|d| &d.instances) {
                        if let Some(at) = at(&model.model, &track.track, id) {
                            scores[at] = *score;
                        }
                    }
                }
            }
            self.states.push(states);
            self.scores.push(scores);
        }
    }

    /// Results of at least one judge.
    pub(crate) fn results(&self) -> usize {
        let judged = |at: usize| self.states.iter().any(|s| s[at].is_some());
        let all = self.tasks.len() * self.models.len();
        (0..all).filter(|at| judged(*at)).count()
    }

    /// The data file `tasks`: each as `[track, dimension, id, prompt, chunk, specifications]`, a
    /// specification as `[label, question, expected, category]` with `1`, `0` or `null` expected.
    pub(crate) fn json(&self, chunk_of: &[usize]) -> Value {
        let mut categories = Names::default();
        let mut dimensions = Names::default();
        let tasks: Vec<Value> = self
            .tasks
            .iter()
            .zip(chunk_of)
            .map(|(task, chunk)| {
                let specs: Vec<Value> = task
                    .specs
                    .iter()
                    .map(|s| {
                        let expected =
                            (!s.is_holistic()).then(|| u8::from(s.expected == YesNo::Yes));
                        json!([s.id, s.question, expected, categories.of(&category(s))])
                    })
                    .collect();
                let dimension = dimensions.of(task.dimension);
                json!([task.track, dimension, task.id, task.prompt, chunk, specs])
            })
            .collect();
        json!({"dimensions": dimensions.names, "categories": categories.names, "tasks": tasks})
    }
}

/// Names by position.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    at: HashMap<String, usize>,
}

impl Names {
    fn of(&mut self, name: &str) -> usize {
        if let Some(at) = self.at.get(name) {
            return *at;
        }
        self.names.push(name.to_owned());
        self.at.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }
}

fn category(spec: &Specification) -> String {
    let words = [spec.category.as_str(), spec.subcategory.as_str()];
    let words: Vec<&str> = words.into_iter().filter(|w| !w.is_empty()).collect();
    words.join(" / ")
}

/// Tasks by track, dimension and id, as results have them.
fn gather<'a>(input: &'a ReportInput<'a>, tracks: &[&str]) -> Vec<Task<'a>> {
    let mut found: HashMap<TaskKey<'a>, (usize, Task<'a>)> = HashMap::new();
    let results = input.judged.iter().flat_map(|j| &j.results.models);
    for track in results.flat_map(|m| &m.tracks) {
        let at = tracks.iter().position(|t| *t == track.track);
        let at = at.unwrap_or(tracks.len());
        for (rank, dimension) in track.dimensions.iter().enumerate() {
            for item in &dimension.instances {
                let key = (track.track.as_str(), item.id.as_str());
                let (_, task) = found.entry(key).or_insert_with(|| {
                    let task = Task {
                        track: at,
                        dimension: &dimension.name,
                        id: &item.id,
                        prompt: None,
                        references: &[],
                        specs: vec![],
                    };
                    (rank, task)
                });
                if let InstanceState::Generated(results) = &item.state {
                    task.learn(results);
                }
            }
        }
    }
    let mut tasks: Vec<(usize, Task<'a>)> = found.into_values().collect();
    tasks.sort_by(|(a, x), (b, y)| {
        (x.track, a, x.dimension, x.id).cmp(&(y.track, b, y.dimension, y.id))
    });
    tasks.into_iter().map(|(_, task)| task).collect()
}

/// Adds prompts, references and, where no output was judged, specifications.
fn describe<'a>(tasks: &mut [Task<'a>], tracks: &[&str], suite: &'a Suite) {
    let known: HashMap<TaskKey<'a>, _> = suite
        .instances()
        .map(|i| ((i.track.as_str(), i.id.as_str()), i))
        .collect();
    for task in tasks {
        let Some(track) = tracks.get(task.track) else {
            continue;
        };
        if let Some(instance) = known.get(&(*track, task.id)) {
            task.prompt = Some(&instance.prompt);
            task.references = &instance.references;
            if task.specs.is_empty() {
                task.specs = instance.specifications.iter().map(|s| &**s).collect();
            }
        }
    }
}

fn remember<'a>(names: &mut Vec<&'a str>, name: &'a str) {
    if !names.contains(&name) {
        names.push(name);
    }
}
