//! DSG's prompts, each a text-to-image task: `<item id>.<ext>`.

use std::path::Path;

use verispec_suites::dsg::{Annotations, DsgError};

use super::{Layout, Place, PlanOptions, Task};
use crate::chain::{Input, Stage, Wants};

/// File of prompts.
const FILE: &str = "dsg-1k-anns.csv";

/// Tasks of a folder with DSG's files, or of the file of prompts itself. A dimension is what the
/// ids of its items start with, which names the source of their prompts.
///
/// # Errors
/// The file cannot be read or lacks a column.
pub fn dsg_tasks(path: &Path, options: &PlanOptions<'_>) -> Result<Vec<Task>, DsgError> {
    let file = if path.is_dir() {
        path.join(FILE)
    } else {
        path.to_owned()
    };
    let annotations = Annotations::read(&file)?;
    let filters = options.filters;
    let mut taken = std::collections::BTreeMap::<String, usize>::new();
    let mut tasks = vec![];
    for (id, prompt) in annotations.prompts {
        let dimension = id
            .rsplit_once('_')
            .map_or(id.as_str(), |(source, _)| source);
        let dimension = dimension.to_owned();
        let wanted = filters.wants_track("dsg")
            && filters.wants_dimension(&dimension)
            && filters.wants_id(&id);
        let count = taken.entry(dimension.clone()).or_default();
        if !wanted || filters.limit.is_some_and(|most| *count >= most) {
            continue;
        }
        *count += 1;
        let stage = Stage::only(Wants::Image, vec![Input::Text(prompt.text)]);
        let output = Layout::Image(id.clone());
        let place = Place {
            track: "dsg".to_owned(),
            dimension,
            id,
        };
        tasks.push(Task::new(place, Ok(vec![stage]), output));
    }
    Ok(tasks)
}
