//! True middle steps in the place of what a model makes first.
//!
//! ```text
//! DIR/<SPLIT>/<task>/<index>.step.{txt,png,…}     as generate writes them
//! DIR/<task>/<index>.{txt,png,…}                  or without the outer folder and the mark
//! ```

use std::path::{Path, PathBuf};

use verispec_media::safe_join;

use crate::chain::{Input, Wants};
use crate::plan::{HashFile, Layout, Task};

/// Extensions of true images and texts.
const IMAGES: [&str; 6] = ["png", "jpg", "jpeg", "webp", "gif", "bmp"];
const TEXTS: [&str; 1] = ["txt"];

/// Ids that are named when their step is missing.
const NAMED: usize = 5;

/// Why true middle steps cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// No task has a middle step.
    #[error(
        "--oracle intermediate: none of these tasks has a middle step; choose stepwise tracks (ueg_step, geu_step)"
    )]
    NoChain,
    /// Some are not there or cannot be read.
    #[error("--oracle intermediate: {count} of {all} middle steps cannot be used: {examples}")]
    Missing {
        /// How many.
        count: usize,
        /// Of how many.
        all: usize,
        /// The first of them, and why.
        examples: String,
    },
}

/// A folder of true middle steps.
#[derive(Debug, Clone)]
pub struct Oracle {
    /// The folder.
    pub dir: PathBuf,
}

impl Oracle {
    /// Puts the true step in the place of the first of two stages, in every task that has two.
    /// Tasks without a chain are left out: nothing is injected into them.
    ///
    /// # Errors
    /// No task has a chain, or a step is missing: a table of some would be no oracle run.
    pub fn inject(&self, tasks: Vec<Task>, hash: HashFile<'_>) -> Result<Vec<Task>, OracleError> {
        let mut chains: Vec<Task> = tasks.into_iter().filter(|t| t.middle.is_some()).collect();
        if chains.is_empty() {
            return Err(OracleError::NoChain);
        }
        let mut missing = vec![];
        for task in chains.iter_mut().filter(|t| t.stages.len() > 1) {
            match self.step(task, hash) {
                Ok(step) => replace(task, &step),
                Err(why) => missing.push(format!("{} ({why})", task.place.id)),
            }
        }
        if missing.is_empty() {
            return Ok(chains);
        }
        Err(OracleError::Missing {
            count: missing.len(),
            all: chains.len(),
            examples: missing[..missing.len().min(NAMED)].join(", "),
        })
    }

    fn step(&self, task: &Task, hash: HashFile<'_>) -> Result<Input, String> {
        let image = task.stages[0].wants == Wants::Image;
        let extensions: &[&str] = if image { &IMAGES } else { &TEXTS };
        let path = self.find(task, extensions);
        let path = path.ok_or_else(|| format!("no .{}", extensions.join(", .")))?;
        if image {
            let hash = hash(&path)?;
            return Ok(Input::Image { path, hash });
        }
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        match text.trim() {
            "" => Err("empty".to_owned()),
            text => Ok(Input::Text(text.to_owned())),
        }
    }

    fn find(&self, task: &Task, extensions: &[&str]) -> Option<PathBuf> {
        let with_mark = match &task.middle {
            Some(Layout::Image(stem)) => stem.clone(),
            Some(Layout::Text(file)) => file.trim_end_matches(".txt").to_owned(),
            _ => return None,
        };
        let stems = [with_mark, task.place.id.clone()];
        let names = stems
            .iter()
            .flat_map(|stem| extensions.iter().map(move |ext| format!("{stem}.{ext}")));
        names
            .filter_map(|name| safe_join(&self.dir, &name).ok())
            .find(|path: &PathBuf| Path::is_file(path))
    }
}

fn replace(task: &mut Task, step: &Input) {
    task.stages.remove(0);
    for input in task.stages.iter_mut().flat_map(|s| &mut s.inputs) {
        if *input == Input::Made(0) {
            *input = step.clone();
        }
    }
    task.oracle = true;
}
