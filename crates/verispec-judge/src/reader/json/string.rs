//! Strings and their escapes.

use super::{Fault, Parsed, Parser, Place, bare_key};

impl Parser<'_> {
    pub(super) fn string(&mut self, place: Place) -> Parsed<String> {
        let open = self.peek_char().ok_or(Fault::Cut)?;
        self.pos += open.len_utf8();
        let mut edited = open != '"';
        let closes = |c: char| match open {
            '“' | '”' => matches!(c, '“' | '”'),
            _ => c == open,
        };
        let mut out = String::new();
        while let Some(c) = self.peek_char() {
            self.pos += c.len_utf8();
            if closes(c) {
                if place != Place::Free || open != '"' || self.structure_follows() {
                    self.edited |= edited;
                    let swallowed = edited && holds_member(&out);
                    return if swallowed {
                        Err(Fault::Broken)
                    } else {
                        Ok(out)
                    };
                }
                // The end of a key: the string began where it should not, or never ended.
                if self.text[self.pos..].trim_start().starts_with(':') {
                    return Err(Fault::Broken);
                }
                edited = true;
                out.push(c);
            } else if c == '\\' {
                edited |= self.escape(place, open, &mut out)?;
            } else {
                edited |= c < ' ';
                out.push(c);
            }
        }
        Err(Fault::Cut)
    }

    /// Whether what follows a quote shows that the string of a member's value ends there.
    fn structure_follows(&self) -> bool {
        let rest = self.text[self.pos..].trim_start();
        match rest.bytes().next() {
            None | Some(b'}' | b']') => true,
            Some(b'/') => rest.starts_with("//") || rest.starts_with("/*"),
            Some(b',') => {
                let next = rest[1..].trim_start();
                let bare =
                    |n| bare_key(n).is_some_and(|k| n[k.len()..].trim_start().starts_with(':'));
                next.is_empty() || next.starts_with(['"', '\'', '“', '”', '}', '/']) || bare(next)
            }
            Some(_) => false,
        }
    }

    /// An escape after its backslash; whether it had to be edited.
    fn escape(&mut self, place: Place, open: char, out: &mut String) -> Parsed<bool> {
        let c = self.peek_char().ok_or(Fault::Cut)?;
        let plain = match c {
            '"' | '\\' | '/' => Some(c),
            'b' => Some('\u{8}'),
            'f' => Some('\u{c}'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            '\'' if open == '\'' => Some(c),
            _ => None,
        };
        if let Some(plain) = plain {
            self.pos += c.len_utf8();
            out.push(plain);
            return Ok(false);
        }
        if c == 'u'
            && let Some(unit) = self.hex(self.pos + 1)
        {
            self.pos += 5;
            out.push(self.unicode(unit));
            return Ok(false);
        }
        if self.pos + 5 >= self.text.len() && c == 'u' {
            self.pos = self.text.len();
            return Err(Fault::Cut);
        }
        if place != Place::Free {
            return Err(Fault::Broken);
        }
        out.push('\\');
        Ok(true)
    }

    /// The character of a UTF-16 unit, joined with a second half if one follows. A lone half
    /// becomes U+FFFD.
    fn unicode(&mut self, unit: u16) -> char {
        let bytes = self.text.as_bytes();
        let second = (bytes.get(self.pos) == Some(&b'\\')
            && bytes.get(self.pos + 1) == Some(&b'u'))
        .then(|| self.hex(self.pos + 2))
        .flatten();
        if let Some(second) = second
            && let Some(Ok(c)) = char::decode_utf16([unit, second]).next()
            && u32::from(c) > 0xffff
        {
            self.pos += 6;
            return c;
        }
        char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    fn hex(&self, at: usize) -> Option<u16> {
        let digits = self.text.as_bytes().get(at..at + 4)?;
        let all = digits.iter().all(u8::is_ascii_hexdigit);
        let text = std::str::from_utf8(digits).ok().filter(|_| all)?;
        u16::from_str_radix(text, 16).ok()
    }
}

/// Whether a text holds what looks like an `id` or `answer` member. An edited string that does may
/// have swallowed one: a stray backslash before the closing quote is enough.
fn holds_member(text: &str) -> bool {
    let mut parts = text.split(':');
    parts.next_back();
    parts.any(|before| {
        let end = before
            .trim_end()
            .trim_end_matches(['"', '\'', '“', '”', '\\'])
            .trim_end();
        let name = end
            .rsplit(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or("");
        name.eq_ignore_ascii_case("id") || name.eq_ignore_ascii_case("answer")
    })
}
