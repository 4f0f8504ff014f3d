//! Who may import whom.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde::Deserialize;

/// All crates of the program from the bottom. One may import those before it; tests of a crate
/// may import any.
const ORDER: [&str; 16] = [
    "verispec-stats",
    "verispec-model",
    "verispec-graph",
    "verispec-media",
    "verispec-judge",
    "verispec-vision",
    "verispec-providers",
    "verispec-engine",
    "verispec-suites",
    "verispec-generate",
    "verispec-specs",
    "verispec-studies",
    "verispec-report",
    "verispec-server",
    "verispec",
    "verispec-python",
];

/// Tests and benchmarks, from the bottom. They stand above the whole program: they may import all
/// of it, and nothing but tests may import them.
const ABOVE: [&str; 2] = ["verispec-testkit", "verispec-bench"];

/// This program. It checks the others and imports none of them; none imports it.
const CHECKER: &str = "xtask";

/// The part of `cargo metadata` that is read here.
#[derive(Debug, Deserialize)]
pub(super) struct Metadata {
    /// Members of the workspace.
    pub(super) packages: Vec<Package>,
    /// Absolute path.
    pub(super) workspace_root: PathBuf,
}

/// A member of the workspace.
#[derive(Debug, Deserialize)]
pub(super) struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

/// Something that a member imports, under whatever feature.
#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    /// `dev`, `build`; absent for an ordinary one.
    kind: Option<String>,
    /// Folder of a dependency that is a member too.
    path: Option<PathBuf>,
}

/// Describes the workspace that this program was built in.
pub(super) fn metadata() -> anyhow::Result<Metadata> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .output()?;
    let message = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}", message.trim());
    serde_json::from_slice(&output.stdout).context("the document that cargo printed")
}

/// Height of a crate; `None` for one that has no place yet.
fn height(name: &str) -> Option<usize> {
    let all = ORDER.iter().chain(&ABOVE).chain([&CHECKER]);
    all.into_iter().position(|n| *n == name)
}

/// Whether a crate may import another one outside of its tests.
fn may_import(name: &str, other: &str) -> bool {
    let below = height(other).zip(height(name)).is_some_and(|(a, b)| a < b);
    below && name != CHECKER
}

/// Every import that goes upwards or sideways, and every crate without a place.
pub(super) fn check(packages: &[Package]) -> Vec<String> {
    packages.iter().flat_map(check_one).collect()
}

fn check_one(package: &Package) -> Vec<String> {
    let name = &package.name;
    if height(name).is_none() {
        return vec![format!(
            "{name} has no place in the order: add it to xtask/src/layout/imports.rs and \
             ARCHITECTURE.md"
        )];
    }
    let ours = package.dependencies.iter().filter(|d| d.path.is_some());
    let imported = ours.filter(|d| d.kind.as_deref() != Some("dev"));
    let bad = imported.filter(|d| !may_import(name, &d.name));
    bad.map(|d| format!("{name} must not import {}", d.name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, imports: &[(&str, Option<&str>)]) -> Package {
        let dependency = |(name, kind): &(&str, Option<&str>)| Dependency {
            name: (*name).into(),
            kind: kind.map(Into::into),
            path: Some(format!("crates/{name}").into()),
        };
        Package {
            name: name.into(),
            dependencies: imports.iter().map(dependency).collect(),
        }
    }

    fn refused(name: &str, imports: &[(&str, Option<&str>)]) -> usize {
        check(&[package(name, imports)]).len()
    }

    #[test]
    fn imports_go_downwards() {
        assert_eq!(refused("verispec-engine", &[("verispec-model", None)]), 0);
        assert_eq!(refused("verispec-model", &[("verispec-engine", None)]), 1);
        let upwards = [("verispec-suites", None), ("verispec-report", None)];
        assert_eq!(refused("verispec-judge", &upwards), 2);
        // A build script is part of the program.
        let build = [("verispec-suites", Some("build"))];
        assert_eq!(refused("verispec-judge", &build), 1);
        assert_eq!(refused("verispec-model", &[("verispec-stats", None)]), 0);
        assert_eq!(refused("verispec-stats", &[("verispec-model", None)]), 1);
    }

    #[test]
    fn only_tests_import_what_stands_above() {
        for above in ABOVE {
            assert_eq!(refused("verispec", &[(above, None)]), 1, "{above}");
            assert_eq!(refused("verispec-model", &[(above, Some("dev"))]), 0);
        }
        let program = [("verispec", None), ("verispec-suites", None)];
        assert_eq!(refused("verispec-testkit", &program), 0);
        assert_eq!(refused("verispec-bench", &[("verispec-testkit", None)]), 0);
        assert_eq!(refused("verispec-testkit", &[("verispec-bench", None)]), 1);
    }

    #[test]
    fn the_checker_stands_apart() {
        assert_eq!(refused(CHECKER, &[("verispec-model", None)]), 1);
        assert_eq!(refused("verispec-bench", &[(CHECKER, None)]), 1);
    }

    #[test]
    fn a_crate_without_a_place_is_named() {
        let found = check(&[package("verispec-new", &[])]);
        assert!(
            found[0].starts_with("verispec-new has no place"),
            "{found:?}"
        );
        assert_eq!(refused("verispec", &[("verispec-new", None)]), 1);
    }

    #[test]
    fn crates_of_others_are_free() {
        let mut package = package("verispec-model", &[("verispec-like", None)]);
        package.dependencies[0].path = None;
        assert_eq!(check(&[package]), Vec::<String>::new());
    }

    #[test]
    fn no_crate_stands_in_two_places() {
        let mut names: Vec<&str> = ORDER
            .iter()
            .chain(&ABOVE)
            .chain([&CHECKER])
            .copied()
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn this_workspace_is_described() {
        let metadata = metadata().expect("cargo describes it");
        assert!(metadata.packages.iter().any(|p| p.name == CHECKER));
        assert!(metadata.workspace_root.join("Cargo.lock").is_file());
    }
}
