//! The words of instances: references, outputs, each judge's answers and reasons.

use serde_json::{Value, json};
use verispec_model::{InstanceState, SpecResult, Vote};

use super::super::images::Images;
use super::script::safe_json;
use super::tasks::{Task, Tasks};
use crate::error::ReportError;
use crate::input::{OutputPart, Outputs, answer, manner, soft, tally, together, vote_answer, who};

/// A chunk is closed when it holds this many bytes.
const CHUNK: usize = 512 * 1024;

/// How much of the judges' words is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    /// Everything.
    All,
    /// Reasons only where a specification is not met.
    Unmet,
    /// Answers without reasons.
    None,
}

/// Chunks one after the other, in the order of tasks.
pub(crate) struct Chunks<'a, 'i> {
    tasks: &'a Tasks<'a>,
    outputs: &'a Outputs<'a>,
    images: &'i mut Images,
    words: Words,
    next: usize,
    /// For each task so far, the number of its chunk, from 0.
    pub chunk_of: Vec<usize>,
}

impl<'a, 'i> Chunks<'a, 'i> {
    pub(crate) fn new(
        tasks: &'a Tasks<'a>,
        outputs: &'a Outputs<'a>,
        images: &'i mut Images,
        words: Words,
    ) -> Self {
        Self {
            tasks,
            outputs,
            images,
            words,
            next: 0,
            chunk_of: vec![],
        }
    }

    /// The next chunk's JSON: `{"first": task, "items": [...]}`.
    pub(crate) fn next(&mut self) -> Result<Option<String>, ReportError> {
        let first = self.next;
        let number = self.chunk_of.last().map_or(0, |n| n + 1);
        let mut items = vec![];
        let mut bytes = 0;
        while self.next < self.tasks.tasks.len() && bytes < CHUNK {
            let item = safe_json(&self.item(self.next)?)?;
            bytes += item.len();
            items.push(item);
            self.chunk_of.push(number);
            self.next += 1;
        }
        let json = || format!("{{\"first\":{first},\"items\":[{}]}}", items.join(","));
        Ok((!items.is_empty()).then(json))
    }

    /// A task: `{"refs": [image], "res": [[model, parts, judges]]}`.
    fn item(&mut self, at: usize) -> Result<Value, ReportError> {
        let task = &self.tasks.tasks[at];
        let track = self
            .tasks
            .tracks
            .get(task.track)
            .copied()
            .unwrap_or_default();
        let refs: Vec<_> = task
            .references
            .iter()
            .map(|p| self.images.view(p))
            .collect::<Result<_, _>>()?;
        let mut res = vec![];
        for (column, model) in self.tasks.models.iter().enumerate() {
            let place = at * self.tasks.models.len() + column;
            let states: Vec<_> = self.tasks.states.iter().map(|s| s[place]).collect();
            if states.iter().all(Option::is_none) {
                continue;
            }
            let parts: Vec<Value> = (self.outputs)(model, track, task.id)
                .iter()
                .map(|part| self.part(part))
                .collect::<Result<_, _>>()?;
            let judges: Vec<Value> = states.iter().map(|s| self.judge(task, *s)).collect();
            res.push(json!([column, parts, judges]));
        }
        Ok(json!({"refs": refs, "res": res}))
    }

    fn part(&mut self, part: &OutputPart) -> Result<Value, ReportError> {
        Ok(match part {
            OutputPart::Image(path) => json!({"image": self.images.view(path)?}),
            OutputPart::Text(text) => json!({"text": text}),
        })
    }

    /// A judge's part: `null`, or `[why nothing was judged, opinions, specifications a call]`.
    fn judge(&self, task: &Task<'_>, state: Option<&InstanceState>) -> Value {
        match state {
            None => Value::Null,
            Some(InstanceState::Generated(results)) => {
                let together = together(results);
                let opinions: Vec<Value> = results
                    .iter()
                    .filter_map(|r| Some((task.position(&r.spec)?, r)))
                    .flat_map(|(at, r)| self.opinions(at, r, together))
                    .collect();
                json!([Value::Null, opinions, together])
            }
            Some(state) => json!([tally(state), [], Value::Null]),
        }
    }

    /// Opinions on one specification: `[position, level, who, answer, met, how, reason]`; level 0
    /// is a verdict, level 1 a vote behind it.
    fn opinions(&self, at: usize, r: &SpecResult, usual: Option<u32>) -> Vec<Value> {
        let by = who(
            r.provenance.judge.as_deref(),
            r.provenance.repeat,
            r.provenance.repeat > 0,
        );
        let note = self.note(r.provenance.note.as_deref(), r.met());
        let own = json!([at, 0, by, answer(r), r.met(), manner(r, usual), note]);
        let vote = |v: &Vote| {
            let by = who(
                v.judge.as_deref(),
                v.repeat,
                v.repeat > 0 || v.judge.is_none(),
            );
            let verdict = v
                .reading
                .as_ref()
                .and_then(verispec_model::Reading::verdict);
            let met = verdict.map(|a| a == r.spec.expected);
            let note = self.note(v.note.as_deref(), met);
            json!([at, 1, by, vote_answer(v), met, v.soft.map(soft), note])
        };
        std::iter::once(own)
            .chain(r.provenance.votes.iter().map(vote))
            .collect()
    }

    fn note<'n>(&self, note: Option<&'n str>, met: Option<bool>) -> Option<&'n str> {
        match self.words {
            Words::All => note,
            Words::Unmet => note.filter(|_| met != Some(true)),
            Words::None => None,
        }
    }
}
