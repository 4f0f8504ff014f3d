//! `[IMAGEn]` in a question: the places where its images are shown.

use super::python::digit;

/// A piece of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Text between placeholders, never empty.
    Text(&'a str),
    /// The image with this number, counted from 1; 0 and numbers too large are kept for the
    /// caller to refuse.
    Image(u64),
}

/// Splits a question at its placeholders: `[IMAGE`, decimal digits of any script, `]`, in upper
/// case and without a space. Text is kept as it is, also when it is only white space.
pub(super) fn split(question: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut text_from = 0;
    let mut from = 0;
    while let Some(at) = question[from..].find("[IMAGE").map(|at| from + at) {
        let digits_from = at + "[IMAGE".len();
        let Some((number, end)) = number(question, digits_from) else {
            from = digits_from;
            continue;
        };
        if at > text_from {
            pieces.push(Piece::Text(&question[text_from..at]));
        }
        pieces.push(Piece::Image(number));
        (from, text_from) = (end, end);
    }
    if text_from < question.len() {
        pieces.push(Piece::Text(&question[text_from..]));
    }
    pieces
}

/// The number at `from` and the end of the placeholder, if digits and a bracket stand there.
fn number(question: &str, from: usize) -> Option<(u64, usize)> {
    let digits = question[from..]
        .char_indices()
        .map_while(|(i, c)| Some((i, c, digit(c)?)));
    let (number, end) = digits.fold((None, from), |(number, _), (i, c, value)| {
        let number: u64 = number.unwrap_or(0);
        (
            Some(number.saturating_mul(10).saturating_add(value)),
            from + i + c.len_utf8(),
        )
    });
    let number = number?;
    question[end..]
        .starts_with(']')
        .then_some((number, end + 1))
}

#[cfg(test)]
mod tests {
    use super::Piece::{Image, Text};
    use super::*;

    #[test]
    fn text_around_and_between_is_kept() {
        assert_eq!(
            split("a [IMAGE1] \n[IMAGE2][IMAGE1]"),
            [Text("a "), Image(1), Text(" \n"), Image(2), Image(1)]
        );
        assert_eq!(split(" "), [Text(" ")]);
        assert_eq!(split(""), []);
    }

    #[test]
    fn only_the_exact_form_is_a_placeholder() {
        for text in [
            "[image1]",
            "[IMAGE 1]",
            "[Image 1]",
            "[IMAGE]",
            "[IMAGE1",
            "[IMAGE1 ]",
        ] {
            assert_eq!(split(text), [Text(text)], "{text}");
        }
        assert_eq!(split("[IMAGE[IMAGE2]"), [Text("[IMAGE"), Image(2)]);
    }

    #[test]
    fn digits_of_any_script_and_size() {
        assert_eq!(split("[IMAGE007]"), [Image(7)]);
        assert_eq!(split("[IMAGE٣][IMAGE１0]"), [Image(3), Image(10)]);
        assert_eq!(split("[IMAGE0]"), [Image(0)]);
        assert_eq!(split("[IMAGE²]"), [Text("[IMAGE²]")]);
        let huge = format!("[IMAGE{}]", "9".repeat(5000));
        assert_eq!(split(&huge), [Image(u64::MAX)]);
    }
}
