//! What the server refuses and what it keeps, byte by byte.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::fs;
use std::path::PathBuf;

use common::{Reply, Server, form, serve_from_environment, write_set};

#[test]
#[ignore = "the server of the other tests"]
fn serve_review() {
    serve_from_environment();
}

struct Desk {
    server: Server,
    events: PathBuf,
    _folder: tempfile::TempDir,
}

fn desk() -> Desk {
    let folder = tempfile::tempdir().unwrap();
    let set = write_set(folder.path(), 4);
    let events = folder.path().join("events.jsonl");
    Desk {
        server: Server::start(&set, &events, 0),
        events,
        _folder: folder,
    }
}

impl Desk {
    fn lines(&self) -> usize {
        fs::read_to_string(&self.events).unwrap().lines().count()
    }

    fn post(&self, cookie: &str, path: &str, form: &str) -> Reply {
        self.server.post(cookie, path, form)
    }

    fn page(&self, cookie: &str, path: &str) -> Reply {
        let reply = self.server.ask("GET", path, cookie, "");
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        reply
    }
}

#[test]
fn strangers_are_refused() {
    let desk = desk();
    let server = &desk.server;
    let cookie = server.enter(0);
    let get = |headers: &str| server.ask("GET", "/", headers, "").status;
    assert_eq!(get(&cookie), 200);
    // No cookie, a wrong one, a wrong token.
    assert_eq!(get(""), 403);
    assert_eq!(get("Cookie: verispec_review=1\r\n"), 403);
    let flipped = cookie.replace("\r\n", "0\r\n");
    assert_eq!(get(&flipped), 403);
    assert_eq!(server.ask("GET", "/?token=abc", "", "").status, 403);
    assert_eq!(server.ask("GET", "/?token=", &cookie, "").status, 403);
    // A name that was made to resolve here; no name; two names; another port.
    let port = server.port;
    for host in [
        format!("Host: evil.example:{port}\r\n"),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: 127.0.0.1:{}\r\n", port ^ 1),
        format!("Host: 127.0.0.1.evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n"),
    ] {
        let status = get(&format!("{host}{cookie}"));
        assert!(status == 421 || status == 400, "{status} for {host}");
    }
    let absolute = server.ask("GET", "http://evil.example/", &cookie, "");
    assert_eq!(absolute.status, 421);
    assert_eq!(get(&format!("Host: localhost:{port}\r\n{cookie}")), 200);
    // Another page reads.
    assert_eq!(
        get(&format!("{cookie}Origin: http://evil.example\r\n")),
        403
    );
    assert_eq!(server.ask("PUT", "/", &cookie, "").status, 405);
    assert_eq!(server.ask("TRACE", "/", &cookie, "").status, 405);
    assert_eq!(desk.lines(), 1);
}

#[test]
fn forms_of_other_pages_change_nothing() {
    let desk = desk();
    let server = &desk.server;
    let cookie = server.enter(0);
    let page = desk.page(&cookie, "/item/1");
    let good = form(&page, "do=accept&reason=");
    let own = server.origin();
    let send = |headers: &str, body: &str| server.ask("POST", "/item/1", headers, body).status;
    assert_eq!(send(&cookie, &good), 403, "no origin");
    assert_eq!(send(&format!("{cookie}Origin: null\r\n"), &good), 403);
    assert_eq!(
        send(&format!("{cookie}Origin: http://evil.example\r\n"), &good),
        403
    );
    let other_port = format!("Origin: http://127.0.0.1:{}\r\n", server.port ^ 1);
    assert_eq!(send(&format!("{cookie}{other_port}"), &good), 403);
    let cross = format!("{cookie}Origin: {own}\r\nSec-Fetch-Site: cross-site\r\n");
    assert_eq!(send(&cross, &good), 403);
    assert_eq!(send(&format!("Origin: {own}\r\n"), &good), 403, "no cookie");
    let origin = format!("{cookie}Origin: {own}\r\n");
    let csrf = page.field("csrf");
    assert_eq!(
        send(&origin, &good.replace(&csrf, "0")),
        403,
        "another token"
    );
    assert_eq!(send(&origin, "do=accept"), 403, "no token");
    // Bob's token with Ann's cookie.
    let bob = server.enter(1);
    let of_bob = desk.page(&bob, "/item/1").field("csrf");
    assert_eq!(send(&origin, &good.replace(&csrf, &of_bob)), 403);
    let large = format!("{good}&x={}", "x".repeat(300_000));
    assert_eq!(send(&origin, &large), 413);
    assert_eq!(desk.lines(), 1, "nothing but the header");
    assert_eq!(send(&origin, &good), 303);
    assert_eq!(desk.lines(), 2);
}

