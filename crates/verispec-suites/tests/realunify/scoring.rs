use std::collections::BTreeMap;

use verispec_model::score::Ratio;
use verispec_model::{OutputFailure, Unjudged};
use verispec_suites::published::realunify;
use verispec_suites::realunify::{
    Axis, DASH, Denominator, ItemResult, Outcome, Split, SplitScore, Way, judge_minus_human,
    main_row, published_percent, score, total,
};

use crate::common::{result, results, split};

/// A split with so many right items, spread over all tasks of the axis, 100 a task.
fn with_correct(split: Split, correct: usize, denominator: Denominator) -> SplitScore {
    let tasks = split.axis.tasks();
    let mut left = correct;
    let all: Vec<ItemResult> = tasks
        .iter()
        .flat_map(|task| {
            let here = left.min(100);
            left -= here;
            results(task, 100, here)
        })
        .collect();
    assert_eq!(left, 0);
    score(split, &all, denominator)
}

fn row(
    model: &str,
    ueg: [Option<usize>; 2],
    geu: [Option<usize>; 2],
    d: Denominator,
) -> [String; 6] {
    let mut scores = BTreeMap::new();
    for (axis, counts) in [(Axis::Ueg, ueg), (Axis::Geu, geu)] {
        for (way, count) in Way::ALL.into_iter().zip(counts) {
            if let Some(count) = count {
                let split = Split::new(axis, way);
                scores.insert(split, with_correct(split, count, d));
            }
        }
    }
    main_row(model, &scores).cells
}

#[test]
fn the_three_totals_of_the_description() {
    for d in [Denominator::Actual, Denominator::Fixed100] {
        let bagel = row("BAGEL", [Some(196), Some(286)], [Some(157), Some(143)], d);
        assert_eq!(bagel, ["32.7", "47.7", "39.3", "35.8", "35.3", "42.9"]);
        let nano = row("Nano Banana", [Some(378), None], [Some(127), None], d);
        assert_eq!(nano, ["63.0", "-", "31.8", "-", "50.5", "-"]);
    }
}

/// Counts of right items that a published percentage allows.
fn counts(percent: f64, of: usize) -> Vec<usize> {
    let printed = format!("{percent:.1}");
    (0..=of)
        .filter(|n| published_percent(Ratio::new(*n, of).as_ref()) == printed)
        .collect()
}

#[test]
fn all_complete_published_cells_satisfy_the_total_rule() {
    let table = realunify().table("RealUnify main").unwrap();
    let mut complete = 0;
    for model in &table.rows {
        for (place, way) in Way::ALL.into_iter().enumerate() {
            let value = |i: usize| model.values[2 * i + place];
            let (Some(ueg), Some(geu), Some(sum)) = (value(0), value(1), value(2)) else {
                continue;
            };
            complete += 1;
            let printed = format!("{sum:.1}");
            let fits = counts(ueg, 600).into_iter().any(|u| {
                counts(geu, 400).into_iter().any(|g| {
                    let ueg = with_correct(Split::new(Axis::Ueg, way), u, Denominator::Fixed100);
                    let geu = with_correct(Split::new(Axis::Geu, way), g, Denominator::Fixed100);
                    published_percent(total(&ueg, &geu).as_ref()) == printed
                })
            });
            assert!(fits, "{} {way:?}", model.model);
        }
    }
    assert_eq!(complete, 20);
}

#[test]
fn halves_go_up_as_published() {
    assert_eq!(published_percent(Ratio::new(101, 400).as_ref()), "25.3");
    assert_eq!(published_percent(Ratio::new(117, 400).as_ref()), "29.3");
    assert_eq!(published_percent(None), DASH);
}

