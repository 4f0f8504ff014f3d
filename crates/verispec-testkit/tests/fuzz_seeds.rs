//! Every seed in `fuzz/seeds/` through the check of its fuzz target: what was once found stays
//! fixed, and the checks compile, without the toolchain that fuzzing needs.

#[path = "../../../fuzz/checks/batch_results.rs"]
mod batch_results;
#[path = "../../../fuzz/checks/image_sniffer.rs"]
mod image_sniffer;
#[path = "../../../fuzz/checks/reply_reader.rs"]
mod reply_reader;
#[path = "../../../fuzz/checks/specv_loader.rs"]
mod specv_loader;
#[path = "../../../fuzz/checks/stream_reader.rs"]
mod stream_reader;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use verispec_testkit::data::workspace_root;

/// Panics on what must not be.
type Check = fn(&[u8]);

const TARGETS: [(&str, Check); 5] = [
    ("batch_results", batch_results::check),
    ("image_sniffer", image_sniffer::check),
    ("reply_reader", reply_reader::check),
    ("specv_loader", specv_loader::check),
    ("stream_reader", stream_reader::check),
];

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = workspace_root().join("fuzz").join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|entry| entry.expect("entry").path()).collect()
}

#[test]
fn every_seed_passes_its_check() {
    for (target, check) in TARGETS {
        let seeds = files(&format!("seeds/{target}"));
        assert!(!seeds.is_empty(), "{target} has no seed");
        for seed in seeds {
            // Named should the check fail.
            eprintln!("{}", seed.display());
            let bytes = fs::read(&seed).expect("seed");
            check(&bytes);
            // Fuzzing soon tries its parts too.
            for end in [0, 1, bytes.len() / 2, bytes.len().saturating_sub(1)] {
                check(&bytes[..end.min(bytes.len())]);
            }
        }
    }
}

#[test]
fn no_target_is_left_out() {
    let named = |folder: &str| -> BTreeSet<String> {
        let stem = |path: PathBuf| path.file_stem().map(|s| s.to_string_lossy().into_owned());
        files(folder).into_iter().filter_map(stem).collect()
    };
    let tested: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    for folder in ["fuzz_targets", "checks", "seeds"] {
        assert_eq!(named(folder), tested, "fuzz/{folder}");
    }
}
