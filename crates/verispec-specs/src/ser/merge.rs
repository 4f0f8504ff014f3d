//! Stage 2: one model puts candidates that say the same into groups.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use minijinja::context;
use verispec_model::{Hash, Job, JudgeIdentity, Question, Replies, Step, Unjudged};

use super::ask::{Asked, Failures, ask};
use super::generate::Proposed;
use super::prompt::{Stage, request};
use super::reply::{list_of, object_with};
use super::task::Task;
use crate::merge::{EmbedError, LocalMerge, Proposer, differ_in, merge_local};
use crate::phrase::Phrase;
use crate::set::{Candidate, CandidateId, GeneratorState, Group, Hold, units};

/// What became of a task's candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// Where the merging model stands; `None` where none is asked.
    pub merger: Option<GeneratorState>,
    /// Groups, once they are made.
    pub groups: Option<Vec<Group>>,
}

impl Failures for Merged {
    fn failures(&self) -> Vec<(Unjudged, Hash)> {
        self.merger.as_slice().failures()
    }
}

/// One task's candidates put to the merging model.
///
/// Candidates with equal typed keys are one before it is asked. A reply that loses a number, names
/// one twice, or joins different expected answers is refused and asked again.
#[derive(Debug, Clone)]
pub struct MergeJob {
    id: String,
    task: Arc<Task>,
    /// `None` merges without a model.
    merger: Option<Arc<JudgeIdentity>>,
    units: Vec<Vec<Candidate>>,
    local: LocalMerge,
}

impl MergeJob {
    /// Prepares the job; blocked candidates are left out.
    ///
    /// # Errors
    /// The proposer fails.
    pub fn new(
        task: Arc<Task>,
        candidates: &[Candidate],
        merger: Option<Arc<JudgeIdentity>>,
        proposer: &Proposer<'_>,
    ) -> Result<Self, EmbedError> {
        let usable: Vec<&Candidate> = candidates.iter().filter(|c| !c.is_blocked()).collect();
        let units: Vec<Vec<Candidate>> = units(&usable)
            .into_iter()
            .map(|u| u.into_iter().cloned().collect())
            .collect();
        let items: Vec<_> = units
            .iter()
            .map(|u| (u[0].question.as_str(), u[0].expected))
            .collect();
        let local = merge_local(&items, proposer)?;
        Ok(Self {
            id: format!("merge/{}", task.place()),
            task,
            merger,
            units,
            local,
        })
    }

    fn without_model(&self) -> Merged {
        let groups = self.local.groups.iter().map(|positions| Said {
            units: positions.clone(),
            wording: None,
        });
        let against = self.local.contradictions.clone();
        Merged {
            merger: None,
            groups: Some(self.build(groups.collect(), &against)),
        }
    }

    /// Groups with labels, members and holds; `against` holds positions of units.
    fn build(&self, mut said: Vec<Said>, against: &[(usize, usize)]) -> Vec<Group> {
        said.sort_by_key(|s| s.units.iter().min().copied());
        let of_unit: BTreeMap<usize, u32> = (1u32..)
            .zip(&said)
            .flat_map(|(id, s)| s.units.iter().map(move |u| (*u, id)))
            .collect();
        let groups = (1u32..).zip(&said).map(|(id, s)| {
            let mut group = self.group(id, s);
            for (a, b) in against {
                let (a, b) = (of_unit.get(a).copied(), of_unit.get(b).copied());
                let other = if a == Some(id) {
                    b
                } else if b == Some(id) {
                    a
                } else {
                    None
                };
                let hold = other.filter(|o| *o != id).map(Hold::Contradicts);
                group
                    .holds
                    .extend(hold.filter(|h| !group.holds.contains(h)));
            }
            group
        });
        groups.collect()
    }

    fn group(&self, id: u32, said: &Said) -> Group {
        let members: Vec<&Candidate> = said.units.iter().flat_map(|u| &self.units[*u]).collect();
        let first = members[0];
        let wording = said.wording.clone().unwrap_or_else(|| Proposed {
            question: first.question.clone(),
            category: first.category.clone(),
            subcategory: first.subcategory.clone(),
            expected: first.expected,
        });
        let mut ids: Vec<CandidateId> = members.iter().map(|c| c.id).collect();
        ids.sort_unstable();
        Group {
            id,
            members: ids,
            holds: holds(&wording.question, &members),
            question: wording.question,
            category: wording.category,
            subcategory: wording.subcategory,
            expected: wording.expected,
        }
    }

