//! The page in a headless Chromium: thirty items by keyboard, two people, a conflict settled, the
//! server killed in between.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../verispec-report/tests/common/browser.rs"]
mod browser;
mod common;

use std::path::Path;

use base64::Engine as _;
use browser::Browser;
use common::{Server, form, serve_from_environment, write_set};
use serde_json::{Value, json};

#[test]
#[ignore = "the server of the other tests"]
fn serve_review() {
    serve_from_environment();
}

const READY: &str = "document.documentElement?.dataset.ready === 'true'";

/// Goes to an address of the review and waits for its page.
fn go(browser: &mut Browser, url: &str) {
    browser.send("Page.navigate", json!({"url": "about:blank"}));
    browser.wait("location.href === 'about:blank'");
    browser.send("Page.navigate", json!({"url": url}));
    browser.wait(&format!("location.protocol === 'http:' && {READY}"));
}

/// Does something that leads to another page, and waits for it.
fn leads(browser: &mut Browser, act: impl FnOnce(&mut Browser)) {
    browser.eval("window.before = true");
    act(browser);
    browser.wait(&format!("window.before === undefined && {READY}"));
}

fn press(browser: &mut Browser, key: &str) {
    leads(browser, |b| b.key(key));
}

/// Types into the field that has the cursor, as a keyboard does.
fn types(browser: &mut Browser, text: &str) {
    browser.send("Input.insertText", json!({"text": text}));
}

