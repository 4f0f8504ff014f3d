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
