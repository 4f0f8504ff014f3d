//! Time of day for manifests; nothing that is computed depends on it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, as RFC 3339 in UTC to the second.
pub(crate) fn now_rfc3339() -> String {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    rfc3339(since.as_secs())
}

/// A moment, in seconds since 1970, as RFC 3339 in UTC.
pub(crate) fn rfc3339(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (h, m, s) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}Z")
}

/// Year, month and day of a count of days since 1970-01-01 (Howard Hinnant, "chrono-compatible
/// low-level date algorithms").
const fn civil(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let era = z / 146_097;
    let doe = z % 146_097;
    let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + (month <= 2) as u64;
    (year, month, day)
}

/// Milliseconds since 1970 of a moment that [`now_rfc3339`] wrote; `None` for anything else.
pub(crate) fn milliseconds(moment: &str) -> Option<u64> {
    let part = |range: std::ops::Range<usize>| moment.get(range)?.parse::<u64>().ok();
    let (year, month, day) = (part(0..4)?, part(5..7)?, part(8..10)?);
    let (h, m, s) = (part(11..13)?, part(14..16)?, part(17..19)?);
    // The inverse of `civil`: the date is within three months after a count that is too small.
    let about = year.checked_sub(1970)? * 365 + (year - 1970) / 5 + month.checked_sub(1)? * 28;
    let days = (about..about + 92).find(|d| civil(*d) == (year, month, day))?;
    Some((days * 86_400 + h * 3600 + m * 60 + s) * 1000)
}

#[cfg(test)]
mod tests {
    use super::{milliseconds, rfc3339};

    #[test]
    fn a_moment_is_read_as_it_was_written() {
        for seconds in (0..4_102_444_800).step_by(8_640_007) {
            assert_eq!(
                milliseconds(&rfc3339(seconds)),
                Some(seconds * 1000),
                "{seconds}"
            );
        }
        assert_eq!(milliseconds("yesterday"), None);
        assert_eq!(milliseconds("2026-02-30T00:00:00Z"), None);
    }

    #[test]
    fn known_moments() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(1_796_006_428), "2026-11-30T02:40:28Z");
    }
}