#[test]
fn paths_lead_nowhere() {
    let desk = desk();
    let cookie = desk.server.enter(0);
    for path in [
        "/image/../../../../etc/passwd",
        "/image/..%2f..%2f..%2fetc%2fpasswd",
        "/image/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/image/boat.png",
        "/image//etc/passwd",
        "/image/-1",
        "/image/+0",
        "/image/0x0",
        "/image/0/../0",
        "/image/99999999999999999999999",
        "/image/0%00.png",
        "/image/1",
        "/assets/..%2fmod.rs",
        "/assets/../pages.rs",
        "/export/..%2f..%2fevents.jsonl",
        "/item/0",
        "/item/9999",
        "/item/%2e%2e",
        "//etc/passwd",
    ] {
        let reply = desk.server.ask("GET", path, &cookie, "");
        assert!(
            [400, 403, 404].contains(&reply.status),
            "{} for {path}",
            reply.status
        );
        assert!(!reply.body.contains("root:"), "{path}");
    }
    let image = desk.server.ask("GET", "/image/0", &cookie, "");
    assert_eq!(
        (image.status, image.header("content-type")),
        (200, Some("image/png".into()))
    );
    assert_eq!(
        desk.server.ask("GET", "/image/0", "", "").status,
        403,
        "not without a cookie"
    );
}

#[test]
fn every_answer_forbids_what_is_not_ours() {
    let desk = desk();
    let cookie = desk.server.enter(0);
    for (path, cookie) in [
        ("/", cookie.as_str()),
        ("/item/5", &cookie),
        ("/nowhere", &cookie),
        ("/", ""),
    ] {
        let reply = desk.server.ask("GET", path, cookie, "");
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("x-content-type-options").unwrap(), "nosniff");
        assert_eq!(reply.header("cache-control").unwrap(), "no-store");
        assert!(
            !reply.body.contains("http://") && !reply.body.contains("https://"),
            "{path}"
        );
    }
    let page = desk.page(&cookie, "/item/5");
    assert!(
        page.body.contains("&lt;script&gt;window.broken"),
        "text stays text"
    );
    assert!(
        !page.body.contains("edit/No"),
        "nothing tells what the judge said"
    );
    assert!(
        !page.body.contains("expected <b>"),
        "nor what counts as met"
    );
}

#[test]
fn a_stale_tab_is_told_and_loses_nothing() {
    let mut desk = desk();
    let cookie = desk.server.enter(0);
    let first = desk.page(&cookie, "/item/1");
    let second = desk.page(&cookie, "/item/1");
    let accepted = desk.post(&cookie, "/item/1", &form(&first, "do=accept&reason="));
    assert_eq!(accepted.header("location").unwrap(), "/item/2?saved=1");
    // The same form again, as after a lost answer: told as saved, written once.
    let again = desk.post(&cookie, "/item/1", &form(&first, "do=accept&reason="));
    assert_eq!(again.header("location").unwrap(), "/item/2?saved=1");
    assert_eq!(desk.lines(), 2);
    let stale = desk.post(
        &cookie,
        "/item/1",
        &form(&second, "do=reject&reason=my+long+words"),
    );
    assert_eq!(stale.status, 409);
    assert!(stale.body.contains("kept as event 2") && stale.body.contains("my long words"));
    assert!(stale.body.contains("Use what I sent"));
    // Kept on disk, and does not count; the page offers to use it.
    assert!(
        fs::read_to_string(&desk.events)
            .unwrap()
            .contains("my long words")
    );
    assert!(desk.page(&cookie, "/item/1").body.contains("<b>accept</b>"));
    let used = desk.post(
        &cookie,
        "/item/1",
        &form(&stale, "do=reject&reason=my+long+words"),
    );
    assert_eq!(used.status, 303);
    // A killed server comes back with all of it, and with new links.
    desk.server.kill();
    let set = desk.events.with_file_name("boats.jsonl");
    desk.server = Server::start(&set, &desk.events, desk.server.port);
    assert_eq!(
        desk.server.ask("GET", "/", &cookie, "").status,
        403,
        "links are new"
    );
    let cookie = desk.server.enter(0);
    let page = desk.page(&cookie, "/item/1");
    assert!(page.body.contains("event 3") && page.body.contains("<b>reject</b>"));
    assert!(desk.page(&cookie, "/").body.contains("1 kept from pages"));
}

