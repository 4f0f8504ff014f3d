//! Lint on the 17,604 specifications of SpecV-Bench.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "the rates are what this test shows"
)]

use std::collections::{BTreeMap, BTreeSet};

use verispec_model::SpecId;
use verispec_specs::lint::{Finding, LintOptions, RULES, lint};
use verispec_suites::specv;

fn findings() -> Option<(usize, Vec<Finding>)> {
    let root = verispec_testkit::data::test_data()?.join("data/SpecV");
    let loaded = specv::load(&root).unwrap();
    let options = LintOptions::specv();
    let items = loaded
        .suite
        .instances()
        .map(|i| i.specifications.len())
        .sum();
    let found = loaded
        .suite
        .instances()
        .flat_map(|i| lint(i, &options))
        .collect();
    Some((items, found))
}

fn places(found: &[Finding], code: &str) -> BTreeSet<(String, SpecId)> {
    let of_code = found.iter().filter(|f| f.code == code);
    of_code
        .filter_map(|f| Some((f.instance.clone(), f.spec?)))
        .collect()
}

/// Places that the audit of the release lists under a name.
fn audited(name: &str) -> BTreeSet<(String, SpecId)> {
    let text = verispec_testkit::data::fixture("specv_anomalies.json").unwrap();
    let all: serde_json::Value = serde_json::from_str(&text).unwrap();
    let list = all[name].as_array().unwrap();
    let place = |v: &serde_json::Value| {
        let file = v[0].as_str().unwrap().trim_end_matches(".json").to_owned();
        (file, SpecId::try_from(v[1].as_u64().unwrap()).unwrap())
    };
    list.iter().map(place).collect()
}

#[test]
fn the_audited_anomalies_are_found_and_the_rates_are_told() {
    let Some((items, found)) = findings() else {
        return;
    };
    assert_eq!(items, 17_604);
    for (name, code) in [
        ("expected_answer_No", "expected-no"),
        ("score_below_8", "low-rating"),
        ("no_final_question_mark", "no-question-mark"),
        ("cjk_text", "other-script"),
        ("IMAGEn_inside_checklist_question", "placeholder"),
    ] {
        assert_eq!(places(&found, code), audited(name), "{code}");
    }
    let mut several = places(&found, "several-questions");
    several.extend(places(&found, "quoted-question"));
    assert_eq!(several, audited("several_question_marks"));
    let mut rates: BTreeMap<&str, usize> = BTreeMap::new();
    found
        .iter()
        .for_each(|f| *rates.entry(&f.code).or_default() += 1);
    for rule in &RULES {
        let n = rates.get(rule.code).copied().unwrap_or(0);
        println!(
            "{:22} {n:6}  {:7.2} per 1,000",
            rule.code,
            n as f64 * 1000.0 / items as f64
        );
    }
    let at = |code: &str| -> BTreeSet<&str> {
        found
            .iter()
            .filter(|f| f.code == code)
            .map(|f| f.instance.as_str())
            .collect()
    };
    assert_eq!(
        at("no-final-answer"),
        BTreeSet::from(["understanding/mmmu/mmmu_029"])
    );
    assert!(at("missing-weight-group").is_empty());
    let missing = [
        ("many2one/cross_domain/cross_028".to_owned(), 3),
        ("many2one/cross_domain/cross_039".to_owned(), 9),
    ];
    assert_eq!(places(&found, "missing-image"), BTreeSet::from(missing));
    let braces = [
        "math/math_012",
        "math/math_026",
        "physics/physics_003",
        "physics/physics_014",
    ];
    let braces = braces.map(|b| format!("think_with_img/{b}"));
    assert_eq!(
        at("template-braces"),
        braces.iter().map(String::as_str).collect()
    );
}
