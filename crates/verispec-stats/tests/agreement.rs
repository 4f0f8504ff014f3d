//! Agreement against statsmodels, irrCAC, krippendorff, named values and brute force.
#![allow(clippy::unwrap_used)]
mod common;

use common::{close, count, number, numbers, printed, reference};
use proptest::prelude::*;
use verispec_stats::{
    Undefined,
    agreement::{Confusion, RatingTable, Scale, Weighting},
};

type Ratings = Vec<Vec<Option<usize>>>;

fn table(categories: usize, ratings: &Ratings) -> RatingTable {
    RatingTable::from_ratings(categories, ratings.iter().map(Vec::as_slice)).unwrap()
}

/// Raters x units, as the packages print it, turned into units x raters. "-" is missing.
fn by_rater(rows: &[&str]) -> Ratings {
    let rows: Vec<Vec<Option<usize>>> = rows
        .iter()
        .map(|row| row.split(' ').map(|mark| mark.parse().ok()).collect())
        .collect();
    (0..rows[0].len())
        .map(|unit| rows.iter().map(|row| row[unit]).collect())
        .collect()
}

#[test]
fn goldens_of_the_survey() {
    let yes_no = table(2, &by_rater(&["1 1 0 0 -", "1 0 0 0 1", "1 1 0 1 1"]));
    printed(
        yes_no.alpha(Scale::Nominal).unwrap().value,
        0.458_333_333_3,
        10,
        "alpha, nominal",
    );
    let grades = by_rater(&[
        "1 2 3 3 2 1 4 1 2 -",
        "1 2 3 3 2 2 4 1 2 5",
        "- 3 3 3 2 3 4 2 2 5",
    ]);
    let ordinal = table(6, &grades).alpha(Scale::Ordinal).unwrap().value;
    close(ordinal, 0.804_860_524_091_293_4, "alpha, ordinal");

    let bits = |text: &str| {
        text.bytes()
            .map(|b| usize::from(b - b'0'))
            .collect::<Vec<_>>()
    };
    let cohen = Confusion::of(&bits("11001101"), &bits("10001111"), 2).unwrap();
    printed(
        cohen.kappa(Weighting::Nominal).unwrap().value,
        0.466_666_666_7,
        10,
        "Cohen",
    );
    let fleiss =
        RatingTable::from_counts(2, [[0, 3], [1, 2], [3, 0], [2, 1]].iter().map(|c| &c[..]));
    let fleiss = fleiss.unwrap().fleiss_kappa().unwrap();
    printed(fleiss.value, 0.333_333_333_3, 10, "Fleiss");
}

/// Fleiss 1971, table 1 (30 patients, 6 psychiatrists, 5 diagnoses) is not at hand; the worked
/// example of 10 subjects, 14 raters and 5 categories that most texts give has kappa 0.210.
#[test]
fn fleiss_worked_example() {
    let counts: [[u32; 5]; 10] = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ];
    let table = RatingTable::from_counts(5, counts.iter().map(|c| &c[..])).unwrap();
    let found = table.fleiss_kappa().unwrap();
    printed(found.value, 0.210, 3, "kappa");
    printed(found.observed, 0.378, 3, "observed");
    printed(found.expected, 0.213, 3, "expected");
}

/// Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C and D: four
/// observers, twelve units, missing data: nominal .743, ordinal .815, interval .849.
#[test]
fn krippendorff_2011() {
    let data = by_rater(&[
        "1 2 3 3 2 1 4 1 2 - - -",
        "1 2 3 3 2 2 4 1 2 5 - 3",
        "- 3 3 3 2 3 4 2 2 5 1 -",
        "1 2 3 3 2 4 4 1 2 5 1 -",
    ]);
    let table = table(6, &data);
    let values = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    printed(
        table.alpha(Scale::Nominal).unwrap().value,
        0.743,
        3,
        "nominal",
    );
    printed(
        table.alpha(Scale::Ordinal).unwrap().value,
        0.815,
        3,
        "ordinal",
    );
    printed(
        table.alpha(Scale::Interval(&values)).unwrap().value,
        0.849,
        3,
        "interval",
    );
}

