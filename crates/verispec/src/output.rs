//! The only place that prints: results on stdout, everything else on stderr; or, for a program that
//! calls a command in its own process, into two texts.

#![expect(clippy::print_stderr, reason = "this is the printer")]

use std::cell::RefCell;
use std::io::{IsTerminal as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use verispec_report::{Style, clean, terminal_width};

/// Narrower than this nothing is laid out.
const NARROWEST: u16 = 40;

/// What a command says while it is captured. Engine threads may hold it, too.
pub(crate) type Notes = Arc<Mutex<String>>;

thread_local! {
    /// Result and notes of the command that this thread runs for a calling program.
    static CAPTURED: RefCell<Option<(String, Notes)>> = const { RefCell::new(None) };
}

/// Runs a command and gives what it would print on stdout and on stderr.
pub(crate) fn captured<T>(command: impl FnOnce() -> T) -> (T, String, String) {
    /// Ends the capture even when the command panics.
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            CAPTURED.take();
        }
    }
    let notes = Notes::default();
    CAPTURED.set(Some((String::new(), notes.clone())));
    let _end = End;
    let value = command();
    let result = CAPTURED.take().map(|(result, _)| result);
    let notes = notes.lock().unwrap_or_else(PoisonError::into_inner).clone();
    (value, result.unwrap_or_default(), notes)
}

/// Where notes of this thread go, if it runs a command for a calling program.
pub(crate) fn notes() -> Option<Notes> {
    CAPTURED.with_borrow(|c| c.as_ref().map(|(_, notes)| notes.clone()))
}

/// Whether this thread runs a command for a calling program, which goes on afterwards.
fn is_captured() -> bool {
    notes().is_some()
}

/// Lets go of something large without taking it apart: the process ends soon, and millions of small
/// pieces take longer to free than to make. Not for a calling program, which goes on.
pub(crate) fn leave<T>(value: T) {
    if !is_captured() {
        std::mem::forget(value);
    }
}

/// Adds a line to notes.
pub(crate) fn add_note(notes: &Notes, text: &str) {
    let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
    notes.push_str(text);
    notes.push('\n');
}

/// How to draw on stdout.
pub(crate) fn style() -> Style {
    if is_captured() {
        return Style::plain();
    }
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
    let text = text.trim_end_matches('\n');
    let taken = CAPTURED.with_borrow_mut(|captured| {
        captured.as_mut().map(|(result, _)| {
            result.push_str(text);
            result.push('\n');
        })
    });
    if taken.is_some() {
        return;
    }
    // A closed pipe (`| head`) ends output, it is no failure of the command.
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints one versioned JSON document.
pub(crate) fn json(value: &impl serde::Serialize) {
    result(&verispec_report::json::to_text(value));
}

/// Says something that is not a result. It may hold text of servers and files, which must not
/// reach the terminal as commands.
pub(crate) fn note(text: &str) {
    rendered_note(&clean(text));
}

/// As [`note`], for what a renderer has made safe and coloured.
pub(crate) fn rendered_note(text: &str) {
    match notes() {
        Some(notes) => add_note(&notes, text),
        None => eprintln!("{text}"),
    }
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
    fn a_captured_command_prints_nothing() {
        let (value, result, notes) = super::captured(|| {
            super::result("one\n");
            let elsewhere = super::notes().unwrap();
            std::thread::spawn(move || super::add_note(&elsewhere, "from a thread"))
                .join()
                .unwrap();
            super::note("two");
            7
        });
        let expected = (7, "one\n".to_owned(), "from a thread\ntwo\n".to_owned());
        assert_eq!((value, result, notes), expected);
        assert!(!super::is_captured());
    }

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
