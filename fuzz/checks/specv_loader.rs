//! A checkout of one track: a task file, a zero byte, and a checklist.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use verispec_suites::specv;

thread_local! {
    static PLACE: RefCell<Option<TempDir>> = const { RefCell::new(None) };
}

/// One folder for the whole process; a new one for every input would measure the file system.
fn place() -> PathBuf {
    PLACE.with_borrow_mut(|place| {
        let dir = place.get_or_insert_with(|| {
            let dir = tempfile::tempdir().expect("a temporary folder");
            fs::create_dir_all(dir.path().join("eval_data/t2i")).expect("folder");
            fs::create_dir_all(dir.path().join("eval_checklist/t2i/attribute")).expect("folder");
            dir
        });
        dir.path().to_owned()
    })
}

fn write(root: &Path, data: &[u8]) {
    let at = data.iter().position(|b| *b == 0).unwrap_or(data.len());
    let (tasks, rest) = data.split_at(at);
    fs::write(root.join("eval_data/t2i/attribute.jsonl"), tasks).expect("file");
    let checklist = rest.get(1..).unwrap_or_default();
    fs::write(
        root.join("eval_checklist/t2i/attribute/a_1.json"),
        checklist,
    )
    .expect("file");
}

/// Panics where the code breaks what `docs/fuzzing.md` says it holds.
pub(crate) fn check(data: &[u8]) {
    let root = place();
    write(&root, data);
    match specv::load(&root) {
        Ok(loaded) => {
            let again = specv::load(&root).expect("what loads once loads again");
            assert_eq!(loaded.suite.revision, again.suite.revision);
            for instance in loaded.suite.instances() {
                assert!(loaded.facts_of(instance).is_some());
            }
            let _ = specv::anomalies(&loaded);
        }
        // The message has to be printable whatever the file holds.
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
