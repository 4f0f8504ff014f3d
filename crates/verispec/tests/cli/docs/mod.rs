//! Every command of the documents is run, page by page, each page in a folder of its own.
//!
//! A page's shell blocks are its commands. Before them `docs/setup/<page>.sh` puts into the folder
//! what the page takes as given: runs, files, judges. Two things stand in for what is not on this
//! machine: a fake judge answers for every provider, and `http://localhost:8000/v1` is its address.
//! What stands behind `# exit N` or `# until Ctrl-C` on a line is how the command must end. Blocks
//! that cannot be run here say why: `sh no-run: REASON`, and are listed in [`NOT_RUN`].
#![cfg(unix)]

mod blocks;
mod sandbox;

use std::path::{Path, PathBuf};

use blocks::{Block, blocks, hidden};
use sandbox::Sandbox;

/// Blocks that are not run, by page and reason. A new one needs a reason that convinces.
const NOT_RUN: &[(&str, &str)] = &[
    ("README.md", "downloads"),
    ("builtin-judge.md", "downloads"),
    ("builtin-judge.md", "downloads"),
    ("from-specv.md", "the release's own scripts"),
    ("fuzzing.md", "nightly toolchain"),
    ("performance.md", "benchmarks, minutes each"),
    ("python.md", "downloads"),
    ("python.md", "wants the Python package"),
    ("report.md", "feature parquet, on in released binaries"),
    ("review.md", "wants people's answers"),
    ("specifications.md", "downloads"),
    ("specifications.md", "wants people's answers"),
    ("specifications.md", "wants results of a benchmark"),
    ("xtc.md", "files of segmentation models"),
    ("xtc.md", "wants a vision-language model that describes"),
    ("xtc.md", "wants people's answers"),
];

