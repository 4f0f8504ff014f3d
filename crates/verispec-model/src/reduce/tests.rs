use proptest::prelude::*;

use super::*;
use crate::suite::Specification;

/// What a judge says: `Y`, `N`, `?` unparsed, `R` refused, `.` nothing yet.
fn reading(letter: char) -> Option<Reading> {
    match letter {
        'Y' => Some(Reading::yes_no(YesNo::Yes)),
        'N' => Some(Reading::yes_no(YesNo::No)),
        '?' => Some(Reading::Unjudged(Unjudged::Unparsed)),
        'R' => Some(Reading::Unjudged(Unjudged::Refused)),
        '.' => None,
        other => panic!("no reading {other:?}"),
    }
}

fn spec(id: usize, reading: Option<Reading>) -> SpecResult {
    let spec = Specification {
        id: u32::try_from(id).unwrap() + 1,
        question: format!("q{id}?"),
        category: String::new(),
        subcategory: String::new(),
        expected: YesNo::Yes,
        rating: None,
        rules: crate::suite::SpecRules::default(),
        record: Default::default(),
    };
    SpecResult {
        reading,
        ..SpecResult::pending(spec)
    }
}

/// One ballot, a letter for each specification.
fn ballot(judge: Option<&str>, repeat: u32, letters: &str) -> Ballot {
    let specs = letters.chars().enumerate();
    Ballot {
        judge: judge.map(Arc::from),
        repeat,
        specs: specs.map(|(i, c)| spec(i, reading(c))).collect(),
    }
}

/// A panel of judges `a`, `b`, ... asked once each.
fn panel(all: &[&str]) -> Vec<Ballot> {
    let names = ["a", "b", "c", "d", "e"];
    let each = names.iter().zip(all);
    each.map(|(name, letters)| ballot(Some(name), 0, letters))
        .collect()
}

/// One judge asked several times.
fn repeats(all: &[&str]) -> Vec<Ballot> {
    let each = (0..).zip(all);
    each.map(|(repeat, letters)| ballot(None, repeat, letters))
        .collect()
}

fn of_panel(reduce: Reduce, min_valid: Option<usize>) -> Rule {
    Rule {
        repeats: RepeatReduce::Mean,
        panel: Some(reduce),
        min_valid,
    }
}

fn of_repeats(repeats: RepeatReduce, min_valid: Option<usize>) -> Rule {
    Rule {
        repeats,
        panel: None,
        min_valid,
    }
}

/// The letters of results, with `=` for a conflict and `<` for too few votes.
fn letters(results: &[SpecResult]) -> String {
    let letter = |r: &SpecResult| match &r.reading {
        None => '.',
        Some(Reading::Unjudged(Unjudged::Conflict)) => '=',
        Some(Reading::Unjudged(Unjudged::TooFewVotes)) => '<',
        Some(Reading::Unjudged(Unjudged::Unparsed)) => '?',
        Some(Reading::Unjudged(Unjudged::Refused)) => 'R',
        Some(Reading::Answer(Answer::YesNo(YesNo::Yes))) => 'Y',
        Some(Reading::Answer(Answer::YesNo(YesNo::No))) => 'N',
        Some(other) => panic!("unexpected {other:?}"),
    };
    results.iter().map(letter).collect()
}

fn reduced(ballots: Vec<Ballot>, rule: &Rule) -> String {
    letters(&reduce(ballots, rule))
}

#[test]
fn a_majority_needs_more_than_half_of_the_valid_votes() {
    let rule = of_panel(Reduce::Majority, None);
    //                      all, two of three, one each of two valid, unjudged beside two alike
    let ballots = panel(&["YYY?", "YNNY", "YN?Y"]);
    assert_eq!(reduced(ballots, &rule), "YN=Y");
    // An even panel can tie with everybody valid.
    assert_eq!(reduced(panel(&["YY", "YN", "NY", "NN"]), &rule), "==");
}