/// The judge pairs of DSG's released verdicts, "yes" against the rest: the paradox that makes the
/// kappas fall, and the reason why agreement and prevalence stand beside them.
#[test]
fn high_agreement_low_kappa() {
    let mut table = Confusion::new(2);
    for (a, b, times) in [(1, 1, 90), (1, 0, 5), (0, 1, 5)] {
        table.add(a, b, times).unwrap();
    }
    let kappa = table.kappa(Weighting::Nominal).unwrap();
    close(kappa.observed, 0.9, "observed");
    assert!(kappa.value < 0.0, "{kappa:?}");
    close(table.prevalence().unwrap()[1], 0.95, "prevalence");
    let counts = [[0, 2], [1, 1], [1, 1]];
    let units = (0..90)
        .map(|_| &counts[0][..])
        .chain((0..10).map(|i| &counts[1 + i % 2][..]));
    let ac1 = RatingTable::from_counts(2, units)
        .unwrap()
        .gwet_ac1()
        .unwrap();
    close(
        ac1.value,
        (0.9 - 0.095) / (1.0 - 0.095),
        "AC1 = (pa - 2p(1-p)) / (1 - 2p(1-p))",
    );
}

#[test]
fn packages() {
    for row in reference()["agreement"].as_array().unwrap() {
        let q = count(&row["categories"]);
        let ratings: Ratings = row["ratings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|unit| {
                let marks = unit.as_array().unwrap();
                marks
                    .iter()
                    .map(|mark| mark.as_u64().map(|k| k as usize))
                    .collect()
            })
            .collect();
        let table = table(q, &ratings);
        let say = |what: &str| format!("{what}, {} units, {q} categories", ratings.len());
        close(
            table.gwet_ac1().unwrap().value,
            number(&row["ac1"]),
            &say("AC1"),
        );
        let values = numbers(&row["values"]);
        for (scale, name) in [
            (Scale::Nominal, "alpha_nominal"),
            (Scale::Ordinal, "alpha_ordinal"),
            (Scale::Interval(&values), "alpha_interval"),
        ] {
            close(
                table.alpha(scale).unwrap().value,
                number(&row[name]),
                &say(name),
            );
        }
        match row.get("fleiss") {
            Some(wanted) => {
                close(
                    table.fleiss_kappa().unwrap().value,
                    number(wanted),
                    &say("Fleiss"),
                );
            }
            None => assert!(table.fleiss_kappa().unwrap_err().is_misuse()),
        }
        if ratings[0].len() == 2 {
            let rater = |k: usize| ratings.iter().map(|u| u[k].unwrap()).collect::<Vec<_>>();
            let confusion = Confusion::of(&rater(0), &rater(1), q).unwrap();
            for (weighting, name) in [
                (Weighting::Nominal, "cohen_nominal"),
                (Weighting::Linear, "cohen_linear"),
                (Weighting::Quadratic, "cohen_quadratic"),
            ] {
                close(
                    confusion.kappa(weighting).unwrap().value,
                    number(&row[name]),
                    &say(name),
                );
            }
        }
    }
}

