//! Reads the four files.
//!
//! ```text
//! <folder>/UEG_direct.json  UEG_step.json  GEU_direct.json  GEU_step.json    or .jsonl
//! ```
//!
//! A folder may hold some of them. Fields that nothing here knows are kept and ignored; a field
//! that is needed and missing is an error that names file, line, item and field. All faults are
//! found in one pass.

mod fields;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use verispec_model::{Dimension, Instance, Suite, Track, Warning};

use super::error::RealUnifyError;
use super::item::Item;
use super::layout::Split;
use super::suite::{instance, revision};
use crate::records::{Problem, Record, records, text};

/// The files of a folder, as read.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// One track a file, one dimension a task. A multiple choice is one specification.
    pub suite: Suite,
    /// Items by file, in file order.
    pub items: BTreeMap<Split, Vec<Item>>,
    /// Remarks.
    pub warnings: Vec<Warning>,
    /// Places of items by split and id.
    places: HashMap<Split, HashMap<String, usize>>,
}

impl Loaded {
    /// Items of a file; none where the folder lacks it.
    #[must_use]
    pub fn items(&self, split: Split) -> &[Item] {
        self.items.get(&split).map_or(&[], Vec::as_slice)
    }

    /// The item behind an instance of the suite.
    #[must_use]
    pub fn item_of(&self, instance: &Instance) -> Option<&Item> {
        let split: Split = instance.track.parse().ok()?;
        let place = *self.places.get(&split)?.get(&instance.id)?;
        self.items(split).get(place)
    }
}

/// Loads a folder.
///
/// # Errors
/// [`RealUnifyError::NoFiles`] if it holds none of the four files, else
/// [`RealUnifyError::Broken`] with every fault: invalid JSON, a field that is missing or of the
/// wrong type, an answer that is no answer to its question.
pub fn load(root: &Path) -> Result<Loaded, RealUnifyError> {
    let (mut items, mut warnings, mut problems) = (BTreeMap::new(), vec![], vec![]);
    for split in Split::ALL {
        if let Some(path) = file(root, split) {
            let read = read(&path, split, root, &mut warnings, &mut problems);
            items.insert(split, read);
        }
    }
    if items.is_empty() {
        return Err(RealUnifyError::NoFiles {
            root: root.to_owned(),
        });
    }
    if !problems.is_empty() {
        return Err(RealUnifyError::Broken(problems));
    }
    let suite = suite(root, &items);
    let places = items.iter().map(|(split, items)| {
        let ids = items.iter().map(|i| i.id.clone());
        (*split, ids.zip(0..).collect())
    });
    Ok(Loaded {
        places: places.collect(),
        suite,
        items,
        warnings,
    })
}

/// The file of a split in a folder.
pub(super) fn file(root: &Path, split: Split) -> Option<PathBuf> {
    let names = ["json", "jsonl"].map(|ext| format!("{}.{ext}", split.stem()));
    let mut paths = names.iter().map(|name| root.join(name));
    paths.find(|path| path.is_file())
}

/// Items of one file, which may also be a model's results in the same form.
pub(super) fn read(
    path: &Path,
    split: Split,
    root: &Path,
    warnings: &mut Vec<Warning>,
    problems: &mut Vec<Problem>,
) -> Vec<Item> {
    let name = path
        .strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string();
    let text = match text(path) {
        Ok(text) => text,
        Err(message) => {
            problems.push(Problem {
                file: name,
                line: None,
                item: None,
                field: String::new(),
                message,
            });
            return vec![];
        }
    };
    let mut ids = Ids::default();
    let mut items = vec![];
    for record in records(&name, &text, false, problems) {
        if let Some(mut item) = fields::item(&name, split, root, &record, problems) {
            ids.name(&mut item, &record, &name, warnings);
            items.push(item);
        }
    }
    remarks(&name, &items, warnings);
    items
}

/// Ids given so far.
#[derive(Default)]
struct Ids {
    /// Items of each task.
    tasks: BTreeMap<String, usize>,
    /// How often each task and index occurred.
    seen: BTreeMap<(String, String), usize>,
    unnumbered: bool,
}

impl Ids {
    fn name(&mut self, item: &mut Item, record: &Record, file: &str, warnings: &mut Vec<Warning>) {
        let n = self.tasks.entry(item.task.clone()).or_default();
        let place = *n;
        *n += 1;
        if item.index.is_empty() {
            item.index = place.to_string();
            if !self.unnumbered {
                let message = "no `index`: items are numbered within their task, from 0";
                warnings.push(warning("no-index", file, record.line, message.to_owned()));
            }
            self.unnumbered = true;
        }
        let key = (item.task.clone(), item.index.clone());
        let times = self.seen.entry(key).or_default();
        *times += 1;
        item.id = format!("{}/{}", item.task, item.index);
        if *times > 1 {
            let message = format!("task {} has index {} again", item.task, item.index);
            warnings.push(warning("repeated-index", file, record.line, message));
            item.id.push_str(&format!("~{times}"));
        }
    }
}

fn remarks(file: &str, items: &[Item], warnings: &mut Vec<Warning>) {
    for item in items {
        if item.poll().is_some_and(<[_]>::is_empty) {
            let message = format!("{}: no question: nobody can judge it", item.id);
            warnings.push(warning("no-question", file, item.line, message));
        }
        if !item.split.axis.tasks().contains(&item.task.as_str()) {
            let message = format!("task {:?} is none of the release", item.task);
            warnings.push(warning("unknown-task", file, item.line, message));
        }
    }
}

fn warning(kind: &str, file: &str, line: usize, message: String) -> Warning {
    Warning {
        kind: kind.to_owned(),
        place: format!("{file}:{line}"),
        message,
    }
}

fn suite(root: &Path, items: &BTreeMap<Split, Vec<Item>>) -> Suite {
    let tracks = items.iter().map(|(split, items)| track(*split, items));
    let mut suite = Suite {
        name: "realunify".to_owned(),
        root: root.to_owned(),
        revision: String::new(),
        tracks: tracks.collect(),
    };
    suite.revision = revision(items);
    suite
}

/// Tasks in the order of the release, then the others.
fn track(split: Split, items: &[Item]) -> Track {
    let mut tasks: BTreeMap<(usize, &str), Vec<Arc<Instance>>> = BTreeMap::new();
    let order = split.axis.tasks();
    for item in items {
        let place = order.iter().position(|t| *t == item.task);
        let key = (place.unwrap_or(order.len()), item.task.as_str());
        tasks.entry(key).or_default().push(Arc::new(instance(item)));
    }
    let dimensions = tasks.into_iter().map(|((_, task), mut instances)| {
        instances.sort_by(|a, b| a.id.cmp(&b.id));
        Dimension {
            name: task.to_owned(),
            instances,
        }
    });
    Track {
        name: split.track(),
        dimensions: dimensions.collect(),
    }
}
