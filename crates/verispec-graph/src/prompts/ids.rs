//! Names of objects inside a prompt.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::scene::SceneGraph;
use crate::vocabulary::clean_label;

/// How a prompt names objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdStyle {
    /// `Person_1`, `BusGroup_1_2`: the released way. The names reach the image model verbatim.
    #[default]
    Semantic,
    /// The label alone, as people say it. Two objects of one label are not told apart.
    Label,
}

/// Names of the groups and nodes of one scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SemanticIds {
    /// One a group: `Person_1`, `BusGroup_1`.
    pub groups: Vec<String>,
    /// One a node: `Person_1`; member `k` of a group is `BusGroup_1_k`, from 1.
    pub nodes: Vec<String>,
}

impl SemanticIds {
    /// Names in file order: one counter a label for single objects, another one for groups.
    #[must_use]
    pub fn new(scene: &SceneGraph, style: IdStyle) -> Self {
        let mut counters: BTreeMap<(String, bool), usize> = BTreeMap::new();
        let mut groups = Vec::with_capacity(scene.groups.len());
        let mut nodes = vec![String::new(); scene.nodes.len()];
        for group in &scene.groups {
            let label = group
                .nodes
                .first()
                .map_or("", |&n| scene.nodes[n].label.as_str());
            let many = group.nodes.len() > 1;
            if style == IdStyle::Label {
                let name = clean_label(label);
                for &node in &group.nodes {
                    nodes[node].clone_from(&name);
                }
                groups.push(if many {
                    super::linear::plural(&name)
                } else {
                    name
                });
                continue;
            }
            let stem = label.to_lowercase().replace(' ', "_");
            let count = counters.entry((stem.clone(), many)).or_default();
            *count += 1;
            let name = format!(
                "{}{}_{count}",
                capital(&stem),
                if many { "Group" } else { "" }
            );
            for (at, &node) in group.nodes.iter().enumerate() {
                nodes[node] = if many {
                    format!("{name}_{}", at + 1)
                } else {
                    name.clone()
                };
            }
            groups.push(name);
        }
        Self { groups, nodes }
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
