//! Lines of batch result files, read by every format and then by its dialect.
//!
//! First byte: format.

use verispec_providers::{
    BATCH_FORMATS, BatchOutcome, ID_BYTES, RawResponse, dialect, parse_custom_id,
};

/// Panics where the code breaks what `docs/fuzzing.md` says it holds.
pub(crate) fn check(data: &[u8]) {
    let [format, lines @ ..] = data else {
        return;
    };
    let format = BATCH_FORMATS[usize::from(*format) % BATCH_FORMATS.len()];
    let dialect = dialect(format.dialect()).expect("a batch format has a dialect");
    for line in lines.split(|b| *b == b'\n') {
        let result = match format.result(line) {
            Ok(result) => result,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        if let Some((key, attempt)) = parse_custom_id(&result.custom_id) {
            assert!(key.len() == ID_BYTES && attempt > 0);
        }
        if let BatchOutcome::Response { status, body } = &result.outcome {
            let response = RawResponse {
                status: *status,
                content_type: Some("application/json"),
                body,
            };
            let _ = dialect.decode(&response);
        }
    }
}
