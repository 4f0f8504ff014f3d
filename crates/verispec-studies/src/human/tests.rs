use super::*;

fn cells(rows: &[(&str, &str, Option<f64>)]) -> Cells {
    let mut cells = Cells::default();
    for (item, model, score) in rows {
        cells.set(item, model, *score);
    }
    cells
}

/// Two prompts, three models, two raters.
fn small() -> (Cells, Ratings) {
    let judge = cells(&[
        ("p", "a", Some(1.0)),
        ("p", "b", Some(0.5)),
        ("p", "c", Some(0.0)),
        ("q", "a", Some(1.0)),
        ("q", "b", Some(1.0)),
        ("q", "c", Some(1.0)),
    ]);
    let mut people = Ratings::default();
    let rows = [("p", [5.0, 3.0, 1.0]), ("q", [2.0, 4.0, 3.0])];
    for (item, values) in rows {
        for (model, value) in ["a", "b", "c"].into_iter().zip(values) {
            people.set(item, model, "x", value);
            people.set(item, model, "y", value + 0.5);
        }
    }
    (judge, people)
}

#[test]
fn four_levels_of_a_small_table_by_hand() {
    let (judge, people) = small();
    let found = levels(&judge, &people);
    // Scores 1 .5 0 1 1 1 against 5 3 1 2 4 3: 7 pairs concordant, 1 discordant, 6 tied in x
    // alone, 1 tied in y alone; tau-b = 6 / sqrt((15 - 6) (15 - 1)).
    let tau = 6.0 / (9.0_f64 * 14.0).sqrt();
    assert!(
        (found.pooled.tau.value.unwrap() - tau).abs() < 1e-12,
        "{found:?}"
    );
    assert_eq!(found.pooled.n, 6);
    let prompts = &found.per_prompt;
    assert_eq!((prompts.tau, prompts.rho), (Some(1.0), Some(1.0)));
    assert_eq!(
        (prompts.defined, prompts.judge_constant),
        (1, 1),
        "prompt q orders nothing"
    );
    // Model a is constant for the judge; b and c rise with people.
    assert_eq!(
        (found.within_model.tau, found.within_model.defined),
        (Some(1.0), 2)
    );
    assert_eq!(found.within_model.judge_constant, 1);
    // Means 1, .75, .5 against 3.75, 3.75, 2.25.
    assert_eq!(found.model.n, 3);
    assert!((found.model.tau.value.unwrap() - 2.0 / 6.0_f64.sqrt()).abs() < 1e-12);
}

#[test]
fn outputs_without_a_score_enter_nothing() {
    let (mut judge, people) = small();
    judge.set("p", "a", None);
    let found = levels(&judge, &people);
    assert_eq!((found.pooled.n, found.per_prompt.defined), (5, 1));
    let counts = missing(&judge, &people);
    let counts: Vec<_> = counts
        .iter()
        .map(|m| (m.model.as_str(), m.rated, m.missing))
        .collect();
    assert_eq!(counts, [("a", 2, 1), ("b", 2, 0), ("c", 2, 0)]);
    let filled = judge.over(people.cells(), Some(0.0));
    assert_eq!(levels(&filled, &people).pooled.n, 6);
    let empty = levels(&Cells::default(), &people);
    assert_eq!(
        (empty.pooled.tau.value, empty.per_prompt.tau, empty.model.n),
        (None, None, 0)
    );
}

#[test]
fn two_policies_are_compared_on_common_outputs() {
    let (judge, people) = small();
    let mut other = judge.clone();
    other.set("q", "a", None);
    other.set("q", "b", None);
    let found = common(&judge, &other, &people);
    let n = [
        &found.first_own,
        &found.second_own,
        &found.first,
        &found.second,
    ]
    .map(|c| c.n);
    assert_eq!(n, [6, 4, 4, 4]);
    assert_eq!(
        found.first, found.second,
        "equal scores agree equally on the same outputs"
    );
    assert_ne!(found.first_own, found.first);
}

#[test]
fn the_ceiling_leaves_the_rater_out() {
    let (_, mut people) = small();
    people.set("p", "a", "z", 1.0);
    people.set("r", "a", "z", 3.0);
    let found = ceiling(&people);
    let names: Vec<_> = found
        .iter()
        .map(|c| (c.rater.as_str(), c.correlations.n))
        .collect();
    assert_eq!(
        names,
        [("x", 6), ("y", 6), ("z", 1)],
        "r has no other rater"
    );
    assert_eq!(found[2].correlations.tau.value, None);
    // Rater x orders p: 5 3 1; the mean of y and z has 3.25 for p/a.
    let others = [3.25, 3.5, 1.5, 2.5, 4.5, 3.5];
    let own = [5.0, 3.0, 1.0, 2.0, 4.0, 3.0];
    assert_eq!(found[0].correlations, correlations(&own, &others));
}

fn judge(name: &str, means: [f64; 3]) -> JudgeMeans {
    let models = ["a", "b", "c"].map(str::to_owned);
    JudgeMeans {
        judge: name.to_owned(),
        means: models.into_iter().zip(means).collect(),
        yes_rate: Some(0.9),
    }
}

#[test]
fn judges_that_agree_with_each_other_and_not_with_people_are_called_out() {
    let people = judge("people", [1.0, 3.0, 2.0]).means;
    let alike = [judge("j", [3.0, 2.0, 1.0]), judge("k", [9.0, 8.0, 7.0])];
    let found = validity(&alike, &people);
    assert_eq!(found.pairs[0].tau.value, Some(1.0));
    assert_eq!(found.judges[0].spread, Some(2.0));
    let warning = found.warning.unwrap();
    assert!(warning.contains("tau-b 1.0, but with people each judge has only -0.3 / -0.3"));
    let right = [judge("j", [1.0, 3.0, 2.0]), judge("k", [1.0, 3.0, 2.0])];
    assert_eq!(validity(&right, &people).warning, None);
    let mut fewer = right.to_vec();
    fewer[0].means.remove("a");
    assert_eq!(validity(&fewer, &people).models, 2);
    assert_eq!(validity(&[], &people).warning, None);
}

#[test]
fn ablation_draws_prompts_and_pairs_the_sets() {
    let mut people = Ratings::default();
    let (mut good, mut bad) = (Cells::default(), Cells::default());
    for item in 0..40_u32 {
        for model in 0..3_u32 {
            let truth = f64::from((item * 7 + model * 13) % 11);
            let (item, model) = (item.to_string(), model.to_string());
            people.set(&item, &model, "x", truth);
            good.set(&item, &model, Some(truth));
            let noise = f64::from((truth as u32 * 17 + 5) % 7);
            bad.set(&item, &model, (item != "3").then_some(noise));
        }
    }
    let sets = [("good", &good), ("bad", &bad)];
    let found = ablation(&sets, &people, 200, 1, 0.95).unwrap();
    assert_eq!(
        (found.n, found.prompts),
        (117, 39),
        "prompt 3 has no score of one set"
    );
    assert_eq!(found.sets[0].tau.value, Some(1.0));
    let difference = &found.differences[0];
    let interval = difference.tau.interval.unwrap();
    assert!(interval.low > 0.3 && interval.contains(difference.tau.value.unwrap()));
    assert_eq!(
        found,
        ablation(&sets, &people, 200, 1, 0.95).unwrap(),
        "same seed, same numbers"
    );
    assert_ne!(found, ablation(&sets, &people, 200, 2, 0.95).unwrap());
    let none = Cells::default();
    assert!(ablation(&[("none", &none)], &people, 10, 1, 0.95).is_err());
}
