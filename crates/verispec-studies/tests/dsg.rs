//! DSG's published figures from its released files, to the printed digit, and the figures that
//! nobody published, against an independent computation.

use std::sync::OnceLock;

use verispec_studies::dsg::{Computed, DsgOptions, DsgRow, DsgStudy, Variants, metrics, study};
use verispec_studies::human::Correlations;
use verispec_suites::dsg::{load, read_tifa};
use verispec_testkit::data::{require_or_skip, test_data};

fn released() -> Option<&'static DsgStudy> {
    static STUDY: OnceLock<Option<DsgStudy>> = OnceLock::new();
    let make = || {
        let root = test_data()?.join("data/dsg");
        let root = require_or_skip(root.is_dir().then_some(root), "no data/dsg")?;
        let data = load(&root).unwrap_or_else(|e| panic!("{e}"));
        let options = DsgOptions {
            draws: 300,
            seed: 1,
            level: 0.95,
        };
        Some(study(&data, options).unwrap_or_else(|e| panic!("{e}")))
    };
    STUDY.get_or_init(make).as_ref()
}

fn row<'a>(study: &'a DsgStudy, questions: &str, dependencies: bool, judge: &str) -> &'a DsgRow {
    let mut rows = study.rows.iter();
    let wanted = |r: &&DsgRow| {
        r.questions == questions && r.dependencies == dependencies && r.judge == judge
    };
    rows.find(wanted).expect("a row")
}

fn variants(row: &DsgRow) -> &Variants {
    match &row.computed {
        Computed::Yes(variants) => variants,
        Computed::NotComputable { reason } => panic!("{reason}"),
    }
}

/// rho and tau with five digits, and n.
fn digits(c: &Correlations) -> (String, String, usize) {
    let five = |v: Option<f64>| format!("{:.5}", v.expect("defined"));
    (five(c.rho.value), five(c.tau.value), c.n)
}

fn five(rho: &str, tau: &str, n: usize) -> (String, String, usize) {
    (rho.to_owned(), tau.to_owned(), n)
}

#[test]
fn nine_published_rows_to_the_digit_and_three_not_computable() {
    let Some(study) = released() else { return };
    assert_eq!((study.rows.len(), study.rated), (12, 800));
    let mut reproduced = 0;
    for row in &study.rows {
        assert!(row.published_rho.is_some() && row.published_tau.is_some());
        match &row.computed {
            Computed::Yes(variants) => {
                assert_eq!(variants.reproduced, Some(true), "{row:?}");
                assert_eq!(variants.published.n, 800);
                reproduced += 1;
            }
            Computed::NotComputable { reason } => {
                assert_eq!(
                    (row.questions.as_str(), reason.as_str()),
                    ("tifa", "answer key absent")
                );
            }
        }
    }
    assert_eq!(reproduced, 9);
}

#[test]
fn rows_in_five_digits_under_every_rule() {
    let Some(study) = released() else { return };
    let of = |judge| variants(row(study, "dsg", true, judge));
    let (m, i, p) = (of("mplug"), of("instructblip"), of("pali17b"));
    assert_eq!(digits(&m.published), five("0.46300", "0.37995", 800));
    assert_eq!(digits(&i.published), five("0.44246", "0.36373", 800));
    assert_eq!(digits(&p.published), five("0.57073", "0.45826", 800));
    // One unreadable dependency: only PaLI's row knows the difference.
    assert_eq!(digits(&m.default_rule), digits(&m.published));
    assert_eq!(digits(&i.default_rule), digits(&i.published));
    assert_eq!(digits(&p.default_rule), five("0.57039", "0.45790", 800));
    let transitive = |v: &Variants| digits(v.transitive.as_ref().expect("a row with dependencies"));
    assert_eq!(transitive(m), five("0.46104", "0.37828", 800));
    assert_eq!(transitive(i), five("0.44137", "0.36355", 800));
    assert_eq!(transitive(p), five("0.56827", "0.45608", 800));
    assert_eq!(digits(&p.default), five("0.56807", "0.45667", 795));
    assert_eq!(
        digits(&i.default),
        five("0.40951", "0.33764", 794),
        "one output has no verdict"
    );
    let plain = |judge| digits(&variants(row(study, "dsg", false, judge)).published);
    assert_eq!(plain("mplug"), five("0.46358", "0.37765", 800));
    assert_eq!(plain("instructblip"), five("0.43616", "0.35498", 800));
    assert_eq!(plain("pali17b"), five("0.57027", "0.45698", 800));
}

