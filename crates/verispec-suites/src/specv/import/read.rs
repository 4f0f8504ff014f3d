//! From the items of one file to the state of one instance.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};
use verispec_judge::reader::{answer_word, published};
use verispec_model::{
    Answer, DataFailure, Instance, InstanceState, Origin, Provenance, Reading, SpecId, SpecResult,
    SpecRules, Specification, Unjudged, Warning, YesNo,
};

use super::alike::Alike;
use super::items::{self, Checked, Item, Text};
use super::results::{ImportReader, ResultOptions};
use super::{Entry, ImportKind, tree};
use crate::specv::load::read_text;

/// One file as read.
pub(super) struct ReadFile {
    pub(super) state: InstanceState,
    pub(super) warnings: Vec<Warning>,
}

/// Reads an answer of an imported file.
///
/// Default: booleans and answer words in any case, as the reply reader takes them; `N/A`, which
/// SpecV writes for an item that the judge's reply lacks, is a missing id. Published: `Yes` and
/// `No` to the letter.
#[must_use]
pub(super) fn answer(value: &Value, reader: ImportReader) -> Reading {
    let exact = published::reading(value);
    if reader == ImportReader::Published || exact != Reading::Unjudged(Unjudged::Unparsed) {
        return exact;
    }
    let text = match value {
        Value::Bool(true) => "true",
        Value::Bool(false) => "false",
        Value::String(text) => text,
        _ => "",
    };
    answer_word(text).map_or(exact, |word| word.reading())
}

/// Reads the items of a file; `instance` is the suite's, if a suite is given and knows it.
pub(super) fn file(
    entry: &Entry,
    instance: Option<&Instance>,
    kind: ImportKind,
    options: ResultOptions,
    known: &mut Known,
) -> ReadFile {
    let k = instance.map_or(0, |i| i.specifications.len());
    let unusable = |why: String| ReadFile {
        state: InstanceState::Unjudgeable(DataFailure::ResultFile(why.clone()), k),
        warnings: vec![warning(entry, None, "broken-file", why)],
    };
    if let Some(why) = &entry.broken {
        return unusable(why.clone());
    }
    if let Some(failed) = &entry.failed {
        return ReadFile {
            state: failed.state(k),
            warnings: vec![],
        };
    }
    let text = match text(entry) {
        Ok(text) => text,
        Err(why) => return unusable(why),
    };
    let mut reading = Items {
        entry,
        kind,
        options,
        warnings: vec![],
        specs: vec![],
    };
    // Of a table's row and with records there is more to keep than an answer.
    let is_plain = kind == ImportKind::SpecvResults && !options.records;
    if let Some((specs, answers)) = known.read(&text).filter(|_| is_plain) {
        reading.add_answers(specs, &answers);
        return reading.finish(instance);
    }
    let mended: String;
    let (text, items) = match (items::parse(&text), &entry.file) {
        (Ok(items), Some(_)) if items::complete(&items) => (text.as_ref(), items),
        (Ok(items), None) => (text.as_ref(), items),
        (Err(error), None) => return unusable(format!("{}: {error}", place(entry))),
        (_, Some(path)) => match items::check(&text) {
            Ok(Checked { line, not_a_number }) => {
                mended = line;
                let remark = not_a_number.then(|| tree::mended(path));
                reading.warnings.extend(remark);
                match items::parse(&mended) {
                    Ok(items) => (mended.as_str(), items),
                    Err(error) => return unusable(format!("{}: {error}", path.display())),
                }
            }
            Err(why) => return unusable(format!("{}{why}", path.display())),
        },
    };
    let mut records = if options.records {
        records(text)
    } else {
        vec![]
    }
    .into_iter();
    reading.specs.reserve_exact(items.len());
    let all = items.len();
    for (index, item) in items.into_iter().enumerate() {
        let record = records.next().unwrap_or_default();
        reading.add(index, item, record, &mut known.specifications);
    }
    if is_plain && reading.warnings.is_empty() && reading.specs.len() == all {
        known.remember(text, &reading.specs);
    }
    reading.finish(instance)
}

/// Text of an entry's items: its own, or its file's.
fn text(entry: &Entry) -> Result<Cow<'_, str>, String> {
    let Some(path) = &entry.file else {
        return Ok(entry.items.as_deref().unwrap_or("[]").into());
    };
    let text = read_text(path).map_err(|message| format!("{}: {message}", path.display()))?;
    Ok(text.into())
}

