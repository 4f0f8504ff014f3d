//! What a file that belongs to no instance was probably meant to be.

use std::collections::BTreeSet;
use std::path::PathBuf;

use unicode_normalization::UnicodeNormalization as _;

use super::super::layout::IMAGE_EXTENSIONS;
use super::super::published::PublishedTrack;
use super::Unmatched;
use crate::nearest::near;

/// Ids of a track in composed form, and those among them that have a file or folder.
pub(super) struct Ids {
    pub(super) all: BTreeSet<String>,
    pub(super) taken: BTreeSet<String>,
}

/// Says what is wrong with an entry that no instance took.
pub(super) fn unmatched(
    kind: Option<PublishedTrack>,
    name: &str,
    path: PathBuf,
    ids: &Ids,
) -> Unmatched {
    let is_folder = path.is_dir();
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !is_folder => (stem, extension),
        _ => (name, ""),
    };
    let all = || ids.all.iter().map(String::as_str);
    let meant = meant(stem, &ids.all);
    let nearest = meant
        .or_else(|| near(stem, all()))
        .or_else(|| near(&plain(stem), all()));
    let why = match meant {
        Some(id) if ids.taken.contains(id) => "a second output of this instance".to_owned(),
        Some(id) if id == stem && is_image(&extension.to_lowercase()) && images(kind) => {
            let lower = extension.to_lowercase();
            format!("extension {extension:?} is not found by the released layout; write {lower:?}")
        }
        Some(id) => format!("expected {}", expected(kind, id, extension)),
        None => "belongs to no instance of this track".to_owned(),
    };
    Unmatched {
        path,
        why,
        nearest: nearest.map(str::to_owned),
    }
}

/// The id that a name is, but for upper case and for what programs append to the name of a copy.
fn meant<'a>(stem: &str, ids: &'a BTreeSet<String>) -> Option<&'a str> {
    let forms = [stem.to_lowercase(), plain(stem)];
    let is = |id: &&String| forms.contains(&id.nfc().collect::<String>().to_lowercase());
    let exact = ids.get(stem);
    exact.or_else(|| ids.iter().find(is)).map(String::as_str)
}

/// A name in lower case without a copy's `_0`, `-1` or ` (1)`.
fn plain(stem: &str) -> String {
    let lower = stem.to_lowercase();
    let copy = lower.trim_end_matches(')');
    let bare = copy.trim_end_matches(|c: char| c.is_ascii_digit());
    let cut = if bare.len() == copy.len() {
        None
    } else if copy.len() < lower.len() {
        bare.strip_suffix('(').map(str::trim_end)
    } else {
        bare.strip_suffix(['_', '-'])
    };
    cut.filter(|rest| !rest.is_empty())
        .map_or_else(|| lower.clone(), str::to_owned)
}

/// Where the layout wants an output of this instance; an image keeps its kind.
fn expected(kind: Option<PublishedTrack>, id: &str, extension: &str) -> String {
    let lower = extension.to_lowercase();
    match kind {
        Some(PublishedTrack::Understanding) => format!("{id}.json"),
        Some(PublishedTrack::Interleave | PublishedTrack::ThinkWithImg) => {
            format!("{id}/response.json")
        }
        _ if is_image(&lower) => format!("{id}.{lower}"),
        _ => format!("{id}.png or another image"),
    }
}

const fn images(kind: Option<PublishedTrack>) -> bool {
    matches!(
        kind,
        Some(PublishedTrack::T2i | PublishedTrack::Edit | PublishedTrack::Many2one)
    )
}

fn is_image(extension: &str) -> bool {
    IMAGE_EXTENSIONS.contains(&extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(kind: PublishedTrack, name: &str, taken: &[&str]) -> (String, Option<String>) {
        let set = |ids: &[&str]| ids.iter().map(|i| (*i).to_owned()).collect();
        let ids = Ids {
            all: set(&["charxiv_001", "charxiv_002", "attr_010"]),
            taken: set(taken),
        };
        let told = unmatched(Some(kind), name, PathBuf::from(name), &ids);
        (told.why, told.nearest)
    }

    #[test]
    fn slips_of_naming_are_recognised() {
        use PublishedTrack::{Edit, Interleave, Understanding};
        for (kind, name, why) in [
            (
                Understanding,
                "charxiv_001.txt",
                "expected charxiv_001.json",
            ),
            (
                Understanding,
                "CHARXIV_001.json",
                "expected charxiv_001.json",
            ),
            (Edit, "charxiv_001_0.png", "expected charxiv_001.png"),
            (Edit, "charxiv_001 (1).png", "expected charxiv_001.png"),
            (Edit, "charxiv_001-1.PNG", "expected charxiv_001.png"),
            (
                Edit,
                "charxiv_001.tiff",
                "expected charxiv_001.png or another",
            ),
            (Edit, "charxiv_001.JPG", "write \"jpg\""),
            (
                Interleave,
                "charxiv_001.json",
                "expected charxiv_001/response.json",
            ),
        ] {
            let (message, nearest) = told(kind, name, &[]);
            assert!(message.contains(why), "{name}: {message}");
            assert_eq!(nearest.as_deref(), Some("charxiv_001"), "{name}");
        }
    }

    #[test]
    fn a_second_output_needs_a_first() {
        let (why, _) = told(PublishedTrack::Edit, "charxiv_001.jpg", &["charxiv_001"]);
        assert_eq!(why, "a second output of this instance");
        let (why, _) = told(
            PublishedTrack::Edit,
            "charxiv_001 (1).png",
            &["charxiv_001"],
        );
        assert_eq!(why, "a second output of this instance");
    }

    #[test]
    fn names_far_from_all_ids_have_no_nearest() {
        for name in [
            "readme.txt",
            "Thumbs.db",
            "1.png",
            "(1).png",
            "_0.png",
            "é).png",
        ] {
            assert_eq!(told(PublishedTrack::Edit, name, &[]).1, None, "{name}");
        }
        let near = told(PublishedTrack::Edit, "atr_010.png", &[]);
        assert_eq!(near.1.as_deref(), Some("attr_010"));
    }
}
