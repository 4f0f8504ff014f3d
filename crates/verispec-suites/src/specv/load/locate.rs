//! Finds the place of a value in JSON text, so that an error can name line and column.
//!
//! Only used on text that a parser has accepted, and only when there is an error to report.

/// A step from a value to one inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// Element of an array, from 0.
    Index(usize),
    /// Field of an object.
    Key(&'a str),
}

impl Step<'_> {
    /// A path as people write it, for instance `[3].expected_answer`.
    pub(super) fn show(path: &[Step<'_>]) -> String {
        let mut text = String::new();
        for step in path {
            match step {
                Step::Index(i) => text.push_str(&format!("[{i}]")),
                Step::Key(key) if text.is_empty() => text.push_str(key),
                Step::Key(key) => text.push_str(&format!(".{key}")),
            }
        }
        text
    }
}

/// Line and column in a file, both from 1; columns count bytes, as the JSON parser does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

impl Position {
    /// Place of the value at `path`; where a step is absent, place of the value it is absent from.
    pub(crate) fn of(text: &str, path: &[Step<'_>]) -> Self {
        let mut scan = Scan {
            bytes: text.as_bytes(),
            at: 0,
        };
        scan.space();
        for step in path {
            let parent = scan.at;
            if !scan.enter(*step) {
                scan.at = parent;
                break;
            }
        }
        let before = &text.as_bytes()[..scan.at.min(text.len())];
        let line_start = before
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |i| i + 1);
        Self {
            line: 1 + before.iter().filter(|b| **b == b'\n').count(),
            column: 1 + before.len() - line_start,
        }
    }

    /// The same place in a file whose line `first_line` is this text's first.
    pub(super) const fn below(self, first_line: usize) -> Self {
        Self {
            line: self.line + first_line - 1,
            column: self.column,
        }
    }
}

/// Where the text of a value stands.
pub(crate) struct Place;

impl Place {
    /// Bytes of the value at `path`, quotes included; `None` where a step is absent.
    pub(crate) fn of(text: &str, path: &[Step<'_>]) -> Option<std::ops::Range<usize>> {
        let mut scan = Scan {
            bytes: text.as_bytes(),
            at: 0,
        };
        scan.space();
        for step in path {
            if !scan.enter(*step) {
                return None;
            }
        }
        let start = scan.at;
        scan.skip();
        Some(start..scan.at.min(text.len()))
    }
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn space(&mut self) {
        while self.peek().is_ascii_whitespace() {
            self.at += 1;
        }
    }

    /// From the start of a container to the start of one of its values.
    fn enter(&mut self, step: Step<'_>) -> bool {
        self.at += 1;
        let mut index = 0;
        loop {
            self.space();
            if matches!(self.peek(), b']' | b'}' | 0) {
                return false;
            }
            let hit = match step {
                Step::Index(wanted) => index == wanted,
                Step::Key(wanted) => self.key().as_deref() == Some(wanted),
            };
            if hit {
                return true;
            }
            self.skip();
            self.space();
            if self.peek() == b',' {
                self.at += 1;
            }
            index += 1;
        }
    }

    fn key(&mut self) -> Option<String> {
        let start = self.at;
        self.skip();
        let name = serde_json::from_slice(&self.bytes[start..self.at]).ok();
        self.space();
        self.at += 1; // the colon
        self.space();
        name
    }

    /// Over one value.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                0 => return,
                b'"' => self.string(),
                b'[' | b'{' => {
                    depth += 1;
                    self.at += 1;
                }
                b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => self.at += 1,
                _ if depth > 0 && self.peek().is_ascii_whitespace() => self.at += 1,
                _ => self.scalar(),
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn string(&mut self) {
        self.at += 1;
        while !matches!(self.peek(), b'"' | 0) {
            self.at += if self.peek() == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
    }

    fn scalar(&mut self) {
        let start = self.at;
        while !matches!(self.peek(), b',' | b']' | b'}' | 0) && !self.peek().is_ascii_whitespace() {
            self.at += 1;
        }
        self.at = self.at.max(start + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_values() {
        let text = "[\n  {\"id\": 1, \"a\\\"b\": [1, {\"x\": \"],}\"}, 2]},\n  {\"id\": true}\n]";
        let at = |path: &[Step<'_>]| {
            let p = Position::of(text, path);
            (p.line, p.column)
        };
        assert_eq!(at(&[]), (1, 1));
        assert_eq!(at(&[Step::Index(0)]), (2, 3));
        assert_eq!(
            at(&[Step::Index(0), Step::Key("a\"b"), Step::Index(2)]),
            (2, 39)
        );
        assert_eq!(at(&[Step::Index(1), Step::Key("id")]), (3, 10));
        // An absent step is reported at what it is absent from.
        assert_eq!(at(&[Step::Index(1), Step::Key("gone")]), (3, 3));
        assert_eq!(at(&[Step::Index(7)]), (1, 1));
        assert_eq!(Step::show(&[Step::Index(1), Step::Key("id")]), "[1].id");
        let bytes = |path: &[Step<'_>]| Place::of(text, path).map(|at| &text[at]);
        assert_eq!(bytes(&[Step::Index(1), Step::Key("id")]), Some("true"));
        let inner = [Step::Index(0), Step::Key("a\"b"), Step::Index(1)];
        assert_eq!(bytes(&inner), Some("{\"x\": \"],}\"}"));
        assert_eq!(bytes(&[Step::Index(1), Step::Key("gone")]), None);
    }
}
