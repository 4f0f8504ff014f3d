//! The page in a headless Chromium: filters, keys, address, both forms, nothing off the page.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed"
)]

#[path = "common/browser.rs"]
mod browser;
#[path = "common/large.rs"]
mod large;

use std::path::{Path, PathBuf};

use browser::Browser;
use large::Large;
use serde_json::json;
use verispec_model::{InstanceState, YesNo};
use verispec_report::OutputPart;
use verispec_report::html::{HtmlOptions, write_report, write_single};

const MODELS: usize = 5;
const TASKS: usize = 66;

/// A report with an image for each output, as a folder and as one file.
fn pages(made: &Large, folder: &Path) -> [PathBuf; 2] {
    let image = folder.join("output.png");
    image::RgbImage::from_pixel(40, 30, image::Rgb([30, 90, 160]))
        .save(&image)
        .unwrap();
    let outputs = |_: &str, _: &str, _: &str| {
        vec![
            OutputPart::Image(image.clone()),
            OutputPart::Text("<img src=x onerror=window.broken=1>".into()),
        ]
    };
    let input = made.input(&outputs);
    let options = HtmlOptions {
        root: Some(folder.to_owned()),
        ..HtmlOptions::default()
    };
    let files = write_report(&input, &folder.join("report"), &options).unwrap();
    let single = write_single(&input, &folder.join("one.html"), &options).unwrap();
    [files[0].clone(), single]
}

/// Results for which a judge's verdicts on some specification are told apart by `differs`.
fn count(made: &Large, differs: impl Fn(usize, usize, usize, usize) -> bool) -> usize {
    let state = |judge: usize, model: usize, at: usize| {
        let (_, _, results, _) = &made.judges[judge];
        let all = results.models[model]
            .tracks
            .iter()
            .flat_map(|t| &t.dimensions);
        &all.flat_map(|d| &d.instances).nth(at).unwrap().state
    };
    let mut found = 0;
    for model in 0..MODELS {
        let (_, _, results, _) = &made.judges[0];
        let n = results.models[model]
            .tracks
            .iter()
            .flat_map(|t| &t.dimensions);
        for at in 0..n.map(|d| d.instances.len()).sum() {
            let InstanceState::Generated(specs) = state(0, model, at) else {
                continue;
            };
            found += usize::from((0..specs.len()).any(|s| differs(model, at, s, specs.len())));
        }
    }
    found
}

fn verdict(made: &Large, judge: usize, model: usize, at: usize, spec: usize) -> Option<YesNo> {
    let (_, _, results, _) = &made.judges[judge];
    let all = results.models[model]
        .tracks
        .iter()
        .flat_map(|t| &t.dimensions);
    match &all.flat_map(|d| &d.instances).nth(at).unwrap().state {
        InstanceState::Generated(specs) => specs[spec].verdict(),
        _ => None,
    }
}

#[test]
fn filters_work_in_both_forms_and_nothing_leaves_the_page() {
    let Some(command) = browser::command() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let made = Large::new(MODELS, TASKS);
    for page in pages(&made, folder.path()) {
        let mut browser = Browser::start(&command, (1440, 900));
        browser.open(&page, "");
        filters(&mut browser, &made);
        words_and_keys(&mut browser);
        address(&mut browser, &page);
        let home = format!("file://{}", folder.path().canonicalize().unwrap().display());
        for url in browser.requests() {
            let own = url.starts_with(&home) || url.starts_with("blob:") || url == "about:blank";
            let plain = format!("file://{}", folder.path().display());
            assert!(own || url.starts_with(&plain), "{url}");
        }
        assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
        assert_eq!(browser.eval("window.broken === undefined"), json!(true));
    }
}

/// Picks a filter and gives how many results are left.
fn pick(browser: &mut Browser, name: &str, value: &str) -> usize {
    let script = format!(
        "(() => {{ const f = document.getElementById('filter').elements['{name}']; f.value = {value}; \
         f.dispatchEvent(new Event('input', {{bubbles: true}})); \
         return document.getElementById('count').textContent.split(' ')[0].replace(',', ''); }})()"
    );
    browser.eval(&script).as_str().unwrap().parse().unwrap()
}

