//! Reads a SpecV checkout, or a smaller suite in the same layout.
//!
//! ```text
//! eval_data/<track>/*.jsonl                     tasks: id, question, question_img
//! eval_checklist/<track>/<dimension>/<id>.json  specifications
//! ```
//!
//! The checklist's folder is the dimension; a task's own `dimension` field is only compared with
//! it. Fields that nothing here knows are kept and ignored. Anything broken is an error that names
//! file, line and field; all faults are found in one pass.

mod checklist;
mod error;
mod fields;
mod files;
mod locate;
mod mend;
mod revision;
mod tasks;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use verispec_model::{Dimension, Instance, Specification, Suite, Track, Warning};

pub(crate) use error::syntax_message;
pub use error::{LoadError, Problem};
pub(crate) use fields::describe;
pub(crate) use files::{Folder, text as read_text};
pub use locate::Position;
pub(crate) use locate::{Place, Step};
pub(crate) use mend::mend;
pub use tasks::TaskFacts;

use super::anomalies::anomalies;
use super::layout::{TRACKS, file_order, published_dimensions, sort_by_order};
use super::patch;
use error::Faults;
use tasks::Task;

/// A suite as read, with what only its files say.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// Tracks that the folder holds, in board order.
    pub suite: Suite,
    /// Remarks on files and the anomalies of the data.
    pub warnings: Vec<Warning>,
    /// Task records by track and id.
    pub facts: BTreeMap<(String, String), TaskFacts>,
    /// Checklists that end with a newline, as `track/dimension/id.json`; most do not.
    pub trailing_newlines: BTreeSet<String>,
}

impl Loaded {
    /// What the task record of an instance says beside the instance itself.
    #[must_use]
    pub fn facts_of(&self, instance: &Instance) -> Option<&TaskFacts> {
        self.facts
            .get(&(instance.track.clone(), instance.id.clone()))
    }
}

/// Loads the suite below `root`.
///
/// # Errors
/// [`LoadError::NotACheckout`] if the two folders are not there, else [`LoadError::Broken`] with
/// every fault found: invalid JSON, a field of the wrong type, an expected answer other than `Yes`
/// or `No`, ids that repeat, a path that leaves the folder, a task without a checklist or a
/// checklist without a task.
pub fn load(root: &Path) -> Result<Loaded, LoadError> {
    let names = track_names(root)?;
    let mut reader = Reader {
        root,
        problems: vec![],
        warnings: vec![],
        read: Read::default(),
    };
    let tracks: Vec<Track> = names.iter().filter_map(|name| reader.track(name)).collect();
    if !reader.problems.is_empty() {
        return Err(LoadError::Broken(reader.problems));
    }
    if tracks.is_empty() {
        let reason = "its folders hold no task and no checklist".to_owned();
        return Err(LoadError::NotACheckout {
            root: root.to_owned(),
            reason,
        });
    }
    let mut suite = Suite {
        name: "specv".to_owned(),
        root: root.to_owned(),
        revision: String::new(),
        tracks,
    };
    let version = patch::version(root, revision::revision(&suite));
    suite.revision = version.map_err(|p| LoadError::Broken(vec![p]))?;
    let Reader { warnings, read, .. } = reader;
    let Read {
        facts,
        trailing_newlines,
    } = read;
    let mut loaded = Loaded {
        suite,
        warnings,
        facts,
        trailing_newlines,
    };
    let found = anomalies(&loaded);
    loaded.warnings.extend(found);
    Ok(loaded)
}

fn track_names(root: &Path) -> Result<Vec<String>, LoadError> {
    let wrong = |reason: String| LoadError::NotACheckout {
        root: root.to_owned(),
        reason,
    };
    let mut names = BTreeSet::new();
    for folder in ["eval_checklist", "eval_data"] {
        let listing = Folder::read(&root.join(folder))
            .map_err(|e| wrong(format!("cannot read folder `{folder}`: {e}{}", hint(root))))?;
        names.extend(listing.folders);
    }
    let mut names: Vec<String> = names.into_iter().collect();
    sort_by_order(&mut names, &TRACKS);
    Ok(names)
}

