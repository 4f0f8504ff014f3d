//! How output may look: whether colours are wanted and how wide the terminal is.

/// Look of terminal output. The caller decides: no colour when the output is no terminal or
/// `NO_COLOR` is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// Use colours and bold text.
    pub color: bool,
    /// Columns available; `None` for as many as a table needs.
    pub width: Option<u16>,
}

impl Style {
    /// No colour, any width: what a file or a pipe gets.
    #[must_use]
    pub const fn plain() -> Self {
        Self {
            color: false,
            width: None,
        }
    }

    /// Breaks lines of text that are wider than the terminal at spaces; what follows of a line
    /// stands two columns in. Tables fit already and stay as they are.
    #[must_use]
    pub fn folded(self, text: &str) -> String {
        let Some(width) = self.width.map(usize::from) else {
            return text.to_owned();
        };
        let mut out = String::new();
        for line in text.split_inclusive('\n') {
            if columns(line) <= width {
                out += line;
                continue;
            }
            let mut used = 0;
            for word in line.split_inclusive(' ') {
                if used > 2 && used + columns(word.trim_end()) > width {
                    out.truncate(out.trim_end_matches(' ').len());
                    out += "\n  ";
                    used = 2;
                }
                out += word;
                used += columns(word);
            }
        }
        out
    }

    /// Writes a text in a tone, if colours are wanted.
    #[must_use]
    pub(crate) fn paint(self, text: &str, tone: Tone) -> String {
        let code = match tone {
            Tone::Plain => return text.to_owned(),
            _ if !self.color => return text.to_owned(),
            Tone::Strong => "1",
            Tone::Faint => "2",
            Tone::Good => "32",
            Tone::Bad => "31",
            Tone::Odd => "33",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// Columns of the terminal that stdout is; `None` when it is none.
#[must_use]
pub fn terminal_width() -> Option<u16> {
    comfy_table::Table::new().width().filter(|w| *w > 0)
}

/// Columns that a line takes; colours take none.
fn columns(line: &str) -> usize {
    let mut plain = String::new();
    let mut parts = line.trim_end_matches('\n').split('\u{1b}');
    plain += parts.next().unwrap_or_default();
    for part in parts {
        plain += part.split_once('m').map_or(part, |(_, rest)| rest);
    }
    unicode_width::UnicodeWidthStr::width(plain.as_str())
}

/// The few tones there are. Each also shows as a word or a sign: colour is never the only one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As the terminal has it.
    #[default]
    Plain,
    /// Titles.
    Strong,
    /// What matters less.
    Faint,
    /// Met.
    Good,
    /// Unmet, failed.
    Bad,
    /// Undecided, noteworthy.
    Odd,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_at_spaces_and_hang() {
        let narrow = |width| Style {
            color: true,
            width: Some(width),
        };
        let text = "one two three four\nshort\n";
        assert_eq!(Style::plain().folded(text), text);
        assert_eq!(narrow(18).folded(text), text);
        assert_eq!(narrow(10).folded(text), "one two\n  three\n  four\nshort\n");
        // Colours take no room, and a word that is too long stays whole.
        let faint = narrow(8).paint("ab cd ef", Tone::Faint);
        assert_eq!(narrow(8).folded(&faint), faint);
        assert_eq!(narrow(4).folded("abcdefgh ij"), "abcdefgh\n  ij");
    }
}
