//! The only place that prints: results on stdout, everything else on stderr.

#![expect(clippy::print_stderr, reason = "this is the printer")]

use std::io::{IsTerminal as _, Write as _};

use verispec_report::{Style, clean, terminal_width};

/// Narrower than this nothing is laid out.
const NARROWEST: u16 = 40;

/// How to draw on stdout.
pub(crate) fn style() -> Style {
    let tty = std::io::stdout().is_terminal();
    let color = tty && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    Style {
        color,
        width: width(tty),
    }
}

/// `COLUMNS` if it is set, else the width of the terminal; a file or a pipe gets long lines.
fn width(tty: bool) -> Option<u16> {
    let said = std::env::var("COLUMNS").ok();
    let said = said
        .and_then(|c| c.trim().parse::<u16>().ok())
        .filter(|c| *c > 0);
    let own = || tty.then(terminal_width).flatten();
    said.or_else(own).map(|w| w.max(NARROWEST))
}

/// Prints a table with its text, no wider than the terminal.
pub(crate) fn table(text: &str) {
    result(&style().folded(text));
}

/// Prints a result.
pub(crate) fn result(text: &str) {
    // A closed pipe (`| head`) ends output, it is no failure of the command.
    let _ = writeln!(std::io::stdout(), "{}", text.trim_end_matches('\n'));
}

/// Prints one versioned JSON document.
pub(crate) fn json(value: &serde_json::Value) {
    result(&verispec_report::json::to_text(value));
}

/// Says something that is not a result. It may hold text of servers and files, which must not
/// reach the terminal as commands.
pub(crate) fn note(text: &str) {
    eprintln!("{}", clean(text));
}

/// As [`note`], for what a renderer has made safe and coloured.
pub(crate) fn rendered_note(text: &str) {
    eprintln!("{text}");
}

/// Prints an error with its causes.
pub(crate) fn error(error: &anyhow::Error) {
    let causes = causes(error);
    note(&format!("error: {error}"));
    for cause in causes {
        note(&format!("  because: {cause}"));
    }
}

/// Causes that say something which the texts above them do not.
fn causes(error: &anyhow::Error) -> Vec<String> {
    let mut told = error.to_string();
    let mut causes = vec![];
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !told.contains(&cause) {
            told = format!("{told}\n{cause}");
            causes.push(cause);
        }
    }
    causes
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    #[test]
    fn a_cause_that_was_told_is_not_told_again() {
        #[derive(Debug, thiserror::Error)]
        #[error("cannot list x: {source}")]
        struct Listing {
            source: std::io::Error,
        }
        let source = std::io::Error::other("no such folder");
        let error = anyhow::Error::new(Listing { source }).context("no outputs");
        assert_eq!(super::causes(&error), ["cannot list x: no such folder"]);
        let plain: Result<(), _> = Err(anyhow::anyhow!("b")).context("a");
        assert_eq!(super::causes(&plain.unwrap_err()), ["b"]);
    }
}
