//! Tables of verdicts: model, track, instance, specification, answer, and optionally the judge
//! and what it wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};
use verispec_model::{Instance, SpecId, Specification, Suite, Warning};

use super::rows::{self, Row, State};
use super::{Entry, Failed, ImportError, ImportKind, Imported};
use crate::nearest::nearest;

/// Which of the verdicts to take.
#[derive(Debug, Clone, Copy, Default)]
pub struct VerdictOptions<'a> {
    /// Take the verdicts of this judge alone; needed where a table holds those of several.
    pub judge: Option<&'a str>,
}

/// A row that belongs to nothing in the suite, or that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmatchedRow {
    /// Line of the file, from 1.
    pub row: usize,
    /// Why.
    pub why: String,
    /// The name that was probably meant.
    pub nearest: Option<String>,
}

/// A table of verdicts, matched with a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedVerdicts {
    /// What was matched. Rows that repeat are kept here; results make a conflict of those that
    /// contradict each other.
    pub imported: Imported,
    /// Rows matched.
    pub matched: usize,
    /// Rows not matched, by line.
    pub unmatched: Vec<UnmatchedRow>,
    /// Lines whose verdict an earlier line gave already: `(line, earlier line)`.
    pub duplicates: Vec<(usize, usize)>,
}

/// Reads a table and matches its rows with a suite.
///
/// # Errors
/// The file cannot be read, lacks a column, holds the verdicts of several judges and none is
/// named, or none of the judge that is named. Rows that match nothing are no error: they are
/// listed.
pub fn import_verdicts(
    path: &Path,
    suite: &Suite,
    options: VerdictOptions<'_>,
) -> Result<ImportedVerdicts, ImportError> {
    let table = rows::read(path)?;
    check_judge(path, &table.rows, options.judge)?;
    let mut matcher = Matcher {
        suite,
        groups: BTreeMap::new(),
        failed: BTreeMap::new(),
        first: BTreeMap::new(),
        duplicates: vec![],
    };
    let mut unmatched = table.bad;
    let mut matched = 0;
    let chosen = |row: &&Row| options.judge.is_none_or(|judge| row.judge == judge);
    for row in table.rows.iter().filter(chosen) {
        match matcher.add(row) {
            Ok(()) => matched += 1,
            Err(why) => unmatched.push(why),
        }
    }
    unmatched.sort_by_key(|row| row.row);
    let source = path.display().to_string();
    let warnings = table.unknown_columns.iter().map(|name| Warning {
        kind: "unknown-column".to_owned(),
        place: source.clone(),
        message: format!("column `{name}` is not read"),
    });
    let imported = Imported {
        kind: ImportKind::Verdicts,
        suite: suite.name.clone(),
        source: source.clone(),
        tracks: suite.tracks.iter().map(|t| t.name.clone()).collect(),
        warnings: warnings.collect(),
        entries: matcher.entries(),
    };
    Ok(ImportedVerdicts {
        imported,
        matched,
        unmatched,
        duplicates: matcher.duplicates,
    })
}

fn check_judge(path: &Path, rows: &[Row], wanted: Option<&str>) -> Result<(), ImportError> {
    let judges: BTreeSet<&str> = rows.iter().map(|r| r.judge.as_str()).collect();
    let names = || {
        judges
            .iter()
            .map(|j| (*j).to_owned())
            .collect::<Vec<String>>()
    };
    let path = path.to_owned();
    match wanted {
        Some(wanted) if !judges.contains(wanted) => Err(ImportError::UnknownJudge {
            path,
            wanted: wanted.to_owned(),
            judges: names(),
        }),
        None if judges.len() > 1 => Err(ImportError::SeveralJudges {
            path,
            judges: names(),
        }),
        _ => Ok(()),
    }
}

/// Model, place of the track in the suite, dimension, id.
type Group<'a> = (String, usize, &'a str, &'a str);

struct Matcher<'a> {
    suite: &'a Suite,
    groups: BTreeMap<Group<'a>, Vec<Value>>,
    failed: BTreeMap<Group<'a>, Failed>,
    first: BTreeMap<(Group<'a>, SpecId), usize>,
    duplicates: Vec<(usize, usize)>,
}

impl<'a> Matcher<'a> {
    fn add(&mut self, row: &Row) -> Result<(), UnmatchedRow> {
        let (track, instance) = self.find(row)?;
        let group = (
            row.model.clone(),
            track,
            instance.dimension.as_str(),
            instance.id.as_str(),
        );
        if let State::Failed(failed) = &row.state {
            self.failed.insert(group, failed.clone());
            return Ok(());
        }
        let spec = specification(instance, row)?;
        if row.state == State::Pending {
            // An absent row means the same.
            return Ok(());
        }
        match self.first.get(&(group.clone(), spec.id)) {
            Some(line) => self.duplicates.push((row.line, *line)),
            None => {
                self.first.insert((group.clone(), spec.id), row.line);
            }
        }
        self.groups.entry(group).or_default().push(item(spec, row));
        Ok(())
    }

