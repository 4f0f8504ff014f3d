//! The same suite with some specifications retired and some worded anew: another file beside it,
//! whose description says what it is a version of.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use verispec_model::{Instance, SpecId};

use super::error::ChangeError;
use super::header::{FORMAT, is_header, name};
use super::load::{FILE, Loaded, load};
use crate::changes::{Action, Change, Changes, Mark, Patched, Words};
use crate::records;

/// The description of a suite, with its line.
type Described = (usize, Map<String, Value>);
/// Lines of a suite's file by number, from 1, and what they become.
type Edits = BTreeMap<usize, Map<String, Value>>;

/// Writes the suite in a file to another one with the changes of a list. Labels stay; a
/// specification with new words loses its rating, which was of the old ones. Lines that nothing
/// changes keep their bytes.
///
/// # Errors
/// As [`ChangeError`] lists; nothing is written then, but for [`ChangeError::Write`].
pub fn patch(path: &Path, list: &Path, out: &Path) -> Result<Patched, ChangeError> {
    let loaded = load(path)?;
    let suite = &loaded.suite;
    let changes = Changes::read(list, |track, id| {
        suite.instance(track, id).map(AsRef::as_ref)
    })?;
    let file = if path.is_dir() {
        path.join(FILE)
    } else {
        path.to_owned()
    };
    fits(&loaded, &file, out)?;
    let fault = |message: String| ChangeError::Suite(file.clone(), message);
    let text = records::text(&file).map_err(fault)?;
    if text.trim_start().starts_with('[') {
        let message = "patches are laid over JSON Lines; write one object a line".to_owned();
        return Err(fault(message));
    }
    let mut problems = vec![];
    let found = records::records("", &text, false, &mut problems);
    let lines = found
        .iter()
        .filter_map(|r| Some((r.line, r.fields.as_ref()?)));
    let mut edits = Edits::new();
    let mut header = None;
    for (line, fields) in lines {
        if is_header(fields) {
            header = Some((line, fields.clone()));
            continue;
        }
        let own = instance_of(&loaded, fields);
        let own = own.map(|i| (i, changes.of(&i.track, &i.id)));
        if let Some((instance, own)) = own.filter(|(_, own)| !own.is_empty()) {
            let edited = edited(fields.clone(), instance, &loaded, &own);
            edits.insert(
                line,
                edited.map_err(|(line, why)| changes.fault(line, why))?,
            );
        }
    }
    let mark = changes.mark(loaded.patch.as_ref(), || suite.revision.clone());
    let instances = edits.len();
    let written = rewritten(&text, edits, (header, &suite.name, &mark)).map_err(fault)?;
    fs::write(out, written).map_err(ChangeError::write(out))?;
    Ok(changes.done(&suite.name, &mark, instances, load(out)?.suite.revision))
}

/// Whether the new file can stand there: it is not there yet, and paths of input images are
/// relative to it.
fn fits(loaded: &Loaded, file: &Path, out: &Path) -> Result<(), ChangeError> {
    if out.exists() {
        return Err(ChangeError::Exists(out.to_owned()));
    }
    let folder = |path: &Path| -> Option<PathBuf> {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
        folder.unwrap_or(Path::new(".")).canonicalize().ok()
    };
    let refers = loaded.suite.instances().any(|i| !i.references.is_empty());
    if refers && folder(file) != folder(out) {
        let message = "its input images are relative to its folder: --out names a file beside it";
        return Err(ChangeError::Suite(file.to_owned(), message.to_owned()));
    }
    Ok(())
}

fn instance_of<'a>(loaded: &'a Loaded, fields: &Map<String, Value>) -> Option<&'a Instance> {
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let track = text("track").unwrap_or(super::DEFAULT_TRACK);
    let found = loaded.suite.instance(track, text("id")?)?;
    Some(found.as_ref())
}

/// An instance's record after its changes; else the line of the change that cannot be made.
fn edited(
    mut fields: Map<String, Value>,
    instance: &Instance,
    loaded: &Loaded,
    changes: &[&(usize, Change)],
) -> Result<Map<String, Value>, (usize, String)> {
    let first = changes.first().map_or(0, |(line, _)| *line);
    if loaded.choice_of(instance).is_some() {
        let why = "a multiple choice has no specifications of its own".to_owned();
        return Err((first, why));
    }
    let retired = |id: SpecId| {
        changes
            .iter()
            .find(|(_, c)| c.spec == id && c.action == Action::Retire)
    };
    let left = instance
        .specifications
        .iter()
        .filter(|s| retired(s.id).is_none());
    for spec in left {
        if let Some((line, c)) = spec.rules.depends_on.iter().find_map(|id| retired(*id)) {
            let why = format!(
                "specification {} presupposes {}: retire it too, or take it out of depends_on",
                spec.id, c.spec
            );
            return Err((*line, why));
        }
    }
    let specs = fields
        .get_mut("specifications")
        .and_then(Value::as_array_mut);
    let Some(specs) = specs else {
        return Err((
            first,
            "its instance has no list of specifications".to_owned(),
        ));
    };
    let mut kept = vec![];
    for (spec, value) in instance.specifications.iter().zip(specs.drain(..)) {
        let change = changes.iter().find(|(_, c)| c.spec == spec.id);
        match (change.map(|(_, c)| (c.action, &c.to)), value) {
            (Some((Action::Retire, _)), _) => {}
            (change, Value::Object(mut map)) => {
                if let Some((_, Some(to))) = change {
                    reword(&mut map, to);
                }
                // A label that was a place would become another one.
                map.entry("id").or_insert_with(|| spec.id.into());
                kept.push(Value::Object(map));
            }
            (_, other) => kept.push(other),
        }
    }
    *specs = kept;
    Ok(fields)
}

fn reword(map: &mut Map<String, Value>, to: &Words) {
    map.shift_remove("rating");
    if let Some(question) = &to.question {
        map.insert("question".to_owned(), question.trim().into());
    }
    if let Some(expected) = to.expected {
        let expected = expected.as_str().to_ascii_lowercase();
        map.insert("expected".to_owned(), expected.into());
    }
}

/// The file's text after the edits; its description says what the suite is a version of.
fn rewritten(
    text: &str,
    edits: Edits,
    (header, suite, mark): (Option<Described>, &str, &Mark),
) -> Result<String, String> {
    let mut edits: BTreeMap<usize, Value> = edits
        .into_iter()
        .map(|(line, fields)| (line, Value::Object(fields)))
        .collect();
    let mut written = String::new();
    let mark = serde_json::to_value(mark).map_err(|e| e.to_string())?;
    match header {
        Some((line, mut fields)) => {
            fields.insert("patch".to_owned(), mark);
            edits.insert(line, Value::Object(fields));
        }
        None if name(&suite.into()).is_none() => {
            return Err(format!(
                "{suite:?} is no name for a suite; begin the file with {{\"suite\": NAME, \
                 \"format\": {FORMAT}}}"
            ));
        }
        None => {
            let header = json!({"suite": suite, "format": FORMAT, "patch": mark});
            written.push_str(&format!("{header}\n"));
        }
    }
    for (line, number) in text.lines().zip(1..) {
        match edits.get(&number) {
            Some(edited) => written.push_str(&edited.to_string()),
            None => written.push_str(line),
        }
        written.push('\n');
    }
    Ok(written)
}

#[cfg(test)]
mod tests;