fn tab(browser: &mut Browser) {
    for kind in ["rawKeyDown", "keyUp"] {
        let key = json!({"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9});
        browser.send("Input.dispatchKeyEvent", key);
    }
}

/// Ctrl and Enter.
fn send_form(browser: &mut Browser) {
    leads(browser, |b| {
        for kind in ["rawKeyDown", "keyUp"] {
            let key = json!({"type": kind, "key": "Enter", "code": "Enter", "modifiers": 2,
                             "windowsVirtualKeyCode": 13});
            b.send("Input.dispatchKeyEvent", key);
        }
    });
}

fn text(browser: &mut Browser, selector: &str) -> String {
    let found = browser.eval(&format!(
        "document.querySelector('{selector}')?.textContent ?? ''"
    ));
    found.as_str().unwrap().trim().to_owned()
}

/// Rejects by keyboard: the field for the reason has the cursor when it opens.
fn reject(browser: &mut Browser, why: &str) {
    browser.key("r");
    browser.wait("document.activeElement.name === 'reason'");
    types(browser, why);
    send_form(browser);
}

fn edit(browser: &mut Browser, question: &str, why: &str) {
    browser.key("e");
    browser.wait("document.activeElement.name === 'question'");
    browser.eval("document.activeElement.select()");
    types(browser, question);
    tab(browser);
    tab(browser);
    types(browser, why);
    send_form(browser);
}

fn split(browser: &mut Browser, parts: [&str; 2], why: &str) {
    browser.key("s");
    browser.wait("document.activeElement.name === 'part'");
    types(browser, parts[0]);
    tab(browser);
    tab(browser);
    types(browser, parts[1]);
    for _ in 0..4 {
        tab(browser);
    }
    types(browser, why);
    send_form(browser);
}

fn events(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .skip(1)
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

/// Writes what is shown to a folder, for people to look at.
fn shot(browser: &mut Browser, name: &str) {
    let Some(folder) = std::env::var_os("VERISPEC_SCREENSHOTS") else {
        return;
    };
    let answer = browser.send("Page.captureScreenshot", json!({"format": "png"}));
    let data = answer["data"].as_str().unwrap();
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(data)
        .unwrap();
    std::fs::write(Path::new(&folder).join(name), bytes).unwrap();
}

/// Every request went to the review itself, and nothing complained but refusals that were meant.
fn stayed(browser: &mut Browser) {
    for url in browser.requests() {
        let own = url.starts_with("http://127.0.0.1:") || url == "about:blank";
        assert!(own, "{url}");
    }
    let complaints = browser.complaints();
    let refusal = |c: &Value| c["params"]["entry"]["source"] == "network";
    let others: Vec<&Value> = complaints.iter().filter(|c| !refusal(c)).collect();
    assert!(others.is_empty(), "{:?}", others[0]);
}

#[test]
fn thirty_items_two_people_a_conflict_and_a_kill() {
    let Some(command) = browser::command() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let set = write_set(folder.path(), 30);
    let path = folder.path().join("events.jsonl");
    let mut server = Server::start(&set, &path, 0);
    let mut ann = Browser::start(&command, (1440, 900));
    go(&mut ann, &server.links[0]);
    shot(&mut ann, "overview-empty.png");
    press(&mut ann, "o");
    ann.key("?");
    assert_eq!(
        ann.eval("document.getElementById('help').open"),
        json!(true)
    );
    shot(&mut ann, "keys.png");
    ann.eval("document.getElementById('help').close()");
    shot(&mut ann, "item.png");
    assert_eq!(
        ann.eval("document.querySelector('.given img').naturalWidth"),
        json!(480)
    );
    // Fifteen of thirty, with each kind of decision, and an undo.
    for place in 1..=15 {
        assert!(text(&mut ann, "h1").contains(&format!("number {place} ")));
        match place {
            3 => reject(&mut ann, "ambiguous"),
            5 => edit(&mut ann, "Is the boat blue?", "two claims"),
            7 => split(
                &mut ann,
                ["Is the boat yellow?", "Does it float?"],
                "two claims",
            ),
            _ => press(&mut ann, "a"),
        }
    }
    press(&mut ann, "u");
    assert!(
        text(&mut ann, "h1").contains("number 15 "),
        "undo goes back"
    );
    assert_eq!(text(&mut ann, ".mine"), "");
    press(&mut ann, "a");
    assert_eq!(events(&path).len(), 17);
    // Typed and not sent when the server is killed.
    ann.key("e");
    ann.wait("document.activeElement.name === 'question'");
    ann.eval("document.activeElement.select()");
    types(&mut ann, "Half a thought");
    server.kill();
    assert_eq!(events(&path).len(), 17);
    server = Server::start(&set, &path, server.port);
    go(&mut ann, &server.links[0]);
    assert!(text(&mut ann, ".bar .progress").ends_with("15 of 34"));
    press(&mut ann, "o");
    assert!(text(&mut ann, "h1").contains("number 16 "));
    let typed = ann.eval("document.querySelector('textarea[name=question]').value");
    assert_eq!(typed, json!("Half a thought"));
    shot(&mut ann, "restored.png");
    ann.eval("document.getElementById('discard').click()");
    ann.key("Escape");
    for _ in 16..=30 {
        press(&mut ann, "a");
    }
    // Then one of each other kind.
    shot(&mut ann, "verdict.png");
    assert_eq!(ann.eval("window.broken === undefined"), json!(true));
    press(&mut ann, "y");
    shot(&mut ann, "rating.png");
    press(&mut ann, "4");
    press(&mut ann, "x");
    shot(&mut ann, "answer.png");
    press(&mut ann, "5");
    assert!(text(&mut ann, ".bar .progress").ends_with("34 of 34"));
    second_person(&command, &server);
    let said = settle(&command, &server);
    assert_eq!(said, "rejected");
    let all = events(&path);
    assert!(
        all.iter().zip(1..).all(|(e, n)| e["n"] == json!(n)),
        "no gap"
    );
    assert_eq!(all.len(), 36 + 34 + 1);
    two_tabs(&mut ann, &server, &path);
    stayed(&mut ann);
}

/// Another person, who agrees but for item 1.
fn second_person(command: &str, server: &Server) {
    let mut bob = Browser::start(command, (1440, 900));
    go(&mut bob, &server.links[1]);
    press(&mut bob, "o");
    reject(&mut bob, "cannot be seen in the output");
    for place in 2..=30 {
        match place {
            3 => reject(&mut bob, "vague"),
            5 => edit(&mut bob, "Is the boat blue?", "one claim"),
            7 => split(&mut bob, ["Is the boat yellow?", "Does it float?"], "and"),
            _ => press(&mut bob, "a"),
        }
    }
    for key in ["y", "5", "x", "5"] {
        press(&mut bob, key);
    }
    assert!(text(&mut bob, ".bar .progress").ends_with("34 of 34"));
    stayed(&mut bob);
}

/// The adjudicator: takes one side of the only conflict; gives what became of item 1.
fn settle(command: &str, server: &Server) -> String {
    let mut cat = Browser::start(command, (1440, 900));
    go(&mut cat, &server.links[2]);
    shot(&mut cat, "overview.png");
    let agreement = text(&mut cat, ".cards section:last-child");
    assert!(agreement.contains("ann, bob"), "{agreement}");
    assert_eq!(text(&mut cat, "[data-key=c] b"), "1");
    press(&mut cat, "c");
    assert!(text(&mut cat, "h1").contains("number 1 "));
    shot(&mut cat, "conflict.png");
    press(&mut cat, "2");
    assert_eq!(text(&mut cat, "[data-key=c] b"), "0");
    stayed(&mut cat);
    let cookie = server.enter(2);
    let file = server.ask("GET", "/export/reviewed.jsonl", &cookie, "");
    let row: Value = serde_json::from_str(file.body.lines().next().unwrap()).unwrap();
    assert_eq!(row["settled"], json!("adjudicated"));
    row["state"].as_str().unwrap().to_owned()
}

/// A page that was open before another tab decided.
fn two_tabs(ann: &mut Browser, server: &Server, path: &Path) {
    go(ann, &format!("{}/item/2", server.origin()));
    let cookie = server.enter(0);
    let page = server.ask("GET", "/item/2", &cookie, "");
    let said = form(&page, "do=accept&reason=from+another+tab");
    assert_eq!(server.post(&cookie, "/item/2", &said).status, 303);
    let before = events(path).len();
    reject(ann, "typed for long in this tab");
    assert!(text(ann, "[role=alert]").contains("no longer current"));
    shot(ann, "stale.png");
    let kept = events(path);
    assert_eq!(kept.len(), before + 1);
    assert!(kept[before].to_string().contains("typed for long"));
    press(ann, "Enter");
    let last = events(path).pop().unwrap();
    assert_eq!(
        last["action"]["decide"]["reason"],
        json!("typed for long in this tab")
    );
}

#[test]
fn a_phone_shows_everything_in_its_width() {
    let Some(command) = browser::command() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let set = write_set(folder.path(), 3);
    let server = Server::start(&set, &folder.path().join("events.jsonl"), 0);
    let mut phone = Browser::start(&command, (390, 844));
    go(&mut phone, &server.links[2]);
    let fits = |phone: &mut Browser, name: &str| {
        assert_eq!(
            phone.eval("document.documentElement.scrollWidth"),
            json!(390),
            "{name}"
        );
        shot(phone, name);
    };
    fits(&mut phone, "phone-overview.png");
    for place in 1..=7 {
        go(&mut phone, &format!("{}/item/{place}", server.origin()));
        fits(&mut phone, &format!("phone-item-{place}.png"));
        phone.eval("document.querySelector('.desk').scrollIntoView()");
        shot(&mut phone, &format!("phone-desk-{place}.png"));
    }
    go(&mut phone, &format!("{}/item/1", server.origin()));
    phone.eval("document.querySelector('[data-key=s]').click()");
    phone.eval("document.querySelector('.actions').scrollIntoView()");
    fits(&mut phone, "phone-split.png");
    stayed(&mut phone);
}