#[test]
fn unanimity_needs_all_valid_votes_alike() {
    let rule = of_panel(Reduce::Unanimous, None);
    let ballots = panel(&["YYN?", "YNN?", "YYNY"]);
    assert_eq!(reduced(ballots, &rule), "Y=N<");
    let rule = of_panel(Reduce::Unanimous, Some(1));
    assert_eq!(reduced(panel(&["?N", "?N", "Y?"]), &rule), "YN");
}

#[test]
fn too_few_valid_votes_are_no_verdict_and_keep_a_shared_reason() {
    let judged = |min_valid| {
        let ballots = panel(&["Y?R?", "YY?R", "?N??"]);
        reduced(ballots, &of_panel(Reduce::Majority, min_valid))
    };
    // Two of three by default; the last two specifications have no vote at all, and no one reason.
    assert_eq!(judged(None), "Y=<<");
    assert_eq!(judged(Some(3)), "<<<<");
    assert_eq!(judged(Some(1)), "Y=<<");
    // Nobody can ask for fewer than one.
    assert_eq!(judged(Some(0)), judged(Some(1)));
    let refused = panel(&["R?", "R?", "R?"]);
    assert_eq!(
        reduced(refused, &of_panel(Reduce::Majority, None)),
        "R?",
        "the reason that all share"
    );
}

#[test]
fn half_of_an_even_panel_is_too_few() {
    let ballots = || panel(&["Y", "Y", "?", "?"]);
    assert_eq!(reduced(ballots(), &of_panel(Reduce::Majority, None)), "<");
    assert_eq!(
        reduced(ballots(), &of_panel(Reduce::Majority, Some(2))),
        "Y"
    );
}

#[test]
fn a_pending_member_leaves_a_common_verdict_pending() {
    for rule in [Reduce::Majority, Reduce::Unanimous] {
        let rule = of_panel(rule, Some(1));
        // Two of three agree already; the third may still be asked, so nothing is final.
        assert_eq!(reduced(panel(&["YN", "YY", ".N"]), &rule)[..1], *".");
    }
}

#[test]
fn a_common_verdict_keeps_the_votes_it_was_made_from() {
    let results = reduce(
        panel(&["YN", "NN", "?N"]),
        &of_panel(Reduce::Unanimous, None),
    );
    assert_eq!(letters(&results), "=N");
    assert_eq!(
        (
            results[0].provenance.judge.clone(),
            results[0].provenance.request
        ),
        (None, None)
    );
    let votes: Vec<_> = results[0]
        .provenance
        .votes
        .iter()
        .map(|v| (v.judge.as_deref().unwrap(), v.reading.clone()))
        .collect();
    assert_eq!(
        votes,
        [
            ("a", reading('Y')),
            ("b", reading('N')),
            ("c", reading('?'))
        ]
    );
}

#[test]
fn asked_with_is_told_where_all_agree() {
    let with = |of: [u32; 2]| {
        let mut ballots = panel(&["Y", "Y"]);
        for (ballot, n) in ballots.iter_mut().zip(of) {
            ballot.specs[0].provenance.asked_with = Some(n);
        }
        reduce(ballots, &of_panel(Reduce::Majority, None))[0]
            .provenance
            .asked_with
    };
    assert_eq!(with([3, 3]), Some(3));
    assert_eq!(with([3, 1]), None);
}

#[test]
fn a_mean_keeps_every_opinion_with_its_judge_and_repeat() {
    let mut ballots = panel(&["YN", "NN"]);
    ballots.insert(1, ballot(Some("a"), 1, "N?"));
    let results = reduce(ballots, &of_panel(Reduce::Mean, Some(1)));
    assert_eq!(letters(&results), "YNN?NN");
    let who: Vec<_> = results
        .iter()
        .map(|r| (r.provenance.judge.as_deref().unwrap(), r.provenance.repeat))
        .collect();
    let expected = [("a", 0), ("a", 0), ("a", 1), ("a", 1), ("b", 0), ("b", 0)];
    assert_eq!(who, expected);
}