fn filters(browser: &mut Browser, made: &Large) {
    let all = pick(browser, "show", "''");
    assert!(all > MODELS * TASKS / 2, "{all}");
    let unmet = count(made, |m, at, s, _| {
        let results = &made.judges[0].2;
        let items = results.models[m].tracks.iter().flat_map(|t| &t.dimensions);
        let InstanceState::Generated(specs) =
            &items.flat_map(|d| &d.instances).nth(at).unwrap().state
        else {
            return false;
        };
        specs[s].met() == Some(false)
    });
    assert_eq!(pick(browser, "show", "'unmet'"), unmet);
    let disagree = count(made, |m, at, s, _| {
        let verdicts = [0, 1].map(|judge| verdict(made, judge, m, at, s));
        matches!(verdicts, [Some(a), Some(b)] if a != b)
    });
    assert_eq!(pick(browser, "show", "'disagree'"), disagree);
    let unjudged = count(made, |m, at, s, _| verdict(made, 0, m, at, s).is_none());
    assert_eq!(pick(browser, "show", "'unjudged'"), unjudged);
    let alone = pick(browser, "show", "'alone'");
    assert!(alone > 0 && alone < unmet, "{alone}");
    assert_eq!(pick(browser, "show", "''"), all);
    let of_model = pick(browser, "model", "'1'");
    assert!(of_model > 0 && of_model <= TASKS, "{of_model}");
    let of_both = pick(browser, "track", "'1'");
    assert!(of_both > 0 && of_both < of_model, "{of_both}");
    pick(browser, "model", "''");
    pick(browser, "track", "''");
    assert_eq!(pick(browser, "q", "'no such words at all'"), 0);
    let boats = pick(browser, "q", "'three small BOATS'");
    assert!(boats > 0 && boats <= all, "{boats}");
    pick(browser, "q", "''");
}

fn words_and_keys(browser: &mut Browser) {
    browser.eval("document.getElementById('instances').scrollIntoView()");
    browser.wait("document.querySelectorAll('#detail .specs li').length > 0");
    browser.wait("document.querySelectorAll('#detail .note').length > 0");
    let output = "document.querySelector('#detail .output .prose').textContent.startsWith('<img')";
    assert_eq!(browser.eval(output), json!(true), "text stays text");
    browser.wait("document.querySelector('#detail img').naturalWidth > 0");
    let at = "document.getElementById('detail').dataset.at";
    let first = browser.eval(at);
    browser.key("j");
    assert_ne!(browser.eval(at), first);
    browser.key("k");
    assert_eq!(browser.eval(at), first);
    browser.key("/");
    assert_eq!(browser.eval("document.activeElement.id"), json!("q"));
    browser.key("Escape");
    browser.key("?");
    assert_eq!(
        browser.eval("document.getElementById('help').open"),
        json!(true)
    );
    browser.eval("document.getElementById('help').close()");
    browser.key("t");
    assert_eq!(
        browser.eval("document.documentElement.dataset.theme !== ''"),
        json!(true)
    );
    browser.eval("document.querySelector('input[name=words]').click()");
    browser.wait("!document.getElementById('count').textContent.startsWith('reading')");
    assert!(pick(browser, "q", "'I see'") > 0, "in judges' words");
    browser.eval("window.open = (...given) => { window.opened = given; }");
    browser.key("v");
    let opened = browser.eval("window.opened[0]");
    let opened = opened.as_str().unwrap();
    assert!(
        opened.starts_with("http://127.0.0.1:8017/at?track="),
        "{opened}"
    );
    assert!(
        opened.contains("&instance=") && opened.contains("&model="),
        "{opened}"
    );
    assert_eq!(browser.eval("window.opened[2]"), json!("noopener"));
    browser.key("x");
}

/// Filters and the opened instance stand in the address and come back from it.
fn address(browser: &mut Browser, page: &Path) {
    browser.open(page, "#show=disagree&track=t2i&judge=made-up%2Fjudge-b");
    assert_eq!(
        browser.eval("document.getElementById('filter').elements.show.value"),
        json!("disagree")
    );
    assert_eq!(
        browser.eval("document.getElementById('judge').value"),
        json!("1")
    );
    let shown = "[...document.querySelectorAll('#scores .judged')].filter(e => !e.hidden).length";
    assert_eq!(browser.eval(shown), json!(1));
    browser.key("j");
    browser.wait("location.hash.includes('at=t2i')");
    // The words of an instance are loaded when it is opened.
    let shown = "(() => { const h = document.querySelector('#detail h3'); \
                 return h !== null && decodeURIComponent(location.hash).includes(`|${h.textContent}|`); })()";
    browser.wait(shown);
    let hash = browser.eval("location.hash");
    let at = browser.eval("document.querySelector('#detail h3').textContent");
    browser.open(page, hash.as_str().unwrap());
    browser.wait(shown);
    assert_eq!(
        browser.eval("document.querySelector('#detail h3').textContent"),
        at
    );
}

#[test]
fn a_phone_shows_everything_in_its_width() {
    let Some(command) = browser::command() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let made = Large::new(MODELS, TASKS);
    let [page, _] = pages(&made, folder.path());
    let mut browser = Browser::start(&command, (390, 844));
    browser.open(&page, "");
    assert_eq!(
        browser.eval("document.documentElement.scrollWidth"),
        json!(390)
    );
    browser.eval("document.querySelector('.row').click()");
    browser.wait("document.querySelectorAll('#detail .specs li').length > 0");
    let inside = "document.getElementById('detail').getBoundingClientRect().width";
    assert_eq!(browser.eval(inside), json!(390));
    browser.eval("document.querySelector('.back').click()");
    let closed = "getComputedStyle(document.getElementById('detail')).display";
    assert_eq!(browser.eval(closed), json!("none"));
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}
