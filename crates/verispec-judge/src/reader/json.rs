//! A JSON parser that knows a closed list of edits and says whether it needed one.
//!
//! Text that is valid JSON is parsed as such and never edited: every edit is tried only where
//! strict JSON would already have failed.

use serde_json::Value;

use super::answer::answer_word;

mod string;

/// A parsed value. Members keep their order and their duplicates.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    /// As written.
    Number(String),
    Text(String),
    Array(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Node {
    /// As plain JSON; of duplicate members the last stays. A number beyond 64 bits becomes text.
    pub(super) fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(b) => Value::Bool(*b),
            Self::Number(text) => {
                serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
            }
            Self::Text(text) => Value::String(text.clone()),
            Self::Array(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Self::Object(members) => Value::Object(
                members
                    .iter()
                    .map(|(k, v)| (k.clone(), v.to_value()))
                    .collect(),
            ),
        }
    }
}

/// Why there is no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// The text ended too early.
    Cut,
    /// Something stands where it must not.
    Broken,
}

type Parsed<T> = Result<T, Fault>;

/// Deepest nesting. Lists of answers need three levels; adversarial text must not need a stack.
const MAX_DEPTH: usize = 16;

/// Longest bare answer word, in bytes.
const MAX_BARE: usize = 40;

/// A value, where it ends, and whether edits were needed.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) node: Node,
    pub(super) end: usize,
    pub(super) edited: bool,
}

/// Parses the value that starts at byte `start`. On failure also says where it failed.
pub(super) fn parse_at(text: &str, start: usize) -> Result<Found, (Fault, usize)> {
    let mut parser = Parser {
        text,
        pos: start,
        edited: false,
    };
    match parser.value(0, Place::Other) {
        Ok(node) => Ok(Found {
            node,
            end: parser.pos,
            edited: parser.edited,
        }),
        Err(fault) => Err((fault, parser.pos)),
    }
}

/// The complete objects of the list that starts at byte `start` and is cut off by the end of the
/// text; `None` if it is not a list or fails in another way.
pub(super) fn salvage_at(text: &str, start: usize) -> Option<(Vec<Node>, bool)> {
    let mut parser = Parser {
        text,
        pos: start,
        edited: false,
    };
    let mut items = vec![];
    (parser.peek() == Some(b'[')).then_some(())?;
    parser.pos += 1;
    match parser.items(1, &mut items) {
        Err(Fault::Cut) => Some(()),
        _ => None,
    }?;
    items.retain(|i| matches!(i, Node::Object(_)));
    Some((items, parser.edited))
}

/// Where a value stands; decides which edits are safe.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Value of an `id` or `answer` member, or of a number used as key: read exactly.
    Exact,
    /// Value of any other member: free text.
    Free,
    /// Anywhere else.
    Other,
}

impl Place {
    fn of_member(key: &str) -> Self {
        let key = key.trim();
        let exact = key.eq_ignore_ascii_case("id")
            || key.eq_ignore_ascii_case("answer")
            || key.starts_with(|c: char| c.is_numeric());
        if exact { Self::Exact } else { Self::Free }
    }
}