#[test]
fn a_mean_sets_aside_what_too_few_judges_answered() {
    // Three judges: the second specification has one valid answer, the third is pending.
    let ballots = || panel(&["YY.", "N?Y", "Y??"]);
    let results = reduce(ballots(), &of_panel(Reduce::Mean, None));
    assert_eq!(letters(&results), "Y<.N?YY??");
    // What was set aside is kept as its vote.
    assert_eq!(results[1].provenance.votes[0].reading, reading('Y'));
    assert_eq!(
        reduced(ballots(), &of_panel(Reduce::Mean, Some(1))),
        "YY.N?YY??"
    );
}

#[test]
fn many_repeats_of_one_judge_are_one_judge_for_min_valid() {
    let mut ballots: Vec<Ballot> = (0..3).map(|i| ballot(Some("a"), i, "Y")).collect();
    ballots.extend([ballot(Some("b"), 0, "?"), ballot(Some("c"), 0, "?")]);
    let rule = of_panel(Reduce::Mean, None);
    assert_eq!(reduced(ballots, &rule), "<<<??");
}

#[test]
fn repeats_stay_side_by_side_or_become_a_majority() {
    let ballots = || repeats(&["YYN?", "NY?.", "NY??"]);
    let mean = reduce(ballots(), &Rule::default());
    assert_eq!(letters(&mean), "YYN?NY?.NY??");
    assert_eq!(mean[11].provenance.repeat, 2);
    let majority = reduce(ballots(), &of_repeats(RepeatReduce::Majority, None));
    assert_eq!(letters(&majority), "NY<.");
    assert_eq!(majority[0].provenance.votes.len(), 3);
    // Asked twice, once each way: nobody knows.
    let two = repeats(&["Y", "N"]);
    assert_eq!(reduced(two, &of_repeats(RepeatReduce::Majority, None)), "=");
}

#[test]
fn a_single_repeat_is_taken_as_it_stands() {
    let majority = of_repeats(RepeatReduce::Majority, None);
    let results = reduce(repeats(&["YN?"]), &majority);
    assert_eq!(letters(&results), "YN?");
    assert!(results.iter().all(|r| r.provenance.votes.is_empty()));
}

#[test]
fn members_of_a_vote_have_one_verdict_each_whatever_their_repeats() {
    let mut ballots: Vec<Ballot> = (0..3).map(|i| ballot(Some("a"), i, "N")).collect();
    ballots.extend([ballot(Some("b"), 0, "Y"), ballot(Some("c"), 0, "Y")]);
    // Three repeats of `a` do not outvote `b` and `c`.
    let results = reduce(ballots, &of_panel(Reduce::Majority, None));
    assert_eq!(letters(&results), "Y");
    assert_eq!(
        results[0].provenance.votes.len(),
        5,
        "every reply is a vote to look at"
    );
}

#[test]
fn a_member_is_what_it_would_be_alone() {
    let ballots = || panel(&["YN?", "NN.", "YYY"]);
    let member = |min_valid| of_panel(Reduce::Member("b".into()), min_valid);
    assert_eq!(reduced(ballots(), &member(None)), "NN.");
    // How many judges a panel wants says nothing about one of them.
    assert_eq!(reduced(ballots(), &member(Some(2))), "NN.");
    let repeated = || {
        let mut all = panel(&["Y"]);
        all.extend((0..3).map(|i| ballot(Some("b"), i, ["N", "N", "Y"][i as usize])));
        all
    };
    assert_eq!(reduced(repeated(), &member(Some(2))), "NNY");
    let majority = Rule {
        repeats: RepeatReduce::Majority,
        ..member(Some(3))
    };
    assert_eq!(reduced(repeated(), &majority), "N");
    assert_eq!(
        reduced(ballots(), &of_panel(Reduce::Member("x".into()), None)),
        ""
    );
}

#[test]
fn grades_have_no_majority() {
    let grade = Some(Reading::Answer(Answer::Grade {
        value: 7.0,
        range: (0.0, 10.0),
    }));
    let mut ballots = panel(&["Y", "Y"]);
    for ballot in &mut ballots {
        ballot.specs[0].reading.clone_from(&grade);
    }
    assert_eq!(
        reduced(ballots.clone(), &of_panel(Reduce::Majority, None)),
        "<"
    );
    let mean = reduce(ballots, &of_panel(Reduce::Mean, None));
    assert!(mean.iter().all(|r| r.reading == grade));
}

