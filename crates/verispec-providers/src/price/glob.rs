//! Patterns of model names: `*` stands for any run of characters.

/// Whether `pattern` covers `name`.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else {
        return rest.is_empty();
    };
    for piece in pieces {
        let Some(at) = rest.find(piece) else {
            return false;
        };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name, expected) in [
            ("gpt-4.1*", "gpt-4.1", true),
            ("gpt-4.1*", "gpt-4.1-mini", true),
            ("gpt-4.1", "gpt-4.1-mini", false),
            ("*", "", true),
            ("*-vl-*", "qwen3-vl-plus", true),
            ("*-vl-*", "qwen3-plus", false),
            ("a*a", "a", false),
            ("a*b*a", "aba", true),
            ("", "", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
