//! easy-VQA's yes/no test questions, if the package is given.

use std::path::PathBuf;

use verispec_vision::{Builtin, easy_vqa};

#[test]
fn easy_vqa_is_nearly_all_right() {
    let Some(from) = std::env::var_os("VERISPEC_EASY_VQA").map(PathBuf::from) else {
        let required = std::env::var("VERISPEC_REQUIRE_DATA").is_ok_and(|v| v == "1");
        assert!(
            !required,
            "VERISPEC_EASY_VQA (the wheel of easy-vqa 1.0) is not set"
        );
        eprintln!("skipped: VERISPEC_EASY_VQA (the wheel of easy-vqa 1.0) is not set");
        return;
    };
    let report = easy_vqa::evaluate(&from, &Builtin::new(None).unwrap()).unwrap();
    eprintln!("{report}");
    assert_eq!(report.questions, 7136);
    assert!(report.coverage().unwrap() >= 0.93, "{report}");
    assert!(report.accuracy().unwrap() >= 0.995, "{report}");
}
