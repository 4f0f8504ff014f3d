//! The photograph questions, if the packages are given. The figure is recorded, not demanded:
//! a threshold here would be an invitation to tune on it.

use std::path::{Path, PathBuf};

use verispec_vision::{Builtin, photos};

#[test]
fn photographs_are_asked_about() {
    let Some(list) = std::env::var_os("VERISPEC_PHOTOS") else {
        eprintln!("skipped: VERISPEC_PHOTOS (wheels of scikit-image and scikit-learn) is not set");
        return;
    };
    let from: Vec<PathBuf> = std::env::split_paths(&list).collect();
    let from: Vec<&Path> = from.iter().map(PathBuf::as_path).collect();
    let weights = std::env::var_os("VERISPEC_MODELS").map(PathBuf::from);
    let judge = Builtin::new(weights.as_deref()).unwrap();
    let report = photos::evaluate(&from, &judge).unwrap();
    eprintln!("{report}");
    assert!(report.questions >= 60, "{report}");
    assert!(report.missing_images.is_empty(), "{report}");
}