#[test]
fn unusable_answers_counted_as_no_and_left_out() {
    let Some(study) = released() else { return };
    let of = |judge: &str, questions: &str| {
        let mut all = study.unjudged.iter();
        all.find(|u| u.judge == judge && u.questions == questions)
            .expect("an effect")
    };
    let pali = of("pali17b", "vq2a");
    assert_eq!(
        digits(&pali.effect.first_own),
        five("0.20717", "0.15721", 800)
    );
    assert_eq!(digits(&pali.effect.first), five("0.27069", "0.20748", 738));
    assert_eq!(digits(&pali.effect.second), five("0.41933", "0.34475", 738));
    assert_eq!(pali.effect.second, pali.effect.second_own);
    let missing: Vec<(&str, usize)> = pali
        .missing
        .iter()
        .map(|m| (m.model.as_str(), m.missing))
        .collect();
    let expected = [
        ("mini-dalle", 12),
        ("sd1dot1", 14),
        ("sd1dot5", 12),
        ("sd2dot1", 12),
        ("vq-diffusion", 12),
    ];
    assert_eq!(missing, expected);
    assert_eq!(
        (pali.answers, pali.unjudged),
        (5 * 454, 137 + 138 + 137 + 136 + 137)
    );
    let share = pali.shares["sd1dot1"];
    assert!((share - 138.0 / 454.0).abs() < 1e-12);
    // Leaving out is not always better.
    let blip = of("instructblip", "dsg");
    assert_eq!(digits(&blip.effect.first), five("0.42886", "0.34927", 795));
    assert_eq!(digits(&blip.effect.second).0, "0.40187");
    assert!(
        study
            .unjudged
            .iter()
            .all(|u| u.judge != "mplug" || u.questions != "vq2a")
    );
}

#[test]
fn judges_agree_with_each_other_and_not_with_people() {
    let Some(study) = released() else { return };
    let found: Vec<(String, usize, String, String)> = study
        .agreement
        .iter()
        .map(|a| {
            let four = |v: Option<f64>| format!("{:.4}", v.expect("defined"));
            let (agreed, names) = (&a.agreed, a.judges.join("-"));
            (
                names,
                agreed.n,
                four(agreed.observed.value),
                four(agreed.kappa.value),
            )
        })
        .collect();
    let expected = [
        ("instructblip-mplug", ".9030", ".4547"),
        ("instructblip-pali17b", ".8765", ".4710"),
        ("mplug-pali17b", ".8706", ".4792"),
    ];
    let expected = expected.map(|(names, observed, kappa)| {
        (
            names.to_owned(),
            11_858,
            format!("0{observed}"),
            format!("0{kappa}"),
        )
    });
    assert_eq!(found, expected);
    let validity = &study.validity;
    assert!(validity.pairs.iter().all(|p| p.tau.value == Some(1.0)));
    for judge in &validity.judges {
        assert!((judge.tau.value.expect("defined") - 0.2).abs() < 1e-12);
        assert!(judge.yes_rate.expect("verdicts") > 0.8 && judge.spread.expect("means") > 3.0);
    }
    let warning = validity.warning.as_deref().expect("a warning");
    assert!(warning.contains("tau-b 1.0 / 1.0 / 1.0"), "{warning}");
    assert!(warning.contains("only 0.2 / 0.2 / 0.2"), "{warning}");
    let means: Vec<String> = study
        .human_means
        .values()
        .map(|m| format!("{m:.4}"))
        .collect();
    assert_eq!(means, ["3.8388", "3.7381", "3.9900", "4.1489", "3.6108"]);
    let pali: Vec<String> = study.judges[2]
        .means
        .values()
        .map(|m| format!("{m:.2}"))
        .collect();
    assert_eq!(pali, ["84.28", "81.52", "81.26", "88.11", "81.68"]);
}

#[test]
fn people_agree_with_people() {
    let Some(study) = released() else { return };
    let three = |v: Option<f64>| format!("{:.3}", v.expect("defined"));
    let column = |of: fn(&Correlations) -> Option<f64>| -> Vec<String> {
        study
            .ceiling
            .iter()
            .map(|c| three(of(&c.correlations)))
            .collect()
    };
    assert_eq!(
        column(|c| c.tau.value),
        ["0.742", "0.738", "0.648", "0.617", "0.679"]
    );
    assert_eq!(
        column(|c| c.rho.value),
        ["0.848", "0.843", "0.759", "0.727", "0.791"]
    );
    let n: Vec<usize> = study.ceiling.iter().map(|c| c.correlations.n).collect();
    assert_eq!(n, [799, 799, 799, 798, 800]);
}

