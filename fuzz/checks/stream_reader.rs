//! A response body in every dialect, a line of a program, and event streams that arrive in pieces.
//!
//! First byte: dialect. Second byte: content type, status, size of the pieces.

use verispec_providers::command::command_reply;
use verispec_providers::{ALL, EventReader, RawResponse};

/// Panics where the code breaks what `docs/fuzzing.md` says it holds.
pub(crate) fn check(data: &[u8]) {
    let [dialect, how, body @ ..] = data else {
        return;
    };
    let dialect = ALL[usize::from(*dialect) % ALL.len()];
    let content_type = [
        Some("text/event-stream"),
        Some("application/json"),
        Some("text/html; charset=x"),
        None,
    ][usize::from(how & 3)];
    let status = [200, 400, 429, 503][usize::from(how >> 2 & 3)];
    let decoded = dialect.decode(&RawResponse {
        status,
        content_type,
        body,
    });
    if let Err(error) = &decoded {
        assert!(!error.to_string().is_empty());
    }
    if let Ok(reply) = &decoded {
        // What the ledger keeps must come back.
        let text = serde_json::to_string(reply).expect("a reply is plain data");
        let _: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    }
    // A judge that is a program answers in lines.
    let _ = command_reply(body, Some("id"));
    let mut whole = EventReader::default();
    whole.push(body);
    let mut cut = EventReader::default();
    for piece in body.chunks(usize::from(how >> 4) + 1) {
        cut.push(piece);
    }
    for reader in [&mut whole, &mut cut] {
        reader.finish();
    }
    loop {
        let (a, b) = (whole.next_event(), cut.next_event());
        assert_eq!(a, b, "pieces make no difference");
        if a.is_none() {
            break;
        }
    }
    assert_eq!(
        (whole.done(), whole.bad_events()),
        (cut.done(), cut.bad_events())
    );
}
