//! How numbers are written for people: two decimals, half up; a dash for what is not there.

use verispec_model::score::Score;

/// Stands for "not entered" and "undefined". Never 0.
pub const DASH: &str = "–";

/// A number with two decimals, rounded half up on its shortest decimal form, so that 43.605 is
/// written 43.61 as in published tables. Values that are not finite become a dash.
#[must_use]
pub fn fixed2(value: f64) -> String {
    if !value.is_finite() {
        return DASH.to_owned();
    }
    let shortest = format!("{}", value.abs());
    let (whole, fraction) = shortest.split_once('.').unwrap_or((&shortest, ""));
    let padded = format!("{fraction:0<3}");
    let (kept, rest) = padded.split_at(2);
    let text = format!("{whole}{kept}");
    let text = if rest.as_bytes()[0] >= b'5' {
        increment(&text)
    } else {
        text
    };
    let (whole, cents) = text.split_at(text.len() - 2);
    let sign = if value < 0.0 && text.bytes().any(|b| b != b'0') {
        "-"
    } else {
        ""
    };
    format!("{sign}{whole}.{cents}")
}

/// Adds one to a string of decimal digits.
fn increment(digits: &str) -> String {
    let kept = digits.trim_end_matches('9');
    let nines = digits.len() - kept.len();
    let zeros = "0".repeat(nines);
    match kept.as_bytes().split_last() {
        None => format!("1{zeros}"),
        Some((last, _)) => format!("{}{}{zeros}", &kept[..kept.len() - 1], last - b'0' + 1),
    }
}

/// A percentage, or a dash.
#[must_use]
pub fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| DASH.to_owned(), fixed2)
}

/// Bounds as `[low, high]`; `None` when they do not differ from the value as printed.
#[must_use]
pub fn bounds(score: &Score) -> Option<String> {
    interval(score.value, score.low, score.high)
}

/// As [`bounds`], from plain numbers.
#[must_use]
pub(crate) fn interval(value: f64, low: f64, high: f64) -> Option<String> {
    let (value, low, high) = (fixed2(value), fixed2(low), fixed2(high));
    (low != value || high != value).then(|| format!("[{low}, {high}]"))
}

/// A share (0-1) in percent. Something short of everything is never written as 100.
#[must_use]
pub fn coverage(share: Option<f64>) -> String {
    match share {
        None => DASH.to_owned(),
        Some(s) if s < 1.0 && s > 0.9999 => "99.99%".to_owned(),
        Some(s) => format!("{}%", fixed2(s * 100.0)),
    }
}

/// A count with thousands separated by commas.
#[must_use]
pub fn count(n: usize) -> String {
    grouped(&n.to_string())
}

/// As [`count`], for 64-bit counters.
#[must_use]
pub(crate) fn count64(n: u64) -> String {
    grouped(&n.to_string())
}

fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `1 call`, `2 calls`.
#[must_use]
pub(crate) fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// Bytes in binary units with one decimal, for instance `1.4 MiB`.
#[must_use]
pub(crate) fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if n < 1024 {
        return format!("{n} B");
    }
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// US dollars; four digits below one, so that a small amount does not read as nothing.
pub(crate) fn dollars(amount: f64) -> String {
    match amount {
        a if a == 0.0 || a >= 1.0 => format!("${a:.2}"),
        a if a < 0.0001 => "under $0.0001".to_owned(),
        a => format!("${a:.4}"),
    }
}

/// Seconds as `45.2 s`, `3 min 05 s` or `2 h 04 min`.
#[must_use]
pub(crate) fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return DASH.to_owned();
    }
    if seconds < 60.0 {
        return format!("{seconds:.1} s");
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be finite and not negative; runs are shorter than 2^64 seconds"
    )]
    let whole = seconds.round() as u64;
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 {
        format!("{hours} h {minutes:02} min")
    } else {
        format!("{minutes} min {rest:02} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_decimals_half_up_in_decimal() {
        for (value, text) in [
            (43.605, "43.61"),
            (2.675, "2.68"),
            (0.125, "0.13"),
            (0.004_999, "0.00"),
            (99.995, "100.00"),
            (9.999, "10.00"),
            (0.999, "1.00"),
            (200.0 / 3.0, "66.67"),
            (0.0, "0.00"),
            (100.0, "100.00"),
            (81.3, "81.30"),
            (-0.001, "0.00"),
            (-1.005, "-1.01"),
        ] {
            assert_eq!(fixed2(value), text, "{value}");
        }
    }

    proptest::proptest! {
        #[test]
        fn cents_are_exact_and_nothing_moves_far(cents in 0u32..1_000_000, value in 0.0..100.0f64) {
            let exact = format!("{}.{:02}", cents / 100, cents % 100);
            proptest::prop_assert_eq!(fixed2(exact.parse().unwrap()), exact);
            let shown: f64 = fixed2(value).parse().unwrap();
            proptest::prop_assert!((shown - value).abs() <= 0.005 + 1e-9);
        }
    }

    #[test]
    fn what_is_not_there_is_a_dash() {
        assert_eq!(fixed2(f64::NAN), DASH);
        assert_eq!(fixed2(f64::INFINITY), DASH);
        assert_eq!(percent(None), DASH);
        assert_eq!(coverage(None), DASH);
    }

    #[test]
    fn nearly_everything_is_not_everything() {
        assert_eq!(coverage(Some(0.999_999)), "99.99%");
        assert_eq!(coverage(Some(1.0)), "100.00%");
        assert_eq!(coverage(Some(0.5)), "50.00%");
    }

    #[test]
    fn bounds_only_when_they_say_something() {
        assert_eq!(interval(50.0, 50.0, 50.000_001), None);
        assert_eq!(
            interval(50.0, 40.0, 60.0).as_deref(),
            Some("[40.00, 60.00]")
        );
    }

    #[test]
    fn counts_bytes_and_times() {
        assert_eq!(count(17_604), "17,604");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_000_000), "1,000,000");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1_468_006), "1.4 MiB");
        assert_eq!(duration(45.21), "45.2 s");
        assert_eq!(duration(185.0), "3 min 05 s");
        assert_eq!(duration(7440.0), "2 h 04 min");
        assert_eq!(plural(1, "call", "calls"), "1 call");
        assert_eq!(plural(2, "call", "calls"), "2 calls");
    }
}
