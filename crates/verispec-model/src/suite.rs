//! What is measured: suites, tracks, dimensions, instances, specifications.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::reading::YesNo;
use crate::record::SpecRecord;

/// Label of a specification inside its instance, `1..=K`. A label, not a key: content is
/// identified by question and expected answer.
pub type SpecId = u32;

/// A benchmark: tracks in board order, each with its dimensions and instances.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    /// Short name, for instance `specv`.
    pub name: String,
    /// Root folder that the data was read from.
    pub root: PathBuf,
    /// Content version: a hash of every instance's id, prompt, references and specifications.
    pub revision: String,
    /// Tracks in the suite's own order.
    pub tracks: Vec<Track>,
}

impl Suite {
    /// Every instance, in suite order.
    pub fn instances(&self) -> impl Iterator<Item = &Arc<Instance>> {
        self.tracks
            .iter()
            .flat_map(|t| &t.dimensions)
            .flat_map(|d| &d.instances)
    }

    /// Lets go of what only an export needs, the [records](Specification::record) as they stand in
    /// their files, where nothing else holds them.
    pub fn forget_records(&mut self) {
        let specs = self.unshared().flat_map(|i| &mut i.specifications);
        for spec in specs.filter_map(Arc::get_mut) {
            spec.record = SpecRecord::default();
        }
    }

    /// Lets go of what only released requests need, the [texts](Instance::source_text) of the files,
    /// where nothing else holds them.
    pub fn forget_source_texts(&mut self) {
        for instance in self.unshared() {
            instance.source_text = Arc::default();
        }
    }

    /// Instances that nothing else holds.
    fn unshared(&mut self) -> impl Iterator<Item = &mut Instance> {
        let dimensions = self.tracks.iter_mut().flat_map(|t| &mut t.dimensions);
        dimensions
            .flat_map(|d| &mut d.instances)
            .filter_map(Arc::get_mut)
    }

    /// The track of this name.
    #[must_use]
    pub fn track(&self, name: &str) -> Option<&Track> {
        self.tracks.iter().find(|t| t.name == name)
    }

    /// An instance by track and id; ids are unique only inside a track.
    #[must_use]
    pub fn instance(&self, track: &str, id: &str) -> Option<&Arc<Instance>> {
        let track = self.track(track)?;
        track
            .dimensions
            .iter()
            .flat_map(|d| &d.instances)
            .find(|i| i.id == id)
    }
}

/// A main division of a suite, for instance `t2i`.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Name as in the data, for instance `think_with_img`.
    pub name: String,
    /// Dimensions in the order in which the suite's own scripts sum them.
    pub dimensions: Vec<Dimension>,
}

/// A reporting group below a track.
#[derive(Debug, Clone, PartialEq)]
pub struct Dimension {
    /// Name as in the data, for instance `text_rendering`.
    pub name: String,
    /// Instances sorted by id.
    pub instances: Vec<Arc<Instance>>,
}

/// One task: a prompt, its reference images and the specifications an output has to meet.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Track it belongs to.
    pub track: String,
    /// Dimension it belongs to.
    pub dimension: String,
    /// Id, unique inside its track.
    pub id: String,
    /// Prompt that the model under test was given, untrimmed.
    pub prompt: String,
    /// Input images in prompt order, as absolute paths. They may be absent on disk.
    pub references: Vec<PathBuf>,
    /// Specifications in file order.
    pub specifications: Vec<Arc<Specification>>,
    /// Text of the file that holds the specifications, as released scripts paste it.
    pub source_text: Arc<str>,
}

/// One yes/no statement about an output.
#[derive(Debug, Clone, PartialEq)]
pub struct Specification {
    /// Label inside the instance.
    pub id: SpecId,
    /// The statement, as a question.
    pub question: String,
    /// Reporting category; may be empty.
    pub category: String,
    /// Reporting subcategory; may be empty.
    pub subcategory: String,
    /// The answer that counts as *met*.
    pub expected: YesNo,
    /// Quality rating of the specification itself (SpecV's `score`, 0-10); never a weight.
    pub rating: Option<f64>,
    /// How it counts beside others, under scoring policies that ask for it.
    pub rules: SpecRules,
    /// The record as it stands in the file, fields in file order, for faithful export.
    pub record: SpecRecord,
}

