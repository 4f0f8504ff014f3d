//! The same suite with some specifications retired and some worded anew: an overlay, with a name
//! of its own, of files that stay as they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use verispec_model::Instance;

use super::load::{Place, Problem, Step, load};
use super::overlay::{Overlay, OverlayError, checklist, file_of};
use crate::changes::{Action, Change, Changes, Mark, Patched, Words, spec_of};

/// The file inside an overlay that says what it is.
pub const PATCH_FILE: &str = "verispec-patch.json";

/// Content versions that are known under a name of their own: commits of the release.
const RELEASES: [(&str, &str); 1] = [("7888e527ad4f", "2af3845")];

/// Writes the suite below `root` to `out` with the changes of a list. Labels stay; everything else
/// in a checklist keeps its bytes, but for the rating of a specification with new words, which was
/// of the old ones and becomes `null`. All else in the folder is linked.
///
/// # Errors
/// As [`OverlayError`] lists; nothing is written then, but for [`OverlayError::Write`].
pub fn patch(root: &Path, list: &Path, out: &Path) -> Result<Patched, OverlayError> {
    let suite = load(root)?.suite;
    let changes = Changes::read(list, |track, id| {
        suite.instance(track, id).map(AsRef::as_ref)
    })?;
    let mut texts = BTreeMap::new();
    for instance in suite.instances() {
        let mut text = checklist(root, instance)?;
        let before = text.clone();
        let own = changes.of(&instance.track, &instance.id);
        if !own.is_empty() {
            text = changed(text, instance, &own)?;
        }
        texts.insert(file_of(instance), (text != before, text));
    }
    let was = read_mark(root).map_err(|p| changes.fault(0, p.to_string()))?;
    let mark = changes.mark(was.as_ref(), || released(&suite.revision));
    let overlay = Overlay::begin(root, out)?;
    let instances = texts.values().filter(|(changed, _)| *changed).count();
    for (file, (_, text)) in &texts {
        overlay.write(file, text)?;
    }
    overlay.link_rest(&[PATCH_FILE])?;
    let said = serde_json::to_string_pretty(&mark).unwrap_or_default();
    overlay.write(PATCH_FILE, &(said + "\n"))?;
    let revision = load(out)?.suite.revision;
    Ok(changes.done(&suite.name, &mark, instances, revision))
}

/// The checklist's text after the changes, from the last specification to the first, so that
/// places before a change stay what they were.
fn changed(
    mut text: String,
    instance: &Instance,
    changes: &[&(usize, Change)],
) -> Result<String, OverlayError> {
    let mut placed: Vec<(usize, &Change)> = changes
        .iter()
        .filter_map(|(_, c)| Some((spec_of(instance, c.spec)?.0, c)))
        .collect();
    placed.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    for (at, change) in placed {
        let done = match change.action {
            Action::Retire => take_out(&mut text, at),
            Action::Repair => change
                .to
                .as_ref()
                .map_or(Some(()), |to| reword(&mut text, at, to)),
        };
        done.ok_or_else(|| OverlayError::Place {
            file: file_of(instance),
            spec: change.spec,
            why: "its text is not where it should be".to_owned(),
        })?;
    }
    Ok(text)
}

/// Takes the n-th element out of the list, with the comma that parts it from its neighbour.
fn take_out(text: &mut String, at: usize) -> Option<()> {
    let place = |i: usize| Place::of(text, &[Step::Index(i)]);
    let own = place(at)?;
    let range = match at.checked_sub(1) {
        Some(before) => place(before)?.end..own.end,
        None => own.start..place(1)?.start,
    };
    text.replace_range(range, "");
    Some(())
}

fn reword(text: &mut String, at: usize, to: &Words) -> Option<()> {
    let mut put = |key: &str, value: String| {
        let place = Place::of(text, &[Step::Index(at), Step::Key(key)])?;
        text.replace_range(place, &value);
        Some(())
    };
    // The rating was of the old words; a checklist need not have one.
    let _ = put("score", "null".to_owned());
    if let Some(question) = &to.question {
        put(
            "question",
            serde_json::Value::from(question.trim()).to_string(),
        )?;
    }
    if let Some(expected) = to.expected {
        put("expected_answer", format!("\"{}\"", expected.as_str()))?;
    }
    Some(())
}

/// The name of a released version, else the content version.
fn released(revision: &str) -> String {
    let known = RELEASES.iter().find(|(content, _)| *content == revision);
    known.map_or(revision, |(_, name)| name).to_owned()
}

/// The mark of a folder, if it is an overlay.
fn read_mark(root: &Path) -> Result<Option<Mark>, Problem> {
    let problem = |message: String| Problem {
        file: PATCH_FILE.to_owned(),
        position: None,
        field: String::new(),
        message,
    };
    let text = match fs::read_to_string(root.join(PATCH_FILE)) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(problem(e.to_string())),
    };
    let value = serde_json::from_str(&text).map_err(|e| problem(e.to_string()))?;
    Mark::of(value).map(Some).map_err(problem)
}

/// The version of the suite in a folder whose content is this.
pub(super) fn version(root: &Path, content: String) -> Result<String, Problem> {
    Ok(match read_mark(root)? {
        None => content,
        Some(mark) => mark.version(&content),
    })
}

#[cfg(test)]
mod tests;
