//! JSON as Python's `json.loads` reads it: same values, same error positions.
//!
//! Accepts `NaN`, `Infinity` and `-Infinity`; of duplicate keys the last value wins at the first
//! one's place; control characters in strings are errors. Positions count code points, because the
//! ladder edits the text at the place of the error.

use std::collections::HashMap;

use serde_json::{Map, Number, Value};

/// Deepest nesting. Python raises `RecursionError` near 1000 less the frames already in use.
pub const MAX_DEPTH: usize = 970;

/// Most digits of an integer (Python's `sys.int_info.default_max_str_digits`).
const MAX_INT_DIGITS: usize = 4300;

/// A value as Python holds it.
#[derive(Debug, Clone, PartialEq)]
pub enum PyValue {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// An integer of any size, in canonical decimal form.
    Int(String),
    /// A float, also NaN or infinite.
    Float(f64),
    /// A string.
    Str(String),
    /// A list.
    List(Vec<Self>),
    /// A dictionary in insertion order, keys distinct.
    Dict(Vec<(String, Self)>),
}

impl PyValue {
    /// As plain JSON. NaN and the infinities, which JSON lacks, become the strings `NaN`,
    /// `Infinity` and `-Infinity`; an integer beyond 64 bits becomes its digits as a string.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::None => Value::Null,
            Self::Bool(b) => Value::Bool(*b),
            Self::Int(digits) => digits
                .parse::<i64>()
                .map(Value::from)
                .or_else(|_| digits.parse::<u64>().map(Value::from))
                .unwrap_or_else(|_| Value::String(digits.clone())),
            Self::Float(x) => {
                Number::from_f64(*x).map_or_else(|| float_name(*x).into(), Value::Number)
            }
            Self::Str(s) => Value::String(s.clone()),
            Self::List(items) => Value::Array(items.iter().map(Self::to_json).collect()),
            Self::Dict(members) => {
                let members = members.iter().map(|(k, v)| (k.clone(), v.to_json()));
                Value::Object(members.collect::<Map<_, _>>())
            }
        }
    }

    /// From plain JSON, as Python would hold it.
    #[must_use]
    pub fn from_json(value: &Value) -> Self {
        match value {
            Value::Null => Self::None,
            Value::Bool(b) => Self::Bool(*b),
            Value::Number(n) if n.is_f64() => Self::Float(n.as_f64().unwrap_or(f64::NAN)),
            Value::Number(n) => Self::Int(n.to_string()),
            Value::String(s) => Self::Str(s.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::from_json).collect()),
            Value::Object(members) => Self::Dict(
                members
                    .iter()
                    .map(|(k, v)| (k.clone(), Self::from_json(v)))
                    .collect(),
            ),
        }
    }
}

const fn float_name(x: f64) -> &'static str {
    if x.is_nan() {
        "NaN"
    } else if x > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    }
}

/// Why there is no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PyError {
    /// `JSONDecodeError`.
    #[error("not JSON at character {0}")]
    Decode(usize),
    /// Another exception: nesting too deep, or an integer with too many digits.
    #[error("nested too deep, or an integer with too many digits")]
    Other,
}

/// Reads `text` as `json.loads` would.
///
/// # Errors
/// As Python; see [`PyError`].
pub fn loads(text: &str) -> Result<PyValue, PyError> {
    loads_chars(&text.chars().collect::<Vec<_>>())
}

pub(super) fn loads_chars(text: &[char]) -> Result<PyValue, PyError> {
    Scanner::<true> { text }.document()
}

/// As [`loads_chars`], without building the value.
pub(super) fn check(text: &[char]) -> Result<(), PyError> {
    Scanner::<false> { text }.document().map(drop)
}

type Scan<T> = Result<(T, usize), PyError>;

struct Scanner<'a, const BUILD: bool> {
    text: &'a [char],
}

