//! Fetching from a hub on this machine: pages, redirects, checksums, resume, refusals.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use secrecy::SecretString;
use verispec_engine::fetch::{
    FetchError, FetchEvent, FetchOptions, Fetched, Hub, RepoKind, Selection, WORK_DIR, fetch,
};
use verispec_testkit::{COMMIT, FakeHub, HubConfig, HubFault, HubFile};

const TOKEN: &str = "hf_canary_0123456789";

/// Bytes that differ in every place.
fn content(n: usize) -> Vec<u8> {
    (0..n)
        .map(|i| u8::try_from(i * 31 % 251).unwrap())
        .collect()
}

fn files() -> Vec<HubFile> {
    vec![
        HubFile::new("README.md", "read me", false),
        HubFile::new("eval_data/t2i/a b/图 1.png", content(300_000), true),
        HubFile::new("eval_data/t2i/small.JPG", content(900), false),
        HubFile::new("eval_data/t2i/attribute.jsonl", "{}\n", false),
        HubFile::new("eval_data/edit/x.png", content(50), true),
        HubFile::new("empty.bin", "", false),
    ]
}

async fn run(
    hub: &FakeHub,
    token: Option<&str>,
    selection: &Selection,
    into: &Path,
    options: FetchOptions,
) -> Result<Fetched, FetchError> {
    let token = token.map(SecretString::from);
    let client = Hub::new(&hub.url(), token.as_ref())?;
    let listing = client.list(RepoKind::Dataset, "owner/data", "main").await?;
    assert_eq!(listing.commit, COMMIT);
    fetch(&client, &listing, selection, into, options, &|_| {}).await
}

fn quick() -> FetchOptions {
    FetchOptions {
        attempts: 3,
        ..FetchOptions::default()
    }
}

/// Files below a folder, without the working folder.
fn there(dir: &Path) -> Vec<String> {
    fn walk(dir: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(dir).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() && entry.file_name() != WORK_DIR {
                walk(&path, root, found);
            } else if path.is_file() {
                found.push(
                    path.strip_prefix(root)
                        .unwrap()
                        .to_str()
                        .unwrap()
                        .to_owned(),
                );
            }
        }
    }
    let mut found = vec![];
    walk(dir, dir, &mut found);
    found.sort();
    found
}

#[tokio::test]
async fn all_pages_are_read_and_all_files_arrive_whole() {
    for page in [1, 2, 1_000] {
        let hub = FakeHub::start(HubConfig {
            page,
            ..HubConfig::new(files())
        });
        let dir = tempfile::tempdir().unwrap();
        let done = run(&hub, None, &Selection::default(), dir.path(), quick())
            .await
            .unwrap();
        assert_eq!((done.downloaded, done.present), (6, 0), "page {page}");
        assert!(done.failed.is_empty() && done.kept.is_empty());
        for file in files() {
            assert_eq!(fs::read(dir.path().join(&file.path)).unwrap(), file.bytes);
        }
        let parts = fs::read_dir(dir.path().join(WORK_DIR)).unwrap().flatten();
        let left = parts.filter(|e| e.path().extension().is_some_and(|e| e == "part"));
        assert_eq!(left.count(), 0);
    }
}

#[tokio::test]
async fn only_what_is_wanted_is_asked_for() {
    let hub = FakeHub::start(HubConfig::new(files()));
    let dir = tempfile::tempdir().unwrap();
    let images = Selection::globs(["eval_data/t2i/"]).with_extensions(&["png", "jpg"]);
    run(&hub, None, &images, dir.path(), quick()).await.unwrap();
    assert_eq!(
        there(dir.path()),
        ["eval_data/t2i/a b/图 1.png", "eval_data/t2i/small.JPG"]
    );
    let asked = hub
        .log()
        .iter()
        .filter(|r| r.path.contains("resolve"))
        .count();
    assert_eq!(asked, 2);
}

#[tokio::test]
async fn the_token_goes_to_the_hub_and_never_to_the_store() {
    let hub = FakeHub::start(HubConfig {
        token: Some(TOKEN.into()),
        page: 2,
        ..HubConfig::new(files())
    });
    let dir = tempfile::tempdir().unwrap();
    let all = Selection::default();
    let done = run(&hub, Some(TOKEN), &all, dir.path(), quick())
        .await
        .unwrap();
    assert_eq!(done.downloaded, 6);
    let log = hub.log();
    assert_eq!(log.iter().filter(|r| r.to_store).count(), 2);
    for request in log {
        let expected = (!request.to_store).then(|| format!("Bearer {TOKEN}"));
        assert_eq!(request.authorization, expected, "{request:?}");
    }
    for file in fs::read_dir(dir.path().join(WORK_DIR)).unwrap().flatten() {
        assert!(!String::from_utf8_lossy(&fs::read(file.path()).unwrap()).contains(TOKEN));
    }
}

