//! The same suite with some specifications retired and some worded anew: an overlay, with a name
//! of its own, of files that stay as they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use verispec_model::{Hash, Instance, SpecId, Specification, YesNo};

use super::load::{Place, Problem, Step, load};
use super::overlay::{Overlay, OverlayError, checklist, file_of};

/// The file inside an overlay that says what it is.
pub const PATCH_FILE: &str = "verispec-patch.json";

const FORMAT: u32 = 1;

/// Content versions that are known under a name of their own: commits of the release.
const RELEASES: [(&str, &str); 1] = [("7888e527ad4f", "2af3845")];

/// A line of a list of changes, as `study items` writes it, with new words where it is to be
/// repaired.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    track: String,
    instance: String,
    spec: SpecId,
    /// The statement as it was: a list of another version is refused.
    question: String,
    action: Action,
    #[serde(default, rename = "why")]
    _why: serde_json::Value,
    to: Option<Words>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Action {
    Retire,
    Repair,
}

/// New words; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    question: Option<String>,
    expected: Option<YesNo>,
}

/// What an overlay says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mark {
    format: u32,
    /// Version of the suite before the first patch.
    base: String,
    /// How many patches lie over it.
    number: u32,
    retired: usize,
    repaired: usize,
    /// Hashes of the lists, the latest last.
    lists: Vec<Hash>,
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

/// Writes the suite below `root` to `out` with the changes of a list. Labels stay; everything else
/// in a checklist keeps its bytes, but for the rating of a specification with new words, which was
/// of the old ones and becomes `null`. All else in the folder is linked.
///
/// # Errors
/// As [`OverlayError`] lists; nothing is written then, but for [`OverlayError::Write`].
pub fn patch(root: &Path, list: &Path, out: &Path) -> Result<Patched, OverlayError> {
    let suite = load(root)?.suite;
    let (changes, hash) = read(list)?;
    let fault = |line: usize, why: String| OverlayError::List {
        path: list.to_owned(),
        line,
        why,
    };
    let mut by_instance: BTreeMap<(&str, &str), Vec<&(usize, Change)>> = BTreeMap::new();
    for numbered in &changes {
        let (line, change) = numbered;
        let instance = suite
            .instance(&change.track, &change.instance)
            .map(AsRef::as_ref);
        check(change, instance).map_err(|why| fault(*line, why))?;
        let known = by_instance
            .entry((&change.track, &change.instance))
            .or_default();
        if let Some((other, _)) = known.iter().find(|(_, c)| c.spec == change.spec) {
            return Err(fault(*line, format!("line {other} is about it too")));
        }
        known.push(numbered);
    }
    let mut texts = BTreeMap::new();
    for instance in suite.instances() {
        let key = (instance.track.as_str(), instance.id.as_str());
        let mut text = checklist(root, instance)?;
        let before = text.clone();
        if let Some(changes) = by_instance.get(&key) {
            let line = changes.first().map_or(0, |(line, _)| *line);
            let retired = |(_, c): &&&(usize, Change)| c.action == Action::Retire;
            if changes.iter().filter(retired).count() == instance.specifications.len() {
                let why = "nothing would be left of its instance".to_owned();
                return Err(fault(line, why));
            }
            text = changed(text, instance, changes)?;
        }
        texts.insert(file_of(instance), (text != before, text));
    }
    let worded = |c: &&(usize, Change)| c.1.action == Action::Repair && c.1.to.is_some();
    let was = Mark::read(root).map_err(|p| fault(0, p.to_string()))?;
    let before = was.as_ref();
    let mark = Mark {
        format: FORMAT,
        base: before.map_or_else(|| released(&suite.revision), |m| m.base.clone()),
        number: before.map_or(0, |m| m.number) + 1,
        retired: changes
            .iter()
            .filter(|c| c.1.action == Action::Retire)
            .count(),
        repaired: changes.iter().filter(worded).count(),
        lists: before
            .map(|m| m.lists.clone())
            .into_iter()
            .flatten()
            .chain([hash])
            .collect(),
    };
    let overlay = Overlay::begin(root, out)?;
    let instances = texts.values().filter(|(changed, _)| *changed).count();
    for (file, (_, text)) in &texts {
        overlay.write(file, text)?;
    }
    overlay.link_rest(&[PATCH_FILE])?;
    let said = serde_json::to_string_pretty(&mark).unwrap_or_default();
    overlay.write(PATCH_FILE, &(said + "\n"))?;
    let open = |c: &&(usize, Change)| c.1.action == Action::Repair && c.1.to.is_none();
    let place = |(_, c): &(usize, Change)| format!("{}/{}#{}", c.track, c.instance, c.spec);
    Ok(Patched {
        name: format!("{}@{}", suite.name, mark.short()),
        revision: load(out)?.suite.revision,
        retired: mark.retired,
        repaired: mark.repaired,
        instances,
        unworded: changes.iter().filter(open).map(place).collect(),
    })
}

/// Lines of a list with their numbers, and its hash.
fn read(path: &Path) -> Result<(Vec<(usize, Change)>, Hash), OverlayError> {
    let fault = |line: usize, why: String| OverlayError::List {
        path: path.to_owned(),
        line,
        why,
    };
    let text = fs::read_to_string(path).map_err(|e| fault(0, e.to_string()))?;
    let lines = text.lines().enumerate();
    let changes = lines.filter(|(_, l)| !l.trim().is_empty()).map(|(i, l)| {
        let change = serde_json::from_str(l).map_err(|e| fault(i + 1, e.to_string()))?;
        Ok((i + 1, change))
    });
    let changes: Vec<_> = changes.collect::<Result<_, OverlayError>>()?;
    if changes.is_empty() {
        return Err(fault(0, "it holds no change".to_owned()));
    }
    Ok((changes, Hash::of(text.as_bytes())))
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

fn spec_of(instance: &Instance, id: SpecId) -> Option<(usize, &Specification)> {
    let mut specs = instance
        .specifications
        .iter()
        .map(AsRef::as_ref)
        .enumerate();
    specs.find(|(_, s)| s.id == id)
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

impl Mark {
    /// Base and number.
    fn short(&self) -> String {
        format!("{}+p{}", self.base, self.number)
    }

    /// The mark of a folder, if it is an overlay.
    fn read(root: &Path) -> Result<Option<Self>, Problem> {
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
        let mark: Self = serde_json::from_str(&text).map_err(|e| problem(e.to_string()))?;
        if mark.format != FORMAT {
            return Err(problem(format!("this version reads format {FORMAT}")));
        }
        Ok(Some(mark))
    }
}

/// The version of the suite in a folder whose content is this: of an overlay its base, the number
/// of its patch, and its own content, since two people may both write a first patch.
pub(super) fn version(root: &Path, content: String) -> Result<String, Problem> {
    Ok(match Mark::read(root)? {
        None => content,
        Some(mark) => format!("{}.{content}", mark.short()),
    })
}

#[cfg(test)]
mod tests;
