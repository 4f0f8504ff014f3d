//! Images inside replies. Their bytes are taken out of a response before it is stored, so that a
//! ledger holds text and the images are files of their own.
//!
//! ```text
//! response ──take_out──> the same with `verispec-blob:image/png:70:HASH` in place of base64
//! that ──decode──> Reply { parts: [Text, Image { hash, mime, bytes }] }
//! ```
//!
//! A decoder looks at references alone: base64 that was left in a response is no image to it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use verispec_model::{Hash, ReplyPart};

/// What a reference starts with.
const SCHEME: &str = "verispec-blob";

/// Fields whose text is base64 of a file.
const FIELDS: [&str; 2] = ["b64_json", "data"];

/// Base64 shorter than this, in characters, is no image of any format.
const SHORTEST: usize = 32;

/// Longest start of a data URI before its base64, in bytes.
const LONGEST_HEAD: usize = 128;

/// Base64 with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What stands in a stored response in place of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReference {
    /// Hash of its bytes.
    pub hash: Hash,
    /// Media type by content.
    pub mime: String,
    /// Size in bytes.
    pub bytes: u64,
}

impl fmt::Display for FileReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}:{}:{}:{}", self.mime, self.bytes, self.hash)
    }
}

impl FileReference {
    /// The reference that a text is, if it is one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut fields = text.strip_prefix(SCHEME)?.strip_prefix(':')?.split(':');
        let (mime, bytes, hash) = (fields.next()?, fields.next()?, fields.next()?);
        let plain = |c: char| c.is_ascii_alphanumeric() || "/+-.".contains(c);
        if fields.next().is_some() || !mime.chars().all(plain) {
            return None;
        }
        Some(Self {
            hash: hash.parse().ok()?,
            mime: mime.to_owned(),
            bytes: bytes.parse().ok()?,
        })
    }

    fn part(self) -> ReplyPart {
        let Self { hash, mime, bytes } = self;
        ReplyPart::Image { hash, mime, bytes }
    }
}

/// Replaces every file that a JSON response (or a stream of them) holds as base64 by a reference
/// that `keep` gives for its bytes: data URIs, and the fields `b64_json` and `data`. `None` if it
/// holds none.
///
/// # Errors
/// Those of `keep`.
pub fn take_out<E>(
    body: &[u8],
    keep: &mut dyn FnMut(Vec<u8>) -> Result<FileReference, E>,
) -> Result<Option<Vec<u8>>, E> {
    let mut out: Vec<u8> = vec![];
    let (mut copied, mut at) = (0, 0);
    while let Some(open) = next(body, at, b'"') {
        let start = open + 1;
        let Some(end) = next(body, start, b'"') else {
            break;
        };
        at = end;
        let Some(place) = base64_in(body, start..end) else {
            // The end of this text may be the start of the next.
            continue;
        };
        let Some(bytes) = decoded(&body[place]) else {
            continue;
        };
        let reference = keep(bytes)?;
        out.extend_from_slice(&body[copied..start]);
        out.extend_from_slice(reference.to_string().as_bytes());
        copied = end;
        at = end + 1;
    }
    if copied == 0 {
        return Ok(None);
    }
    out.extend_from_slice(&body[copied..]);
    Ok(Some(out))
}

/// The file that a part of a JSON text holds. Escapes are read as JSON has them, for some writers
/// escape slashes, signs or the line breaks of MIME.
fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    let plain = if text.contains(&b'\\') {
        let quoted = [b"\"", text, b"\""].concat();
        let text: String = serde_json::from_slice(&quoted).ok()?;
        let mut plain = text.into_bytes();
        plain.retain(|b| !matches!(b, b'\r' | b'\n'));
        Cow::Owned(plain)
    } else {
        Cow::Borrowed(text)
    };
    BASE64.decode(plain).ok()
}

fn next(body: &[u8], from: usize, byte: u8) -> Option<usize> {
    let rest = body.get(from..)?;
    Some(from + rest.iter().position(|b| *b == byte)?)
}

/// Where in a text the base64 of a file stands.
fn base64_in(body: &[u8], text: Range<usize>) -> Option<Range<usize>> {
    let (start, end) = (text.start, text.end);
    let content = &body[text];
    let place = if content.starts_with(b"data:") {
        let head = &content[..content.len().min(LONGEST_HEAD)];
        let mark = b";base64,";
        let at = head.windows(mark.len()).position(|w| w == mark)?;
        start + at + mark.len()..end
    } else if FIELDS.iter().any(|f| is_field(body, start - 1, f)) {
        start..end
    } else {
        return None;
    };
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"+/=\\".contains(b);
    (place.len() >= SHORTEST && body[place.clone()].iter().all(plain)).then_some(place)
}

/// Whether the text that opens at `quote` is the value of a field.
fn is_field(body: &[u8], quote: usize, name: &str) -> bool {
    let before = body[..quote].trim_ascii_end();
    let Some(before) = before.strip_suffix(b":") else {
        return false;
    };
    let before = before.trim_ascii_end();
    before.ends_with(format!("\"{name}\"").as_bytes())
}