impl<const BUILD: bool> Scanner<'_, BUILD> {
    fn document(&self) -> Result<PyValue, PyError> {
        if self.at(0) == Some('\u{feff}') {
            return Err(PyError::Decode(0));
        }
        let (value, end) = self.value(self.space(0), 0)?;
        let end = self.space(end);
        if end == self.text.len() {
            Ok(value)
        } else {
            Err(PyError::Decode(end))
        }
    }

    fn at(&self, i: usize) -> Option<char> {
        self.text.get(i).copied()
    }

    fn space(&self, mut i: usize) -> usize {
        while matches!(self.at(i), Some(' ' | '\t' | '\n' | '\r')) {
            i += 1;
        }
        i
    }

    fn value(&self, i: usize, depth: usize) -> Scan<PyValue> {
        match self.at(i).ok_or(PyError::Decode(i))? {
            '"' => self.string(i + 1).map(|(s, end)| (PyValue::Str(s), end)),
            '[' | '{' if depth >= MAX_DEPTH => Err(PyError::Other),
            '[' => self.list(i + 1, depth + 1),
            '{' => self.dict(i + 1, depth + 1),
            _ => self.literal(i).map_or_else(|| self.number(i), Ok),
        }
    }

    fn literal(&self, i: usize) -> Option<(PyValue, usize)> {
        let value = |name| match name {
            "null" => PyValue::None,
            "true" => PyValue::Bool(true),
            "false" => PyValue::Bool(false),
            "NaN" => PyValue::Float(f64::NAN),
            "Infinity" => PyValue::Float(f64::INFINITY),
            _ => PyValue::Float(f64::NEG_INFINITY),
        };
        let names = ["null", "true", "false", "NaN", "Infinity", "-Infinity"];
        let is = |name: &&&str| {
            name.chars()
                .eq(self.text[i..].iter().take(name.len()).copied())
        };
        names
            .iter()
            .find(is)
            .map(|name| (value(name), i + name.len()))
    }

    fn list(&self, i: usize, depth: usize) -> Scan<PyValue> {
        let mut items = vec![];
        let mut i = self.space(i);
        if self.at(i) == Some(']') {
            return Ok((PyValue::List(items), i + 1));
        }
        loop {
            let (item, end) = self.value(i, depth)?;
            if BUILD {
                items.push(item);
            }
            i = self.space(end);
            match self.at(i) {
                Some(']') => return Ok((PyValue::List(items), i + 1)),
                Some(',') => i = self.space(i + 1),
                _ => return Err(PyError::Decode(i)),
            }
        }
    }

    fn dict(&self, i: usize, depth: usize) -> Scan<PyValue> {
        let mut members: Vec<(String, PyValue)> = vec![];
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut i = self.space(i);
        if self.at(i) == Some('}') {
            return Ok((PyValue::Dict(members), i + 1));
        }
        loop {
            if self.at(i) != Some('"') {
                return Err(PyError::Decode(i));
            }
            let (key, end) = self.string(i + 1)?;
            i = self.space(end);
            if self.at(i) != Some(':') {
                return Err(PyError::Decode(i));
            }
            let (value, end) = self.value(self.space(i + 1), depth)?;
            if BUILD {
                let place = *places.entry(key.clone()).or_insert(members.len());
                match members.get_mut(place) {
                    Some(member) => member.1 = value,
                    None => members.push((key, value)),
                }
            }
            i = self.space(end);
            match self.at(i) {
                Some('}') => return Ok((PyValue::Dict(members), i + 1)),
                Some(',') => i = self.space(i + 1),
                _ => return Err(PyError::Decode(i)),
            }
        }
    }

    /// A number in Python's scanner: digits are ASCII, a fraction or exponent without digits is
    /// left for the caller to trip over.
    fn number(&self, start: usize) -> Scan<PyValue> {
        let digits = |from: usize| {
            let rest = self.text.get(from..).unwrap_or_default();
            rest.iter().take_while(|c| c.is_ascii_digit()).count()
        };
        let first = start + usize::from(self.at(start) == Some('-'));
        let whole = if self.at(first) == Some('0') {
            1
        } else {
            digits(first)
        };
        if whole == 0 {
            return Err(PyError::Decode(start));
        }
        let mut end = first + whole;
        let mut float = false;
        if self.at(end) == Some('.') && digits(end + 1) > 0 {
            end += 1 + digits(end + 1);
            float = true;
        }
        if matches!(self.at(end), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.at(end + 1), Some('+' | '-')));
            let exponent = digits(end + 1 + sign);
            if exponent > 0 {
                end += 1 + sign + exponent;
                float = true;
            }
        }
        if !float && whole > MAX_INT_DIGITS {
            return Err(PyError::Other);
        }
        if !BUILD {
            return Ok((PyValue::None, end));
        }
        let text: String = self.text[start..end].iter().collect();
        let value = match text.as_str() {
            _ if float => PyValue::Float(text.parse().map_err(|_| PyError::Decode(start))?),
            "-0" => PyValue::Int("0".into()),
            _ => PyValue::Int(text),
        };
        Ok((value, end))
    }

    /// The rest of a string whose opening quote is at `start - 1`.
    fn string(&self, start: usize) -> Scan<String> {
        let mut out = String::new();
        let mut i = start;
        loop {
            match self.at(i).ok_or(PyError::Decode(start - 1))? {
                '"' => return Ok((out, i + 1)),
                '\\' => {
                    let (c, end) = self.escape(i, start - 1)?;
                    if BUILD {
                        out.push(c);
                    }
                    i = end;
                }
                c if c <= '\u{1f}' => return Err(PyError::Decode(i)),
                c => {
                    if BUILD {
                        out.push(c);
                    }
                    i += 1;
                }
            }
        }
    }

    /// The escape whose backslash is at `i`, in the string that opens at `open`.
    fn escape(&self, i: usize, open: usize) -> Scan<char> {
        let c = match self.at(i + 1).ok_or(PyError::Decode(open))? {
            c @ ('"' | '\\' | '/') => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(i + 2),
            _ => return Err(PyError::Decode(i)),
        };
        Ok((c, i + 2))
    }

    /// Four hex digits at `i`, and a second half of a pair if a first half asks for one. The text
    /// must go on behind each: that is how Python's scanner counts.
    fn unicode(&self, i: usize) -> Scan<char> {
        let len = self.text.len();
        if i + 4 >= len {
            return Err(PyError::Decode(i - 1));
        }
        let unit = self.hex(i).ok_or(PyError::Decode(i - 1))?;
        let end = i + 4;
        let high = (0xd800..0xdc00).contains(&unit);
        if high && end + 6 < len && self.at(end) == Some('\\') && self.at(end + 1) == Some('u') {
            let second = self.hex(end + 2).ok_or(PyError::Decode(end + 1))?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
                return Ok((
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                    end + 6,
                ));
            }
        }
        Ok((
            char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER),
            end,
        ))
    }

    fn hex(&self, i: usize) -> Option<u32> {
        let digits = self.text.get(i..i + 4)?;
        digits
            .iter()
            .try_fold(0, |code, c| Some(code * 16 + c.to_digit(16)?))
    }
}