    fn ask_model(&self, merger: &Arc<JudgeIdentity>, replies: &dyn Replies) -> Step<Merged> {
        let items: Vec<_> = self
            .units
            .iter()
            .map(|u| {
                let c = &u[0];
                context! {
                    id => c.id, question => c.question.as_str(), category => c.category.as_str(),
                    subcategory => c.subcategory.as_str(), expected => c.expected.as_str(),
                }
            })
            .collect();
        let id = |position: usize| self.units[position][0].id;
        let pairs = self
            .local
            .proposals
            .iter()
            .map(|p| format!("{} and {}", id(p.a), id(p.b)));
        let hints = pairs.collect::<Vec<_>>().join(", ");
        let questions = self.units.iter().map(|u| Question {
            id: u[0].id,
            text: u[0].question.clone(),
        });
        let values = context! { items, hints };
        let first = request(
            Stage::Merge,
            &self.task,
            merger,
            questions.collect(),
            values,
        );
        let mut read = |text: &str| self.read(text).into();
        let (merger, groups, wanted) = match ask(first, replies, &mut read) {
            Asked::Pending(request) => (GeneratorState::Pending, None, vec![*request]),
            Asked::Failed(why, fault, request) => {
                let request = Some(request);
                (
                    GeneratorState::Failed {
                        why,
                        fault,
                        request,
                    },
                    None,
                    vec![],
                )
            }
            Asked::Read((said, against), request) => {
                let groups = self.build(said, &against);
                (GeneratorState::Done { request }, Some(groups), vec![])
            }
        };
        Step {
            ask: wanted,
            readings: Merged {
                merger: Some(merger),
                groups,
            },
        }
    }

    /// A reply in which every number stands in exactly one group.
    fn read(&self, text: &str) -> Result<Spoken, String> {
        let object = object_with(text, "groups")?;
        let mut seen = vec![0usize; self.units.len()];
        let mut said = vec![];
        for (i, group) in list_of(&object, "groups")?.iter().enumerate() {
            let units = self
                .positions(group.get("ids"))
                .map_err(|e| format!("group {}: {e}", i + 1))?;
            units.iter().for_each(|u| seen[*u] += 1);
            let wording = Proposed::of(group).map_err(|e| format!("group {}: {e}", i + 1))?;
            let other = units
                .iter()
                .find(|u| self.units[**u][0].expected != wording.expected);
            if let Some(other) = other {
                return Err(format!(
                    "group {} expects {}, its number {} expects the other answer",
                    i + 1,
                    wording.expected,
                    self.units[*other][0].id
                ));
            }
            said.push(Said {
                units,
                wording: Some(wording),
            });
        }
        let ids = |n: &dyn Fn(usize) -> bool| {
            let found = (0..seen.len()).filter(|u| n(seen[*u]));
            found
                .map(|u| self.units[u][0].id.to_string())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let (lost, twice) = (ids(&|n| n == 0), ids(&|n| n > 1));
        if !lost.is_empty() || !twice.is_empty() {
            return Err(format!(
                "numbers in no group: [{lost}]; in more than one: [{twice}]"
            ));
        }
        let pairs = object
            .get("contradictions")
            .and_then(serde_json::Value::as_array);
        let pair = |v| match self.positions(Some(v))?.as_slice() {
            [a, b] if a != b => Ok((*a, *b)),
            _ => Err("a contradiction is a pair of numbers".to_owned()),
        };
        let against = pairs
            .into_iter()
            .flatten()
            .map(pair)
            .collect::<Result<_, String>>()?;
        Ok((said, against))
    }

    fn positions(&self, ids: Option<&serde_json::Value>) -> Result<Vec<usize>, String> {
        let ids = ids
            .and_then(serde_json::Value::as_array)
            .filter(|a| !a.is_empty());
        let find = |id: &serde_json::Value| {
            let n = id.as_u64().and_then(|n| CandidateId::try_from(n).ok());
            let at = n.and_then(|n| self.units.iter().position(|u| u[0].id == n));
            at.ok_or_else(|| format!("{id} is no number of the list"))
        };
        ids.ok_or("its list of numbers is absent or empty")?
            .iter()
            .map(find)
            .collect()
    }
}

/// Groups, and pairs of units that contradict each other.
type Spoken = (Vec<Said>, Vec<(usize, usize)>);

/// A group as it was said: positions of units, and its wording unless that is the first member's.
struct Said {
    units: Vec<usize>,
    wording: Option<Proposed>,
}

/// What keeps members of a group, or its wording, apart though a model joined them.
fn holds(wording: &str, members: &[&Candidate]) -> Vec<Hold> {
    let phrases: Vec<(CandidateId, Phrase)> = std::iter::once((0, Phrase::of(wording)))
        .chain(members.iter().map(|c| (c.id, Phrase::of(&c.question))))
        .collect();
    let mut found = vec![];
    for (i, (b, x)) in phrases.iter().enumerate() {
        for (a, y) in &phrases[i + 1..] {
            found.extend(differ_in(x, y).map(|in_what| Hold::Differs {
                in_what,
                a: *a,
                b: *b,
            }));
        }
    }
    // One reason is enough to look.
    found.truncate(1);
    found
}

impl Job for MergeJob {
    type Readings = Merged;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Merged> {
        match &self.merger {
            // Nothing can be merged with itself.
            Some(merger) if self.units.len() > 1 => self.ask_model(merger, replies),
            _ => Step {
                ask: vec![],
                readings: self.without_model(),
            },
        }
    }
}
