//! Finds values that answer inside a message, left to right, without looking into strings.

use super::json::{Fault, Node, parse_at};
use super::shape::Answers;

/// Work allowed per byte of text, in bytes parsed; keeps adversarial text linear.
const FUEL_PER_BYTE: usize = 16;

/// Names of tags that hold a model's reasoning.
const REASONING: &[&str] = &[
    "think",
    "thinking",
    "thought",
    "reasoning",
    "reflection",
    "scratchpad",
];

/// A value that answers, and how it stands in the message.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) answers: Answers,
    pub(super) start: usize,
    /// Edits were needed.
    pub(super) edited: bool,
    /// Nothing but white space, commas and fences since the previous candidate.
    pub(super) adjacent: bool,
    /// First on its line, or behind a fence.
    pub(super) line_start: bool,
}

/// What a message holds.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) candidates: Vec<Candidate>,
    /// Places where something like an answer could not be read, ascending.
    pub(super) broken: Vec<usize>,
    /// Start of the value that the end of the text cut off, if that is what went wrong last, and
    /// whether it is adjacent to the last candidate.
    pub(super) cut: Option<(usize, bool)>,
    /// Anything but candidates, white space and fences.
    pub(super) prose: bool,
    /// The text is one value and nothing else, not even a fence.
    pub(super) whole: bool,
}

/// Scans `text`; `classify` says which values answer.
pub(super) fn scan(text: &str, classify: impl Fn(&Node) -> Option<Answers>) -> Scan {
    let mut scanner = Scanner {
        text,
        pos: 0,
        fuel: text
            .len()
            .saturating_mul(FUEL_PER_BYTE)
            .saturating_add(4096),
        found: Scan::default(),
        prose: false,
        line_start: true,
        square: 0,
        curly: 0,
        last_solid: None,
    };
    while scanner.step(&classify) {}
    scanner.found
}

struct Scanner<'a> {
    text: &'a str,
    pos: usize,
    fuel: usize,
    found: Scan,
    /// Prose since the last candidate.
    prose: bool,
    line_start: bool,
    /// Open brackets that are prose.
    square: usize,
    curly: usize,
    /// Last character that is not white space.
    last_solid: Option<char>,
}