/// What is known of one instance from its files that were read before. They say the same of it for
/// all models, and sharing that takes a fraction of the time and memory of making it again.
#[derive(Default)]
pub(super) struct Known {
    specifications: Vec<Arc<Specification>>,
    /// Whole files, with the specifications of their items.
    alike: Vec<(Alike, Vec<Arc<Specification>>)>,
}

impl Known {
    /// Files that differ in more than answers are kept up to this number.
    const MOST: usize = 4;

    /// Specifications and answers of a file that is like an earlier one.
    fn read<'t>(&self, text: &'t str) -> Option<(&[Arc<Specification>], Vec<&'t str>)> {
        let mut read = self.alike.iter();
        read.find_map(|(alike, specs)| Some((specs.as_slice(), alike.answers(text)?)))
    }

    fn remember(&mut self, text: &str, specs: &[SpecResult]) {
        let has_notes = specs.iter().any(|s| s.provenance.note.is_some());
        if has_notes || self.alike.len() == Self::MOST {
            return;
        }
        let specs: Vec<_> = specs.iter().map(|s| s.spec.clone()).collect();
        self.alike
            .extend(Alike::of(text).map(|alike| (alike, specs)));
    }
}

/// Label, expected answer, and how an item counts.
type Read = (SpecId, YesNo, SpecRules);

fn specification(
    (id, expected, rules): Read,
    item: &Item<'_>,
    record: Map<String, Value>,
) -> Arc<Specification> {
    Arc::new(Specification {
        id,
        question: as_str(item.question.as_ref()).to_owned(),
        category: as_str(item.category.as_ref()).to_owned(),
        subcategory: as_str(item.subcategory.as_ref()).to_owned(),
        expected,
        rating: item.score,
        rules,
        record: record.into(),
    })
}

/// A specification without a record; the one at this place of an earlier file where that says the
/// same.
fn shared(
    known: &mut Vec<Arc<Specification>>,
    index: usize,
    read: Read,
    item: &Item<'_>,
) -> Arc<Specification> {
    let (id, expected, rules) = &read;
    if let Some(spec) = known.get(index)
        && (spec.id, spec.expected, &spec.rules) == (*id, *expected, rules)
        && spec.rating == item.score
        && spec.question == as_str(item.question.as_ref())
        && spec.category == as_str(item.category.as_ref())
        && spec.subcategory == as_str(item.subcategory.as_ref())
    {
        return Arc::clone(spec);
    }
    let spec = specification(read, item, Map::new());
    if known.len() == index {
        known.push(Arc::clone(&spec));
    }
    spec
}

fn as_str<'a>(text: Option<&'a Text<'_>>) -> &'a str {
    text.map_or("", Text::as_str)
}

fn records(text: &str) -> Vec<Map<String, Value>> {
    serde_json::from_str(text).unwrap_or_default()
}

struct Items<'a> {
    entry: &'a Entry,
    kind: ImportKind,
    options: ResultOptions,
    warnings: Vec<Warning>,
    specs: Vec<SpecResult>,
}

