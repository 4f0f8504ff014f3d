//! The fixtures of the reading of the released code: inputs and outputs of its pure functions.

use serde_json::Value;

/// A section of the fixtures.
pub(crate) fn fixture(section: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("../data/xtc_fixtures.json"))
        .expect("the fixtures are JSON");
    all.get(section)
        .unwrap_or_else(|| panic!("no section {section}"))
        .clone()
}

#[allow(dead_code, reason = "not every test compares numbers")]
/// Equal to six decimals, as the fixtures are rounded.
pub(crate) fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 5.1e-7
}
