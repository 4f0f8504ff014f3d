//! Prompts with described objects.
#![cfg(unix)]

use serde_json::Value;

use super::program::{log, printed, workplace};
use crate::support::{json_of, run};

#[test]
fn described_objects_make_the_prompts_of_a_bundle() {
    let dir = workplace();
    let root = dir.path();
    let out = "scenes/6_prompt_generation/prompts.json";
    let args = [
        "xtc",
        "describe",
        "--bundle",
        "scenes",
        "--describer",
        "eye",
        "--out",
        out,
        "--run",
        "d",
    ];
    let dry = json_of(root, &[&args[..], &["--dry-run"]].concat(), 0);
    assert!(dry["stages"][0]["pending"].as_u64().unwrap() > 0);
    assert!(log(root).is_empty() && !root.join(out).exists());
    let done = json_of(root, &args, 0);
    // One of the sixteen is described in no usable way.
    assert_eq!(
        (&done["described"], &done["failed"]),
        (&15.into(), &1.into())
    );
    let file: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(root.join(out)).unwrap()).unwrap();
    assert_eq!(file.len(), 6);
    assert_eq!(file[0]["object_descriptions"]["0"], "a very plain thing");
    assert_eq!(
        file[2]["object_descriptions"].get("0"),
        None,
        "the yellow bus"
    );
    let prompt = file[2]["prompt"].as_str().unwrap();
    assert!(prompt.contains("Bus_1 (a bus)"), "{prompt}");
    assert!(prompt.contains("Car_1 (a very plain thing)"), "{prompt}");
    // Three cars that are one group.
    assert!(
        file[5]["prompt"]
            .as_str()
            .unwrap()
            .contains("a very plain thing")
    );
    let shown = printed(root, &["xtc", "prompts", "--bundle", "scenes"]);
    assert_eq!(
        shown[0]["prompt"], file[0]["prompt"],
        "read as the bundle's own"
    );
    let scored = run(root, &["xtc", "score", "d"]);
    assert_eq!(scored.status.code(), Some(2));
}
