//! The references of commands and of configuration files, completion scripts, manual pages, and
//! options named in documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
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

/// The reference page of commands.
fn page(all: &BTreeMap<Vec<String>, String>) -> String {
    let mut page = String::from(
        "# Commands\n\nEvery command with its options, as `--help` prints it. This page is made by \
         a test and checked by it.\n",
    );
    for (command, help) in all {
        let name = [&["verispec".to_owned()], &command[..]].concat().join(" ");
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        let text = lines.join("\n");
        write!(page, "\n## {name}\n\n```text\n{}\n```\n", text.trim_end()).expect("text");
    }
    page
}

/// A page that is made must be the one that is there. After a change of arguments or fields:
/// `VERISPEC_UPDATE_DOCS=1 cargo test -p verispec reference`.
fn is_up_to_date(name: &str, made: &str) {
    let path = documents().join(name);
    if std::env::var_os("VERISPEC_UPDATE_DOCS").is_some() {
        std::fs::write(&path, made).expect("written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == made,
        "docs/{name} is stale; run with VERISPEC_UPDATE_DOCS=1"
    );
}

#[test]
fn the_reference_is_what_help_prints() {
    let all = all();
    assert!(all.len() > 40, "{} commands", all.len());
    is_up_to_date("cli.md", &page(&all));
}

/// Where the fields of configuration files are defined.
const CONFIG: &str = include_str!("../../src/config.rs");
const PRICES: &str = include_str!("../../../verispec-providers/src/price/table.rs");

/// A field: name, type, what it is for, by its definition.
fn fields(source: &str, of: &str) -> Vec<[String; 3]> {
    let start = source.find(&format!("struct {of} {{")).expect("a struct");
    let body = source[start..].lines().skip(1);
    let (mut found, mut said, mut name) = (vec![], vec![], None);
    for line in body.map(str::trim).take_while(|line| *line != "}") {
        if let Some(text) = line.strip_prefix("/// ") {
            said.push(text.to_owned());
        } else if let Some(text) = line.strip_prefix("#[serde(rename = \"") {
            name = text.split('"').next().map(str::to_owned);
        } else if let Some((field, kind)) = line.trim_end_matches(',').split_once(": ") {
            let field = field.trim_start_matches("pub(crate) ").to_owned();
            let kind = word_for(kind).to_owned();
            found.push([name.take().unwrap_or(field), kind, said.join(" ")]);
            said.clear();
        }
    }
    found
}

/// What to write for a field of a type.
fn word_for(kind: &str) -> &'static str {
    match kind.trim_start_matches("Option<").trim_end_matches('>') {
        "String" => "text",
        "PathBuf" => "path",
        "usize" | "f64" => "number",
        "Vec<String" => "list of texts",
        "BTreeMap<String, toml::Value" => "table",
        "Structured" => "`\"none\"`, `\"json_object\"`, `\"json_schema\"`",
        "Reduce" => "`\"majority\"`, `\"mean\"`, `\"unanimous\"`, `\"member:NAME\"`",
        "GenerateConfig" => "table, below",
        "Vec<Row" => "list of tables, below",
        other => panic!("the reference has no word for the type {other}"),
    }
}

/// The reference page of configuration files.
fn config_page() -> String {
    let mut page = String::from(
        "# Configuration files\n\nAll fields, from the definitions that the program reads them with. \
         This page is made by a test and checked by it. What the fields do: [judges](judges.md), \
         [generate](generate.md), [prices](money.md). A field that is not listed is refused. Flags \
         win over the file, the file over environment variables.\n\n\
         `verispec.toml` is read from the working folder, or `--config FILE`; `prices.toml` from the \
         working folder, or `--prices FILE`.\n",
    );
    let parts = [
        ("`verispec.toml`: `[judge.NAME]`", CONFIG, "JudgeConfig"),
        ("`verispec.toml`: `[model.NAME]`", CONFIG, "ModelConfig"),
        (
            "`verispec.toml`: `generate` of `[model.NAME]`",
            CONFIG,
            "GenerateConfig",
        ),
        ("`verispec.toml`: `[suite.NAME]`", CONFIG, "SuiteConfig"),
        ("`prices.toml`", PRICES, "File"),
        ("`prices.toml`: `[[price]]`", PRICES, "Row"),
    ];
    for (title, source, of) in parts {
        write!(
            page,
            "\n## {title}\n\n| field | value | meaning |\n|---|---|---|\n"
        )
        .expect("text");
        for [name, kind, said] in fields(source, of) {
            assert!(!said.is_empty(), "{of}.{name} has no description");
            writeln!(page, "| `{name}` | {kind} | {said} |").expect("text");
        }
    }
    page
}

#[test]
fn the_reference_of_files_is_what_is_read() {
    is_up_to_date("config.md", &config_page());
}

/// Commands in the code blocks of a document, continued lines joined.
fn commands(document: &str) -> Vec<String> {
    let (mut found, mut inside) = (vec![], false);
    for line in document.replace("\\\n", " ").lines() {
        let line = line.trim();
        if line.starts_with("```") {
            inside = !inside && line.starts_with("```sh");
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
