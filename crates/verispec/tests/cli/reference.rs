//! Completion scripts, manual pages, and options named in documents.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::{run, text};

fn documents() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn help(command: &[String]) -> String {
    let dir = tempfile::tempdir().expect("folder");
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    let output = run(dir.path(), &[&words[..], &["--help"]].concat());
    assert_eq!(output.status.code(), Some(0), "{command:?}");
    text(&output.stdout)
}

/// Names of the commands below one, by its help.
fn below(help: &str) -> Vec<String> {
    let part = help
        .split_once("\nCommands:\n")
        .map_or("", |(_, rest)| rest);
    let lines = part.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty() && name != "help").then(|| name.to_owned())
    });
    names.collect()
}

/// Help of every command, by its words.
fn all() -> BTreeMap<Vec<String>, String> {
    let (mut open, mut found) = (vec![vec![]], BTreeMap::new());
    while let Some(command) = open.pop() {
        let help = help(&command);
        for name in below(&help) {
            open.push([&command[..], &[name]].concat());
        }
        found.insert(command, help);
    }
    found
}

/// Commands in the code blocks of a document, continued lines joined.
fn commands(document: &str) -> Vec<String> {
    let (mut found, mut inside) = (vec![], false);
    for line in document.replace("\\\n", " ").lines() {
        let line = line.trim();
        if line.starts_with("```") {
            inside = !inside && (line == "```sh" || line == "```bash");
        } else if inside {
            let line = line.split(" #").next().unwrap_or_default();
            let starts = ["verispec ", "cargo run --release -- "];
            let rest = starts.iter().find_map(|s| line.strip_prefix(s));
            found.extend(rest.map(str::to_owned));
        }
    }
    found
}

#[test]
fn every_option_in_a_document_exists() {
    let all = all();
    let mut wrong = vec![];
    let mut checked = 0;
    let mut pages: Vec<PathBuf> = std::fs::read_dir(documents())
        .expect("docs")
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "md") && !p.ends_with("cli.md"))
        .collect();
    pages.push(documents().join("../README.md"));
    for path in pages {
        let document = std::fs::read_to_string(&path).expect("document");
        for command in commands(&document) {
            let words: Vec<&str> = command.split_whitespace().collect();
            let depth = (0..=words.len().min(3)).rev().find(|n| {
                let name: Vec<String> = words[..*n].iter().map(|w| (*w).to_owned()).collect();
                all.contains_key(&name)
            });
            let name: Vec<String> = words[..depth.unwrap_or(0)]
                .iter()
                .map(|w| (*w).to_owned())
                .collect();
            if name.is_empty() {
                wrong.push(format!("{}: no such command: {command}", path.display()));
                continue;
            }
            let known: BTreeSet<&str> = all[&name]
                .split(|c: char| c.is_whitespace() || matches!(c, ',' | '`' | '[' | ']'))
                .filter(|w| w.starts_with("--"))
                .collect();
            for option in words.iter().filter(|w| w.starts_with("--") && w.len() > 2) {
                let option = option.split('=').next().unwrap_or_default();
                let option = option.trim_matches(['[', ']', '|', ')']);
                checked += 1;
                if !known.contains(option) {
                    wrong.push(format!("{}: {option}: {command}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 50, "{checked} options found");
}

#[test]
fn completions_and_manual_pages_are_made() {
    let dir = tempfile::tempdir().expect("folder");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(dir.path(), &["completions", shell]);
        assert_eq!(script.status.code(), Some(0), "{shell}");
        assert!(text(&script.stdout).contains("gate"), "{shell}");
    }
    assert_eq!(
        run(dir.path(), &["completions", "tcsh"]).status.code(),
        Some(2)
    );
    let page = text(&run(dir.path(), &["man"]).stdout);
    assert!(page.contains(".TH verispec 1"), "{page}");
    let pages = run(dir.path(), &["man", "--out", "man"]);
    assert_eq!(pages.status.code(), Some(0), "{}", text(&pages.stderr));
    assert!(dir.path().join("man/verispec-gate.1").is_file());
    assert!(dir.path().join("man/verispec-import-tifa.1").is_file());
}

#[test]
fn names_of_the_release_are_taken() {
    let dir = crate::support::workplace(1, 1);
    let args = [
        "judge",
        "specv",
        "--data",
        "suite",
        "--judge",
        "openai:x",
        "--endpoint",
        "http://127.0.0.1:9/v1",
        "--model-name",
        "nobody",
        "--num-processes",
        "3",
    ];
    let output = run(dir.path(), &args);
    let message = text(&output.stderr);
    assert!(message.contains("nobody"), "{message}");
    assert!(!message.contains("unexpected argument"), "{message}");
}