#[tokio::test]
async fn a_listing_that_goes_on_elsewhere_is_refused() {
    let itself = format!("/api/datasets/owner/data/tree/{COMMIT}?recursive=true");
    let elsewhere = "http://127.0.0.2:9/x".to_owned();
    for (next, why) in [(elsewhere, "another host"), (itself, "never end")] {
        let hub = FakeHub::start(HubConfig {
            token: Some(TOKEN.into()),
            page: 1,
            next_page: Some(next),
            ..HubConfig::new(files())
        });
        let dir = tempfile::tempdir().unwrap();
        let error = run(
            &hub,
            Some(TOKEN),
            &Selection::default(),
            dir.path(),
            quick(),
        )
        .await
        .unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert!(there(dir.path()).is_empty());
    }
}

#[tokio::test]
async fn a_cut_connection_is_continued_where_it_broke() {
    let bytes = content(200_000);
    for large in [true, false] {
        let file = HubFile::new("x.bin", bytes.clone(), large)
            .with_faults([HubFault::CutAfter(70_000), HubFault::CutAfter(50_000)]);
        let hub = FakeHub::start(HubConfig::new(vec![file]));
        let dir = tempfile::tempdir().unwrap();
        let done = run(&hub, None, &Selection::default(), dir.path(), quick())
            .await
            .unwrap();
        assert_eq!(done.downloaded, 1);
        assert_eq!(fs::read(dir.path().join("x.bin")).unwrap(), bytes);
        let ranges: Vec<_> = hub
            .log()
            .into_iter()
            .filter(|r| r.to_store == large && r.path.ends_with("x.bin"))
            .map(|r| r.range)
            .collect();
        assert_eq!(
            ranges,
            [
                None,
                Some("bytes=70000-".into()),
                Some("bytes=120000-".into())
            ]
        );
    }
}

#[tokio::test]
async fn another_call_continues_what_an_earlier_one_left() {
    let bytes = content(200_000);
    let file = HubFile::new("x.bin", bytes.clone(), true).with_faults([HubFault::CutAfter(80_000)]);
    let hub = FakeHub::start(HubConfig::new(vec![file]));
    let dir = tempfile::tempdir().unwrap();
    let once = FetchOptions {
        attempts: 1,
        ..quick()
    };
    let first = run(&hub, None, &Selection::default(), dir.path(), once)
        .await
        .unwrap();
    assert_eq!(first.failed.len(), 1);
    assert!(first.failed[0].transient, "{:?}", first.failed);
    assert!(
        there(dir.path()).is_empty(),
        "a part is not in the place of the whole"
    );
    let second = run(&hub, None, &Selection::default(), dir.path(), once)
        .await
        .unwrap();
    assert_eq!(second.downloaded, 1);
    assert_eq!(fs::read(dir.path().join("x.bin")).unwrap(), bytes);
    let last = hub.log().pop().unwrap();
    assert_eq!(last.range.as_deref(), Some("bytes=80000-"));
}

#[tokio::test]
async fn a_server_without_ranges_starts_again() {
    let bytes = content(100_000);
    let file = HubFile::new("x.bin", bytes.clone(), true)
        .with_faults([HubFault::CutAfter(60_000), HubFault::IgnoreRange]);
    let hub = FakeHub::start(HubConfig::new(vec![file]));
    let dir = tempfile::tempdir().unwrap();
    run(&hub, None, &Selection::default(), dir.path(), quick())
        .await
        .unwrap();
    assert_eq!(fs::read(dir.path().join("x.bin")).unwrap(), bytes);
}

#[tokio::test]
async fn wrong_content_never_takes_its_place() {
    for (large, fault) in [
        (true, HubFault::Wrong),
        (false, HubFault::Wrong),
        (true, HubFault::Longer),
    ] {
        // Once wrong is asked again; twice wrong is given up.
        for (times, downloaded) in [(1, 1), (2, 0)] {
            let file = HubFile::new("x.bin", content(1_000), large).with_faults(vec![fault; times]);
            let good = HubFile::new("y.bin", content(10), false);
            let hub = FakeHub::start(HubConfig::new(vec![file, good]));
            let dir = tempfile::tempdir().unwrap();
            let done = run(&hub, None, &Selection::default(), dir.path(), quick())
                .await
                .unwrap();
            assert_eq!(done.downloaded, 1 + downloaded, "{fault:?} {times}");
            assert_eq!(dir.path().join("x.bin").exists(), downloaded == 1);
            if downloaded == 0 {
                assert_eq!(done.failed[0].path, "x.bin");
                assert!(!done.failed[0].transient);
            }
        }
    }
}