#[test]
fn what_has_no_value_says_why() {
    let constant = Confusion::of(&[1, 1, 1], &[1, 1, 1], 2).unwrap();
    let reason = Undefined::NoChanceDisagreement;
    assert_eq!(constant.kappa(Weighting::Quadratic).unwrap_err(), reason);
    assert!(matches!(
        Confusion::new(2).kappa(Weighting::Nominal),
        Err(Undefined::TooFew { found: 0, .. })
    ));
    assert!(Confusion::of(&[2], &[0], 2).unwrap_err().is_misuse());
    let level = table(2, &by_rater(&["1 1 1", "1 1 1"]));
    assert_eq!(level.alpha(Scale::Nominal).unwrap_err(), reason);
    assert_eq!(level.fleiss_kappa().unwrap_err(), reason);
    // AC1 is defined there, and complete.
    close(level.gwet_ac1().unwrap().value, 1.0, "AC1 of level ratings");
    let single = table(2, &by_rater(&["1 0 1", "- - -"]));
    for found in [
        single.alpha(Scale::Nominal),
        single.gwet_ac1(),
        single.fleiss_kappa(),
    ] {
        assert!(
            matches!(found, Err(Undefined::TooFew { found: 0, .. })),
            "{found:?}"
        );
    }
    assert!(
        level
            .alpha(Scale::Interval(&[1.0]))
            .unwrap_err()
            .is_misuse()
    );
}

/// Alpha from its definition: mean squared distance within units over that of all paired ratings.
fn brute_alpha(ratings: &Ratings, distance: impl Fn(usize, usize) -> f64) -> Option<f64> {
    let units: Vec<Vec<usize>> = ratings
        .iter()
        .map(|unit| unit.iter().flatten().copied().collect::<Vec<_>>())
        .filter(|unit: &Vec<usize>| unit.len() > 1)
        .collect();
    let all: Vec<usize> = units.concat();
    let pairs = |values: &[usize]| {
        let mut sum = 0.0;
        for i in 0..values.len() {
            for j in (0..values.len()).filter(|&j| j != i) {
                sum += distance(values[i], values[j]);
            }
        }
        sum
    };
    let n = all.len() as f64;
    let within: f64 = units
        .iter()
        .map(|unit| pairs(unit) / (unit.len() as f64 - 1.0))
        .sum();
    let expected = pairs(&all) / (n * (n - 1.0));
    (expected > 0.0).then(|| 1.0 - within / n / expected)
}

proptest! {
    #[test]
    fn alpha_is_its_definition(
        ratings in proptest::collection::vec(
            proptest::collection::vec(proptest::option::weighted(0.8, 0..4_usize), 4), 1..15),
    ) {
        let table = table(4, &ratings);
        let values: [f64; 4] = [0.0, 1.5, 2.0, 7.0];
        let nominal = brute_alpha(&ratings, |a, b| f64::from(u8::from(a != b)));
        let interval = brute_alpha(&ratings, |a, b| (values[a] - values[b]).powi(2));
        for (scale, wanted) in [(Scale::Nominal, nominal), (Scale::Interval(&values), interval)] {
            match (table.alpha(scale), wanted) {
                (Ok(found), Some(wanted)) => prop_assert!((found.value - wanted).abs() < 1e-9),
                (Err(_), None) => {}
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }

    /// A unit that counts twice is a unit that is there twice.
    #[test]
    fn multiplicity_is_repetition(
        units in proptest::collection::vec(
            (proptest::collection::vec(proptest::option::of(0..3_usize), 3), 0..4_u32), 1..12),
    ) {
        let (ratings, times): (Ratings, Vec<u32>) = units.into_iter().unzip();
        let mut weighted = table(3, &ratings);
        weighted.set_multiplicity(&times).unwrap();
        let repeated: Ratings = ratings.iter().zip(&times)
            .flat_map(|(unit, &k)| std::iter::repeat_n(unit.clone(), k as usize)).collect();
        let repeated = table(3, &repeated);
        for (found, wanted) in [
            (weighted.alpha(Scale::Ordinal), repeated.alpha(Scale::Ordinal)),
            (weighted.gwet_ac1(), repeated.gwet_ac1()),
        ] {
            match (found, wanted) {
                (Ok(a), Ok(b)) => prop_assert!((a.value - b.value).abs() < 1e-9),
                (a, b) => prop_assert_eq!(a, b),
            }
        }
    }
}
