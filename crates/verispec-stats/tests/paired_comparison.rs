//! Bradley-Terry against choix, logistic regression and its own equations.
#![allow(clippy::unwrap_used)]
mod common;

use common::{close, number, numbers, reference, within};
use verispec_stats::{Undefined, paired_comparison::Wins};

fn wins(rows: &[Vec<f64>]) -> Wins {
    let mut wins = Wins::new(rows.len());
    for (i, row) in rows.iter().enumerate() {
        for (j, &times) in row.iter().enumerate().filter(|(j, _)| *j != i) {
            wins.add(i, j, times).unwrap();
        }
    }
    wins
}

/// The survey's values are choix `opt_pairwise` with its default ridge of 1e-6, which stops about
/// 1e-9 before the maximum: a unit of the last digit instead of half.
#[test]
fn golden_of_the_survey() {
    let table = wins(&[vec![0., 7., 8.], vec![3., 0., 6.], vec![2., 4., 0.]]);
    let wanted = [0.740_569_66, -0.149_102_20, -0.591_467_47];
    for (ability, wanted) in table.fit(1e-6).unwrap().abilities.iter().zip(wanted) {
        within(*ability, wanted, 1e-8, "ability");
    }
    for (ability, wanted) in table.fit(0.0).unwrap().abilities.iter().zip(wanted) {
        within(*ability, wanted, 4e-7, "without a ridge");
    }
}

#[test]
fn packages() {
    for case in reference()["paired_comparison"].as_array().unwrap() {
        let rows: Vec<Vec<f64>> = case["wins"]
            .as_array()
            .unwrap()
            .iter()
            .map(numbers)
            .collect();
        let found = wins(&rows).fit(0.0).unwrap();
        for (i, ability) in found.abilities.iter().enumerate() {
            close(
                *ability,
                number(&case["abilities"][i]),
                "ability, logistic regression",
            );
            within(
                *ability,
                number(&case["choix"][i]),
                1e-8,
                "ability, choix (its own tolerance)",
            );
            close(found.se(i), number(&case["se"][i]), "standard error");
        }
        close(
            found.difference_se(0, 1),
            number(&case["difference_se_01"]),
            "se of a difference",
        );
        // The likelihood equations: expected wins are observed wins.
        for (i, row) in rows.iter().enumerate() {
            let expected: f64 = (0..rows.len())
                .filter(|&j| j != i)
                .map(|j| (row[j] + rows[j][i]) * found.win_probability(i, j))
                .sum();
            close(expected, row.iter().sum(), "expected wins");
        }
    }
}

#[test]
fn two_players_have_the_log_odds() {
    let mut table = Wins::new(2);
    table.add(0, 1, 30.0).unwrap();
    table.add(1, 0, 10.0).unwrap();
    let found = table.fit(0.0).unwrap();
    close(
        found.abilities[0] - found.abilities[1],
        3.0_f64.ln(),
        "log odds",
    );
    close(
        found.difference_se(0, 1),
        (1.0_f64 / 30.0 + 0.1).sqrt(),
        "se of log odds",
    );
    // Four ties are two wins each.
    table.add_tie(0, 1, 4.0).unwrap();
    close(
        table.fit(0.0).unwrap().win_probability(0, 1),
        32.0 / 44.0,
        "with ties",
    );
}

#[test]
fn unlinked_players_have_no_abilities() {
    // 0 and 1 beat each other, 2 never wins: its ability is minus infinity.
    let losing = wins(&[vec![0., 2., 5.], vec![3., 0., 1.], vec![0., 0., 0.]]);
    assert_eq!(
        losing.fit(0.0).unwrap_err(),
        Undefined::NotLinked { components: 2 }
    );
    let separate = wins(&[
        vec![0., 1., 0., 0.],
        vec![1., 0., 0., 0.],
        vec![0., 0., 0., 1.],
        vec![0., 0., 1., 0.],
    ]);
    assert_eq!(
        separate.fit(0.0).unwrap_err(),
        Undefined::NotLinked { components: 2 }
    );
    assert_eq!(
        Wins::new(3).fit(0.0).unwrap_err(),
        Undefined::NotLinked { components: 3 }
    );
    assert!(matches!(
        Wins::new(1).fit(0.0),
        Err(Undefined::TooFew { .. })
    ));
    let mut table = Wins::new(2);
    assert!(table.add(0, 0, 1.0).unwrap_err().is_misuse());
    assert!(table.add(0, 2, 1.0).unwrap_err().is_misuse());
    assert!(table.add(0, 1, -1.0).unwrap_err().is_misuse());
}

/// Lopsided but linked: the abilities are large, and Newton needs its step halved.
#[test]
fn extreme_records_converge() {
    let found = wins(&[vec![0., 1e6, 1e6], vec![1., 0., 1e6], vec![0., 1., 0.]])
        .fit(0.0)
        .unwrap();
    assert!(found.abilities[0] > 13.0, "{:?}", found.abilities);
    assert!(found.abilities.iter().sum::<f64>().abs() < 1e-9);
}
