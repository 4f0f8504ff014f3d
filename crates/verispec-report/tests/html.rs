//! The page as files: escaping, determinism, data, images, the single file.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;
#[path = "common/large.rs"]
mod large;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::{HOSTILE, context, golden, output, results, suite};
use serde_json::Value;
use verispec_model::Results;
use verispec_model::score::{Policy, complexity, contrast, uniform};
use verispec_report::html::{HtmlOptions, write_report, write_single};
use verispec_report::*;

/// Hands the input of a report over the results to `write`.
fn with<T>(
    results: &Results,
    outputs: &Outputs<'_>,
    write: impl FnOnce(&ReportInput<'_>) -> T,
) -> T {
    let (suite, context) = (suite(), context());
    let scores = uniform(results, Policy::default());
    let judged = Judged {
        name: "openai/judge-1".into(),
        context: &context,
        results,
        scores: &scores,
        ranks: vec![RankTable::build(&scores, &RankBy::Average, &[]).unwrap()],
        complexity: complexity(results, &scores),
        contrast: contrast(&scores, &["edit"], &["t2i"]),
    };
    write(&ReportInput {
        judged: vec![judged],
        suite: Some(&suite),
        outputs,
        runs: vec![RunCard {
            run: "2026-01-02-alpha".into(),
            lines: vec![("served models".into(), "judge-1-2026 (11 replies)".into())],
            cost: Some(CostCard {
                replies: 11,
                dollars: Some(0.25),
                price: "2.00 in, 8.00 out".into(),
                ..CostCard::default()
            }),
        }],
        statistics: Statistics::default(),
    })
}

/// Writes a report and reads it back, by file name.
fn report(results: &Results, folder: &Path) -> BTreeMap<String, String> {
    let options = HtmlOptions::default();
    let files = with(results, &output, |i| {
        write_report(i, folder, &options).unwrap()
    });
    let named = files.iter().map(|path| {
        let name = path
            .strip_prefix(folder)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        (name, fs::read_to_string(path).unwrap())
    });
    named.collect()
}

/// The data of a data file.
fn data(files: &BTreeMap<String, String>, name: &str) -> Value {
    let script = &files[&format!("report.data/{name}.js")];
    let json = script
        .strip_prefix(&format!("verispec.take(\"{name}\","))
        .unwrap();
    serde_json::from_str(json.strip_suffix(");\n").unwrap()).unwrap()
}

fn hostile() -> Results {
    let mut hostile = results();
    hostile.models[0].model = format!("\"><b onclick=x>{HOSTILE}");
    for item in &mut hostile.models[1].tracks[1].dimensions {
        item.name = format!("{HOSTILE} \u{2028}");
    }
    hostile
}

#[test]
fn no_text_from_outside_becomes_markup() {
    let folder = tempfile::tempdir().unwrap();
    let files = report(&hostile(), folder.path());
    let index = &files["index.html"];
    assert_eq!(
        index.matches("<script").count(),
        2,
        "index data and our own"
    );
    assert_eq!(index.matches("</script").count(), 2);
    for bad in ["<img src=x", "<b onclick", "49 \u{1b}", "{{"] {
        let page = index.replace("{{ 7 * 7 }}", "");
        assert!(!page.contains(bad), "{bad}");
    }
    assert!(index.contains("&lt;script&gt;alert(1)&lt;&#x2f;script&gt;"));
    assert!(
        index.contains("&lt;script&gt;alert(1)&lt;/script&gt;"),
        "in a chart"
    );
    for (name, text) in files.iter().filter(|(n, _)| n.ends_with(".js")) {
        assert!(!text.contains(['<', '\u{2028}']), "{name}");
    }
    assert!(
        data(&files, "instances-001")
            .to_string()
            .contains("<script>alert(1)</script>")
    );
}

#[test]
fn the_script_puts_no_markup_into_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let index = &report(&results(), folder.path())["index.html"];
    let ways = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "srcdoc",
    ];
    for way in ways {
        assert!(!index.contains(way), "{way}");
    }
}

#[test]
fn equal_input_gives_equal_bytes_and_old_chunks_go() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert_eq!(report(&results(), a.path()), report(&results(), b.path()));
    let stale = a.path().join("report.data/instances-002.js");
    fs::write(&stale, "old").unwrap();
    assert_eq!(
        report(&results(), a.path()),
        report(&results(), b.path()),
        "over it"
    );
    assert!(!stale.exists());
    let names = fs::read_dir(a.path()).unwrap();
    let drafts = names.filter(|f| {
        f.as_ref()
            .unwrap()
            .file_name()
            .to_string_lossy()
            .contains("draft")
    });
    assert_eq!(drafts.count(), 0);
}