    fn find(&self, row: &Row) -> Result<(usize, &'a Instance), UnmatchedRow> {
        let suite = self.suite;
        let unmatched = |why: String, nearest: Option<String>| unmatched(row, why, nearest);
        let Some(place) = suite.tracks.iter().position(|t| t.name == row.track) else {
            let near = nearest(&row.track, suite.tracks.iter().map(|t| t.name.as_str()));
            return Err(unmatched(
                format!("no track `{}`", row.track),
                near.map(str::to_owned),
            ));
        };
        let instances = || {
            suite.tracks[place]
                .dimensions
                .iter()
                .flat_map(|d| &d.instances)
        };
        let Some(instance) = instances().find(|i| i.id == row.instance) else {
            let near = nearest(&row.instance, instances().map(|i| i.id.as_str()));
            let why = format!("no instance `{}` in track `{}`", row.instance, row.track);
            return Err(unmatched(why, near.map(str::to_owned)));
        };
        Ok((place, instance))
    }

    fn entries(&self) -> Vec<Entry> {
        let entry = |(model, track, dimension, id): &Group<'_>| Entry {
            model: model.clone(),
            track: self.suite.tracks[*track].name.clone(),
            dimension: Some((*dimension).to_owned()),
            instance: Some((*id).to_owned()),
            broken: None,
            failed: None,
            items: None,
            file: None,
        };
        let judged = self.groups.iter().map(|(group, items)| Entry {
            items: Some(Value::from(items.clone()).to_string()),
            ..entry(group)
        });
        // An instance with verdicts has not failed, whatever another row says.
        let failed = self
            .failed
            .iter()
            .filter(|(g, _)| !self.groups.contains_key(g));
        let failed = failed.map(|(group, failed)| Entry {
            failed: Some(failed.clone()),
            ..entry(group)
        });
        let mut entries: Vec<Entry> = judged.chain(failed).collect();
        let tracks: Vec<String> = self.suite.tracks.iter().map(|t| t.name.clone()).collect();
        super::tree::sort(&mut entries, &tracks);
        entries
    }
}

fn unmatched(row: &Row, why: String, nearest: Option<String>) -> UnmatchedRow {
    UnmatchedRow {
        row: row.line,
        why,
        nearest,
    }
}

fn specification<'a>(
    instance: &'a Instance,
    row: &Row,
) -> Result<&'a Arc<Specification>, UnmatchedRow> {
    let id = row.specification.trim().parse().ok();
    let found = instance.specifications.iter().find(|s| Some(s.id) == id);
    found.ok_or_else(|| {
        let (k, wrong) = (instance.specifications.len(), &row.specification);
        let why = format!(
            "no specification `{wrong}` in `{}`, which has {k}",
            instance.id
        );
        unmatched(row, why, None)
    })
}

/// A specification's record, or one made of what it says where its suite has other records.
fn record(spec: &Specification) -> Map<String, Value> {
    let record = spec.record.fields();
    if record.contains_key("expected_answer") {
        return record;
    }
    let rules = &spec.rules;
    let fields = [
        ("id", Some(spec.id.into())),
        ("question", Some(spec.question.clone().into())),
        ("category", Some(spec.category.clone().into())),
        ("subcategory", Some(spec.subcategory.clone().into())),
        ("expected_answer", Some(spec.expected.as_str().into())),
        ("score", spec.rating.map(Value::from)),
        ("weight", rules.weight.map(Value::from)),
        ("critical", rules.critical.then_some(Value::Bool(true))),
        (
            "depends_on",
            (!rules.depends_on.is_empty()).then(|| rules.depends_on.clone().into()),
        ),
    ];
    let given = fields.into_iter();
    given
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}

/// A specification's record with the row's answer, as a result file would hold it.
fn item(spec: &Specification, row: &Row) -> Value {
    let mut item = record(spec);
    match &row.state {
        State::Unjudged(why) => item.insert("unjudged".to_owned(), why.clone().into()),
        _ => item.insert("answer".to_owned(), row.answer.clone()),
    };
    if !row.judge.is_empty() {
        item.insert("judge".to_owned(), row.judge.clone().into());
    }
    if let Some(raw) = &row.raw {
        item.insert("raw".to_owned(), raw.clone().into());
    }
    Value::Object(item)
}