/// A checkout one level further down is the commonest slip.
fn hint(root: &Path) -> String {
    let below = Folder::read(root).map(|f| f.folders).unwrap_or_default();
    let found = below
        .into_iter()
        .find(|name| root.join(name).join("eval_checklist").is_dir());
    found.map_or_else(
        || "; give the folder that holds `eval_data` and `eval_checklist`".to_owned(),
        |name| format!("; did you mean {}?", root.join(name).display()),
    )
}

#[derive(Default)]
struct Read {
    facts: BTreeMap<(String, String), TaskFacts>,
    trailing_newlines: BTreeSet<String>,
}

struct Checklist {
    /// `dimension/id.json`
    place: String,
    specifications: Vec<Specification>,
    source_text: Arc<str>,
}

struct Reader<'a> {
    root: &'a Path,
    problems: Vec<Problem>,
    warnings: Vec<Warning>,
    read: Read,
}

impl Reader<'_> {
    fn track(&mut self, name: &str) -> Option<Track> {
        let mut tasks = self.tasks(name);
        let dimensions: Vec<Dimension> = self
            .dimension_names(name)
            .into_iter()
            .filter_map(|dimension| self.dimension(name, &dimension, &mut tasks))
            .collect();
        for task in tasks.into_values() {
            let message = format!(
                "task `{}` has no checklist eval_checklist/{name}/<dimension>/{}.json",
                task.id, task.id
            );
            self.problem(
                &format!("eval_data/{}", task.facts.file),
                Some(task.facts.line),
                message,
            );
        }
        (!dimensions.is_empty()).then(|| Track {
            name: name.to_owned(),
            dimensions,
        })
    }

    fn problem(&mut self, file: &str, line: Option<usize>, message: String) {
        let position = line.map(|line| Position { line, column: 1 });
        let file = file.to_owned();
        self.problems.push(Problem {
            file,
            position,
            field: String::new(),
            message,
        });
    }

    fn folder(&mut self, below: &str) -> Folder {
        let path = self.root.join(below);
        match Folder::read(&path) {
            Ok(folder) => folder,
            // A track may lack one of the two folders; what is missing shows as unmatched.
            Err(_) if !path.exists() => Folder::default(),
            Err(error) => {
                self.problem(below, None, format!("cannot be listed: {error}"));
                Folder::default()
            }
        }
    }

    /// Reads a file and hands its text on; faults are kept.
    fn file<T>(
        &mut self,
        below: &str,
        parse: impl FnOnce(&str, &mut Faults<'_>) -> T,
    ) -> Option<T> {
        let mut faults = Faults::new(below);
        let parsed = match files::text(&self.root.join(below)) {
            Ok(text) => {
                let (text, replaced) = mend(&text);
                if replaced > 0 {
                    self.warnings.push(Warning {
                        kind: "replaced-escape".to_owned(),
                        place: below.to_owned(),
                        message: format!("{replaced} escapes of no character read as U+FFFD"),
                    });
                }
                Some(parse(&text, &mut faults))
            }
            Err(message) => {
                faults.file(message);
                None
            }
        };
        self.problems.append(&mut faults.list);
        parsed
    }

    fn tasks(&mut self, track: &str) -> BTreeMap<String, Task> {
        let folder = format!("eval_data/{track}");
        let mut tasks: BTreeMap<String, Task> = BTreeMap::new();
        for name in self.folder(&folder).files {
            let place = format!("{track}/{name}");
            let read = match name.rsplit_once('.').map(|(_, extension)| extension) {
                Some("jsonl") => self.file(&format!("{folder}/{name}"), |text, faults| {
                    tasks::json_lines(&place, text, faults)
                }),
                // Only here does the released runner look at such files.
                Some("json") if track == "understanding" => self
                    .file(&format!("{folder}/{name}"), |text, faults| {
                        tasks::json_file(&place, text, faults)
                    }),
                _ => None,
            };
            for task in read.into_iter().flatten() {
                self.add_task(&mut tasks, task);
            }
        }
        tasks
    }

    fn add_task(&mut self, tasks: &mut BTreeMap<String, Task>, task: Task) {
        if let Some(first) = tasks.get(&task.id) {
            let (file, line) = (&first.facts.file, first.facts.line);
            let message = format!(
                "task id `{}` is already used in eval_data/{file}:{line}",
                task.id
            );
            self.problem(
                &format!("eval_data/{}", task.facts.file),
                Some(task.facts.line),
                message,
            );
        } else {
            tasks.insert(task.id.clone(), task);
        }
    }

    fn dimension_names(&mut self, track: &str) -> Vec<String> {
        let place = format!("eval_checklist/{track}");
        let folder = self.folder(&place);
        for file in &folder.files {
            self.stray(
                &format!("{place}/{file}"),
                "checklists lie in a folder per dimension",
            );
        }
        let mut names = folder.folders;
        sort_by_order(&mut names, published_dimensions(track));
        names
    }

    fn stray(&mut self, place: &str, why: &str) {
        self.warnings.push(Warning {
            kind: "stray-file".to_owned(),
            place: place.to_owned(),
            message: format!("not read: {why}"),
        });
    }

    fn dimension(
        &mut self,
        track: &str,
        name: &str,
        tasks: &mut BTreeMap<String, Task>,
    ) -> Option<Dimension> {
        let mut instances = vec![];
        for (id, checklist) in self.checklists(track, name) {
            let Some(task) = tasks.remove(&id) else {
                let twice = self
                    .read
                    .facts
                    .contains_key(&(track.to_owned(), id.clone()));
                let why = if twice {
                    format!("id `{id}` has a checklist in another dimension too; ids are unique")
                } else {
                    format!("no task with id `{id}` in eval_data/{track}/")
                };
                self.problem(
                    &format!("eval_checklist/{track}/{}", checklist.place),
                    None,
                    why,
                );
                continue;
            };
            self.read
                .facts
                .insert((track.to_owned(), id), task.facts.clone());
            instances.push(Arc::new(self.instance(track, name, task, checklist)));
        }
        (!instances.is_empty()).then(|| Dimension {
            name: name.to_owned(),
            instances,
        })
    }

    fn instance(&self, track: &str, dimension: &str, task: Task, from: Checklist) -> Instance {
        let folder = self.root.join("eval_data").join(track);
        Instance {
            track: track.to_owned(),
            dimension: dimension.to_owned(),
            id: task.id,
            prompt: task.prompt,
            references: task
                .references
                .iter()
                .map(|path| folder.join(path))
                .collect(),
            specifications: from.specifications.into_iter().map(Arc::new).collect(),
            source_text: from.source_text,
        }
    }

    fn checklists(&mut self, track: &str, dimension: &str) -> Vec<(String, Checklist)> {
        let folder = format!("eval_checklist/{track}/{dimension}");
        let listing = self.folder(&folder);
        for name in &listing.folders {
            self.stray(
                &format!("{folder}/{name}"),
                "a folder where checklists are expected",
            );
        }
        let mut found = vec![];
        for name in listing.files {
            let Some(id) = name.strip_suffix(".json") else {
                self.stray(&format!("{folder}/{name}"), "not a .json file");
                continue;
            };
            let read = self.file(&format!("{folder}/{name}"), |text, faults| {
                (checklist::specifications(text, faults), text.to_owned())
            });
            let Some((specifications, text)) = read else {
                continue;
            };
            if text.ends_with('\n') {
                self.read
                    .trailing_newlines
                    .insert(format!("{track}/{dimension}/{name}"));
            }
            let place = format!("{dimension}/{name}");
            let source_text = text.trim().into();
            found.push((
                id.to_owned(),
                Checklist {
                    place,
                    specifications,
                    source_text,
                },
            ));
        }
        found.sort_by(|(a, _), (b, _)| file_order(a, b));
        found
    }
}
