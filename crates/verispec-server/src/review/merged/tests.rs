use verispec_media::HashCache;

use super::*;
use crate::review::samples::{accept, event, reject, set, specification};
use crate::review::{Action, agreement};

fn review(n: usize) -> Review {
    Review::new(set(n), State::default(), &[] as &[&str], &[]).unwrap()
}

fn say(review: &mut Review, by: &str, place: usize, action: Action) {
    let item = review.set.items()[place].clone();
    let next = event(review.own.last() + 1, by, &item, 0, action);
    review.own.apply(&next).unwrap();
}

#[test]
fn a_conflict_is_settled_and_unsettled() {
    let mut review = review(2);
    let item = review.set.items()[0].clone();
    assert_eq!(review.outcome(&item), Outcome::Open);
    say(&mut review, "ann", 0, Action::Decide(accept()));
    assert_eq!(review.outcome(&item), Outcome::Agreed(&accept()));
    say(&mut review, "bob", 0, Action::Decide(reject()));
    assert_eq!(review.outcome(&item), Outcome::Conflict);
    assert!(review.conflicts().eq([0]));
    say(&mut review, "cat", 0, Action::Adjudicate(reject()));
    assert_eq!(review.outcome(&item).decision(), Some(&reject()));
    assert_eq!(review.outcome(&item).name(), "adjudicated");
    say(&mut review, "cat", 0, Action::Undo { of: 3 });
    assert_eq!(review.outcome(&item), Outcome::Conflict);
}

#[test]
fn reasons_alone_make_no_conflict() {
    let mut review = review(1);
    let because = |reason: &str| Decision::Reject {
        reason: reason.to_owned(),
    };
    say(&mut review, "ann", 0, Action::Decide(because("vague")));
    say(&mut review, "bob", 0, Action::Decide(because("ambiguous")));
    assert_eq!(review.conflicts().next(), None);
}

#[test]
fn decisions_on_another_version_do_not_count() {
    let mut review = review(1);
    say(&mut review, "ann", 0, Action::Decide(accept()));
    let mut row = specification("s1");
    row.question = "Is there a blue boat?".to_owned();
    review.set = ReviewSet::new("test", vec![row], &HashCache::in_memory()).unwrap();
    let item = review.set.items()[0].clone();
    assert_eq!(review.outcome(&item), Outcome::Open);
    assert_eq!(review.next_open("ann", None), Some(0));
    assert!(review.own.own("s1", "ann").is_some(), "kept all the same");
}

#[test]
fn open_items_are_found_round_the_end() {
    let mut review = review(3);
    say(&mut review, "ann", 1, Action::Decide(accept()));
    assert_eq!(review.next_open("ann", Some(0)), Some(2));
    assert_eq!(review.next_open("ann", Some(2)), Some(0));
    say(&mut review, "ann", 0, Action::Decide(accept()));
    say(&mut review, "ann", 2, Action::Decide(accept()));
    assert_eq!(review.next_open("ann", Some(2)), None);
}

#[test]
fn files_of_others_are_merged_and_a_name_lives_in_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bob.jsonl");
    let set = set(2);
    {
        let (mut journal, _, _) = Journal::open(&path).unwrap();
        let item = &set.items()[0];
        journal
            .append(&event(1, "bob", item, 0, Action::Decide(reject())))
            .unwrap();
    }
    let mut review = Review::new(set.clone(), State::default(), &[&path], &["ann"]).unwrap();
    say(&mut review, "ann", 0, Action::Decide(accept()));
    assert!(review.conflicts().eq([0]));
    let twice = Review::new(set, State::default(), &[&path], &["bob"]);
    assert!(matches!(twice, Err(ReviewError::TwoFiles { .. })));
}

/// 10 items; ann accepts 1-6, bob 1-5; the rest they reject. By hand: observed 0.9; Cohen's
/// expected 0.6 * 0.5 + 0.4 * 0.5 = 0.5, kappa 0.8. Krippendorff: 11 accepts, 9 rejects among 20;
/// D_o = 0.1, D_e = 2 * 11 * 9 / (20 * 19); alpha = 1 - 0.1 * 380 / 198.
#[test]
fn agreement_is_that_of_the_textbooks() {
    let mut review = review(11);
    for place in 0..10 {
        let pick = |yes| if yes { accept() } else { reject() };
        say(&mut review, "ann", place, Action::Decide(pick(place < 6)));
        say(&mut review, "bob", place, Action::Decide(pick(place < 5)));
    }
    let found = agreement(&review);
    assert_eq!(found.len(), 1);
    let of = &found[0];
    assert_eq!((of.items, of.people.len()), (10, 2));
    assert!((of.observed.clone().unwrap() - 0.9).abs() < 1e-12);
    assert!((of.alpha.clone().unwrap() - (1.0 - 38.0 / 198.0)).abs() < 1e-12);
    let pair = &of.pairs[0];
    assert_eq!((pair.items, pair.same), (10, 9));
    assert!((pair.kappa.clone().unwrap() - 0.8).abs() < 1e-12);
}

#[test]
fn agreement_without_a_common_item_is_undefined() {
    let mut review = review(2);
    say(&mut review, "ann", 0, Action::Decide(accept()));
    say(&mut review, "bob", 1, Action::Decide(accept()));
    let of = &agreement(&review)[0];
    assert!(of.alpha.is_err() && of.pairs[0].kappa.is_err());
}