impl Items<'_> {
    fn warn(&mut self, id: Option<SpecId>, kind: &str, message: String) {
        self.warnings.push(warning(self.entry, id, kind, message));
    }

    /// Adds the items of a file whose answers alone are new.
    fn add_answers(&mut self, specs: &[Arc<Specification>], answers: &[&str]) {
        let reader = self.options.reader;
        self.specs = specs
            .iter()
            .zip(answers)
            .map(|(spec, text)| SpecResult {
                reading: Some(match *text {
                    "Yes" => Reading::yes_no(YesNo::Yes),
                    "No" => Reading::yes_no(YesNo::No),
                    other => answer(&Value::from(other), reader),
                }),
                ..SpecResult::pending(spec.clone())
            })
            .collect();
    }

    fn add(
        &mut self,
        index: usize,
        item: Item<'_>,
        mut record: Map<String, Value>,
        known: &mut Vec<Arc<Specification>>,
    ) {
        let id = self.id(index, item.id.as_deref());
        let Some(expected) = item.expected() else {
            return;
        };
        let unjudged = match self.kind {
            ImportKind::Verdicts | ImportKind::Grades => {
                item.unjudged.as_ref().and_then(Text::parse)
            }
            ImportKind::SpecvResults => None,
        };
        if let (ImportKind::Grades, Some(range)) = (self.kind, item.range) {
            self.add_grade(item, range, unjudged);
            return;
        }
        let reading = match (&item.answer, unjudged) {
            (_, Some(why)) => Reading::Unjudged(why),
            (Some(value), None) => answer(value, self.options.reader),
            (None, None) => {
                self.warn(
                    Some(id),
                    "no-answer",
                    "item has no `answer`; unjudged".to_owned(),
                );
                Reading::Unjudged(Unjudged::MissingId)
            }
        };
        if self.kind.is_table() {
            // What a table says of a specification is no part of it. An export writes the verdict
            // as the release does, not in the table's spelling.
            for field in ["answer", "judge", "raw", "unjudged"] {
                record.shift_remove(field);
            }
        }
        let rules = item.rules().unwrap_or_else(|(field, expected)| {
            let message = format!("`{field}` cannot be used ({expected}); taken as absent");
            self.warn(Some(id), "bad-rule", message);
            SpecRules::default()
        });
        let read = (id, expected, rules);
        let spec = if self.options.records {
            specification(read, &item, record)
        } else {
            shared(known, index, read, &item)
        };
        self.specs.push(SpecResult {
            reading: Some(reading),
            provenance: Provenance::from(Origin {
                note: item.raw.map(Into::into),
                raw_answer: item.answer.filter(|_| self.options.records).map(|v| *v),
                ..Origin::default()
            }),
            ..SpecResult::pending(spec)
        });
    }

    fn add_grade(&mut self, item: Item<'_>, range: (f64, f64), unjudged: Option<Unjudged>) {
        let grade = item.grade.filter(|v| (range.0..=range.1).contains(v));
        let reading = match (unjudged, grade) {
            (Some(why), _) => Reading::Unjudged(why),
            (None, Some(value)) => Reading::Answer(Answer::Grade { value, range }),
            (None, None) => Reading::Unjudged(Unjudged::Unparsed),
        };
        self.specs.push(SpecResult {
            reading: Some(reading),
            provenance: Provenance::from(Origin {
                note: item.raw.map(Into::into),
                ..Origin::default()
            }),
            ..SpecResult::pending(Specification::holistic(range))
        });
    }

    /// The label of an item: its id, or its place where it has none.
    fn id(&mut self, index: usize, id: Option<&Value>) -> SpecId {
        let number = id
            .and_then(Value::as_u64)
            .and_then(|n| SpecId::try_from(n).ok());
        number.unwrap_or_else(|| {
            let place = SpecId::try_from(index + 1).unwrap_or(SpecId::MAX);
            self.warn(
                Some(place),
                "no-id",
                "item has no whole number as `id`; place taken".into(),
            );
            place
        })
    }

    fn finish(mut self, instance: Option<&Instance>) -> ReadFile {
        if self.options.reader == ImportReader::Default || self.kind.is_table() {
            self.collapse_duplicates();
        }
        if self.options.reader == ImportReader::Default {
            match instance {
                Some(instance) => self.compare(instance),
                None if self.specs.is_empty() => {
                    self.warn(None, "empty-list", "no items; nothing is judged".to_owned());
                }
                None => {}
            }
        }
        ReadFile {
            state: InstanceState::Generated(self.specs),
            warnings: self.warnings,
        }
    }

    /// Items of one id: the same answer twice is one answer, different answers are none.
    fn collapse_duplicates(&mut self) {
        if self.specs.is_sorted_by(|a, b| a.id() < b.id()) {
            return;
        }
        let mut first: BTreeMap<SpecId, usize> = BTreeMap::new();
        let mut kept: Vec<SpecResult> = vec![];
        for spec in std::mem::take(&mut self.specs) {
            let Some(at) = first.get(&spec.id()).copied() else {
                first.insert(spec.id(), kept.len());
                kept.push(spec);
                continue;
            };
            let same = kept[at].reading == spec.reading;
            let told = if same {
                "the same answer"
            } else {
                "another answer; unjudged"
            };
            self.warn(
                Some(spec.id()),
                "duplicate-item",
                format!("a second time, with {told}"),
            );
            if !same {
                kept[at].reading = Some(Reading::Unjudged(Unjudged::Conflict));
            }
        }
        self.specs = kept;
    }

    /// Adds what the suite asks for and the file lacks; reports what differs.
    fn compare(&mut self, instance: &Instance) {
        let mut found: BTreeMap<SpecId, SpecResult> = std::mem::take(&mut self.specs)
            .into_iter()
            .map(|s| (s.id(), s))
            .collect();
        let mut specs = vec![];
        for wanted in &instance.specifications {
            specs.push(match found.remove(&wanted.id) {
                Some(spec) => {
                    self.compare_spec(wanted, &spec.spec);
                    spec
                }
                None => self.absent(wanted),
            });
        }
        for (id, spec) in found {
            self.warn(
                Some(id),
                "unknown-item",
                "the suite has no such specification; kept".into(),
            );
            specs.push(spec);
        }
        self.specs = specs;
    }

    fn absent(&mut self, wanted: &Specification) -> SpecResult {
        let reading = match self.kind {
            ImportKind::SpecvResults => {
                self.warn(
                    Some(wanted.id),
                    "missing-item",
                    "not in the file; unjudged".to_owned(),
                );
                Some(Reading::Unjudged(Unjudged::MissingId))
            }
            ImportKind::Verdicts | ImportKind::Grades => None,
        };
        SpecResult {
            reading,
            ..SpecResult::pending(wanted.clone())
        }
    }

    fn compare_spec(&mut self, wanted: &Specification, found: &Specification) {
        let differs = if wanted.expected != found.expected {
            "expected answer"
        } else if !found.question.is_empty() && wanted.question != found.question {
            "question"
        } else {
            return;
        };
        let message = format!("{differs} differs from the suite's; the file's own is used");
        self.warn(Some(wanted.id), "specification-differs", message);
    }
}

