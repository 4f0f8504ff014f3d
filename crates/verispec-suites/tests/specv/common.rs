//! The released data, fixtures and a small suite in the same layout.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value, json};
use verispec_suites::specv::{Loaded, load};
use verispec_testkit::data::{fixture, require_or_skip, test_data};

/// The released checklists and tasks, loaded once.
pub(crate) fn released() -> Option<&'static Loaded> {
    static LOADED: OnceLock<Option<Loaded>> = OnceLock::new();
    let load_it = || {
        let root = test_data()?.join("data/SpecV");
        let root = require_or_skip(root.is_dir().then_some(root), "no data/SpecV")?;
        Some(load(&root).unwrap_or_else(|e| panic!("{e}")))
    };
    LOADED.get_or_init(load_it).as_ref()
}

/// A fixture as JSON.
pub(crate) fn json_fixture(name: &str) -> Option<Value> {
    Some(serde_json::from_str(&fixture(name)?).expect("fixture is JSON"))
}

/// Writes a file below a folder, making folders on the way.
pub(crate) fn put(root: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A specification record in the release's shape.
pub(crate) fn spec(id: u32, question: &str, expected: &str) -> Value {
    json!({"id": id, "question": question, "category": "General", "subcategory": "Test",
        "expected_answer": expected, "score": 9.0})
}

/// A suite of our own in SpecV's layout: track t2i with two instances in one known and one
/// unknown dimension, track edit with one.
pub(crate) fn small_suite(root: &Path) {
    put(
        root,
        "eval_data/t2i/structure.jsonl",
        "{\"id\": \"s_1\", \"dimension\": \"structure\", \"question\": \"Two red squares.\"}\n\n\
         {\"id\": \"s_2\", \"dimension\": \"structure\", \"question\": \"A blue disc.\", \"x\": 1}\n",
    );
    put(
        root,
        "eval_data/t2i/own.jsonl",
        "{\"id\": \"o_1\", \"question\": \"The word CAT.\"}",
    );
    put(
        root,
        "eval_data/edit/attribute.jsonl",
        "{\"id\": \"a_1\", \"question\": \"Make it red.\", \"question_img\": [\"images/a_1.png\"]}",
    );
    let two = json!([
        spec(1, "Are there two squares?", "Yes"),
        spec(2, "Is one blue?", "No")
    ]);
    put(
        root,
        "eval_checklist/t2i/structure/s_1.json",
        two.to_string(),
    );
    put(
        root,
        "eval_checklist/t2i/structure/s_2.json",
        json!([spec(1, "Disc?", "Yes")]).to_string(),
    );
    put(
        root,
        "eval_checklist/t2i/own/o_1.json",
        json!([spec(1, "CAT?", "Yes")]).to_string(),
    );
    put(
        root,
        "eval_checklist/edit/attribute/a_1.json",
        json!([spec(1, "Red?", "Yes")]).to_string(),
    );
}
