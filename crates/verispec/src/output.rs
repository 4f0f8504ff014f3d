//! The only place that prints: results on stdout, everything else on stderr.

#![expect(clippy::print_stderr, reason = "this is the printer")]

use std::io::{IsTerminal as _, Write as _};

use verispec_report::{Style, clean};

/// How to draw on stdout.
pub(crate) fn style() -> Style {
    let tty = std::io::stdout().is_terminal();
    let color = tty && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    Style { color, width: None }
}

/// Prints a result.
pub(crate) fn result(text: &str) {
    // A closed pipe (`| head`) ends output, it is no failure of the command.
    let _ = writeln!(std::io::stdout(), "{}", text.trim_end_matches('\n'));
}

/// Prints one versioned JSON document.
pub(crate) fn json(value: &serde_json::Value) {
    result(
        &serde_json::to_string_pretty(value).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}")),
    );
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
    note(&format!("error: {error}"));
    for cause in error.chain().skip(1) {
        note(&format!("  because: {cause}"));
    }
}