#[tokio::test]
async fn files_that_are_there_are_not_asked_for() {
    let hub = FakeHub::start(HubConfig::new(files()));
    let dir = tempfile::tempdir().unwrap();
    // Right by content, from wherever it came.
    fs::write(dir.path().join("README.md"), "read me").unwrap();
    let all = Selection::default();
    let first = run(&hub, None, &all, dir.path(), quick()).await.unwrap();
    assert_eq!((first.downloaded, first.present), (5, 1));
    let before = hub.log().len();
    let second = run(&hub, None, &all, dir.path(), quick()).await.unwrap();
    assert_eq!((second.downloaded, second.present), (0, 6));
    let asked: Vec<_> = hub.log()[before..].iter().map(|r| r.path.clone()).collect();
    assert!(asked.iter().all(|p| p.starts_with("/api/")), "{asked:?}");
}

#[tokio::test]
async fn another_file_in_its_place_is_kept_unless_told() {
    let hub = FakeHub::start(HubConfig::new(files()));
    let dir = tempfile::tempdir().unwrap();
    // The same length, so that only the content tells.
    fs::write(dir.path().join("README.md"), "my own!").unwrap();
    let all = Selection::default();
    let done = run(&hub, None, &all, dir.path(), quick()).await.unwrap();
    assert_eq!(done.kept, ["README.md"]);
    assert_eq!(fs::read(dir.path().join("README.md")).unwrap(), b"my own!");
    let replace = FetchOptions {
        replace: true,
        ..quick()
    };
    let done = run(&hub, None, &all, dir.path(), replace).await.unwrap();
    assert_eq!((done.downloaded, done.present), (1, 5));
    assert_eq!(fs::read(dir.path().join("README.md")).unwrap(), b"read me");
}

#[tokio::test]
async fn a_changed_file_is_noticed_although_it_was_right_once() {
    let hub = FakeHub::start(HubConfig::new(files()));
    let dir = tempfile::tempdir().unwrap();
    let all = Selection::default();
    run(&hub, None, &all, dir.path(), quick()).await.unwrap();
    let path = dir.path().join("README.md");
    fs::write(&path, "changed").unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(later)
        .unwrap();
    let done = run(&hub, None, &all, dir.path(), quick()).await.unwrap();
    assert_eq!(done.kept, ["README.md"]);
}

#[tokio::test]
async fn e09_a_listing_that_leaves_the_folder_is_refused_whole() {
    for bad in [
        "../out.png",
        "/etc/out.png",
        "a/../../out.png",
        "a\\out.png",
        ".verispec-fetch/lock",
    ] {
        let hub = FakeHub::start(HubConfig::new(vec![
            HubFile::new("good.png", content(10), true),
            HubFile::new(bad, content(10), true),
        ]));
        let outer = tempfile::tempdir().unwrap();
        let dir = outer.path().join("in");
        let error = run(&hub, None, &Selection::default(), &dir, quick())
            .await
            .unwrap_err();
        assert!(
            matches!(error, FetchError::UnsafePath { .. }),
            "{bad}: {error}"
        );
        assert!(!dir.exists(), "nothing was written");
        assert!(hub.log().iter().all(|r| r.path.starts_with("/api/")));
    }
}

#[tokio::test]
async fn refusals_name_what_to_do() {
    for (gated, token, advice) in [
        (true, None, "terms"),
        (false, None, "set HF_TOKEN"),
        (false, Some("hf_wrong"), "HF_TOKEN is wrong"),
    ] {
        let hub = FakeHub::start(HubConfig {
            token: Some(TOKEN.into()),
            gated,
            ..HubConfig::new(files())
        });
        let dir = tempfile::tempdir().unwrap();
        let error = run(&hub, token, &Selection::default(), dir.path(), quick())
            .await
            .unwrap_err();
        assert!(
            matches!(error, FetchError::NoAccess { status: 401, .. }),
            "{error}"
        );
        assert!(error.to_string().contains(advice), "{error}");
        assert!(!error.to_string().contains("hf_wrong"), "{error}");
        assert_eq!(hub.log().len(), 1, "not asked twice");
    }
    let hub = FakeHub::start(HubConfig::new(files()));
    let client = Hub::new(&hub.url(), None).unwrap();
    for (repo, revision) in [("owner/other", "main"), ("owner/data", "v9")] {
        let error = client
            .list(RepoKind::Dataset, repo, revision)
            .await
            .unwrap_err();
        assert!(matches!(error, FetchError::NotFound { .. }), "{error}");
    }
}