#[test]
fn b02_actual_counts_are_the_default_and_fixed_ones_have_their_name() {
    let mut all = results("world_knowledge", 7, 3);
    all.extend(results("code_to_image", 100, 50));
    let actual = score(split("ueg_direct"), &all, Denominator::Actual);
    assert_eq!(actual.tasks[0].accuracy.value, Ratio::new(3, 7));
    assert_eq!(actual.axis.value, Ratio::new(53, 107));
    let kinds: Vec<&str> = actual.warnings.iter().map(|w| w.place.as_str()).collect();
    assert_eq!(
        kinds,
        ["ueg_direct/world_knowledge"],
        "100 items need no remark"
    );
    let fixed = score(split("ueg_direct"), &all, Denominator::Fixed100);
    assert_eq!(fixed.tasks[0].accuracy.value, Ratio::new(3, 100));
    assert_eq!(fixed.axis.value, Ratio::new(53, 600));
    let twice = results("mental_tracking", 200, 150);
    let fixed = score(split("geu_direct"), &twice, Denominator::Fixed100);
    assert_eq!(
        fixed.axis.value,
        Ratio::new(150, 100),
        "duplicates exceed 100 % as released"
    );
    assert_eq!(fixed.axis.published(), "150.0");
}

#[test]
fn nothing_is_a_dash_never_a_zero() {
    for d in [Denominator::Actual, Denominator::Fixed100] {
        let empty = score(split("geu_step"), &[], d);
        assert_eq!(empty.axis.value, None);
        assert_eq!(empty.axis.published(), DASH);
        let ueg = with_correct(split("ueg_step"), 10, d);
        assert_eq!(total(&ueg, &empty), None);
    }
    let open = [result("mental_tracking", 0, Outcome::Pending)];
    let score = score(split("geu_step"), &open, Denominator::Actual);
    assert_eq!(score.axis.published(), DASH);
    assert_eq!(
        (score.axis.low, score.axis.high),
        (Ratio::new(0, 1), Ratio::new(1, 1))
    );
}

#[test]
fn failures_of_the_model_are_zero_and_counted_those_of_the_judge_are_open() {
    let outcomes = [
        Outcome::Correct,
        Outcome::Wrong,
        Outcome::Failed(OutputFailure::Undecidable),
        Outcome::Failed(OutputFailure::Missing),
        Outcome::Unjudged(Unjudged::Refused),
        Outcome::Unjudgeable,
        Outcome::Pending,
    ];
    let all: Vec<ItemResult> = outcomes
        .iter()
        .enumerate()
        .map(|(i, o)| result("mental_tracking", i, *o))
        .collect();
    let score = score(split("geu_direct"), &all, Denominator::Actual);
    let tally = &score.axis.tally;
    assert_eq!((tally.items, tally.decided(), tally.open()), (7, 4, 2));
    assert_eq!(
        (tally.failed, tally.undecidable, tally.unjudgeable),
        (2, 1, 1)
    );
    assert_eq!(score.axis.value, Ratio::new(1, 4));
    assert_eq!(score.axis.low, Ratio::new(1, 6));
    assert_eq!(score.axis.high, Ratio::new(3, 6));
}

#[test]
fn subtasks_and_mean_shares() {
    let mut all = results("mental_tracking", 4, 2);
    for (i, result) in all.iter_mut().enumerate() {
        result.subtask = Some(["turns", "stacks"][i % 2].to_owned());
        result.share = Ratio::new(i, 4);
    }
    all[3].share = None;
    let score = score(split("geu_direct"), &all, Denominator::Actual);
    let subtasks = &score.tasks[0].subtasks;
    assert_eq!(subtasks["turns"].value, Ratio::new(1, 2));
    assert_eq!(subtasks["stacks"].value, Ratio::new(1, 2));
    assert_eq!(score.axis.mean, Ratio::new(1, 4), "mean of 0, 1/4 and 2/4");
}

#[test]
fn judge_minus_people() {
    let human = results("world_knowledge", 10, 4);
    let mut judge = results("world_knowledge", 10, 6);
    judge[9].outcome = Outcome::Unjudged(Unjudged::Timeout);
    let rows = judge_minus_human(&judge, &human);
    assert_eq!(rows.len(), 2);
    let all = &rows[0].paired;
    assert_eq!((all.items, all.left_out), (9, 1));
    assert_eq!((all.quadrants.both, all.quadrants.only_second), (4, 2));
    assert!((all.difference.unwrap() - 2.0 / 9.0).abs() < 1e-12);
    assert_eq!(rows[1].task.as_deref(), Some("world_knowledge"));
}
