use super::*;

fn of<'a>(checks: &'a [Check], paper: &str, title: &str) -> &'a Check {
    let mut checks = checks.iter();
    checks
        .find(|c| c.paper == paper && c.title.starts_with(title))
        .expect("a check")
}

fn number(check: &Check, name: &str) -> f64 {
    let mut figures = check.figures.iter();
    figures.find(|f| f.name == name).expect("a figure").value
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 0.005
}

/// The rows of a reading of the tables by hand, before this code.
#[test]
fn rows_one_to_seven_are_computed_and_the_last_is_a_note() {
    let checks = audit();
    let editing = of(&checks, "SpecV", "Editing");
    assert_eq!(editing.outcome, Outcome::Inconsistent);
    assert!(near(number(editing, "mean of columns"), 82.20));
    assert!(near(number(editing, "off by"), 7.25));
    assert!(near(number(editing, "needed sum"), 187.61));
    assert!(near(number(editing, "needed sum, margin"), 0.03));
    assert!(
        editing
            .findings
            .iter()
            .any(|f| f.contains("GPT Image 1.5 and Nano Banana have equal"))
    );
    let glm = of(&checks, "SpecV", "T2I");
    assert!((number(glm, "mean of columns") - 45.386).abs() < 1e-9);
    assert!((number(glm, "off by") - 0.104).abs() < 1e-9);
    let thinking = of(&checks, "SpecV", "Thinking");
    assert!((number(thinking, "mean of columns") - 50.9175).abs() < 1e-9);
    assert!((number(thinking, "off by") - 0.0825).abs() < 1e-9);
    let main = of(&checks, "SpecV", "main board");
    assert_eq!((main.outcome, main.checked), (Outcome::Consistent, 8));
    assert!(number(main, "largest |stated - mean|") <= 0.005 + 1e-9);
    assert!(near(
        number(main, "cells compared with a track's table"),
        48.0
    ));
    let ties = of(&checks, "SpecV", "equal averages");
    assert_eq!(ties.findings.len(), 1);
    assert!(ties.findings[0].contains("83.25"));
    let incomplete = of(&checks, "SpecV", "cells of Understanding");
    assert_eq!((incomplete.findings.len(), incomplete.checked), (5, 65));
    let zero: Vec<f64> = incomplete.figures.iter().map(|f| f.value).collect();
    assert_eq!(zero, [92.5, 77.5, 76.25, 88.75, 46.25]);
    let shared = of(&checks, "SpecV", "equal cells");
    assert_eq!(shared.findings.len(), 1);
    assert!(shared.findings[0].contains("Gemini 3.1 Pro and Gemini 3 Pro"));
    let rest = of(&checks, "SpecV", "all other averages");
    assert_eq!((rest.outcome, rest.checked), (Outcome::Consistent, 73 - 3));
    let note = of(&checks, "SpecV", "released folders");
    assert_eq!(note.outcome, Outcome::Note);
    assert_eq!(
        note.findings,
        [
            "gemini_3_flash: released, in no table",
            "gpt_5.1: released, in no table",
            "the 19 models of the boards are 8 unified, 5 VLM and 6 image models",
        ]
    );
}

#[test]
fn ability_goes_with_consistency_over_nine_models() {
    let checks = audit();
    let claim = of(&checks, "XTC-Bench", "do G and U");
    assert_eq!(claim.checked, 9);
    let three = |name| format!("{:.3}", number(claim, name));
    assert_eq!(three("r(G, AW-CCTA)"), "0.991");
    assert_eq!(three("r(U, AW-CCTA)"), "0.885");
    assert_eq!(three("r(G, CCTA)"), "0.807");
    assert_eq!(three("r(U, CCTA)"), "0.406");
}

#[test]
fn totals_and_means_of_the_other_tables() {
    let checks = audit();
    let ser = of(&checks, "SpecV", "ablation");
    assert_eq!((ser.outcome, ser.checked), (Outcome::Consistent, 10));
    let means: Vec<String> = ser
        .figures
        .iter()
        .filter(|f| f.name.ends_with("tau, mean"))
        .map(|f| format!("{:.4}", f.value))
        .collect();
    for expected in ["0.4717", "0.4462", "0.4418", "0.4445", "0.4932"] {
        assert!(means.iter().any(|m| m == expected), "{expected}: {means:?}");
    }
    assert_eq!(ser.findings.len(), 1, "{:?}", ser.findings);
    assert!(ser.findings[0].starts_with("Only Claude Opus 4.5: tau 0.471 stated, mean 0.4717"));
    let realunify = of(&checks, "RealUnify", "totals");
    assert_eq!(realunify.checked, 12 + 8, "{:?}", realunify.findings);
    assert_eq!(
        realunify.outcome,
        Outcome::Consistent,
        "{:?}",
        realunify.findings
    );
    let families = of(&checks, "XTC-Bench", "families");
    assert_eq!(
        (families.outcome, families.checked),
        (Outcome::Consistent, 12)
    );
}
