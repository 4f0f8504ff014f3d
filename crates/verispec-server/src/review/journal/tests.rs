use super::*;
use crate::review::samples::{accept, event, reject, set};
use crate::review::{Action, Event};

fn events(n: u64) -> Vec<Event> {
    let set = set(3);
    (1..=n)
        .map(|i| {
            let item = &set.items()[usize::try_from(i).unwrap() % 3];
            let decision = if i % 2 == 0 { accept() } else { reject() };
            event(i, "ann", item, 0, Action::Decide(decision))
        })
        .collect()
}

fn written(path: &Path, n: u64) -> State {
    let (mut journal, mut state, _) = Journal::open(path).unwrap();
    for event in events(n) {
        journal.append(&event).unwrap();
        state.apply(&event).unwrap();
    }
    state
}

#[test]
fn what_was_written_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/er/events.jsonl");
    let state = written(&path, 5);
    let (_, again, torn) = Journal::open(&path).unwrap();
    assert_eq!(again, state);
    assert_eq!(torn, None);
    assert_eq!(Journal::read(&path).unwrap(), state);
}

#[test]
fn a_crash_at_any_byte_loses_only_the_line_that_nobody_was_told_about() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.jsonl");
    written(&path, 2);
    let whole = fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        let cut_path = folder.path().join(format!("{cut}.jsonl"));
        fs::write(&cut_path, &whole[..cut]).unwrap();
        let lines = whole[..cut].iter().filter(|b| **b == b'\n').count();
        let (mut journal, mut state, torn) = Journal::open(&cut_path).unwrap();
        let kept = lines.saturating_sub(1) as u64;
        assert_eq!(state.last(), kept, "cut at {cut}");
        assert_eq!(
            torn.is_some(),
            cut > 0 && whole[cut - 1] != b'\n',
            "cut at {cut}"
        );
        if let Some(torn) = torn {
            let start = whole[..cut]
                .iter()
                .rposition(|b| *b == b'\n')
                .map_or(0, |i| i + 1);
            let mut rest = whole[start..cut].to_vec();
            rest.push(b'\n');
            assert_eq!(fs::read(torn).unwrap(), rest);
        }
        // And it goes on.
        for event in events(2).into_iter().skip(usize::try_from(kept).unwrap()) {
            journal.append(&event).unwrap();
            state.apply(&event).unwrap();
        }
        drop(journal);
        assert_eq!(fs::read(&cut_path).unwrap(), whole, "cut at {cut}");
    }
}

#[test]
fn one_process_alone_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.jsonl");
    let first = Journal::open(&path).unwrap();
    assert!(matches!(
        Journal::open(&path),
        Err(ReviewError::Locked { .. })
    ));
    drop(first);
    assert!(Journal::open(&path).is_ok());
}

#[test]
fn a_file_that_was_tampered_with_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.jsonl");
    written(&path, 3);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let gap = format!("{}\n{}\n{}\n", lines[0], lines[1], lines[3]);
    let broken = format!("{}\n{{\n", lines[0]);
    let unknown = text.replace("\"accept\"", "\"approve\"");
    let newer = text.replace("\"format\":1", "\"format\":2");
    for (bad, line) in [
        (gap, 3),
        (broken, 2),
        (unknown, 3),
        (newer, 1),
        ("x\n".to_owned(), 1),
    ] {
        fs::write(&path, &bad).unwrap();
        match Journal::open(&path) {
            Err(ReviewError::Line { line: at, .. }) => assert_eq!(at, line, "{bad}"),
            other => panic!("{other:?} for {bad}"),
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), bad);
    }
}
