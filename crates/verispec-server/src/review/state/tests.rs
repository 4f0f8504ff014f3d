use proptest::prelude::*;

use super::*;
use crate::review::samples::{accept, event, reject, set};

#[test]
fn the_last_decision_counts_and_undo_brings_the_one_before_back() {
    let set = set(2);
    let item = &set.items()[0];
    let mut state = State::default();
    state
        .apply(&event(1, "ann", item, 0, Action::Decide(accept())))
        .unwrap();
    state
        .apply(&event(2, "ann", item, 1, Action::Decide(reject())))
        .unwrap();
    assert_eq!(state.own("s1", "ann").unwrap().decision, reject());
    assert_eq!(state.undoable("ann"), Some((2, "s1")));
    state
        .apply(&event(3, "ann", item, 0, Action::Undo { of: 2 }))
        .unwrap();
    assert_eq!(state.own("s1", "ann").unwrap().decision, accept());
    assert_eq!(
        state.seen_own("s1", "ann"),
        3,
        "an undo makes other tabs stale"
    );
    state
        .apply(&event(4, "ann", item, 0, Action::Undo { of: 1 }))
        .unwrap();
    assert_eq!(state.own("s1", "ann"), None);
    assert_eq!(state.undoable("ann"), None);
}

#[test]
fn what_cannot_follow_is_refused() {
    let set = set(2);
    let item = &set.items()[0];
    let decide = || Action::Decide(accept());
    let mut state = State::default();
    assert!(
        state.apply(&event(2, "ann", item, 0, decide())).is_err(),
        "a gap"
    );
    state.apply(&event(1, "ann", item, 0, decide())).unwrap();
    assert!(
        state.apply(&event(1, "ann", item, 0, decide())).is_err(),
        "twice"
    );
    let undo = |by, n, of| event(n, by, item, 0, Action::Undo { of });
    assert!(
        state.clone().apply(&undo("bob", 2, 1)).is_err(),
        "another's"
    );
    assert!(state.clone().apply(&undo("ann", 2, 7)).is_err(), "unknown");
    assert!(state.apply(&undo("ann", 2, 1)).is_ok());
}

#[test]
fn a_page_that_is_not_current_is_told() {
    let set = set(1);
    let item = &set.items()[0];
    let mut state = State::default();
    let decide = |by, seen| event(0, by, item, seen, Action::Decide(accept()));
    assert_eq!(state.check(item, &decide("ann", 0)), Ok(()));
    state
        .apply(&event(1, "ann", item, 0, Action::Decide(accept())))
        .unwrap();
    assert_eq!(state.check(item, &decide("ann", 0)), Err(Refusal::Stale));
    assert_eq!(state.check(item, &decide("ann", 1)), Ok(()));
    assert_eq!(
        state.check(item, &decide("bob", 0)),
        Ok(()),
        "people do not block each other"
    );
    let settle = |seen| event(0, "cat", item, seen, Action::Adjudicate(reject()));
    assert_eq!(state.check(item, &settle(0)), Err(Refusal::Stale));
    assert_eq!(state.check(item, &settle(1)), Ok(()));
    let mut older = decide("bob", 0);
    older.version = "0".to_owned();
    assert_eq!(state.check(item, &older), Err(Refusal::Stale));
}

#[test]
fn what_is_kept_does_not_count() {
    let set = set(1);
    let item = &set.items()[0];
    let mut state = State::default();
    state
        .apply(&event(1, "ann", item, 0, Action::Keep(reject())))
        .unwrap();
    assert_eq!(state.own("s1", "ann"), None);
    assert_eq!(state.undoable("ann"), None);
    assert_eq!(state.seen_own("s1", "ann"), 0);
    assert_eq!(state.kept("ann").count(), 1);
}

/// What a person might try.
#[derive(Debug, Clone)]
enum Try {
    Accept,
    Reject,
    Settle,
    Undo,
}

fn tries() -> impl Strategy<Value = Vec<(Try, usize, usize)>> {
    let what = prop_oneof![
        Just(Try::Accept),
        Just(Try::Reject),
        Just(Try::Settle),
        Just(Try::Undo)
    ];
    prop::collection::vec((what, 0..3_usize, 0..4_usize), 0..60)
}

const NAMES: [&str; 3] = ["ann", "bob", "cat"];

/// The events that follow from tries, as the server would write them.
fn events(tries: &[(Try, usize, usize)]) -> Vec<Event> {
    let set = set(4);
    let mut state = State::default();
    let mut all = vec![];
    for (what, who, which) in tries {
        let by = NAMES[*who];
        let mut item = &set.items()[*which];
        let action = match what {
            Try::Accept => Action::Decide(accept()),
            Try::Reject => Action::Decide(reject()),
            Try::Settle => Action::Adjudicate(accept()),
            Try::Undo => match state.undoable(by) {
                Some((of, on)) => {
                    item = set.item(on).unwrap();
                    Action::Undo { of }
                }
                None => continue,
            },
        };
        let seen = match action {
            Action::Adjudicate(_) => state.seen_any(&item.row.id),
            _ => state.seen_own(&item.row.id, by),
        };
        let next = event(state.last() + 1, by, item, seen, action);
        assert_eq!(state.check(item, &next), Ok(()));
        state.apply(&next).unwrap();
        all.push(next);
    }
    all
}

fn fold(events: &[Event]) -> State {
    let mut state = State::default();
    events.iter().for_each(|e| state.apply(e).unwrap());
    state
}

proptest! {
    /// Stopping anywhere and going on gives the same as never stopping, through the file's form.
    #[test]
    fn a_fold_can_be_cut_anywhere(tries in tries(), at in 0..60_usize) {
        let all = events(&tries);
        let (first, rest) = all.split_at(at.min(all.len()));
        let line = |e: &Event| serde_json::to_string(e).unwrap();
        let read = |l: String| serde_json::from_str::<Event>(&l).unwrap();
        let mut state = fold(first);
        rest.iter().map(line).map(read).for_each(|e| state.apply(&e).unwrap());
        prop_assert_eq!(state, fold(&all));
    }

    /// An action and its undo leave every decision as it was.
    #[test]
    fn undo_takes_back_exactly_one_action(tries in tries(), who in 0..3_usize, which in 0..4_usize) {
        let set = set(4);
        let before = fold(&events(&tries));
        let (item, by) = (&set.items()[which], NAMES[who]);
        let n = before.last() + 1;
        let mut after = before.clone();
        after.apply(&event(n, by, item, 0, Action::Decide(reject()))).unwrap();
        after.apply(&event(n + 1, by, item, 0, Action::Undo { of: n })).unwrap();
        for item in set.items() {
            let id = &item.row.id;
            prop_assert_eq!(after.settled(id), before.settled(id));
            for by in NAMES {
                prop_assert_eq!(after.own(id, by), before.own(id, by));
            }
        }
        prop_assert_eq!(after.undoable(by), before.undoable(by));
    }

    /// What a person decided depends on nobody else's events.
    #[test]
    fn people_do_not_touch_each_other(tries in tries(), who in 0..3_usize) {
        let by = NAMES[who];
        let all = fold(&events(&tries));
        let alone: Vec<_> = tries.iter().filter(|(_, w, _)| *w == who).cloned().collect();
        let alone = fold(&events(&alone));
        for item in set(4).items() {
            let id = &item.row.id;
            let decision = |s: &State| s.own(id, by).map(|m| m.decision.clone());
            prop_assert_eq!(decision(&all), decision(&alone));
        }
    }
}
