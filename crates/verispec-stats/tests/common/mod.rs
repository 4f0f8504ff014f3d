//! Reading of the reference files and comparison of numbers.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use serde_json::Value;

/// `tests/data/reference.json`, made by `tests/reference/make.py`.
pub fn reference() -> Value {
    serde_json::from_str(include_str!("../data/reference.json")).unwrap()
}

pub fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("not a number: {value}"))
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

pub fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// Equal to 1e-12: absolute below 1, relative above.
#[track_caller]
pub fn close(found: f64, wanted: f64, what: &str) {
    within(found, wanted, 1e-12 * wanted.abs().max(1.0), what);
}

/// Equal to 1e-12 relative, for values over many magnitudes.
#[track_caller]
pub fn close_relative(found: f64, wanted: f64, what: &str) {
    within(found, wanted, 1e-12 * wanted.abs(), what);
}

/// Equal to half a unit of the last of `digits` printed decimals.
#[track_caller]
pub fn printed(found: f64, wanted: f64, digits: i32, what: &str) {
    within(
        found,
        wanted,
        0.5 * 10_f64.powi(-digits) * (1.0 + 1e-9),
        what,
    );
}

#[track_caller]
pub fn within(found: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!(
        (found - wanted).abs() <= tolerance,
        "{what}: found {found:e}, wanted {wanted:e}"
    );
}