#[tokio::test]
async fn one_file_that_fails_does_not_stop_the_others() {
    let gone = HubFile::new("gone.bin", content(10), false).with_faults([HubFault::Status(404)]);
    let busy =
        HubFile::new("busy.bin", content(10), true).with_faults(vec![HubFault::Status(503); 2]);
    // A signed address that expired: the hub gives a new one.
    let expired =
        HubFile::new("expired.bin", content(10), true).with_faults([HubFault::Status(403)]);
    let hub = FakeHub::start(HubConfig::new(vec![gone, busy, expired]));
    let dir = tempfile::tempdir().unwrap();
    let done = run(&hub, None, &Selection::default(), dir.path(), quick())
        .await
        .unwrap();
    assert_eq!(done.downloaded, 2, "{done:?}");
    assert_eq!(done.failed[0].path, "gone.bin");
    assert!(done.failed[0].reason.contains("404"), "{done:?}");
}

#[tokio::test]
async fn a_file_refused_by_the_hub_itself_ends_the_command() {
    let refused =
        HubFile::new("x.bin", content(10), false).with_faults(vec![HubFault::Status(403); 9]);
    let hub = FakeHub::start(HubConfig::new(vec![refused]));
    let dir = tempfile::tempdir().unwrap();
    let error = run(&hub, None, &Selection::default(), dir.path(), quick())
        .await
        .unwrap_err();
    assert!(
        matches!(error, FetchError::NoAccess { status: 403, .. }),
        "{error}"
    );
}

#[tokio::test]
async fn two_fetches_do_not_share_a_folder() {
    let hub = FakeHub::start(HubConfig::new(files()));
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join(WORK_DIR)).unwrap();
    let lock = fs::File::create(dir.path().join(WORK_DIR).join("lock")).unwrap();
    lock.lock().unwrap();
    let error = run(&hub, None, &Selection::default(), dir.path(), quick())
        .await
        .unwrap_err();
    assert!(matches!(error, FetchError::Busy(_)), "{error}");
}

#[tokio::test]
async fn every_byte_and_file_is_told() {
    let file =
        HubFile::new("x.bin", content(90_000), true).with_faults([HubFault::CutAfter(30_000)]);
    let hub = FakeHub::start(HubConfig::new(vec![file]));
    let dir = tempfile::tempdir().unwrap();
    let client = Hub::new(&hub.url(), None).unwrap();
    let listing = client
        .list(RepoKind::Dataset, "owner/data", "main")
        .await
        .unwrap();
    let told = Mutex::new((0, vec![]));
    let observe = |event: &FetchEvent<'_>| {
        let mut told = told.lock().unwrap();
        match event {
            FetchEvent::Received { bytes } => told.0 += bytes,
            FetchEvent::Retry { path, .. } => told.1.push(format!("retry {path}")),
            FetchEvent::Finished {
                path,
                bytes,
                was_there,
            } => {
                told.1.push(format!("{path} {bytes} {was_there}"));
            }
        }
    };
    fetch(
        &client,
        &listing,
        &Selection::default(),
        dir.path(),
        quick(),
        &observe,
    )
    .await
    .unwrap();
    let told = told.into_inner().unwrap();
    assert_eq!(told.0, 90_000);
    assert_eq!(told.1, ["retry x.bin", "x.bin 90000 false"]);
}

#[tokio::test]
async fn models_have_addresses_of_their_own() {
    let file = HubFile::new("w.bin", content(10), true);
    let hub = FakeHub::start(HubConfig {
        kind: "models",
        ..HubConfig::new(vec![file])
    });
    let dir = tempfile::tempdir().unwrap();
    let client = Hub::new(&hub.url(), None).unwrap();
    let listing = client
        .list(RepoKind::Model, "owner/data", "main")
        .await
        .unwrap();
    let done = fetch(
        &client,
        &listing,
        &Selection::default(),
        dir.path(),
        quick(),
        &|_| {},
    )
    .await
    .unwrap();
    assert_eq!(done.downloaded, 1);
}