#[test]
fn what_does_not_do_is_shown_again() {
    let desk = desk();
    let cookie = desk.server.enter(0);
    let page = desk.page(&cookie, "/item/1");
    let edit = "do=edit&question=Is+it+teal%3F&expected=Yes&reason=+";
    let reply = desk.post(&cookie, "/item/1", &form(&page, edit));
    assert_eq!(reply.status, 422);
    assert!(reply.body.contains("say why") && reply.body.contains("Is it teal?"));
    assert_eq!(
        desk.post(&cookie, "/item/1", &form(&page, "do=answer&said=yes"))
            .status,
        422
    );
    assert_eq!(desk.lines(), 1);
    let undo = format!(
        "csrf={}&item=edit%2F1%2F1&of=1&version=&seen=",
        page.field("csrf")
    );
    assert_eq!(
        desk.post(&cookie, "/undo", &undo).status,
        409,
        "nothing to undo"
    );
    assert_eq!(desk.lines(), 1);
}

#[test]
fn annotators_stay_blind_and_adjudicators_settle() {
    let desk = desk();
    let [ann, bob, cat] = [0, 1, 2].map(|who| desk.server.enter(who));
    let say = |cookie: &str, what: &str| {
        let page = desk.page(cookie, "/item/1");
        assert_eq!(desk.post(cookie, "/item/1", &form(&page, what)).status, 303);
    };
    say(&ann, "do=accept&reason=");
    say(&bob, "do=reject&reason=secret+thought");
    let blind = desk.page(&ann, "/item/1");
    assert!(!blind.body.contains("secret thought"));
    let list = desk.page(&ann, "/");
    assert!(!list.body.contains("/conflict"));
    for path in ["/conflicts", "/conflict/1", "/export/human.jsonl"] {
        assert_eq!(desk.server.ask("GET", path, &ann, "").status, 403, "{path}");
    }
    let forged = desk.post(&ann, "/conflict/1", &form(&blind, "do=accept&reason="));
    assert_eq!(forged.status, 403);
    let page = desk.page(&cat, "/conflict/1");
    assert!(page.body.contains("secret thought"));
    let settled = desk.post(&cat, "/conflict/1", &form(&page, "do=reject&reason=vague"));
    assert_eq!(settled.status, 303);
    let file = desk.page(&cat, "/export/reviewed.jsonl");
    let row: serde_json::Value = serde_json::from_str(file.body.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&row["state"], &row["settled"]),
        (&"rejected".into(), &"adjudicated".into())
    );
    assert_eq!(row["actions"].as_array().unwrap().len(), 3);
}

#[test]
fn a_report_opens_the_item_it_names() {
    let desk = desk();
    let cookie = desk.server.enter(0);
    let at = "/at?track=edit&instance=90&model=painter&spec=4";
    let found = desk.server.ask("GET", at, &cookie, "");
    assert_eq!(found.header("location").unwrap(), "/item/5");
    let none = desk.server.ask(
        "GET",
        "/at?track=edit&instance=1&model=x&spec=77",
        &cookie,
        "",
    );
    assert_eq!(
        none.header("location").as_deref(),
        Some("/item/1"),
        "specifications have no model"
    );
    let none = desk
        .server
        .ask("GET", "/at?track=t2i&instance=90", &cookie, "");
    assert_eq!(none.status, 404);
    // Without the cookie the page offers the same link, with nothing that could break out of it.
    let cross = desk.server.ask("GET", "/at?track=%22%3E<script>'", "", "");
    assert!(
        cross.status == 400 || !cross.body.contains("<script>"),
        "{}",
        cross.body
    );
}
