//! Addresses made from untrusted names.

use std::fmt::Write as _;

/// Percent-encodes everything but letters, digits and `-._~`. The result is safe in an attribute
/// and means itself in an address.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_hold_no_markup() {
        assert_eq!(encode("a/b\"<m>"), "a%2Fb%22%3Cm%3E");
        assert_eq!(encode("é"), "%C3%A9");
    }
}
