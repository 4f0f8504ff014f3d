//! How attributes are put into words.

use super::join_values;
use crate::scene::Node;
use crate::vocabulary::clean_label;

/// Keys whose value stands before the noun: "red", "open", "cloudy".
const ADJECTIVES: [&str; 18] = [
    "primary_color",
    "color",
    "light_color_state",
    "wet_dry_state",
    "open_closed_state",
    "screen_on_off",
    "door_open_closed",
    "weather_type",
    "shape",
    "size",
    "age",
    "sex",
    "gender",
    "emotion",
    "brand",
    "sport",
    "condition",
    "state",
];

/// A key as people say it: `window_count` is the number of windows.
#[must_use]
pub fn readable_key(key: &str) -> String {
    let known = match key {
        "primary_color" | "light_color_state" => "color",
        "wet_dry_state" => "condition",
        "open_closed_state" | "door_open_closed" | "screen_on_off" => "state",
        "text_on_sign" => "text",
        "text_visible" | "text_number_visible" => "visible text",
        "brand_text_visible" => "brand",
        "window_count" => "number of windows",
        "drawer_count" => "number of drawers",
        "viewpoint_angle" => "viewpoint",
        "body_position" | "mounted_position" => "position",
        _ => return key.replace('_', " "),
    };
    known.to_owned()
}

/// "the red bus that says 42": the label as people say it with the attributes of `keys`.
#[must_use]
pub fn describe(node: &Node, keys: &[String]) -> String {
    let (before, after): (Vec<_>, Vec<_>) = shown(node, keys)
        .into_iter()
        .partition(|(key, _)| ADJECTIVES.contains(key));
    let mut words = vec!["the".to_owned()];
    words.extend(before.into_iter().map(|(_, value)| value));
    words.push(clean_label(&node.label));
    words.extend(after.iter().map(|(key, value)| phrase(key, value)));
    words.join(" ")
}

/// "color red; held object type umbrella": attributes alone, for a question that hides the label.
pub(super) fn attribute_list(node: &Node, keys: &[String]) -> String {
    let one = |(key, value): (&str, String)| format!("{} {value}", readable_key(key));
    shown(node, keys)
        .into_iter()
        .map(one)
        .collect::<Vec<_>>()
        .join("; ")
}

/// Keys that the node has, by name, with their values in words.
fn shown<'a>(node: &Node, keys: &'a [String]) -> Vec<(&'a str, String)> {
    let mut sorted: Vec<&str> = keys.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    let with = |key: &'a str| Some((key, join_values(node.attributes.get(key)?)));
    sorted.into_iter().filter_map(with).collect()
}

/// What stands after the noun.
fn phrase(key: &str, value: &str) -> String {
    if let Some(garment) = key
        .strip_suffix("_color")
        .filter(|g| g.contains("clothing"))
    {
        return format!("wearing {value} {}", garment.replace('_', " "));
    }
    match key {
        "headwear_eyewear" => format!("wearing {value}"),
        _ if key.contains("clothing") => format!("wearing {value}"),
        "held_object_type" => format!("holding {value}"),
        "body_position" | "mounted_position" => format!("in {value} position"),
        "viewpoint_angle" => format!("seen from the {value}"),
        _ if key.contains("text") => format!("that says \"{value}\""),
        "content_visible" => format!("containing {value}"),
        "topping_type" => format!("topped with {value}"),
        "container_type" => format!("in a {value}"),
        "surface_material" => format!("made of {value}"),
        _ => match key.strip_suffix("_count") {
            Some(thing) if value == "1" => format!("with 1 {}", thing.replace('_', " ")),
            Some(thing) => format!("with {value} {}s", thing.replace('_', " ")),
            None => format!("with {} {value}", readable_key(key)),
        },
    }
}