#[test]
fn data_holds_every_instance_and_verdict_once() {
    let folder = tempfile::tempdir().unwrap();
    let files = report(&results(), folder.path());
    let mut sum = verispec_model::score::Counters::default();
    for model in &common::table().models {
        sum += &model.counters;
    }
    let verdicts = data(&files, "verdicts");
    let codes: Vec<&str> = verdicts["codes"][0]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c.as_str().unwrap())
        .collect();
    assert_eq!(codes.iter().filter(|c| !c.is_empty()).count(), 11);
    let count = |letter: &str| {
        codes
            .iter()
            .map(|c| c.matches(letter).count())
            .sum::<usize>()
    };
    assert_eq!(count("m"), sum.met);
    assert_eq!(count("u"), sum.judged - sum.met);
    assert_eq!(count("?"), sum.unjudged);
    assert_eq!(count("."), sum.pending);
    assert_eq!((count("!"), count("#")), (1, 1));

    let tasks = data(&files, "tasks");
    let tasks = tasks["tasks"].as_array().unwrap();
    let ids: Vec<&str> = tasks.iter().map(|t| t[2].as_str().unwrap()).collect();
    assert_eq!(ids, ["c1", "c2", "x1", "s1"]);
    let words = data(&files, "instances-001");
    let c2 = &words["items"][1]["res"];
    assert_eq!(c2[1][2][0][0], "output missing, 3 specifications lost");
    assert_eq!(
        c2[2][2][0][0],
        "not judgeable for any model: reference image c2_in.png is not on disk"
    );
    let said = &words["items"][0]["res"][0][2][0][1][0];
    assert_eq!(said[6], "The sign is blue.");
}

#[test]
fn the_page_without_its_script_is_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let index = &report(&results(), folder.path())["index.html"];
    let from = index.find("<body>").unwrap();
    let body = &index[from..index.find("<script").unwrap()];
    golden("page.html", body);
    assert!(body.contains("scoring=uniform missing=zero unjudged=exclude"));
}

#[test]
fn nothing_is_fetched_from_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    for (name, page) in report(&results(), folder.path()) {
        // Opened on this machine by a key, never fetched.
        let page = page.replace("http://127.0.0.1:8017/at", "");
        assert!(
            !page.contains("http://") && !page.contains("https://"),
            "{name}"
        );
        assert!(!page.contains(" style=\""), "{name}: the policy forbids it");
    }
    let index = &report(&results(), folder.path())["index.html"];
    assert!(index.contains("default-src &#x27;none&#x27;"));
}

#[test]
fn images_in_the_kept_folder_are_linked_and_others_copied() {
    let folder = tempfile::tempdir().unwrap();
    let image: PathBuf = folder.path().join("out 1.png");
    image::RgbImage::new(20, 10).save(&image).unwrap();
    let outputs = |_: &str, _: &str, _: &str| vec![OutputPart::Image(image.clone())];
    let target = folder.path().join("report");
    let first = |root: Option<&Path>| {
        let options = HtmlOptions {
            root: root.map(Path::to_owned),
            ..HtmlOptions::default()
        };
        with(&results(), &outputs, |i| {
            write_report(i, &target, &options).unwrap()
        });
        fs::read_to_string(target.join("report.data/instances-001.js")).unwrap()
    };
    let linked = first(Some(folder.path()));
    assert!(linked.contains("\"url\":\"../out%201.png\""), "{linked}");
    assert!(linked.contains("not on disk"), "the reference is absent");
    let copied = first(None);
    let at = copied.find("report.data/images/").unwrap();
    let name = &copied[at..at + copied[at..].find('"').unwrap()];
    assert!(target.join(name).is_file(), "{name}");
}

#[test]
fn a_single_file_keeps_below_its_limit_and_says_what_it_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("o.png");
    image::RgbImage::from_fn(300, 300, |x, y| {
        image::Rgb([(x * y % 251) as u8, x as u8, y as u8])
    })
    .save(&image)
    .unwrap();
    let made = large::Large::new(4, 60);
    let outputs = |_: &str, _: &str, _: &str| vec![OutputPart::Image(image.clone())];
    let write = |outputs: &Outputs<'_>, single_limit| {
        let options = HtmlOptions {
            single_limit,
            ..HtmlOptions::default()
        };
        let file = folder.path().join("one.html");
        write_single(&made.input(outputs), &file, &options).map(|f| fs::read_to_string(f).unwrap())
    };
    let whole = write(&outputs, 20_000_000).unwrap();
    assert!(!whole.contains("class=\"notice omission\""));
    assert!(whole.contains("id=\"data-instances-002\""));
    let without = write(&large::nothing, 20_000_000).unwrap();
    let tight = without.len() + 30_000;
    let page = write(&outputs, tight).unwrap();
    assert!(page.len() < tight, "{} of {tight}", page.len());
    assert!(page.contains(" images are left out"), "no room for them");
    let wordless = write(&outputs, without.len() - 20_000).unwrap();
    assert!(wordless.contains("Judges&#x27; words"));
    let error = write(&outputs, 10_000).unwrap_err();
    assert!(
        error.to_string().contains("without --single-file"),
        "{error}"
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_a_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let options = HtmlOptions::default();
    let target = file.join("report");
    let error = with(&results(), &output, |i| {
        write_report(i, &target, &options).unwrap_err()
    });
    assert!(
        error.to_string().starts_with("cannot make folder "),
        "{error}"
    );
}
