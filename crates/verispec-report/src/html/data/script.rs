//! Data as scripts: a folder's data files, and compressed blocks inside a single page.

use std::io::Write as _;

use base64::Engine as _;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use crate::error::ReportError;

/// JSON that can stand inside a script element and inside a script file: no `<`, `>` or `&`, so
/// that no tag or comment can begin or end in it, and no line separators of older JavaScript.
pub(crate) fn safe_json<T: Serialize>(value: &T) -> Result<String, ReportError> {
    let json = serde_json::to_string(value).map_err(|source| ReportError::Data { source })?;
    // These characters occur in JSON only inside strings, where the escape means the same.
    if !json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']) {
        return Ok(json);
    }
    let mut out = String::with_capacity(json.len() + json.len() / 16);
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    Ok(out)
}

/// A named piece of data, ready for a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Pack {
    /// Name, `tasks`, `verdicts` or `instances-001`.
    pub name: String,
    /// Content: safe JSON, or base64 of deflated JSON.
    pub body: String,
}

impl Pack {
    /// A script file that hands its data to the page.
    pub(crate) fn script(name: &str, json: &str) -> Self {
        Self {
            name: name.to_owned(),
            body: format!("verispec.take(\"{name}\",{json});\n"),
        }
    }

    /// Compressed, for a block inside the page; browsers unpack it (`DecompressionStream`).
    pub(crate) fn deflated(name: &str, json: &str) -> Result<Self, ReportError> {
        let io = |source| ReportError::Pack {
            name: name.to_owned(),
            source,
        };
        let mut encoder = DeflateEncoder::new(vec![], Compression::new(9));
        encoder.write_all(json.as_bytes()).map_err(io)?;
        let bytes = encoder.finish().map_err(io)?;
        Ok(Self {
            name: name.to_owned(),
            body: base64::engine::general_purpose::STANDARD.encode(bytes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn data_reads_back_and_holds_no_markup(text in "\\PC*") {
            let json = safe_json(&text).unwrap();
            let escaped = !json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']);
            proptest::prop_assert!(escaped);
            let back: String = serde_json::from_str(&json).unwrap();
            proptest::prop_assert_eq!(back, text);
        }
    }

    #[test]
    fn closing_tags_and_separators_are_escaped() {
        let json = safe_json(&"</script><!--\u{2028}&").unwrap();
        assert_eq!(json, r#""\u003c/script\u003e\u003c!--\u2028\u0026""#);
    }
}
