//! Where tests find what the project does not ship: released checkouts and fixtures.

use std::path::{Path, PathBuf};

/// Environment variable with the folder that holds `data/` and `fixtures/`.
pub const DATA_VARIABLE: &str = "VERISPEC_TEST_DATA";
/// Environment variable that turns a skipped test into a failed one, when it is `1`.
pub const REQUIRE_VARIABLE: &str = "VERISPEC_REQUIRE_DATA";

/// The folder that holds `data/` and `fixtures/`: `VERISPEC_TEST_DATA`, else `../shared` beside
/// the workspace. `None`, with a line on standard error, when there is no such folder; the test
/// then returns.
///
/// # Panics
/// When the folder is absent and `VERISPEC_REQUIRE_DATA` is `1`.
#[must_use]
pub fn test_data() -> Option<PathBuf> {
    let root = std::env::var_os(DATA_VARIABLE)
        .map_or_else(|| workspace_root().join("../shared"), PathBuf::from);
    require_or_skip(
        root.join("fixtures").is_dir().then_some(root),
        &format!("no test data: set {DATA_VARIABLE} to a folder with data/ and fixtures/"),
    )
}

/// A fixture by file name, read whole. `None` and panics as [`test_data`].
///
/// # Panics
/// Also when the folder exists and the file cannot be read.
#[must_use]
pub fn fixture(name: &str) -> Option<String> {
    let path = test_data()?.join("fixtures").join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// Passes `found` on; when it is `None`, says why on standard error so that a skipped test is
/// seen, or fails.
///
/// # Panics
/// When `found` is `None` and `VERISPEC_REQUIRE_DATA` is `1`.
#[allow(clippy::print_stderr, reason = "a test that skips has to say so")]
pub fn require_or_skip<T>(found: Option<T>, why_not: &str) -> Option<T> {
    if found.is_none() {
        let required = std::env::var_os(REQUIRE_VARIABLE).is_some_and(|v| v == "1");
        assert!(!required, "{why_not} ({REQUIRE_VARIABLE}=1)");
        eprintln!("skipped: {why_not}");
    }
    found
}

/// The folder of the workspace's `Cargo.toml`, as it was when this crate was built.
#[must_use]
pub fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