/// How a specification counts beside the others of its instance. Scoring policies name which of
/// these they heed; the default policy heeds none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SpecRules {
    /// Specifications of the same instance that this one presupposes, by label.
    pub depends_on: Vec<SpecId>,
    /// The data state dependencies here that cannot be read; `depends_on` is empty then.
    pub unreadable_dependency: bool,
    /// Weight inside the instance, finite and above 0.
    pub weight: Option<f64>,
    /// An output that does not meet this is worth nothing.
    pub critical: bool,
}

impl SpecRules {
    /// The rules that a specification's record states: optional fields `depends_on` (labels),
    /// `weight` (a number above 0) and `critical` (true or false).
    ///
    /// # Errors
    /// The field that cannot be used, and what is expected of it.
    pub fn of_record(
        record: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<Self, (&'static str, &'static str)> {
        let get = |field| record.get(field);
        Self::of_values(get("depends_on"), get("weight"), get("critical"))
    }

    /// As [`of_record`](Self::of_record), from the fields themselves.
    ///
    /// # Errors
    /// As there.
    pub fn of_values(
        depends_on: Option<&serde_json::Value>,
        weight: Option<&serde_json::Value>,
        critical: Option<&serde_json::Value>,
    ) -> Result<Self, (&'static str, &'static str)> {
        let label = |value: &serde_json::Value| SpecId::try_from(value.as_u64()?).ok();
        let depends_on = match depends_on {
            None => Some(vec![]),
            Some(value) => value.as_array().and_then(|a| a.iter().map(label).collect()),
        };
        let weight = match weight {
            None => Some(None),
            Some(value) => value.as_f64().filter(|w| *w > 0.0).map(Some),
        };
        let critical = match critical {
            None => Some(false),
            Some(value) => value.as_bool(),
        };
        Ok(Self {
            depends_on: depends_on.ok_or(("depends_on", "expected a list of ids"))?,
            unreadable_dependency: false,
            weight: weight.ok_or(("weight", "expected a number above 0"))?,
            critical: critical.ok_or(("critical", "expected true or false"))?,
        })
    }
}

/// A remark about data that can be used but deserves a look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Stable kebab-case kind, for instance `expected-no`.
    pub kind: String,
    /// File and item, for instance `t2i/composition/comp_hard_009.json#42`.
    pub place: String,
    /// What is noteworthy, in one line.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.place, self.message, self.kind)
    }
}

/// Category of what stands in the place of a specification where a whole output is graded.
const HOLISTIC: &str = "holistic";

impl Specification {
    /// What stands in the place of a specification where a whole output gets one grade. Its label
    /// is 0, which no specification of a suite carries.
    #[must_use]
    pub fn holistic((from, to): (f64, f64)) -> Self {
        Self {
            id: 0,
            question: format!("Holistic grade of the whole output, {from} to {to}"),
            category: HOLISTIC.to_owned(),
            subcategory: String::new(),
            expected: YesNo::Yes,
            rating: None,
            rules: SpecRules::default(),
            record: Default::default(),
        }
    }

    /// Whether this stands for a grade of the whole output: nothing is expected then.
    #[must_use]
    pub fn is_holistic(&self) -> bool {
        self.id == 0 && self.category == HOLISTIC
    }
}

#[cfg(test)]
mod tests {
    use super::SpecRules;

    fn rules(text: &str) -> Result<SpecRules, (&'static str, &'static str)> {
        SpecRules::of_record(&serde_json::from_str(text).unwrap())
    }

    #[test]
    fn rules_of_a_record() {
        assert_eq!(
            rules(r#"{"id": 1, "score": 9.0}"#),
            Ok(SpecRules::default())
        );
        let all = rules(r#"{"depends_on": [1, 2], "weight": 2, "critical": true}"#).unwrap();
        assert_eq!(
            (&all.depends_on[..], all.weight, all.critical),
            (&[1, 2][..], Some(2.0), true)
        );
        for (text, field) in [
            (r#"{"depends_on": 1}"#, "depends_on"),
            (r#"{"depends_on": ["1"]}"#, "depends_on"),
            (r#"{"depends_on": [-1]}"#, "depends_on"),
            (r#"{"weight": 0}"#, "weight"),
            (r#"{"weight": "2"}"#, "weight"),
            (r#"{"critical": "yes"}"#, "critical"),
        ] {
            assert_eq!(rules(text).unwrap_err().0, field, "{text}");
        }
    }
}