#[test]
fn how_many_opinions_stay_side_by_side() {
    let count = |panel: Option<Reduce>, repeats| {
        Rule {
            repeats,
            panel,
            min_valid: None,
        }
        .opinions(3, 4)
    };
    use RepeatReduce::{Majority, Mean};
    assert_eq!(count(Some(Reduce::Mean), Mean), 12);
    assert_eq!(count(Some(Reduce::Mean), Majority), 3);
    assert_eq!(count(Some(Reduce::Majority), Mean), 1);
    assert_eq!(count(Some(Reduce::Unanimous), Mean), 1);
    assert_eq!(count(Some(Reduce::Member("a".into())), Mean), 4);
    assert_eq!(count(Some(Reduce::Member("a".into())), Majority), 1);
    assert_eq!(count(None, Mean), 4);
    assert_eq!(count(None, Majority), 1);
}

/// A panel of up to five judges asked once each about the same specifications.
fn any_panel() -> impl Strategy<Value = Vec<String>> {
    (1usize..6, 1usize..6).prop_flat_map(|(judges, specs)| {
        let one = prop::collection::vec(prop::sample::select(vec!['Y', 'N', '?', 'R', '.']), specs);
        prop::collection::vec(one.prop_map(String::from_iter), judges)
    })
}

fn ballots_of(letters: &[String]) -> Vec<Ballot> {
    let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
    panel(&letters)
}

proptest! {
    #[test]
    fn one_verdict_a_specification_whatever_the_votes(all in any_panel(), min in prop::option::of(1usize..6)) {
        for reduce_by in [Reduce::Majority, Reduce::Unanimous] {
            let results = reduce(ballots_of(&all), &of_panel(reduce_by, min));
            prop_assert_eq!(results.len(), all[0].len());
            for (i, result) in results.iter().enumerate() {
                let column: Vec<char> = all.iter().map(|l| l.chars().nth(i).unwrap()).collect();
                let count = |c: char| column.iter().filter(|l| **l == c).count();
                let (yes, no, wanted) = (count('Y'), count('N'), min.unwrap_or(column.len() / 2 + 1));
                prop_assert_eq!(result.provenance.votes.len(), column.len());
                prop_assert_eq!(result.reading.is_none(), count('.') > 0);
                // A verdict was given by somebody, by enough, and by more than said otherwise.
                if let Some(verdict) = result.verdict() {
                    let (with, against) = if verdict == YesNo::Yes { (yes, no) } else { (no, yes) };
                    prop_assert!(with > against && yes + no >= wanted);
                }
            }
        }
    }

    #[test]
    fn the_order_of_judges_does_not_matter(all in any_panel(), turn in 0usize..5) {
        for reduce_by in [Reduce::Majority, Reduce::Unanimous] {
            let mut turned = ballots_of(&all);
            let by = turn % turned.len();
            turned.rotate_left(by);
            let rule = of_panel(reduce_by, None);
            prop_assert_eq!(reduced(ballots_of(&all), &rule), reduced(turned, &rule));
        }
    }

    #[test]
    fn unanimity_is_never_against_the_majority(all in any_panel()) {
        let by = |r| reduced(ballots_of(&all), &of_panel(r, Some(1)));
        for (strict, most) in by(Reduce::Unanimous).chars().zip(by(Reduce::Majority).chars()) {
            prop_assert!(strict == most || strict == '=', "{strict} against {most}");
        }
    }

    #[test]
    fn a_mean_only_ever_sets_answers_aside(all in any_panel(), min in prop::option::of(1usize..6)) {
        let after = reduced(ballots_of(&all), &of_panel(Reduce::Mean, min));
        for (was, is) in all.concat().chars().zip(after.chars()) {
            prop_assert!(is == was || (is == '<' && matches!(was, 'Y' | 'N')), "{was} to {is}");
        }
    }
}