#[test]
fn levels_have_names_and_different_values() {
    let Some(study) = released() else { return };
    let of = |judge: &str| {
        study
            .judges
            .iter()
            .find(|j| j.judge == judge)
            .expect("a judge")
    };
    let pali = &of("pali17b").without_dependencies;
    assert_eq!(digits(&pali.pooled), five("0.56606", "0.45377", 795));
    let prompts = &pali.per_prompt;
    assert_eq!(
        (
            prompts.defined,
            prompts.judge_constant,
            prompts.people_constant
        ),
        (118, 41, 0)
    );
    assert_eq!(format!("{:.5}", prompts.tau.expect("defined")), "0.36918");
    let blip = &of("instructblip").without_dependencies.per_prompt;
    assert_eq!((blip.defined, blip.judge_constant), (71, 88));
    let model = |c: &Correlations| format!("{:.3} over {}", c.tau.value.expect("defined"), c.n);
    assert_eq!(model(&pali.model), "0.400 over 5");
    for judge in &study.judges {
        assert_eq!(
            model(&judge.with_dependencies.model),
            "0.200 over 5",
            "{}",
            judge.judge
        );
        assert_eq!(judge.with_dependencies.within_model.defined, 5);
    }
}

#[test]
fn ablation_of_question_sets_on_common_outputs() {
    let Some(study) = released() else { return };
    for judge in &study.ablation {
        let found = judge.ablation.as_ref().expect("all sets");
        assert_eq!((found.n, found.prompts, found.draws), (795, 159, 300));
        let names: Vec<&str> = found.sets.iter().map(|s| s.set.as_str()).collect();
        assert_eq!(names, ["dsg", "vq2a", "union"]);
        assert_eq!(found.differences.len(), 3);
        for difference in &found.differences {
            let interval = difference.tau.interval.expect("an interval");
            assert!(interval.low < interval.high);
            assert!(interval.contains(difference.tau.value.expect("defined")));
        }
    }
    let pali = study
        .ablation
        .iter()
        .find(|a| a.judge == "pali17b")
        .expect("a judge");
    let sets = &pali.ablation.as_ref().expect("all sets").sets;
    assert_eq!(
        format!("{:.5}", sets[0].tau.value.expect("defined")),
        "0.45377"
    );
}

#[test]
fn faults_are_counted_and_the_document_holds_no_nan() {
    let Some(study) = released() else { return };
    assert_eq!(study.faults["malformed-dependency"], 10);
    assert_eq!(study.faults["duplicated-question"], 3 * 76);
    let json = serde_json::to_string(study).expect("a document");
    assert!(!json.contains("NaN"));
    assert!(json.contains("\"reason\":\"answer key absent\""));
}

/// Against SciPy on the same file (`spearmanr`, `kendalltau` with the mean of the two ratings).
#[test]
fn tifas_own_metrics() {
    let Some(root) = test_data() else { return };
    let path = root.join("data/tifa/human_annotations_with_scores.json");
    let Some(path) = require_or_skip(path.is_file().then_some(path), "no data/tifa") else {
        return;
    };
    let found = metrics(&read_tifa(&path).unwrap());
    assert_eq!((found.images, found.metrics.len()), (800, 10));
    let expected = [
        ("tifa_mplug-large", 0.5922, 0.4717),
        ("tifa_blip2-flant5xl", 0.5581, 0.4360),
        ("tifa_git-large", 0.5451, 0.4255),
        ("tifa_vilt", 0.5000, 0.3824),
        ("tifa_ofa-large", 0.4866, 0.3725),
        ("meteor", 0.3723, 0.2741),
        ("rouge", 0.3360, 0.2449),
        ("spice", 0.3073, 0.2318),
        ("clipscore_vitb32", 0.3198, 0.2314),
        ("bleu", 0.2590, 0.1879),
    ];
    for (row, (name, rho, tau)) in found.metrics.iter().zip(expected) {
        let pooled = &row.levels.pooled;
        assert_eq!((row.metric.as_str(), pooled.n), (name, 800));
        assert!((pooled.rho.value.unwrap() - rho).abs() < 5e-5, "{name}");
        assert!((pooled.tau.value.unwrap() - tau).abs() < 5e-5, "{name}");
    }
    assert!(found.ratings.tau.value.unwrap() > 0.5);
}
