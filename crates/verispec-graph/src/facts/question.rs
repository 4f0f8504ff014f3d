//! The questions, in our words.

use super::describe::{attribute_list, describe, readable_key};
use crate::scene::Node;

/// Version of the wording. It is part of the protocol: results of two versions are not compared.
pub const WORDING: &str = "xtc-questions-1";

/// What a relation is about, so that the question fits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Where the subject is.
    Spatial,
    /// How it is posed.
    Posture,
    /// How it moves.
    Locomotion,
    /// What it does to the object.
    Interaction,
    /// How it engages with the object.
    Social,
    /// Anything else.
    Other,
}

/// Family of a cleaned predicate.
#[must_use]
pub fn family(predicate: &str) -> Family {
    match predicate {
        "over" | "in front of" | "beside" | "on" | "in" | "attached to" | "hanging from"
        | "painted on" | "parked on" | "enclosing" | "leaning on" => Family::Spatial,
        "standing on" | "sitting on" | "wearing" => Family::Posture,
        "falling off" | "going down" | "walking on" | "running on" | "crossing" | "flying over"
        | "jumping over" | "jumping from" | "chasing" | "climbing" | "riding" | "driving on"
        | "entering" | "exiting" => Family::Locomotion,
        "holding" | "carrying" | "guiding" | "eating" | "drinking" | "catching" | "picking"
        | "cleaning" | "touching" | "pushing" | "pulling" | "opening" | "cooking" | "throwing"
        | "slicing" | "driving" | "kicking" | "swinging" => Family::Interaction,
        "looking at" | "kissing" | "feeding" | "biting" | "playing with" | "playing"
        | "talking to" | "about to hit" => Family::Social,
        _ => Family::Other,
    }
}

pub(super) fn attribute(node: &Node, keys: &[String], asked: &str) -> String {
    let object = describe(node, keys);
    let asked = readable_key(asked);
    format!("Find {object} in the image and name its {asked}.")
}

pub(super) fn object(node: &Node, keys: &[String]) -> String {
    let list = attribute_list(node, keys);
    format!(
        "Exactly one object in the image has these properties: {list}. What kind of object is it?"
    )
}

/// The predicate decides the wording; it must be the alphabetically first cleaned one.
pub(super) fn relation(subject: &str, object: &str, predicate: &str) -> String {
    match family(predicate) {
        Family::Spatial => format!("Where is {subject} as seen from {object}?"),
        Family::Posture => format!("Which pose does {subject} take with respect to {object}?"),
        Family::Locomotion => format!("In which way does {subject} move with respect to {object}?"),
        Family::Interaction => format!("Which action does {subject} perform on {object}?"),
        Family::Social => format!("In which way does {subject} engage with {object}?"),
        Family::Other => format!("How does {subject} relate to {object}?"),
    }
}