impl Scanner<'_> {
    /// Reads on; `false` at the end.
    fn step(&mut self, classify: &impl Fn(&Node) -> Option<Answers>) -> bool {
        let rest = &self.text[self.pos..];
        let Some(c) = rest.chars().next() else {
            return false;
        };
        match c {
            '\n' => {
                self.line_start = true;
                self.pos += 1;
            }
            ',' if !self.prose => self.solid(c),
            '`' if rest.starts_with("```") => self.fence(),
            '[' | '{' => return self.bracket(c, classify),
            ']' | '}' => self.closer(c),
            '<' if self.reasoning() => {}
            c if c.is_whitespace() || c == '\u{feff}' => self.pos += c.len_utf8(),
            c => self.write_prose(c),
        }
        true
    }

    fn solid(&mut self, c: char) {
        self.last_solid = Some(c);
        self.pos += c.len_utf8();
    }

    fn write_prose(&mut self, c: char) {
        self.prose = true;
        self.found.prose = true;
        self.line_start = false;
        self.solid(c);
    }

    fn fence(&mut self) {
        let rest = self.text[self.pos..].trim_start_matches('`');
        let tag = rest
            .bytes()
            .take_while(|b| b.is_ascii_alphanumeric() || b"_+-".contains(b));
        self.pos = self.text.len() - rest.len() + tag.count();
        self.line_start = true;
        self.last_solid = Some('`');
    }

    /// Skips reasoning at an opening tag; forgets everything at a closing tag without opening one.
    fn reasoning(&mut self) -> bool {
        let rest = &self.text[self.pos..];
        let opened = |name: &&&str| tag_len(rest, "<", name).is_some();
        if let Some(name) = REASONING.iter().find(opened) {
            let end = find_tag(rest, "</", name).unwrap_or(rest.len());
            self.pos += end;
            return true;
        }
        let closed = REASONING.iter().find_map(|name| tag_len(rest, "</", name));
        let Some(len) = closed else { return false };
        let trusted = self.found.broken.is_empty() || self.line_start;
        if trusted {
            self.found = Scan::default();
            (self.prose, self.square, self.curly) = (false, 0, 0);
        }
        self.pos += len;
        self.last_solid = Some('>');
        true
    }

    /// A closing bracket that nothing opened, right behind something solid, is the rest of a value
    /// that could not be read.
    fn closer(&mut self, c: char) {
        let open = if c == ']' {
            &mut self.square
        } else {
            &mut self.curly
        };
        if *open > 0 {
            *open -= 1;
        } else if self
            .last_solid
            .is_some_and(|l| matches!(l, '"' | '}' | ']') || (c == '}' && l.is_alphanumeric()))
        {
            self.found.broken.push(self.pos);
        }
        self.write_prose(c);
    }

    fn bracket(&mut self, c: char, classify: &impl Fn(&Node) -> Option<Answers>) -> bool {
        let start = self.pos;
        if self.fuel == 0 {
            self.found.broken.push(start);
            return false;
        }
        match parse_at(self.text, start) {
            Ok(value) => {
                self.fuel = self.fuel.saturating_sub(value.end - start);
                self.value(start, value.end, value.edited, classify(&value.node));
                true
            }
            Err((fault, at)) => {
                self.fuel = self.fuel.saturating_sub(at - start + 1);
                self.failed(c, fault)
            }
        }
    }

    fn value(&mut self, start: usize, end: usize, edited: bool, answers: Option<Answers>) {
        self.pos = end;
        self.last_solid = self.text[..end].chars().next_back();
        let Some(answers) = answers else {
            (self.prose, self.found.prose, self.line_start) = (true, true, false);
            return;
        };
        let json_space = [' ', '\n', '\r', '\t'];
        let outside = [&self.text[..start], &self.text[end..]];
        self.found.whole = outside
            .iter()
            .all(|t| t.trim_matches(json_space).is_empty());
        let adjacent = !self.prose && !self.found.candidates.is_empty();
        let line_start = self.line_start;
        self.found.candidates.push(Candidate {
            answers,
            start,
            edited,
            adjacent,
            line_start,
        });
        (self.prose, self.line_start) = (false, false);
    }

    /// A bracket at which no value starts: prose, or an answer that cannot be read. The inside of
    /// the latter is never searched.
    fn failed(&mut self, c: char, fault: Fault) -> bool {
        let start = self.pos;
        if !looks_like_answer(&self.text[start..]) {
            *(if c == '[' {
                &mut self.square
            } else {
                &mut self.curly
            }) += 1;
            self.write_prose(c);
            return true;
        }
        self.found.broken.push(start);
        let Some(end) = matching_close(&self.text[start..]) else {
            self.found.cut = (fault == Fault::Cut).then_some((start, !self.prose));
            return false;
        };
        self.pos = start + end;
        self.last_solid = Some(']');
        (self.prose, self.found.prose, self.line_start) = (true, true, false);
        true
    }
}

/// Whether an unreadable bracket was meant as a list, item or map, as opposed to `[the image]`.
fn looks_like_answer(text: &str) -> bool {
    let inside = text[1..].trim_start();
    if inside.is_empty() {
        return true;
    }
    let quoted = inside.starts_with(['"', '\'', '“', '”']);
    if text.starts_with('[') {
        return quoted || inside.starts_with(['{', '[']);
    }
    let bare = super::json::bare_key(inside);
    quoted || bare.is_some_and(|key| inside[key.len()..].trim_start().starts_with(':'))
}

/// Length up to and including the bracket that closes the first one, by counting outside of double
/// quotes.
fn matching_close(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (i, b) in text.bytes().enumerate() {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Length of the tag at the start of `text`, any case, attributes not allowed.
fn tag_len(text: &str, opening: &str, name: &str) -> Option<usize> {
    let rest = text.strip_prefix(opening)?;
    let head = rest.get(..name.len())?;
    let rest = rest[name.len()..].trim_start();
    (head.eq_ignore_ascii_case(name) && rest.starts_with('>')).then(|| text.len() - rest.len() + 1)
}

/// End of the first such tag anywhere in `text`.
fn find_tag(text: &str, opening: &str, name: &str) -> Option<usize> {
    let tags = text.match_indices(opening);
    tags.into_iter()
        .find_map(|(i, _)| tag_len(&text[i..], opening, name).map(|len| i + len))
}

/// The message without reasoning: what the judge says, for free text.
#[must_use]
pub fn without_reasoning(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(i) = rest.find('<') {
        let (before, tag) = rest.split_at(i);
        out.push_str(before);
        let opened = REASONING
            .iter()
            .find(|name| tag_len(tag, "<", name).is_some());
        let closed = REASONING.iter().find_map(|name| tag_len(tag, "</", name));
        if let Some(name) = opened {
            rest = &tag[find_tag(tag, "</", name).unwrap_or(tag.len())..];
        } else if let Some(len) = closed {
            out.clear();
            rest = &tag[len..];
        } else {
            out.push('<');
            rest = &tag[1..];
        }
    }
    out.push_str(rest);
    out
}
