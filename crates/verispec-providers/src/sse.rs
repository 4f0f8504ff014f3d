//! Server-sent events, as judges send them.
//!
//! Follows the event stream format of the HTML standard where servers do, and accepts what they
//! do otherwise: UTF-8 whatever the content type says, lines end with LF or CRLF only (a lone CR,
//! NEL or U+2028 is text), the space after `data:` may be missing, the last event needs no blank
//! line, `[DONE]` may carry spaces and ends the stream.

use std::collections::VecDeque;

use serde_json::Value;

use crate::json;

/// Reads events from bytes that may be cut anywhere.
#[derive(Debug, Default)]
pub struct EventReader {
    line: Vec<u8>,
    data: Vec<String>,
    events: VecDeque<Value>,
    first_line_seen: bool,
    done: bool,
    bad: usize,
}

impl EventReader {
    /// Takes the next bytes, of any length.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|b| *b == b'\n') {
            self.line.extend_from_slice(&rest[..end]);
            self.end_line();
            rest = &rest[end + 1..];
        }
        self.line.extend_from_slice(rest);
    }

    /// Ends the stream: what is left over counts as a whole line and event.
    pub fn finish(&mut self) {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.end_event();
    }

    /// The next event's JSON value, if one is complete.
    pub fn next_event(&mut self) -> Option<Value> {
        self.events.pop_front()
    }

    /// Whether the server said `[DONE]`; everything after it is ignored.
    #[must_use]
    pub const fn done(&self) -> bool {
        self.done
    }

    /// Events that were no JSON and are skipped.
    #[must_use]
    pub const fn bad_events(&self) -> usize {
        self.bad
    }

    fn end_line(&mut self) {
        let bytes = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let mut line = text.strip_suffix('\r').unwrap_or(&text);
        if !self.first_line_seen {
            self.first_line_seen = true;
            line = line.strip_prefix('\u{FEFF}').unwrap_or(line);
        }
        if line.is_empty() {
            self.end_event();
        } else if let Some(data) = line.strip_prefix("data:") {
            self.data
                .push(data.strip_prefix(' ').unwrap_or(data).to_owned());
        }
    }

    fn end_event(&mut self) {
        let lines = std::mem::take(&mut self.data);
        if lines.is_empty() || self.done {
            return;
        }
        if let Some(value) = json::parse(&lines.join("\n")) {
            self.events.push_back(value);
            return;
        }
        // One value over several lines is tried first; servers that forget the blank line send
        // one value per line.
        for line in lines {
            match line.trim() {
                "[DONE]" => {
                    self.done = true;
                    return;
                }
                "" => {}
                text => match json::parse(text) {
                    Some(value) => self.events.push_back(value),
                    None => self.bad += 1,
                },
            }
        }
    }
}

/// All chunks of a successful response: the events of a stream, the elements of a JSON array,
/// or the one object of a plain body. `None` when it is neither.
pub(crate) fn chunks(body: &[u8]) -> Option<Vec<Value>> {
    let text = String::from_utf8_lossy(body);
    let text = text.trim_start_matches('\u{FEFF}').trim();
    if text.starts_with(['{', '[']) {
        return match json::parse(text)? {
            Value::Array(items) => Some(items),
            value => Some(vec![value]),
        };
    }
    let mut reader = EventReader::default();
    reader.push(body);
    reader.finish();
    let events: Vec<Value> = std::iter::from_fn(|| reader.next_event()).collect();
    (!events.is_empty()).then_some(events)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(pieces: &[&[u8]]) -> (Vec<Value>, bool) {
        let mut reader = EventReader::default();
        for piece in pieces {
            reader.push(piece);
        }
        reader.finish();
        (
            std::iter::from_fn(|| reader.next_event()).collect(),
            reader.done(),
        )
    }

    #[test]
    fn d07_several_events_crlf_and_multi_line() {
        let body = b"event: x\r\nid: 7\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata:{\"a\":2}\n\n\
            data: {\"a\":3}\ndata: {\"a\":4}\ndata: [DONE]\n\ndata: {\"a\":5}\n\n";
        let (events, done) = read(&[body]);
        assert_eq!(events, [1, 2, 3, 4].map(|a| json!({ "a": a })));
        assert!(done);
    }

    #[test]
    fn bom_is_no_text_and_last_event_needs_no_blank_line() {
        let (events, done) = read(&["\u{FEFF}data: {\"a\":1}\n\ndata: {\"a\":2}".as_bytes()]);
        assert_eq!(events, [json!({"a": 1}), json!({"a": 2})]);
        assert!(!done);
    }

    proptest! {
        #[test]
        fn cutting_anywhere_changes_nothing(texts in prop::collection::vec("\\PC{0,12}", 0..6),
                                            crlf in any::<bool>(),
                                            cuts in prop::collection::vec(0.0..1.0, 0..5)) {
            let end = if crlf { "\r\n" } else { "\n" };
            let body: String = texts.iter()
                .map(|t| format!("data: {}{end}{end}", json!({ "t": t })))
                .collect();
            let bytes = body.as_bytes();
            let mut at: Vec<usize> =
                cuts.iter().map(|c| (c * bytes.len() as f64) as usize).collect();
            at.extend([0, bytes.len()]);
            at.sort_unstable();
            let pieces: Vec<&[u8]> = at.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
            let expected: Vec<Value> = texts.iter().map(|t| json!({ "t": t })).collect();
            prop_assert_eq!(read(&pieces).0, expected);
        }

        #[test]
        fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = chunks(&bytes);
        }
    }
}
