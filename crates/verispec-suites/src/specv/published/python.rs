//! The few rules of Python text handling that decide which bytes the released scripts send.

use std::borrow::Cow;

/// Code points of the digit zero in every decimal digit system of Unicode 14, the version that
/// Python 3.11 ships; the nine code points after each are the digits 1 to 9. Python's `\d` and
/// `int()` accept all of them.
const ZEROS: [u32; 66] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66,
    0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// Value of a decimal digit of any script, 0-9, as Python's `\d` sees it.
pub(super) fn digit(c: char) -> Option<u64> {
    let code = u32::from(c);
    let zero = ZEROS[..ZEROS.partition_point(|z| *z <= code)].last()?;
    let value = code - zero;
    (value < 10).then_some(u64::from(value))
}

/// `str.strip()`: Unicode white space and the four separators U+001C to U+001F.
pub(super) fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

/// What reading a file in text mode gives: CR LF and a lone CR become LF. A checkout made on
/// Windows sends the same request as any other.
pub(super) fn universal_newlines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_and_nothing_else() {
        assert!(ZEROS.is_sorted());
        let values: Vec<_> = "07٣９𝟚".chars().map(digit).collect();
        assert_eq!(values, [Some(0), Some(7), Some(3), Some(9), Some(2)]);
        for c in ['a', '/', ':', '²', '½', 'Ⅳ', '一', '\u{66a}'] {
            assert_eq!(digit(c), None, "{c}");
        }
        // Python 3.11: sum(1 for c in range(0x110000) if unicodedata.category(chr(c)) == "Nd")
        assert_eq!(
            ('\0'..=char::MAX).filter(|c| digit(*c).is_some()).count(),
            660
        );
    }

    #[test]
    fn strip_takes_what_python_takes() {
        assert_eq!(strip("\u{1c}\u{a0}\u{3000}\n[ ]\t\u{85}\u{1f}"), "[ ]");
        assert_eq!(strip("\u{feff}[]\u{200b}"), "\u{feff}[]\u{200b}");
    }

    #[test]
    fn line_ends_become_lf() {
        assert_eq!(universal_newlines("a\r\nb\rc\n\r\n"), "a\nb\nc\n\n");
        assert!(matches!(universal_newlines("a\n"), Cow::Borrowed(_)));
    }
}
