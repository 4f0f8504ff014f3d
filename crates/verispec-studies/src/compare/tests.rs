use super::*;
use crate::matrix::Clusters;
use crate::testing::{Noise, Rows, matrix, results};

fn rows(scores: &[(&str, &str, u8, u8)]) -> Rows {
    let verdicts = |met: u8, unjudged: u8| {
        (0..4)
            .map(|i| (i >= unjudged).then_some(i < met + unjudged))
            .collect()
    };
    let row = |(dim, id, met, unjudged): &(&str, &str, u8, u8)| {
        (
            (*dim).to_owned(),
            (*id).to_owned(),
            verdicts(*met, *unjudged),
        )
    };
    scores.iter().map(row).collect()
}

fn compared(a: Rows, b: Rows) -> Comparison {
    let one = |rows| results(&["t"], &[("x", vec![("t", rows)])]);
    let levels = [("a", None, "g", one(a)), ("b", None, "g", one(b))];
    compare(&matrix(&levels, &Clusters::new()), Options::default())
}

#[test]
fn only_common_instances_count_and_the_others_are_named() {
    let a = rows(&[
        ("d", "1", 4, 0),
        ("d", "2", 2, 0),
        ("e", "3", 1, 0),
        ("f", "5", 2, 0),
    ]);
    let b = rows(&[
        ("d", "1", 2, 0),
        ("d", "2", 0, 4),
        ("e", "3", 3, 0),
        ("e", "4", 4, 0),
    ]);
    let comparison = compared(a, b);
    let t = &comparison.tracks[0];
    // d: 50 - 100 = -50 on instance 1; e: 75 - 25 = 50 on instance 3.
    assert_eq!((t.first, t.second), (Some(62.5), Some(62.5)));
    assert_eq!(t.difference.value, Some(0.0));
    assert_eq!(t.n, 2);
    let dropped: Vec<(&str, &str)> = t
        .dropped
        .iter()
        .map(|d| (d.id.as_str(), d.missing))
        .collect();
    assert_eq!(dropped, [("2", "second"), ("4", "first"), ("5", "second")]);
    assert_eq!(t.dropped_dimensions, ["f"]);
    assert_eq!(comparison.average, None);
}

#[test]
fn a_real_difference_is_found_and_a_null_is_not() {
    let mut noise = Noise(7);
    let mut sample = |shift: f64| -> Rows {
        (0..120)
            .map(|i| {
                let verdicts = (0..8).map(|_| Some(noise.unit() < 0.5 + shift)).collect();
                ("d".to_owned(), format!("{i:03}"), verdicts)
            })
            .collect()
    };
    let (a, same, better) = (sample(0.0), sample(0.0), sample(0.15));
    let null = compared(a.clone(), same);
    let t = &null.tracks[0];
    assert!(t.test.unwrap().p > 0.05);
    assert!(t.difference.interval.unwrap().contains(0.0));
    let found = compared(a, better);
    let t = &found.tracks[0];
    assert!(t.test.unwrap().p < 0.001);
    assert!(t.difference.interval.unwrap().low > 0.0);
    assert!((t.second.unwrap() - t.first.unwrap() - t.difference.value.unwrap()).abs() < 1e-9);
}

#[test]
fn instances_that_share_an_image_count_as_one() {
    let a = rows(&[
        ("d", "1", 0, 0),
        ("d", "2", 0, 0),
        ("d", "3", 0, 0),
        ("d", "4", 0, 0),
    ]);
    let b = rows(&[
        ("d", "1", 4, 0),
        ("d", "2", 4, 0),
        ("d", "3", 4, 0),
        ("d", "4", 4, 0),
    ]);
    let clusters: Clusters = ["1", "2", "3", "4"]
        .iter()
        .map(|id| (("t".to_owned(), (*id).to_owned()), 0))
        .collect();
    let one = |rows| results(&["t"], &[("x", vec![("t", rows)])]);
    let levels = [
        ("a", None, "g", one(a.clone())),
        ("b", None, "g", one(b.clone())),
    ];
    let together = compare(&matrix(&levels, &clusters), Options::default());
    // One cluster: its sign can only be kept or turned, so p is 1.
    assert_eq!(together.tracks[0].test.unwrap().p, 1.0);
    let apart = compared(a, b);
    assert_eq!(apart.tracks[0].test.unwrap().p, 2.0 / 16.0);
}

#[test]
fn the_average_is_over_tracks() {
    let one = |t: Rows, u: Rows| results(&["t", "u"], &[("x", vec![("t", t), ("u", u)])]);
    let a = one(
        rows(&[("d", "1", 0, 0)]),
        rows(&[("d", "1", 4, 0), ("e", "2", 4, 0)]),
    );
    let b = one(
        rows(&[("d", "1", 2, 0)]),
        rows(&[("d", "1", 4, 0), ("e", "2", 0, 0)]),
    );
    let levels = [("a", None, "g", a), ("b", None, "g", b)];
    let comparison = compare(&matrix(&levels, &Clusters::new()), Options::default());
    // Track t: +50; track u: mean of 0 and -100 = -50.
    assert_eq!(comparison.average.unwrap().value, Some(0.0));
}
