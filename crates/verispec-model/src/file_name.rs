//! Any text as a file or folder name, on every file system, and back.

use crate::hash::Hash;

/// Longest name that is made, in bytes. Longer ones are shortened and cannot be read back.
const LONGEST: usize = 120;

/// Names that Windows keeps for devices, with and without an extension.
const DEVICES: &[&str] = &[
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// A file or folder name for any text: safe on Linux, macOS and Windows, different for different
/// texts, and readable back by [`text_of`].
///
/// ASCII letters, digits, `.`, `-` and `_` stand for themselves. Every other byte is `=` and two
/// hex digits, and so are a dot at either end, a leading `-` and the first letter of a device
/// name. The empty text is `=e`. Texts whose name would be longer than 120 bytes get a shortened
/// one that ends in `=h` and 12 digits of the text's hash.
///
/// Texts that differ only by case get names that do so too. Where case does not count these are
/// one file, so whoever makes files has to look for that ([`same_file`]).
#[must_use]
pub fn file_name(text: &str) -> String {
    if text.is_empty() {
        return "=e".to_owned();
    }
    let bytes = text.as_bytes();
    let last = bytes.len() - 1;
    let device = is_device(text);
    let mut name = String::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        let at_edge = at == 0 || at == last;
        let plain = match byte {
            b'.' => !at_edge,
            b'-' => at != 0,
            b'_' => true,
            _ => byte.is_ascii_alphanumeric() && !(device && at == 0),
        };
        if plain {
            name.push(char::from(*byte));
        } else {
            name.push_str(&format!("={byte:02x}"));
        }
    }
    if name.len() <= LONGEST {
        return name;
    }
    let kept: String = name.chars().take(LONGEST - 14).collect();
    // An escape that was cut in two would read as something else.
    let whole = match kept.rfind('=') {
        Some(at) if kept.len() - at < 3 => &kept[..at],
        _ => kept.as_str(),
    };
    format!("{whole}=h{}", Hash::of(bytes).short())
}

/// The text that [`file_name`] made this name of; `None` if it made no such name, or shortened it.
#[must_use]
pub fn text_of(name: &str) -> Option<String> {
    if name == "=e" {
        return Some(String::new());
    }
    let mut bytes = vec![];
    let mut rest = name.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        if *byte == b'=' {
            let hex = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(hex, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(*byte);
            rest = after;
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    (file_name(&text) == name).then_some(text)
}

/// Whether Windows would take this name, in any case and with any extension, for a device.
fn is_device(text: &str) -> bool {
    let stem = text.split('.').next().unwrap_or(text).trim_end();
    DEVICES.iter().any(|d| stem.eq_ignore_ascii_case(d))
}

/// Whether two names are one file where case does not count (Windows, macOS).
#[must_use]
pub fn same_file(a: &str, b: &str) -> bool {
    // Names made here are ASCII.
    a.eq_ignore_ascii_case(b)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn e11_odd_names_are_safe_apart_and_reversible() {
        let names = [
            "qwen2.5:7b",
            "qwen2.5_7b",
            "a/b",
            "a=2fb",
            "a\\b",
            "CON",
            "con.txt",
            "nul",
            "x.",
            "x",
            ".x",
            "..",
            " x",
            "x ",
            "bagel",
            "-v",
            "",
            "=e",
            "=",
            "a?b",
            "ü",
            "u\u{308}",
            "lpt1.png",
            "a\u{0}b",
            "a\nb",
        ];
        let made: HashSet<String> = names.iter().map(|n| file_name(n).to_lowercase()).collect();
        assert_eq!(made.len(), names.len(), "two names met");
        for name in names {
            let made = file_name(name);
            assert_eq!(text_of(&made).as_deref(), Some(name), "{made}");
            assert!(is_safe(&made), "{name:?} became {made:?}");
        }
        assert_eq!(
            file_name("specv-M-1.shard-1-of-2"),
            "specv-M-1.shard-1-of-2"
        );
        assert_eq!(file_name("qwen2.5:7b"), "qwen2.5=3a7b");
        assert!(same_file(&file_name("Bagel"), &file_name("bagel")));
        assert!(!same_file(&file_name("Bagel"), &file_name("bagels")));
    }

    fn is_safe(name: &str) -> bool {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '=');
        name.len() <= LONGEST
            && !name.is_empty()
            && name.chars().all(plain)
            && !name.ends_with('.')
            && !name.starts_with(['.', '-'])
            && !is_device(name)
    }

    #[test]
    fn c09_long_names_are_cut_and_stay_apart() {
        let (a, b) = ("ä".repeat(200), "ä".repeat(201));
        let (a, b) = (file_name(&a), file_name(&b));
        assert!(is_safe(&a) && is_safe(&b) && a != b);
        assert_eq!(text_of(&a), None, "a shortened name says nothing false");
    }

    proptest! {
        #[test]
        fn any_text_round_trips(text in "\\PC{0,30}") {
            let name = file_name(&text);
            prop_assert!(is_safe(&name), "{name}");
            if name.len() < LONGEST - 20 {
                prop_assert_eq!(text_of(&name), Some(text));
            }
        }

        #[test]
        fn texts_that_differ_get_names_that_differ(a in "[aAbB.=e1-]{0,8}", b in "[aAbB.=e1-]{0,8}") {
            prop_assert_eq!(file_name(&a) == file_name(&b), a == b);
        }

        #[test]
        fn any_name_on_disk_is_read_without_a_fault(name in "[=a-fA-F0-9xhe.]{0,12}") {
            if let Some(text) = text_of(&name) {
                prop_assert_eq!(file_name(&text), name);
            }
        }
    }
}
