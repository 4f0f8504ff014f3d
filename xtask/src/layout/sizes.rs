//! No file that needs a table of contents.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// Lines from which a file is worth a look.
const LONG: usize = 400;
/// Lines that a file may have.
const LIMIT: usize = 600;

/// Paths below the workspace's root with their lines: sources of all crates but tests.
///
/// # Errors
/// When a folder or file cannot be read.
pub(super) fn lengths(root: &Path) -> anyhow::Result<Vec<(PathBuf, usize)>> {
    let crates = fs::read_dir(root.join("crates")).context("crates")?;
    let mut folders = vec![root.join("python/src"), root.join("xtask/src")];
    for entry in crates {
        folders.push(entry?.path().join("src"));
    }
    let mut found = vec![];
    for folder in folders.iter().filter(|f| f.is_dir()) {
        walk(folder, &mut found)?;
    }
    for (path, _) in &mut found {
        if let Ok(below) = path.strip_prefix(root) {
            *path = below.to_owned();
        }
    }
    found.sort();
    Ok(found)
}

fn walk(folder: &Path, found: &mut Vec<(PathBuf, usize)>) -> anyhow::Result<()> {
    let what = || folder.display().to_string();
    for entry in fs::read_dir(folder).with_context(what)? {
        let path = entry.with_context(what)?.path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            walk(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            found.push((path, text.lines().count()));
        }
    }
    Ok(())
}

/// Errors and warnings about lengths.
pub(super) fn check(lengths: &[(PathBuf, usize)]) -> (Vec<String>, Vec<String>) {
    let over = |from: usize, to: usize, limit: usize| {
        let those = lengths.iter().filter(|(_, n)| (from..=to).contains(n));
        those
            .map(|(path, n)| format!("{} has {n} lines, over {limit}", path.display()))
            .collect()
    };
    (
        over(LIMIT + 1, usize::MAX, LIMIT),
        over(LONG + 1, LIMIT, LONG),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, usize)]) -> Vec<(PathBuf, usize)> {
        let root = tempfile::tempdir().expect("temporary folder");
        fs::create_dir_all(root.path().join("crates")).expect("folder");
        for (path, lines) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folder");
            fs::write(path, "//\n".repeat(*lines)).expect("file");
        }
        lengths(root.path()).expect("readable")
    }

    #[test]
    fn long_files_are_warned_of_and_too_long_ones_refused() {
        let lengths = found(&[
            ("crates/a/src/short.rs", 400),
            ("crates/a/src/deep/long.rs", 401),
            ("crates/b/src/lib.rs", 600),
            ("xtask/src/main.rs", 601),
        ]);
        let (errors, warnings) = check(&lengths);
        assert_eq!(errors, ["xtask/src/main.rs has 601 lines, over 600"]);
        assert_eq!(
            warnings,
            [
                "crates/a/src/deep/long.rs has 401 lines, over 400",
                "crates/b/src/lib.rs has 600 lines, over 400",
            ]
        );
    }

    #[test]
    fn tests_and_other_files_are_free() {
        let lengths = found(&[
            ("crates/a/src/lib.rs", 1),
            ("crates/a/src/tests.rs", 900),
            ("crates/a/src/x/tests/big.rs", 900),
            ("crates/a/tests/big.rs", 900),
            ("crates/a/src/page.html", 900),
        ]);
        assert_eq!(lengths, [(PathBuf::from("crates/a/src/lib.rs"), 1)]);
    }
}
