//! A judge beside people: the same outputs, the same items.

use std::collections::BTreeMap;

use serde::Serialize;

use super::paired::{Paired, paired, same_ids};
use super::state::ItemResult;

/// Judge minus people for one task or for all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeMinusHuman {
    /// Task; `None` for all items.
    pub task: Option<String>,
    /// The judge is the second side: a positive difference is a judge that is too kind.
    pub paired: Paired,
}

/// Compares a judge's outcomes with people's on the same file of items: first all, then task by
/// task. Items that one of them did not decide are left out and counted.
#[must_use]
pub fn judge_minus_human(judge: &[ItemResult], human: &[ItemResult]) -> Vec<JudgeMinusHuman> {
    let pairs = same_ids(human, judge);
    let tasks: BTreeMap<&str, &str> = judge
        .iter()
        .map(|r| (r.id.as_str(), r.task.as_str()))
        .collect();
    let mut by_task: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
    for pair in &pairs {
        if let Some(task) = tasks.get(pair.1.as_str()) {
            by_task.entry(task).or_default().push(pair.clone());
        }
    }
    let all = JudgeMinusHuman {
        task: None,
        paired: paired(human, judge, &pairs),
    };
    let rows = by_task.into_iter().map(|(task, pairs)| JudgeMinusHuman {
        task: Some(task.to_owned()),
        paired: paired(human, judge, &pairs),
    });
    std::iter::once(all).chain(rows).collect()
}