/// Place of a file in the tree, `model/track/dimension/id.json`.
fn place(entry: &Entry) -> String {
    let dimension = entry.dimension.as_deref().unwrap_or_default();
    let id = entry.instance.as_deref().unwrap_or_default();
    format!("{}/{}/{dimension}/{id}.json", entry.model, entry.track)
}

pub(super) fn warning(entry: &Entry, id: Option<SpecId>, kind: &str, message: String) -> Warning {
    let item = id.map(|id| format!("#{id}")).unwrap_or_default();
    Warning {
        kind: kind.to_owned(),
        place: format!("{}{item}", place(entry)),
        message,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verispec_model::YesNo;

    use super::*;

    #[test]
    fn two_readers() {
        let yes = Reading::yes_no(YesNo::Yes);
        let no = Reading::yes_no(YesNo::No);
        let unjudged = Reading::Unjudged;
        for (value, default, published) in [
            (json!("Yes"), &yes, &yes),
            (json!("No"), &no, &no),
            (json!(" yes."), &yes, &unjudged(Unjudged::Unparsed)),
            (json!("FALSE"), &no, &unjudged(Unjudged::Unparsed)),
            (json!(true), &yes, &unjudged(Unjudged::Unparsed)),
            (json!("是"), &yes, &unjudged(Unjudged::Unparsed)),
            (
                json!("N/A"),
                &unjudged(Unjudged::MissingId),
                &unjudged(Unjudged::MissingId),
            ),
            (
                json!("cannot tell"),
                &unjudged(Unjudged::Abstained),
                &unjudged(Unjudged::Unparsed),
            ),
            (
                json!(null),
                &unjudged(Unjudged::Unparsed),
                &unjudged(Unjudged::Unparsed),
            ),
            (
                json!(1),
                &unjudged(Unjudged::Unparsed),
                &unjudged(Unjudged::Unparsed),
            ),
            (
                json!("probably"),
                &unjudged(Unjudged::Unparsed),
                &unjudged(Unjudged::Unparsed),
            ),
            (
                json!(["Yes"]),
                &unjudged(Unjudged::Unparsed),
                &unjudged(Unjudged::Unparsed),
            ),
        ] {
            assert_eq!(&answer(&value, ImportReader::Default), default, "{value}");
            assert_eq!(
                &answer(&value, ImportReader::Published),
                published,
                "{value}"
            );
        }
    }
}
