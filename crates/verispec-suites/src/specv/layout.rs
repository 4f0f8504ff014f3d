//! Names and orders that SpecV's released scripts fix.

use std::path::{Component, Path, PathBuf};

/// Tracks in the order of the main board's columns.
pub const TRACKS: [&str; 6] = [
    "understanding",
    "t2i",
    "edit",
    "many2one",
    "interleave",
    "think_with_img",
];

/// Extensions of image outputs in the order in which the released runner looks for them; lower
/// case only.
pub const IMAGE_EXTENSIONS: [&str; 6] = ["png", "jpg", "jpeg", "webp", "gif", "bmp"];

/// Dimensions of a track in the order in which the released scoring script sums them; empty for
/// a track that it does not know.
#[must_use]
pub fn published_dimensions(track: &str) -> &'static [&'static str] {
    match track {
        "t2i" => &[
            "composition",
            "structure",
            "style",
            "text_rendering",
            "world_knowledge_and_reasoning",
        ],
        "edit" => &[
            "attribute",
            "background_and_scene",
            "local_obj",
            "reasoning_driven",
            "spatial_and_layout",
            "text_centric",
        ],
        "many2one" => &[
            "cross_domain",
            "element_replacement",
            "three_elements_integration",
            "multi_subject_composition",
        ],
        "interleave" => &[
            "interleaved_completion",
            "structured_tutorial",
            "real_world_assistant",
            "reasoning_interleaved",
        ],
        "think_with_img" => &["math", "physics", "maze", "jigsaw"],
        "understanding" => &["charxiv", "countbench", "hallusionbench", "mmbench", "mmmu"],
        _ => &[],
    }
}

/// Sorts names into a fixed order, unknown ones after, by code point.
pub(crate) fn sort_by_order(names: &mut [String], order: &[&str]) {
    let place = |name: &str| order.iter().position(|o| *o == name).unwrap_or(order.len());
    names.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.cmp(b)));
}

/// Sorts ids as the released scripts sort the files that carry them (`ID.json` by code point).
pub(crate) fn file_order(a: &str, b: &str) -> std::cmp::Ordering {
    a.bytes().chain(*b".json").cmp(b.bytes().chain(*b".json"))
}

/// A path found in data, if it is relative and stays below the folder it is relative to.
pub(crate) fn inner_path(text: &str) -> Option<PathBuf> {
    let drive = text.as_bytes().get(1) == Some(&b':');
    if text.is_empty() || text.contains(['\\', '\0']) || drive {
        return None;
    }
    let mut path = PathBuf::new();
    for part in Path::new(text).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (path != Path::new("")).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders() {
        let mut dims = ["zoo", "structure", "abc", "composition"].map(str::to_owned);
        sort_by_order(&mut dims, published_dimensions("t2i"));
        assert_eq!(dims, ["composition", "structure", "abc", "zoo"]);
        let mut ids = ["a", "a-1", "a_1", "B"];
        ids.sort_by(|a, b| file_order(a, b));
        assert_eq!(ids, ["B", "a-1", "a", "a_1"]);
    }

    #[test]
    fn paths_stay_inside() {
        for bad in [
            "",
            ".",
            "../x.png",
            "/etc/passwd",
            "a/../../b",
            "C:/x",
            "a\\b",
            "a\0",
        ] {
            assert_eq!(inner_path(bad), None, "{bad:?}");
        }
        assert_eq!(
            inner_path("./images/a.png"),
            Some(PathBuf::from("images/a.png"))
        );
    }
}
