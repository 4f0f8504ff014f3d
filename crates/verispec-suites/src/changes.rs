//! Lists of changes to the specifications of a suite, and what a suite that was changed says of
//! itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use verispec_model::{Hash, Instance, SpecId, Specification, YesNo};

const FORMAT: u32 = 1;

/// A line of a list of changes, as `study items` writes it, with new words where it is to be
/// repaired.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    pub(crate) track: String,
    pub(crate) instance: String,
    pub(crate) spec: SpecId,
    /// The statement as it was: a list of another version is refused.
    pub(crate) question: String,
    pub(crate) action: Action,
    #[serde(default, rename = "why")]
    _why: serde_json::Value,
    pub(crate) to: Option<Words>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Action {
    Retire,
    Repair,
}

/// New words; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    pub(crate) question: Option<String>,
    pub(crate) expected: Option<YesNo>,
}

/// What a changed suite says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mark {
    pub(crate) format: u32,
    /// Version of the suite before the first patch.
    pub(crate) base: String,
    /// How many patches lie over it.
    pub(crate) number: u32,
    pub(crate) retired: usize,
    pub(crate) repaired: usize,
    /// Hashes of the lists, the latest last.
    pub(crate) lists: Vec<Hash>,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Patched {
    /// Name with version, for instance `specv@2af3845+p1`.
    pub name: String,
    /// Content version, which begins with the name's.
    pub revision: String,
    /// Specifications that were taken out.
    pub retired: usize,
    /// Specifications with new words.
    pub repaired: usize,
    /// Instances with a changed checklist.
    pub instances: usize,
    /// Specifications to be repaired for which the list has no new words; they stay as they are.
    pub unworded: Vec<String>,
}

/// A list of changes that cannot be applied.
#[derive(Debug, thiserror::Error)]
#[error("{}, line {line}: {why}", path.display())]
pub struct ListError {
    /// The list.
    pub path: PathBuf,
    /// Line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong and what to do.
    pub why: String,
}

/// A list with the number of each line, checked against a suite.
pub(crate) struct Changes {
    path: PathBuf,
    list: Vec<(usize, Change)>,
    /// Places in the list by track and instance.
    places: BTreeMap<(String, String), Vec<usize>>,
    hash: Hash,
}