/// Pages that are translated, with their translations.
const TRANSLATED: [(&str, &str); 4] = [
    ("README.md", "zh/README.md"),
    ("evaluate.md", "zh/evaluate.md"),
    ("protocols.md", "zh/protocols.md"),
    ("money.md", "zh/money.md"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(page: &str) -> String {
    let path = match page {
        "README.md" => root().join(page),
        _ => root().join("docs").join(page),
    };
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Runs the commands of a page.
fn check(page: &str) {
    let blocks = blocks(&read(page));
    let runs = blocks.iter().filter(|b| b.not_run.is_none());
    let commands: Vec<_> = runs.flat_map(|b| &b.commands).collect();
    assert!(!commands.is_empty(), "{page} has no commands");
    let Some(sandbox) = Sandbox::new(page.trim_end_matches(".md")) else {
        return;
    };
    for command in commands {
        sandbox.run(page, command);
    }
}

macro_rules! pages {
    ($($name:ident $page:literal,)*) => {
        /// Pages with commands.
        const PAGES: &[&str] = &[$($page),*];

        $(#[test]
        fn $name() {
            check($page);
        })*
    };
}

pages! {
    readme "README.md",
    batch "batch.md",
    builtin_judge "builtin-judge.md",
    clusters "clusters.md",
    custom_suites "custom-suites.md",
    dsg "dsg.md",
    evaluate "evaluate.md",
    exporters "exporters.md",
    fetch "fetch.md",
    from_specv "from-specv.md",
    gate "gate.md",
    generate "generate.md",
    importers "importers.md",
    limits "limits.md",
    money "money.md",
    protocols "protocols.md",
    providers "providers.md",
    published "published.md",
    realunify "realunify.md",
    report "report.md",
    review "review.md",
    scores "scores.md",
    specifications "specifications.md",
    studies "studies.md",
    xtc "xtc.md",
    xtc_without_gpus "xtc-without-gpus.md",
}

fn all_pages() -> Vec<String> {
    let files = std::fs::read_dir(root().join("docs")).expect("docs");
    let names = files
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned());
    let mut pages: Vec<String> = names.filter(|n| n.ends_with(".md")).collect();
    pages.push("README.md".to_owned());
    pages.sort();
    pages
}

#[test]
fn no_page_and_no_command_is_left_out() {
    let mut not_run = vec![];
    for page in all_pages() {
        let text = read(&page);
        assert_eq!(
            hidden(&text),
            [""; 0],
            "{page}: commands outside of blocks `sh`"
        );
        let blocks = blocks(&text);
        let is_run = |b: &Block| b.not_run.is_none();
        if blocks.iter().any(is_run) {
            assert!(PAGES.contains(&page.as_str()), "{page} has no test here");
        }
        let reasons = blocks.iter().filter_map(|b| b.not_run.clone());
        not_run.extend(reasons.map(|reason| (page.clone(), reason)));
    }
    let mut found: Vec<(&str, &str)> = not_run
        .iter()
        .map(|(p, r)| (p.as_str(), r.as_str()))
        .collect();
    found.sort_unstable();
    assert_eq!(found, NOT_RUN);
}

/// What is typed is the same in every language, so running the English pages runs all.
#[test]
fn translations_have_the_same_commands() {
    for (page, translated) in TRANSLATED {
        let typed = |page: &str| {
            let text = read(page);
            // README ends with a short start in Chinese, which its translation has in full.
            let (compared, _) = text.split_once("\n## 快速开始").unwrap_or((&text, ""));
            let blocks = blocks(compared);
            let one = |b: Block| {
                let lines = b.commands.into_iter().map(|c| (c.text, c.end));
                (b.not_run, lines.collect::<Vec<_>>())
            };
            blocks.into_iter().map(one).collect::<Vec<_>>()
        };
        assert!(!typed(page).is_empty(), "{page}");
        assert_eq!(typed(page), typed(translated), "{translated}");
        assert_eq!(hidden(&read(translated)), [""; 0], "{translated}");
    }
    let there = std::fs::read_dir(root().join("docs/zh")).expect("docs/zh");
    assert_eq!(
        there.count(),
        TRANSLATED.len(),
        "a translation is not compared"
    );
}

/// Files that pages link to are there.
#[test]
fn every_link_leads_somewhere() {
    let translations = TRANSLATED.map(|(_, page)| page.to_owned());
    let mut checked = 0;
    for page in all_pages().iter().chain(&translations) {
        let folder = match page.as_str() {
            "README.md" => root(),
            page if page.starts_with("zh/") => root().join("docs/zh"),
            _ => root().join("docs"),
        };
        let text = read(page);
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let file = link.split('#').next().unwrap_or_default();
            // Brackets before parentheses may also be a formula.
            if file.is_empty() || file.contains("://") || file.contains(' ') {
                continue;
            }
            assert!(folder.join(file).exists(), "{page}: {link}");
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked} links");
}

/// Fields of configuration that a page shows are those that the program reads.
#[test]
fn every_configuration_shown_is_one() {
    let (mut read_files, mut priced) = (0, 0);
    let translations = TRANSLATED.map(|(_, page)| page.to_owned());
    for page in all_pages().iter().chain(&translations) {
        for text in blocks::of_kind(&read(page), "toml") {
            if text.contains("[[price]]") {
                let prices = verispec_providers::price::PriceTable::embedded();
                prices
                    .with(&text, page)
                    .unwrap_or_else(|e| panic!("{page}: {e}"));
                priced += 1;
                continue;
            }
            assert_eq!(refused(&text), None, "{page}");
            read_files += 1;
        }
    }
    assert!(read_files > 4 && priced > 0, "{read_files} and {priced}");
    assert!(refused("[judge.x]\nmodell = \"x\"\n").is_some());
}

/// What the program says against a configuration.
fn refused(text: &str) -> Option<String> {
    let dir = tempfile::tempdir().expect("folder");
    crate::support::write(&dir.path().join("verispec.toml"), text);
    let output = crate::support::run(dir.path(), &["check", "specv", "--data", "nowhere"]);
    let said = crate::support::text(&output.stderr);
    said.contains("verispec.toml:").then_some(said)
}