struct Parser<'a> {
    text: &'a str,
    pos: usize,
    edited: bool,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    fn peek_char(&self) -> Option<char> {
        self.text[self.pos..].chars().next()
    }

    fn fault(&self) -> Fault {
        if self.pos >= self.text.len() {
            Fault::Cut
        } else {
            Fault::Broken
        }
    }

    /// Skips white space and comments.
    fn space(&mut self) -> Parsed<()> {
        loop {
            let rest = &self.text[self.pos..];
            match rest.chars().next() {
                Some(' ' | '\n' | '\r' | '\t') => self.pos += 1,
                Some(c) if c.is_whitespace() || c == '\u{feff}' => {
                    self.edited = true;
                    self.pos += c.len_utf8();
                }
                Some('/') if rest.starts_with("//") => {
                    self.edited = true;
                    self.pos += rest.find('\n').unwrap_or(rest.len());
                }
                Some('/') if rest.starts_with("/*") => {
                    self.edited = true;
                    let Some(end) = rest.find("*/") else {
                        self.pos = self.text.len();
                        return Err(Fault::Cut);
                    };
                    self.pos += end + 2;
                }
                _ => return Ok(()),
            }
        }
    }

    fn value(&mut self, depth: usize, place: Place) -> Parsed<Node> {
        if depth > MAX_DEPTH {
            return Err(Fault::Broken);
        }
        match self.peek_char().ok_or(Fault::Cut)? {
            '[' => {
                self.pos += 1;
                let mut items = vec![];
                self.items(depth + 1, &mut items)?;
                Ok(Node::Array(items))
            }
            '{' => self.object(depth + 1),
            '"' | '\'' | '“' | '”' => self.string(place).map(Node::Text),
            '-' | '0'..='9' => self.number(),
            _ => self.word(place),
        }
    }

    /// The rest of an array after its `[`, up to and including `]`.
    fn items(&mut self, depth: usize, items: &mut Vec<Node>) -> Parsed<()> {
        loop {
            self.space()?;
            if self.peek() == Some(b']') {
                // Not the first: a comma came before.
                self.edited |= !items.is_empty();
                self.pos += 1;
                return Ok(());
            }
            items.push(self.value(depth, Place::Other)?);
            self.space()?;
            match self.peek() {
                Some(b',') => self.pos += 1,
                Some(b']') => {
                    self.pos += 1;
                    return Ok(());
                }
                Some(b'{') if matches!(items.last(), Some(Node::Object(_))) => self.edited = true,
                _ => return Err(self.fault()),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Parsed<Node> {
        self.pos += 1;
        let mut members = vec![];
        loop {
            self.space()?;
            if self.peek() == Some(b'}') {
                self.edited |= !members.is_empty();
                self.pos += 1;
                return Ok(Node::Object(members));
            }
            let key = self.key()?;
            self.space()?;
            if self.peek() != Some(b':') {
                return Err(self.fault());
            }
            self.pos += 1;
            self.space()?;
            let value = self.value(depth, Place::of_member(&key))?;
            members.push((key, value));
            self.space()?;
            match self.peek() {
                Some(b',') => self.pos += 1,
                Some(b'}') => {
                    self.pos += 1;
                    return Ok(Node::Object(members));
                }
                _ => return Err(self.fault()),
            }
        }
    }

    fn key(&mut self) -> Parsed<String> {
        match self.peek_char().ok_or(Fault::Cut)? {
            '"' | '\'' | '“' | '”' => self.string(Place::Exact),
            _ => {
                let key = bare_key(&self.text[self.pos..]).ok_or(Fault::Broken)?;
                self.edited = true;
                self.pos += key.len();
                if self.pos == self.text.len() {
                    Err(Fault::Cut)
                } else {
                    Ok(key.to_owned())
                }
            }
        }
    }

    fn number(&mut self) -> Parsed<Node> {
        let rest = &self.text.as_bytes()[self.pos..];
        let digits = |from: usize| {
            rest[from..]
                .iter()
                .take_while(|b| b.is_ascii_digit())
                .count()
        };
        let mut len = usize::from(rest[0] == b'-');
        let whole = digits(len);
        if whole == 0 || (whole > 1 && rest[len] == b'0') {
            self.pos += len;
            return Err(self.fault());
        }
        len += whole;
        if rest.get(len) == Some(&b'.') && digits(len + 1) > 0 {
            len += 1 + digits(len + 1);
        }
        if matches!(rest.get(len), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(rest.get(len + 1), Some(b'+' | b'-')));
            let exponent = digits(len + 1 + sign);
            if exponent > 0 {
                len += 1 + sign + exponent;
            }
        }
        let text = self.text[self.pos..self.pos + len].to_owned();
        self.pos += len;
        Ok(Node::Number(text))
    }

    /// A literal of JSON or Python, or, as value of a member, a bare answer word.
    fn word(&mut self, place: Place) -> Parsed<Node> {
        let rest = &self.text[self.pos..];
        let len = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let literal = match &rest[..len] {
            "null" => Some((Node::Null, false)),
            "true" => Some((Node::Bool(true), false)),
            "false" => Some((Node::Bool(false), false)),
            "None" => Some((Node::Null, true)),
            "True" => Some((Node::Bool(true), true)),
            "False" => Some((Node::Bool(false), true)),
            _ => None,
        };
        if let Some((node, python)) = literal
            && !rest[len..].starts_with(['"', '/'])
        {
            self.edited |= python;
            self.pos += len;
            return Ok(node);
        }
        if place == Place::Other {
            Err(Fault::Broken)
        } else {
            self.bare_answer()
        }
    }

    /// `Yes`, `No`, `N/A` and the like without quotes, or without the opening one.
    fn bare_answer(&mut self) -> Parsed<Node> {
        let rest = &self.text[self.pos..];
        let limit = rest.len().min(MAX_BARE);
        let stop = rest
            .bytes()
            .take(limit)
            .position(|b| b",}]\"\n\r{[:".contains(&b));
        let Some(stop) = stop else {
            // Without an end in sight the word may go on.
            let cut = rest.len() <= MAX_BARE;
            self.pos += if cut { rest.len() } else { 0 };
            return Err(self.fault());
        };
        let comment = ["//", "/*"]
            .iter()
            .filter_map(|c| rest[..stop].find(c))
            .min();
        let stop = comment.unwrap_or(stop);
        let word = rest[..stop].trim();
        answer_word(word)
            .filter(|_| !word.starts_with(is_markup))
            .ok_or(Fault::Broken)?;
        self.edited = true;
        self.pos += stop + usize::from(rest.as_bytes()[stop] == b'"');
        Ok(Node::Text(word.to_owned()))
    }
}

fn is_markup(c: char) -> bool {
    matches!(
        c,
        '.' | ';' | '!' | '*' | '_' | '`' | '\'' | '(' | ')' | '‘' | '’' | '“' | '”'
    )
}

/// An identifier or a number at the start of `text`.
pub(super) fn bare_key(text: &str) -> Option<&str> {
    let len = text
        .bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
        .count();
    (len > 0).then(|| &text[..len])
}

#[cfg(test)]
mod tests;
