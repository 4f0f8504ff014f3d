//! How long a provider asks to wait.

use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::json;

/// Waits longer than this are taken as this: a broken header must not stop a run for days.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// The wait a provider asks for, the longest if it says so more than once.
///
/// Reads `Retry-After` in seconds or as an HTTP date (RFC 9110, 10.2.3), `retry-after-ms` of
/// OpenAI and Azure, and `RetryInfo.retryDelay` in a Gemini error body. Header names are matched
/// without regard to case. A date in the past is a wait of zero. At most 24 hours.
pub fn retry_after<'a>(
    headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    body: &[u8],
    now: SystemTime,
) -> Option<Duration> {
    headers
        .into_iter()
        .filter_map(|(name, value)| {
            if name.eq_ignore_ascii_case("retry-after") {
                seconds_or_date(value.trim(), now)
            } else if name.eq_ignore_ascii_case("retry-after-ms") {
                seconds(value.trim()).map(|d| d / 1000)
            } else {
                None
            }
        })
        .chain(retry_delay(body))
        .max()
        .map(|wait| wait.min(LONGEST))
}

fn seconds_or_date(value: &str, now: SystemTime) -> Option<Duration> {
    seconds(value).or_else(|| {
        let date = httpdate::parse_http_date(value).ok()?;
        Some(date.duration_since(now).unwrap_or_default())
    })
}

fn seconds(value: &str) -> Option<Duration> {
    let plain = value.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let number = value.parse().ok().filter(|_| plain)?;
    Some(Duration::try_from_secs_f64(number).unwrap_or(LONGEST * 1000))
}

fn retry_delay(body: &[u8]) -> Option<Duration> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let error = match &value {
        Value::Array(items) => items.first()?.get("error")?,
        value => value.get("error")?,
    };
    json::list_of(error, "details")
        .iter()
        .filter_map(|d| json::str_of(d, "retryDelay"))
        .find_map(|delay| seconds(delay.strip_suffix('s')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(value: &str) -> Option<Duration> {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        retry_after([("Retry-After", value)], b"", now)
    }

    #[test]
    fn seconds_and_dates() {
        assert_eq!(wait("2"), Some(Duration::from_secs(2)));
        assert_eq!(wait(" 0.5 "), Some(Duration::from_millis(500)));
        // 1_700_000_000 is 2023-11-14 22:13:20 UTC.
        assert_eq!(
            wait("Tue, 14 Nov 2023 22:13:50 GMT"),
            Some(Duration::from_secs(30))
        );
        assert_eq!(wait("Tue, 14 Nov 2023 22:00:00 GMT"), Some(Duration::ZERO));
        for bad in ["", "soon", "-1", "inf", "NaN", "1e3", "."] {
            assert_eq!(wait(bad), None, "{bad}");
        }
        assert_eq!(wait("99999999999999999999999999"), Some(LONGEST));
    }

    #[test]
    fn other_places() {
        let now = SystemTime::UNIX_EPOCH;
        let body = br#"{"error":{"details":[{"@type":"x"},{"retryDelay":"37s"}]}}"#;
        assert_eq!(retry_after([], body, now), Some(Duration::from_secs(37)));
        let ms = [("retry-after-ms", "1500"), ("RETRY-AFTER", "1")];
        assert_eq!(
            retry_after(ms, b"<html>", now),
            Some(Duration::from_millis(1500))
        );
        assert_eq!(retry_after([("date", "x")], b"", now), None);
    }
}
