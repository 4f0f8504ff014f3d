//! Which files of a repository are wanted.

/// Patterns over paths; a path is wanted if any pattern fits, and all are if there is none.
///
/// `*` stands for any characters but `/`, `**` for any characters, `?` for one character but `/`;
/// a pattern that ends with `/` means everything below. Nothing else is special.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    patterns: Vec<String>,
    extensions: Vec<String>,
}

impl Selection {
    /// Files that fit one of these patterns.
    #[must_use]
    pub fn globs(patterns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let whole = |pattern: String| match pattern.strip_suffix('/') {
            Some(folder) => format!("{folder}/**"),
            None => pattern,
        };
        Self {
            patterns: patterns.into_iter().map(|p| whole(p.into())).collect(),
            extensions: vec![],
        }
    }

    /// Of those, only files with one of these endings (lower case, without dot; the case of the
    /// file's own does not matter).
    #[must_use]
    pub fn with_extensions(mut self, extensions: &[&str]) -> Self {
        self.extensions = extensions.iter().map(|&e| e.to_owned()).collect();
        self
    }

    /// Whether a path is wanted.
    #[must_use]
    pub fn wants(&self, path: &str) -> bool {
        let extension = path.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
        let fits = self.patterns.is_empty()
            || self
                .patterns
                .iter()
                .any(|p| glob(p.as_bytes(), path.as_bytes()));
        fits && (self.extensions.is_empty()
            || extension.is_some_and(|e| self.extensions.contains(&e)))
    }
}

/// Whether a pattern fits a whole path. Row by row over the pattern, so the work is bounded by
/// the product of both lengths.
fn glob(pattern: &[u8], path: &[u8]) -> bool {
    // reach[i]: the pattern so far fits the first i bytes of the path.
    let mut reach = vec![false; path.len() + 1];
    reach[0] = true;
    let mut at = 0;
    while at < pattern.len() {
        let any = pattern[at..].starts_with(b"**");
        let star = pattern[at] == b'*';
        let mut next = vec![false; path.len() + 1];
        next[0] = star && reach[0];
        for i in 0..path.len() {
            let fits = match pattern[at] {
                b'*' => next[i] && (any || path[i] != b'/'),
                b'?' => reach[i] && path[i] != b'/',
                byte => reach[i] && path[i] == byte,
            };
            next[i + 1] = fits || (star && reach[i + 1]);
        }
        reach = next;
        at += if any { 2 } else { 1 };
    }
    reach[path.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_whole_paths() {
        for (pattern, path, expected) in [
            ("a/*.png", "a/x.png", true),
            ("a/*.png", "a/b/x.png", false),
            ("a/**.png", "a/b/x.png", true),
            ("a/**", "a/b/c", true),
            ("a/", "a/b/c", true),
            ("a/", "ab/c", false),
            ("**/x.json", "a/b/x.json", true),
            ("*.json", "x.json", true),
            ("*.json", "a/x.json", false),
            ("x?", "xy", true),
            ("x?", "x/", false),
            ("x", "xy", false),
            ("[x]", "[x]", true),
            ("*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
            ("", "", true),
        ] {
            assert_eq!(
                Selection::globs([pattern]).wants(path),
                expected,
                "{pattern} {path}"
            );
        }
    }

    #[test]
    fn endings_narrow_and_no_pattern_means_all() {
        let images = Selection::globs(["eval_data/t2i/"]).with_extensions(&["png", "jpg"]);
        assert!(images.wants("eval_data/t2i/a/X.PNG"));
        assert!(!images.wants("eval_data/t2i/attribute.jsonl"));
        assert!(!images.wants("eval_data/edit/x.png"));
        assert!(!images.wants("eval_data/t2i/png"));
        assert!(Selection::default().wants("anything"));
    }
}
