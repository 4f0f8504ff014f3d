//! Groups of a set before people, and their decisions back in the set.

use std::path::{Path, PathBuf};

use serde_json::json;
use verispec_model::file_name;
use verispec_server::{Decision as Said, Item, ItemRow, Kind, Made, RaterRow, Review};
use verispec_specs::set::{
    Act, Decision, Group, Hold, InstanceRecord, Points, Rated, ReviewAction, SetManifest, Which,
    Wording,
};

use super::set::{OpenSet, SET_FILE, read, unchanged};
use crate::args::Cli;
use crate::clock::rfc3339;
use crate::exit::{Exit, usage};
use crate::output;

/// The folder of a set of this name, if there is one.
pub(in crate::commands) fn folder_of(cli: &Cli, name: &str) -> Option<PathBuf> {
    let dir = cli.runs.join(file_name(name));
    dir.join(SET_FILE).is_file().then_some(dir)
}

/// All groups of a set, as a page shows them.
pub(in crate::commands) fn items(dir: &Path) -> anyhow::Result<(String, Vec<ItemRow>)> {
    let manifest = read(dir)?;
    // Decisions on another prompt than the set was made for would mean nothing.
    let tasks = unchanged(&manifest, dir)?;
    let mut rows = vec![];
    for (task, record) in tasks.iter().zip(&manifest.instances) {
        for group in record.groups.iter().flatten() {
            let mut row = row(&manifest, record, group);
            row.prompt.clone_from(&task.prompt);
            row.references = task
                .references
                .iter()
                .map(|r| r.path.to_path_buf())
                .collect();
            rows.push(row);
        }
    }
    if rows.is_empty() {
        return Err(usage(format!(
            "set {:?} has no groups yet: verispec specs merge {0}",
            manifest.name
        )));
    }
    Ok((manifest.name, rows))
}

/// Name of a group's item.
fn id_of(record: &InstanceRecord, group: &Group) -> String {
    format!("{}#{}", record.place(), group.id)
}

fn row(manifest: &SetManifest, record: &InstanceRecord, group: &Group) -> ItemRow {
    let id = id_of(record, group);
    let mut row = ItemRow::new(
        Kind::Specification,
        &id,
        &record.track,
        &record.id,
        &group.question,
    );
    let rated = record.rated.iter().flatten().find(|r| r.group == group.id);
    row.dimension = Some(record.dimension.clone());
    row.expected = Some(group.expected);
    row.category = Some(group.category.clone()).filter(|c| !c.is_empty());
    row.source = sources(manifest, record, group);
    row.ratings = rated.map(|r| ratings(manifest, r)).unwrap_or_default();
    row.notes = notes(record, group, rated);
    row
}

/// Who proposed it, each once.
fn sources(manifest: &SetManifest, record: &InstanceRecord, group: &Group) -> Vec<String> {
    let members = record.candidates.iter();
    let mut found: Vec<String> = vec![];
    for candidate in members.filter(|c| group.members.contains(&c.id)) {
        let generator = manifest.settings.generators.get(candidate.generator);
        let name = generator.map(|m| m.name.clone());
        found.extend(name.filter(|n| !found.contains(n)));
    }
    found
}

fn ratings(manifest: &SetManifest, rated: &Rated) -> Vec<RaterRow> {
    let raters = manifest.settings.filter.as_ref().map(|f| &f.raters);
    let row = |r: &verispec_specs::set::Rating| {
        let rater = raters.and_then(|all| all.get(r.rater));
        let number = |p: Points| Some(p.value());
        RaterRow {
            rater: rater.map_or_else(|| r.rater.to_string(), |m| m.name.clone()),
            relevance: number(r.relevance),
            clarity: number(r.clarity),
            verifiability: number(r.verifiability),
        }
    };
    rated.ratings.iter().map(row).collect()
}

