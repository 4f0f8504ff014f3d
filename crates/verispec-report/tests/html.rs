//! The HTML page: escaping, determinism, splitting, images.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::{HOSTILE, context, output, results, suite, table, warnings};
use verispec_model::Results;
use verispec_model::score::{Policy, uniform};
use verispec_report::html::{HtmlOptions, write_report};
use verispec_report::*;

/// Writes a report and reads it back, by file name.
fn report(results: &Results, options: &HtmlOptions, folder: &Path) -> BTreeMap<String, String> {
    let (suite, context) = (suite(), context());
    let scores = uniform(results, Policy::default());
    let rank = RankTable::build(&scores, &RankBy::Average, &[]).unwrap();
    let warnings = warnings();
    let input = ReportInput {
        context: &context,
        scores: &scores,
        rank: Some(&rank),
        instances: views(results, Some(&suite), &scores, output),
        warnings: &warnings,
    };
    let files = write_report(&input, folder, options).unwrap();
    files
        .iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

fn split() -> HtmlOptions {
    HtmlOptions {
        page_instances: 3,
        ..HtmlOptions::default()
    }
}

#[test]
fn no_text_from_outside_becomes_markup() {
    let mut hostile = results();
    hostile.models[0].model = format!("\"><b onclick=x>{HOSTILE}");
    for item in &mut hostile.models[1].tracks[1].dimensions {
        item.name = HOSTILE.into();
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, page) in report(&hostile, &HtmlOptions::default(), folder.path())
        .into_iter()
        .chain(report(&hostile, &split(), folder.path()))
    {
        assert_eq!(page.matches("<script>").count(), 1, "{name}: only our own");
        assert!(!page.contains("alert(1)</script>"), "{name}");
        assert!(!page.contains("<img src=x"), "{name}");
        assert!(!page.contains("<b onclick"), "{name}");
        assert!(
            !page.contains("49 \u{1b}"),
            "{name}: a template in data ran"
        );
    }
    let index = &report(&hostile, &HtmlOptions::default(), folder.path())["index.html"];
    assert!(index.contains("&lt;script&gt;alert(1)&lt;&#x2f;script&gt;"));
    assert!(index.contains("{{ 7 * 7 }}"));
}

#[test]
fn equal_input_gives_equal_bytes() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for options in [HtmlOptions::default(), split()] {
        assert_eq!(
            report(&results(), &options, a.path()),
            report(&results(), &options, b.path())
        );
        assert_eq!(
            report(&results(), &options, a.path()),
            report(&results(), &options, a.path()),
            "writing again over it"
        );
    }
    let drafts = fs::read_dir(a.path())
        .unwrap()
        .filter(|f| {
            f.as_ref()
                .unwrap()
                .file_name()
                .to_string_lossy()
                .contains("draft")
        })
        .count();
    assert_eq!(drafts, 0);
}

#[test]
fn one_page_holds_every_instance_and_specification() {
    let folder = tempfile::tempdir().unwrap();
    let pages = report(&results(), &HtmlOptions::default(), folder.path());
    assert_eq!(pages.len(), 1);
    let page = &pages["index.html"];
    assert_eq!(page.matches("<details class=\"card\"").count(), 11);
    let c = {
        let mut sum = verispec_model::score::Counters::default();
        for model in &table().models {
            sum += &model.counters;
        }
        sum
    };
    let rows = |state: &str| page.matches(&format!("<tr class=\"{state}\">")).count();
    assert_eq!(rows("met"), c.met);
    assert_eq!(rows("unmet"), c.judged - c.met);
    assert_eq!(rows("unjudged"), c.unjudged);
    assert_eq!(rows("pending"), c.pending);
    for anchor in ["id=\"t2i&#x2f;c1&#x2f;alpha\"", "id=\"track&#x2f;edit\""] {
        assert_eq!(page.matches(anchor).count(), 1, "{anchor}");
    }
    assert!(page.contains("output missing, 3 specifications lost"));
    assert!(page.contains("not judgeable for any model: reference image c2_in.png"));
    assert!(page.contains("scoring=uniform missing=zero unjudged=exclude"));
}

#[test]
fn many_instances_get_a_page_a_model_and_track() {
    let folder = tempfile::tempdir().unwrap();
    let pages = report(&results(), &split(), folder.path());
    let names: Vec<&str> = pages.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "alpha-edit.html",
            "alpha-t2i.html",
            "beta-edit.html",
            "beta-t2i.html",
            "gamma-t2i.html",
            "index.html"
        ]
    );
    let index = &pages["index.html"];
    for name in &names[..5] {
        assert!(index.contains(&format!("href=\"{name}\"")), "{name}");
    }
    assert_eq!(index.matches("<details class=\"card\"").count(), 0);
    let alpha = &pages["alpha-t2i.html"];
    assert_eq!(alpha.matches("<details class=\"card\"").count(), 3);
    assert!(alpha.contains("href=\"beta-t2i.html#t2i&#x2f;c1&#x2f;beta\""));
    let total: usize = pages
        .values()
        .map(|p| p.matches("<details class=\"card\"").count())
        .sum();
    assert_eq!(total, 11);
}

#[test]
fn nothing_is_fetched_from_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    for (name, page) in report(&results(), &split(), folder.path()) {
        assert!(
            !page.contains("http://") && !page.contains("https://"),
            "{name}"
        );
        assert!(page.contains("default-src &#x27;none&#x27;"), "{name}");
        assert!(!page.contains(" style=\""), "{name}: the policy forbids it");
    }
}

#[test]
fn images_are_linked_or_embedded() {
    let folder = tempfile::tempdir().unwrap();
    let image: PathBuf = folder.path().join("out 1.png");
    fs::write(&image, b"\x89PNG\r\n\x1a\nbytes").unwrap();
    let (results, suite, scores, context) = (results(), suite(), table(), context());
    let outputs = |_: &str, _: &str, _: &str| vec![OutputPart::Image(image.clone())];
    let input = ReportInput {
        context: &context,
        scores: &scores,
        rank: None,
        instances: views(&results, Some(&suite), &scores, outputs),
        warnings: &[],
    };
    let page = |inline| {
        let options = HtmlOptions {
            inline,
            ..HtmlOptions::default()
        };
        let target = folder.path().join("report");
        let files = write_report(&input, &target, &options).unwrap();
        fs::read_to_string(&files[0]).unwrap()
    };
    let linked = page(false);
    assert!(linked.contains("src=\"..&#x2f;out%201.png\""));
    assert!(linked.contains("loading=\"lazy\""));
    assert!(linked.contains("not on disk"), "the reference is absent");
    assert!(page(true).contains("src=\"data:image&#x2f;png;base64,"));
}

#[test]
fn a_folder_that_cannot_be_made_is_a_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let (scores, context) = (table(), context());
    let input = ReportInput {
        context: &context,
        scores: &scores,
        rank: None,
        instances: vec![],
        warnings: &[],
    };
    let target = file.join("report");
    let error = write_report(&input, &target, &HtmlOptions::default()).unwrap_err();
    assert!(
        error.to_string().starts_with("cannot make folder "),
        "{error}"
    );
}
