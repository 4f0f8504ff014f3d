//! JSON text as Python's `json.dumps(value, indent=2, ensure_ascii=False)` writes it.
//!
//! serde_json's pretty printer agrees with Python on layout, on escapes (control characters only)
//! and on empty containers; only the spelling of floats differs.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

/// The text of a value, without a final newline.
///
/// # Errors
/// Only for values whose own serialisation fails; plain data never does.
pub(crate) fn dumps<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    let mut bytes = vec![];
    value.serialize(&mut Serializer::with_formatter(
        &mut bytes,
        Python(PrettyFormatter::new()),
    ))?;
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

struct Python<'a>(PrettyFormatter<'a>);

impl Formatter for Python<'_> {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(float_repr(value).as_bytes())
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

/// Python's `repr` of a finite float: shortest digits that read back equal; an exponent below
/// 1e-4 and from 1e16 on, with a sign and at least two digits.
fn float_repr(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific; // inf and NaN, which JSON has no number for
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = value.to_string();
        return if plain.contains('.') {
            plain
        } else {
            plain + ".0"
        };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Right sides as printed by Python 3.11.
    #[test]
    fn floats_as_python_prints_them() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (100.0, "100.0"),
            (9.67, "9.67"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (1e16, "1e+16"),
            (9_999_999_999_999_998.0, "9999999999999998.0"),
            (1e22, "1e+22"),
            (1e100, "1e+100"),
            (5e-324, "5e-324"),
            (0.1 + 0.2, "0.30000000000000004"),
        ] {
            assert_eq!(float_repr(value), text);
        }
    }

    /// A value with awkward strings, numbers and containers, and what Python 3.11 wrote for it.
    #[test]
    fn the_same_text_as_python() {
        let value: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/specv/data/python_text.json")).unwrap();
        let text = include_str!("../../tests/specv/data/python_text.txt");
        assert_eq!(dumps(&value).unwrap(), text);
    }

    #[test]
    fn layout_and_escapes() {
        let value = serde_json::json!({"a": [], "b": {}, "é\u{7f}": "\u{1}\n\t\"\\/\u{2028}𝄞", "n": [1, null]});
        let text = "{\n  \"a\": [],\n  \"b\": {},\n  \"é\u{7f}\": \"\\u0001\\n\\t\\\"\\\\/\u{2028}𝄞\",\n  \"n\": [\n    1,\n    null\n  ]\n}";
        assert_eq!(dumps(&value).unwrap(), text);
    }
}