/// Why it waits, what the filter said, and what lint found.
fn notes(record: &InstanceRecord, group: &Group, rated: Option<&Rated>) -> Vec<String> {
    let question = |id: u32| {
        let found = record.candidates.iter().find(|c| c.id == id);
        found.map_or(group.question.as_str(), |c| c.question.as_str())
    };
    let hold = |hold: &Hold| match hold {
        Hold::Contradicts(other) => {
            let groups = record.groups.iter().flatten();
            let other = groups.clone().find(|g| g.id == *other);
            let text = other.map_or("", |g| g.question.as_str());
            format!("waits: no output can meet this and {text:?}")
        }
        Hold::Differs { in_what, a, b } => {
            let (a, b) = (question(*a), question(*b));
            format!("waits: a model joined {a:?} and {b:?}, which differ in {in_what}")
        }
    };
    let mut notes: Vec<String> = group.holds.iter().map(hold).collect();
    notes.extend(rated.and_then(|r| match &r.decision {
        Decision::Dropped | Decision::Hopeless => Some("the filter drops it".to_owned()),
        Decision::Agreed => Some("every writer proposed it; it was not rated".to_owned()),
        Decision::Unrated { .. } => Some("a rating is missing".to_owned()),
        Decision::Kept | Decision::Pending => None,
    }));
    let members = record.candidates.iter();
    let members = members.filter(|c| group.members.contains(&c.id));
    let mut codes: Vec<&String> = members.flat_map(|c| &c.lint).collect();
    codes.sort_unstable();
    codes.dedup();
    notes.extend(codes.into_iter().map(|code| format!("lint: {code}")));
    notes
}

/// Writes what people decided into the set. The events are the whole truth: an action that was
/// taken back is gone from the set too.
pub(in crate::commands) fn apply(cli: &Cli, name: &str, review: &Review) -> anyhow::Result<Exit> {
    let mut set = OpenSet::open(&cli.runs, name, false)?;
    let (mut decided, mut open) = (0, 0);
    for record in &mut set.manifest.instances {
        let mut actions = vec![];
        for group in record.groups.iter().flatten() {
            let item = review.set.item(&id_of(record, group));
            let Some(item) = item.filter(|i| review.outcome(i).decision().is_some()) else {
                open += 1;
                continue;
            };
            decided += 1;
            actions.extend(actions_of(review, item, group));
        }
        record.review = actions;
    }
    set.note_version();
    set.write()?;
    let conflicts = review.conflicts().count();
    let version = set.manifest.version(&Which::Complete);
    if conflicts > 0 {
        output::note(&format!(
            "{conflicts} groups are in conflict and count as open"
        ));
    }
    if cli.json {
        output::json(&json!({
            "format": 1, "kind": "review-apply", "set": set.manifest.name, "version": version,
            "decided": decided, "open": open, "conflicts": conflicts,
        }));
    } else {
        output::result(&format!(
            "set {}: {decided} groups decided, {open} open; version {version}",
            set.manifest.name
        ));
    }
    Ok(if conflicts > 0 {
        Exit::Incomplete
    } else {
        Exit::Ok
    })
}

/// Everybody's decision on a group, the one that settled it last: that one counts.
fn actions_of(review: &Review, item: &Item, group: &Group) -> Vec<ReviewAction> {
    let own = review.decisions(item).into_iter();
    let all = own.chain(review.settled(item));
    all.filter_map(|made| action(made, group)).collect()
}

fn action(made: &Made, group: &Group) -> Option<ReviewAction> {
    let wording = |question: &str, expected| Wording {
        question: question.to_owned(),
        category: group.category.clone(),
        subcategory: group.subcategory.clone(),
        expected,
    };
    let act = match &made.decision {
        Said::Accept { .. } => Act::Accept,
        Said::Reject { .. } => Act::Reject,
        Said::Edit {
            question, expected, ..
        } => Act::Edit(wording(question, *expected)),
        Said::Split { parts, .. } => {
            let parts = parts.iter().map(|p| wording(&p.question, p.expected));
            Act::Split(parts.collect())
        }
        // No decision on a specification.
        Said::Answer { .. } | Said::Grade { .. } => return None,
    };
    Some(ReviewAction {
        group: group.id,
        act,
        reason: made.decision.reason().to_owned(),
        by: made.by.clone(),
        at: rfc3339(made.at / 1000),
    })
}
