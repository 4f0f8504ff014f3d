//! File names, anchors and addresses made from untrusted names.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Percent-encodes everything but letters, digits and `-._~`. The result is safe in an attribute
/// and means itself in a fragment.
pub(crate) fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(byte as char);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Anchor of an instance; two slashes, so it meets no other anchor of the page.
pub(crate) fn instance(track: &str, id: &str, model: &str) -> String {
    format!("{}/{}/{}", encode(track), encode(id), encode(model))
}

/// Anchor of a track.
pub(crate) fn track(track: &str) -> String {
    format!("track/{}", encode(track))
}

/// Gives out file names: safe on every file system, distinct also where case does not count.
#[derive(Debug, Default)]
pub(crate) struct FileNames(BTreeSet<String>);

impl FileNames {
    /// Names that begin with these as taken.
    pub(crate) fn reserving(taken: &[&str]) -> Self {
        Self(taken.iter().map(|n| n.to_lowercase()).collect())
    }

    /// A name `STEM.html` for a page, numbered if the plain one is taken.
    pub(crate) fn page(&mut self, stem: &str) -> String {
        let safe: String = stem
            .chars()
            .map(|c| match c {
                c if c.is_ascii_alphanumeric() || c == '-' || c == '_' => c,
                '.' => '.',
                _ => '_',
            })
            .take(100)
            .collect();
        let safe = safe.trim_matches('.');
        let mut name = format!("{safe}.html");
        let mut n = 2;
        while !self.0.insert(name.to_lowercase()) {
            name = format!("{safe}-{n}.html");
            n += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_the_folder_and_apart() {
        let mut names = FileNames::reserving(&["index.html"]);
        assert_eq!(names.page("bagel-t2i"), "bagel-t2i.html");
        assert_eq!(names.page("Bagel-t2i"), "Bagel-t2i-2.html");
        assert_eq!(names.page("index"), "index-2.html");
        assert_eq!(names.page("../../etc/x"), "_.._etc_x.html");
        assert_eq!(names.page("模型"), "__.html");
    }

    #[test]
    fn anchors_hold_no_markup() {
        assert_eq!(instance("t 2", "a/b\"", "<m>"), "t%202/a%2Fb%22/%3Cm%3E");
        assert_eq!(encode("é"), "%C3%A9");
    }
}
