use std::num::NonZeroUsize;

use super::*;

fn size(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

fn chunked(case: Case, n: usize, reask: Reask) -> ChunkedJob {
    ChunkedJob::new(case, size(n), reask, ReadOptions::default())
}

fn ids(request: &Request) -> Vec<u32> {
    request.questions.iter().map(|q| q.id).collect()
}

/// Yes to every id of a list, No to those in `no`.
fn list(ids: &[u32], no: &[u32]) -> Settled {
    let item = |id: &u32| {
        let answer = if no.contains(id) { "No" } else { "Yes" };
        serde_json::json!({"id": id, "answer": answer})
    };
    text(&serde_json::Value::from_iter(ids.iter().map(item)).to_string())
}

fn finished(finish: Finish, text: &str) -> Settled {
    Settled::Answered(Reply {
        finish,
        ..Reply::text(text)
    })
}

const YES: Option<YesNo> = Some(YesNo::Yes);
const NO: Option<YesNo> = Some(YesNo::No);

#[test]
fn chunks_keep_order_and_labels() {
    let (made, results) = drive(&chunked(case(5), 2, Reask::List), |r| list(&ids(r), &[3]));
    let asked: Vec<_> = made.iter().map(ids).collect();
    assert_eq!(asked, [vec![1, 2], vec![3, 4], vec![5]]);
    assert!(made.iter().all(|r| r.protocol == "chunked:2@1"));
    assert_eq!(verdicts(&results), [YES, YES, NO, YES, YES]);
    let company: Vec<_> = results
        .iter()
        .map(|r| r.provenance.asked_with.unwrap())
        .collect();
    assert_eq!(company, [2, 2, 2, 2, 1]);
    // All but the statements is shared, so that a provider's prefix cache covers it.
    let shared = |r: &Request| r.parts[..r.parts.len() - 1].to_vec();
    assert!(made.iter().all(|r| shared(r) == shared(&made[0])));
}

#[test]
fn one_chunk_is_the_list_of_whole_under_another_key() {
    let none = HashMap::new();
    let [chunk] = &chunked(case(3), 3, Reask::List).step(&none).ask[..] else {
        panic!("one chunk")
    };
    let list = &whole(3, Reask::List).step(&none).ask[0];
    assert_eq!(chunk.parts, list.parts);
    let renamed = Request {
        protocol: "chunked:3@1".into(),
        ..list.clone()
    };
    assert_eq!(*chunk, renamed);
    assert_ne!(request_key(chunk), request_key(list));
}

#[test]
fn chunk_sizes_have_keys_of_their_own() {
    // Both ask for the same one statement; only the name says that the protocols differ.
    let first = |n| request_key(&chunked(case(1), n, Reask::List).step(&HashMap::new()).ask[0]);
    assert_ne!(first(2), first(3));
}

#[test]
fn names_of_protocols_are_read_back() {
    for n in [1, 2, 10, 4_000] {
        let name = ChunkedJob::protocol(size(n));
        assert_eq!(ChunkedJob::size_of(&name), Some(size(n)), "{name}");
    }
    let bad = [
        "chunked:0@1",
        "chunked:@1",
        "chunked:+2@1",
        "chunked:02@1",
        "chunked:2@2",
        "whole@1",
    ];
    for name in bad {
        assert_eq!(ChunkedJob::size_of(name), None, "{name}");
    }
}

#[test]
fn an_unjudged_chunk_does_not_harm_the_others() {
    let failures = [
        (finished(Finish::Refused, ""), Unjudged::Refused),
        (Settled::Failed(Unjudged::Timeout), Unjudged::Timeout),
        (text("I cannot say."), Unjudged::Unparsed),
    ];
    for (failure, why) in failures {
        let (made, results) = drive(&chunked(case(5), 2, Reask::List), |r| {
            if ids(r) == [3, 4] {
                failure.clone()
            } else {
                list(&ids(r), &[])
            }
        });
        assert_eq!(made.len(), 3, "{why}: nothing is asked again");
        assert_eq!(verdicts(&results), [YES, YES, None, None, YES]);
        for result in &results[2..4] {
            assert_eq!(result.reading, Some(Reading::Unjudged(why)));
            assert_eq!(result.provenance.request, Some(request_key(&made[1])));
        }
    }
}

#[test]
fn a07_a_truncated_chunk_alone_is_asked_again_with_a_larger_limit() {
    let mut limited = case(4);
    Arc::make_mut(&mut limited.judge)
        .params
        .insert("max_completion_tokens".into(), serde_json::json!(64));
    let job = chunked(limited, 2, Reask::List);
    let cut = |r: &Request, ever: bool| {
        let cut = ids(r) == [3, 4] && (ever || r.derivation.is_none());
        if cut {
            finished(Finish::Length, r#"[{"id":3,"answer":"Yes"}"#)
        } else {
            list(&ids(r), &[4])
        }
    };
    let (made, results) = drive(&job, |r| cut(r, false));
    assert_eq!(made.len(), 3);
    assert_eq!(ids(&made[2]), [3, 4]);
    assert_eq!(made[2].derivation.as_deref(), Some("after-truncation"));
    assert_eq!(
        made[2].parent,
        Some(Hash::of(br#"[{"id":3,"answer":"Yes"}"#))
    );
    assert_eq!(made[2].judge.params["max_completion_tokens"], 128);
    assert_eq!(verdicts(&results), [YES, YES, YES, NO]);

    // Cut again: nothing of the cut replies is taken, and it ends there.
    let (made, results) = drive(&job, |r| cut(r, true));
    assert_eq!(made.len(), 3);
    assert_eq!(verdicts(&results), [YES, YES, None, None]);
    assert_eq!(
        results[2].reading,
        Some(Reading::Unjudged(Unjudged::Truncated))
    );
}

#[test]
fn missing_ids_are_asked_again_inside_their_chunk() {
    let (made, results) = drive(&chunked(case(4), 2, Reask::List), |r| {
        match (ids(r).as_slice(), r.derivation.as_deref()) {
            // Ids of another chunk were not asked for here and answer nothing.
            ([1, 2], None) => list(&[1, 3, 4], &[1, 3, 4]),
            (asked, _) => list(asked, &[]),
        }
    });
    assert_eq!(made.len(), 3);
    assert_eq!(ids(&made[2]), [1, 2]);
    assert_eq!(made[2].derivation.as_deref(), Some("reask-missing"));
    // The first answer to 1 stays.
    assert_eq!(verdicts(&results), [NO, YES, YES, YES]);
    assert_eq!(results[1].provenance.asked_with, Some(2));
}

#[test]
fn missing_ids_of_a_chunk_are_asked_alone_or_not_at_all() {
    let lacking = |r: &Request| {
        if r.questions.len() == 1 {
            text("No.")
        } else {
            list(&ids(r)[..1], &[])
        }
    };
    let (made, results) = drive(&chunked(case(4), 2, Reask::Single), lacking);
    assert_eq!(made.len(), 4);
    assert_eq!(verdicts(&results), [YES, NO, YES, NO]);
    let (made, results) = drive(&chunked(case(4), 2, Reask::Off), lacking);
    assert_eq!(made.len(), 2);
    for result in [&results[1], &results[3]] {
        assert_eq!(result.reading, Some(Reading::Unjudged(Unjudged::MissingId)));
    }
}

#[test]
fn what_is_known_stays_while_other_chunks_are_pending() {
    let job = chunked(case(3), 2, Reask::List);
    let first = job.step(&HashMap::new()).ask.remove(0);
    let replies = HashMap::from([(request_key(&first), list(&[1, 2], &[2]))]);
    let step = job.step(&replies);
    assert_eq!(step.ask.iter().map(ids).collect::<Vec<_>>(), [vec![3]]);
    assert_eq!(verdicts(&step.readings), [YES, NO, None]);
    assert_eq!(step.readings[2].reading, None);
}

#[test]
fn structured_chunks_ask_for_an_object() {
    let mut c = case(3);
    Arc::make_mut(&mut c.judge).structured = Structured::JsonSchema;
    let (made, results) = drive(&chunked(c, 2, Reask::List), |r| {
        let items = ids(r)
            .into_iter()
            .map(|id| serde_json::json!({"id": id, "reason": "seen", "answer": "No"}));
        let answers = serde_json::Value::from_iter(items);
        text(&serde_json::json!({"answers": answers}).to_string())
    });
    assert_eq!(made.len(), 2);
    assert!(
        made.iter()
            .all(|r| r.schema.as_ref().unwrap()["required"][0] == "answers")
    );
    assert_eq!(verdicts(&results), [NO; 3]);
    assert_eq!(results[2].provenance.note.as_deref(), Some("seen"));
}