/// Texts and images of a reply in order.
#[derive(Debug, Default)]
pub(crate) struct Pieces(Vec<ReplyPart>);

impl Pieces {
    /// Adds a text; pieces of one text run together.
    pub(crate) fn text(&mut self, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(ReplyPart::Text(last)) => last.push_str(text),
            _ => self.0.push(ReplyPart::Text(text.to_owned())),
        }
    }

    /// Adds an image, if this is a reference to one.
    pub(crate) fn file(&mut self, text: &str) {
        self.0
            .extend(FileReference::parse(text).map(FileReference::part));
    }

    /// All of them, if there is an image among them.
    pub(crate) fn finish(self) -> Vec<ReplyPart> {
        let image = |part: &ReplyPart| matches!(part, ReplyPart::Image { .. });
        if self.0.iter().any(image) {
            self.0
        } else {
            vec![]
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn reference(bytes: &[u8]) -> FileReference {
        FileReference {
            hash: Hash::of(bytes),
            mime: "image/png".into(),
            bytes: bytes.len() as u64,
        }
    }

    fn taken(body: &[u8]) -> (Option<String>, Vec<Vec<u8>>) {
        let mut found = vec![];
        let out = take_out(body, &mut |bytes| {
            let reference = reference(&bytes);
            found.push(bytes);
            Ok::<_, Infallible>(reference)
        });
        let Ok(out) = out;
        (out.map(|o| String::from_utf8(o).unwrap()), found)
    }

    #[test]
    fn files_are_found_where_dialects_put_them_and_nowhere_else() {
        let file: Vec<u8> = (0..60).collect();
        let text = BASE64.encode(&file);
        let uri = format!("data:image/png;base64,{text}");
        let body = json!({
            "data": [{"b64_json": text, "revised_prompt": "a \"quoted\" cup"}],
            "choices": [{"message": {"content": text, "images": [{"image_url": {"url": uri}}]}}],
            "parts": [{"inlineData": {"mimeType": "image/png", "data": text}}],
        });
        let (out, found) = taken(body.to_string().as_bytes());
        assert_eq!(found, vec![file.clone(); 3]);
        let out: serde_json::Value = serde_json::from_str(&out.unwrap()).unwrap();
        let named = reference(&file).to_string();
        assert_eq!(out["data"][0]["b64_json"], named);
        assert_eq!(out["parts"][0]["inlineData"]["data"], named);
        let image = &out["choices"][0]["message"]["images"][0]["image_url"]["url"];
        assert_eq!(image, &named);
        assert_eq!(
            out["choices"][0]["message"]["content"], text,
            "a text that looks like it"
        );
        assert_eq!(out["data"][0]["revised_prompt"], "a \"quoted\" cup");
        assert_eq!(taken(b"{\"data\": \"short\"}").0, None);
    }

    #[test]
    fn slashes_may_be_escaped_and_padding_may_be_missing() {
        let file = vec![0xFF_u8; 50];
        let text = BASE64.encode(&file).replace('/', "\\/");
        let text = text.trim_end_matches('=');
        let (_, found) = taken(format!("{{\"data\" : \"{text}\"}}").as_bytes());
        assert_eq!(found, [file]);
    }

    /// Dropping the backslash alone would read the rest of an escape as base64 and give other bytes.
    #[test]
    fn every_escape_of_json_is_read_as_json_reads_it() {
        let file: Vec<u8> = (0..=255).cycle().take(600).collect();
        let text = BASE64.encode(&file);
        let lines: Vec<&str> = (0..text.len())
            .step_by(76)
            .map(|at| &text[at..text.len().min(at + 76)])
            .collect();
        let signs = text
            .replace('+', "\\u002B")
            .replace('/', "\\u002f")
            .replace('=', "\\u003d");
        for text in [lines.join("\\n"), lines.join("\\r\\n"), signs] {
            assert_ne!(text.find('\\'), None);
            let (_, found) = taken(format!("{{\"b64_json\": \"{text}\"}}").as_bytes());
            assert_eq!(found, std::slice::from_ref(&file));
            let uri = format!("{{\"url\": \"data:image\\/png;base64,{text}\"}}");
            assert_eq!(taken(uri.as_bytes()).1, std::slice::from_ref(&file));
        }
        let path = format!("{{\"data\": \"C:\\\\{}\"}}", "folder".repeat(8));
        assert_eq!(taken(path.as_bytes()).0, None, "a path is no file");
    }

    #[test]
    fn references_round_trip_and_nothing_else_is_one() {
        let one = reference(b"x");
        assert_eq!(FileReference::parse(&one.to_string()), Some(one.clone()));
        for bad in ["verispec-blob:", "verispec-blob:a b:1:x", "data:x", ""] {
            assert_eq!(FileReference::parse(bad), None, "{bad:?}");
        }
        assert_eq!(FileReference::parse(&format!("{one}:more")), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            taken(&body);
        }

        #[test]
        fn any_json_text_keeps_its_meaning(text in "\\PC{0,80}") {
            let body = json!({"data": text, "b64_json": [text]}).to_string();
            if let (Some(out), _) = taken(body.as_bytes()) {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok());
            }
        }
    }
}
