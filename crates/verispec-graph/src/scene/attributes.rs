//! Attributes of an object and where they come from.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::files::MergedGraph;
use super::ids::{ImageId, SegmentId};

/// Free text in which the describing model thinks aloud; it never is an attribute.
const REASONING: &str = "visual_reasoning";

/// Attributes by key, in the order of the file. No value is blank and no key is empty-handed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attributes(Vec<(String, Vec<String>)>);

impl Attributes {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// From pairs, through [`Attributes::insert`].
    #[must_use]
    pub fn of<'a>(pairs: impl IntoIterator<Item = (&'a str, Vec<String>)>) -> Self {
        let mut all = Self::new();
        for (key, values) in pairs {
            all.insert(key, values);
        }
        all
    }

    /// Sets a key. Values are trimmed; blank ones, keys without a value and the model's reasoning
    /// are left out. An existing key keeps its place and takes the new values.
    pub fn insert(&mut self, key: &str, values: impl IntoIterator<Item = String>) {
        if key == REASONING {
            return;
        }
        let trimmed = values.into_iter().map(|v| v.trim().to_owned());
        let kept: Vec<String> = trimmed.filter(|v| !v.is_empty()).collect();
        let old = self.0.iter_mut().find(|(k, _)| k == key);
        match old {
            _ if kept.is_empty() => {}
            Some(slot) => slot.1 = kept,
            None => self.0.push((key.to_owned(), kept)),
        }
    }

    /// Values of a key, one or more.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&[String]> {
        let found = self.0.iter().find(|(k, _)| k == key);
        found.map(|(_, values)| values.as_slice())
    }

    /// Keys and values in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0.iter().map(|(k, v)| (k.as_str(), v.as_slice()))
    }

    /// Keys and values in the order of the keys' names.
    #[must_use]
    pub fn sorted(&self) -> Vec<(&str, &[String])> {
        let mut all: Vec<_> = self.iter().collect();
        all.sort_by_key(|(key, _)| *key);
        all
    }

    /// Number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Without values that say that nothing was seen.
    #[must_use]
    pub fn without_unknown(&self) -> Self {
        let seen = |v: &&String| !v.eq_ignore_ascii_case("unknown");
        let pairs = self.iter();
        Self::of(pairs.map(|(key, values)| (key, values.iter().filter(seen).cloned().collect())))
    }
}

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, values) in &self.0 {
            map.serialize_entry(key, values)?;
        }
        map.end()
    }
}

/// What to do with the value `unknown`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownValues {
    /// Keep it as a value, as imported files have it.
    #[default]
    Keep,
    /// Leave it out: nothing seen is no attribute. The released extraction forces `unknown` on
    /// generated images only, which lowers their similarity to every ground-truth node.
    Drop,
}

/// One line of `attributes.jsonl`.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeRecord {
    /// Number of the image.
    pub image_id: ImageId,
    /// The segment that is described.
    pub segment: SegmentId,
    /// Label, if the line has one.
    pub category: Option<String>,
    /// Supercategory as the line says, if it does.
    pub supercategory: Option<String>,
    /// What was seen.
    pub attributes: Attributes,
    /// The model's reasoning, for review only; it enters no prompt and no score.
    pub reasoning: Option<String>,
}

/// Attribute records by image and segment. A later record of a segment replaces an earlier one.
#[derive(Debug, Clone, Default)]
pub struct AttributeIndex(BTreeMap<(ImageId, SegmentId), Attributes>);

/// How many segments of a graph have attributes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Attached {
    /// Segments with a record.
    pub with: usize,
    /// Segments without one: their nodes stay, with no attributes.
    pub without: usize,
}

impl AttributeIndex {
    /// Indexes records by segment number alone. The position that some files give beside it
    /// (`index`) is a guess from rounded boxes and names another object in a third of the cases.
    #[must_use]
    pub fn new(records: &[AttributeRecord]) -> Self {
        let keyed = records
            .iter()
            .map(|r| ((r.image_id, r.segment), r.attributes.clone()));
        Self(keyed.collect())
    }

    /// Attributes of a segment.
    #[must_use]
    pub fn get(&self, image: ImageId, segment: SegmentId) -> Option<&Attributes> {
        self.0.get(&(image, segment))
    }

    /// Writes the attributes of every member into `graph`. Members that have no record here keep
    /// what they have.
    pub fn attach(&self, graph: &mut MergedGraph) -> Attached {
        let mut count = Attached::default();
        let image = graph.image_id;
        for member in graph.groups.iter_mut().flat_map(|g| &mut g.members) {
            if let Some(found) = self.get(image, member.id) {
                member.attributes = Some(found.clone());
            }
            match member.attributes {
                Some(_) => count.with += 1,
                None => count.without += 1,
            }
        }
        count
    }
}
