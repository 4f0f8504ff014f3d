//! The two linearisations.

use super::ids::{IdStyle, SemanticIds};
use crate::scene::{Attributes, Node, SceneGraph, Shown};

/// The prompt of a scene without objects.
pub const EMPTY_SCENE: &str = "A picture without any particular object.";

const LEAD: &str = "A picture in which the following can be seen: ";

/// Keys in the order in which the plain linearisation speaks of them; others follow by name.
const ORDER: [&str; 14] = [
    "color",
    "size",
    "material",
    "state",
    "pattern",
    "texture",
    "clothing_type",
    "clothing_color",
    "upper_clothing_type",
    "upper_clothing_color",
    "lower_clothing_type",
    "lower_clothing_color",
    "hair_color",
    "action",
];

/// Keys that are not said.
const UNSAID: [&str; 2] = ["confidence", "score"];

/// `Person_1 in front of BusGroup_1_2`, one for each edge, in order.
///
/// # Panics
/// An edge or group of the scene names a node that is not there; no function here builds such one.
#[must_use]
pub fn relation_texts(scene: &SceneGraph, ids: &SemanticIds) -> Vec<String> {
    let text = |e: &crate::scene::Edge| {
        format!(
            "{} {} {}",
            ids.nodes[e.subject], e.predicate, ids.nodes[e.object]
        )
    };
    scene.edges.iter().map(text).collect()
}

/// The prompt with a description for each node, written by a model that saw it: short noun phrases
/// in the order of the nodes. Where there is none, a single object is "a label" and a member of a
/// group is described by its attributes.
///
/// # Panics
/// An edge or group of the scene names a node that is not there; no function here builds such one.
#[must_use]
pub fn described_prompt(
    scene: &SceneGraph,
    descriptions: &[Option<String>],
    style: IdStyle,
) -> String {
    if scene.nodes.is_empty() {
        return EMPTY_SCENE.to_owned();
    }
    let ids = SemanticIds::new(scene, style);
    let given = |node: usize| descriptions.get(node).and_then(Option::as_deref);
    let items: Vec<String> = scene
        .groups
        .iter()
        .zip(&ids.groups)
        .map(|(group, name)| match group.nodes[..] {
            [node] => {
                let text = given(node).map_or_else(|| a_label(&scene.nodes[node]), str::to_owned);
                item(name, &text, style)
            }
            _ => group_item(scene, group, name, &ids, &given, style),
        })
        .collect();
    let mut prompt = format!("{LEAD}{}", joined(&items, " and "));
    let relations = relation_texts(scene, &ids);
    if !relations.is_empty() {
        prompt.push_str(", where ");
        prompt.push_str(&joined(&relations, ", and "));
    }
    prompt.push('.');
    prompt
}

/// The prompt from attributes alone. Members of a group without attributes are not listed; the
/// others keep their number.
///
/// # Panics
/// An edge or group of the scene names a node that is not there; no function here builds such one.
#[must_use]
pub fn plain_prompt(scene: &SceneGraph, style: IdStyle) -> String {
    if scene.nodes.is_empty() {
        return EMPTY_SCENE.to_owned();
    }
    let ids = SemanticIds::new(scene, style);
    let items: Vec<String> = scene
        .groups
        .iter()
        .zip(&ids.groups)
        .map(|(group, name)| plain_item(scene, group, name, style))
        .collect();
    let mut prompt = format!("{LEAD}{}.", items.join(", "));
    let relations = relation_texts(scene, &ids);
    if !relations.is_empty() {
        prompt.push_str(" How they stand to each other: ");
        prompt.push_str(&relations.join("; "));
        prompt.push('.');
    }
    prompt
}

pub(super) fn plural(label: &str) -> String {
    if label.ends_with('s') {
        label.to_owned()
    } else {
        format!("{label}s")
    }
}

fn a_label(node: &Node) -> String {
    format!("a {}", node.label)
}

fn item(name: &str, text: &str, style: IdStyle) -> String {
    match style {
        IdStyle::Semantic => format!("{name} ({text})"),
        IdStyle::Label => text.to_owned(),
    }
}

fn group_item<'a>(
    scene: &SceneGraph,
    group: &Shown,
    name: &str,
    ids: &SemanticIds,
    given: &impl Fn(usize) -> Option<&'a str>,
    style: IdStyle,
) -> String {
    let label = group
        .nodes
        .first()
        .map_or("", |&n| scene.nodes[n].label.as_str());
    let mut lines = vec![format!("{} {}", group.nodes.len(), plural(label))];
    for (at, &node) in group.nodes.iter().enumerate() {
        let own = &scene.nodes[node];
        let text = given(node).map_or_else(|| spelled_out(own), str::to_owned);
        lines.push(match style {
            IdStyle::Semantic => format!("  {}) {label} ({}) {text}", at + 1, ids.nodes[node]),
            IdStyle::Label => format!("  {}) {text}", at + 1),
        });
    }
    match style {
        IdStyle::Semantic => format!("{name} ({})", lines.join("\n")),
        IdStyle::Label => lines.join("\n"),
    }
}

fn spelled_out(node: &Node) -> String {
    let phrases = phrases(&node.attributes);
    if phrases.is_empty() {
        a_label(node)
    } else {
        phrases.join(", ")
    }
}

fn plain_item(scene: &SceneGraph, group: &Shown, name: &str, style: IdStyle) -> String {
    let label = group
        .nodes
        .first()
        .map_or("", |&n| scene.nodes[n].label.as_str());
    let one = |phrases: &[String]| match phrases {
        [] => String::new(),
        some => format!(" {}", some.join(", ")),
    };
    if let [node] = group.nodes[..] {
        let text = one(&phrases(&scene.nodes[node].attributes));
        return match style {
            IdStyle::Semantic => format!("{label} ({name}){text}"),
            IdStyle::Label => format!("{name}{text}"),
        };
    }
    let mut members = Vec::new();
    for (at, &node) in group.nodes.iter().enumerate() {
        let phrases = phrases(&scene.nodes[node].attributes);
        if !phrases.is_empty() {
            members.push(format!("{}){}", at + 1, one(&phrases)));
        }
    }
    let head = match style {
        IdStyle::Semantic => format!("{} {} ({name})", group.nodes.len(), plural(label)),
        IdStyle::Label => format!("{} {name}", group.nodes.len()),
    };
    if members.is_empty() {
        head
    } else {
        format!("{head}: {}", members.join(", "))
    }
}

/// Attribute phrases in the order of speech.
fn phrases(attributes: &Attributes) -> Vec<String> {
    let mut pairs = attributes.sorted();
    pairs.retain(|(key, _)| !UNSAID.contains(key));
    pairs.sort_by_key(|(key, _)| {
        ORDER
            .iter()
            .position(|known| known == key)
            .unwrap_or(ORDER.len())
    });
    pairs
        .into_iter()
        .map(|(key, values)| phrase(key, &crate::facts::join_values(values)))
        .collect()
}

fn phrase(key: &str, value: &str) -> String {
    match key {
        _ if key.contains("color") => format!("in {value}"),
        _ if key.contains("clothing") => format!("wearing {value}"),
        "size" | "state" | "action" => format!("that is {value}"),
        "material" => format!("made of {value}"),
        "pattern" | "texture" => format!("with {value} {key}"),
        _ => format!("with {}: {value}", key.replace('_', " ")),
    }
}

/// A list with commas and "and"; `two` joins exactly two.
fn joined(items: &[String], two: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [one, other] => format!("{one}{two}{other}"),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    }
}