impl Changes {
    /// Reads a list; `find` gives an instance by track and id.
    pub(crate) fn read<'s>(
        path: &Path,
        find: impl Fn(&str, &str) -> Option<&'s Instance>,
    ) -> Result<Self, ListError> {
        let fault = |line: usize, why: String| ListError {
            path: path.to_owned(),
            line,
            why,
        };
        let text = fs::read_to_string(path).map_err(|e| fault(0, e.to_string()))?;
        let lines = text.lines().enumerate();
        let list = lines.filter(|(_, l)| !l.trim().is_empty()).map(|(i, l)| {
            let change = serde_json::from_str(l).map_err(|e| fault(i + 1, e.to_string()))?;
            Ok((i + 1, change))
        });
        let list: Vec<(usize, Change)> = list.collect::<Result<_, ListError>>()?;
        let mut places: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        for (place, (_, c)) in list.iter().enumerate() {
            let key = (c.track.clone(), c.instance.clone());
            places.entry(key).or_default().push(place);
        }
        let changes = Self {
            path: path.to_owned(),
            list,
            places,
            hash: Hash::of(text.as_bytes()),
        };
        if changes.list.is_empty() {
            return Err(changes.fault(0, "it holds no change".to_owned()));
        }
        changes.check(find)?;
        Ok(changes)
    }

    /// A fault of one line.
    pub(crate) fn fault(&self, line: usize, why: String) -> ListError {
        ListError {
            path: self.path.clone(),
            line,
            why,
        }
    }

    /// Whether every change is about what is there, each thing once, and leaves something.
    fn check<'s>(
        &self,
        find: impl Fn(&str, &str) -> Option<&'s Instance>,
    ) -> Result<(), ListError> {
        for (line, change) in &self.list {
            let instance = find(&change.track, &change.instance);
            check(change, instance).map_err(|why| self.fault(*line, why))?;
            let own = self.of(&change.track, &change.instance);
            let same = |c: &&&(usize, Change)| c.0 < *line && c.1.spec == change.spec;
            if let Some((other, _)) = own.iter().find(same) {
                return Err(self.fault(*line, format!("line {other} is about it too")));
            }
            let retired = own.iter().filter(|(_, c)| c.action == Action::Retire);
            if instance.is_some_and(|i| retired.count() == i.specifications.len()) {
                let why = "nothing would be left of its instance".to_owned();
                return Err(self.fault(own[0].0, why));
            }
        }
        Ok(())
    }

    /// The changes of an instance.
    pub(crate) fn of(&self, track: &str, instance: &str) -> Vec<&(usize, Change)> {
        let places = self.places.get(&(track.to_owned(), instance.to_owned()));
        places
            .into_iter()
            .flatten()
            .map(|p| &self.list[*p])
            .collect()
    }

    /// What the suite will say of itself; `base` is its version before the first patch.
    pub(crate) fn mark(&self, before: Option<&Mark>, base: impl FnOnce() -> String) -> Mark {
        let count = |f: &dyn Fn(&Change) -> bool| self.list.iter().filter(|(_, c)| f(c)).count();
        let lists = before.map(|m| m.lists.clone()).unwrap_or_default();
        Mark {
            format: FORMAT,
            base: before.map_or_else(base, |m| m.base.clone()),
            number: before.map_or(0, |m| m.number) + 1,
            retired: count(&|c| c.action == Action::Retire),
            repaired: count(&|c| c.action == Action::Repair && c.to.is_some()),
            lists: lists.into_iter().chain([self.hash]).collect(),
        }
    }

    /// What was written.
    pub(crate) fn done(
        &self,
        suite: &str,
        mark: &Mark,
        instances: usize,
        revision: String,
    ) -> Patched {
        let open = |(_, c): &&(usize, Change)| c.action == Action::Repair && c.to.is_none();
        let place = |(_, c): &(usize, Change)| format!("{}/{}#{}", c.track, c.instance, c.spec);
        Patched {
            name: format!("{suite}@{}", mark.short()),
            revision,
            retired: mark.retired,
            repaired: mark.repaired,
            instances,
            unworded: self.list.iter().filter(open).map(place).collect(),
        }
    }
}

impl Mark {
    /// Base and number.
    fn short(&self) -> String {
        format!("{}+p{}", self.base, self.number)
    }

    /// The version of a suite with this content: its base, the number of its patch, and its own
    /// content, since two people may both write a first patch.
    pub(crate) fn version(&self, content: &str) -> String {
        format!("{}.{content}", self.short())
    }

    /// Reads a mark of this version.
    pub(crate) fn of(value: serde_json::Value) -> Result<Self, String> {
        let mark: Self = serde_json::from_value(value).map_err(|e| e.to_string())?;
        if mark.format != FORMAT {
            return Err(format!("this version reads format {FORMAT}"));
        }
        Ok(mark)
    }
}

/// Whether a change is about what is there.
fn check(change: &Change, instance: Option<&Instance>) -> Result<(), String> {
    let place = format!("{}/{}", change.track, change.instance);
    let instance = instance.ok_or_else(|| format!("the suite has no instance {place}"))?;
    let spec = spec_of(instance, change.spec);
    let (_, spec) = spec.ok_or_else(|| format!("{place} has no specification {}", change.spec))?;
    if spec.question != change.question {
        return Err(format!(
            "specification {} of {place} says {:?} now: the list is of another version of the suite",
            change.spec, spec.question
        ));
    }
    match (&change.to, change.action) {
        (Some(_), Action::Retire) => Err("what is retired takes no new words".to_owned()),
        (Some(to), Action::Repair) if to.question.is_none() && to.expected.is_none() => {
            Err("\"to\" holds neither question nor expected".to_owned())
        }
        (Some(to), Action::Repair) if to.question.as_ref().is_some_and(|q| q.trim().is_empty()) => {
            Err("the new question is empty".to_owned())
        }
        _ => Ok(()),
    }
}

/// A specification with its place.
pub(crate) fn spec_of(instance: &Instance, id: SpecId) -> Option<(usize, &Specification)> {
    let mut specs = instance
        .specifications
        .iter()
        .map(AsRef::as_ref)
        .enumerate();
    specs.find(|(_, s)| s.id == id)
}
