//! The most that a job may ask, found by answering it as badly as a judge can.

use std::collections::HashMap;

use verispec_model::{Finish, Hash, Job, Reply, ReplyPart, Request, Settled, request_key};

/// Rounds of requests that are followed; no protocol goes as far.
const ROUNDS: usize = 12;

/// The ways in which all requests of a round are answered.
#[derive(Debug, Clone, Copy)]
enum Manner {
    /// Cut by the length limit.
    Truncated,
    /// Well-formed, without any item.
    EmptyList,
    /// Well-formed, the first item alone.
    FirstOnly,
    /// No form at all.
    Garbage,
    /// A whole answer, for protocols that go on from one.
    Whole,
}

const MANNERS: [Manner; 5] = [
    Manner::Truncated,
    Manner::EmptyList,
    Manner::FirstOnly,
    Manner::Garbage,
    Manner::Whole,
];

/// Every request that the job may ask, those of its first step included, in the costliest of the
/// courses that are tried: in each round all requests are answered in one of five ways (cut, an
/// empty list, one item only, nonsense, whole). `weigh` is what a request costs, in any unit.
pub fn worst_case<J: Job + ?Sized>(job: &J, weigh: &dyn Fn(&Request) -> u128) -> Vec<Request> {
    let mut replies = HashMap::new();
    let asked = job.step(&replies).ask;
    explore(job, &mut replies, asked, weigh, ROUNDS).1
}

type Course = (u128, Vec<Request>);

fn explore<J: Job + ?Sized>(
    job: &J,
    replies: &mut HashMap<Hash, Settled>,
    asked: Vec<Request>,
    weigh: &dyn Fn(&Request) -> u128,
    rounds: usize,
) -> Course {
    let own: u128 = asked.iter().map(weigh).sum();
    let mut best: Course = (0, vec![]);
    if !asked.is_empty() && rounds > 0 {
        for manner in MANNERS {
            for request in &asked {
                replies.insert(request_key(request), manner.reply(request));
            }
            let next = job.step(replies).ask;
            if !next.is_empty() {
                let course = explore(job, replies, next, weigh, rounds - 1);
                if course.0 > best.0 {
                    best = course;
                }
            }
        }
        for request in &asked {
            replies.remove(&request_key(request));
        }
    }
    let mut all = asked;
    all.extend(best.1);
    (own + best.0, all)
}

impl Manner {
    fn reply(self, request: &Request) -> Settled {
        let item = |q: &verispec_model::Question| serde_json::json!({"id": q.id, "reason": "seen", "answer": "Yes"});
        let all: Vec<_> = request.questions.iter().map(item).collect();
        let text = match self {
            Self::Truncated => {
                return Settled::Answered(Reply {
                    finish: Finish::Length,
                    ..Reply::text("")
                });
            }
            Self::EmptyList => "[]".to_owned(),
            Self::FirstOnly => {
                serde_json::json!(all.iter().take(1).collect::<Vec<_>>()).to_string()
            }
            Self::Garbage => "?".to_owned(),
            Self::Whole if request.judge.params.contains_key("modalities") => return made(),
            Self::Whole => serde_json::json!(all).to_string(),
        };
        Settled::Answered(Reply::text(text))
    }
}

/// A text with an image, for requests that say what is to be made.
fn made() -> Settled {
    let image = ReplyPart::Image {
        hash: Hash::of(b"worst case"),
        mime: "image/png".to_owned(),
        bytes: 0,
    };
    Settled::Answered(Reply {
        parts: vec![ReplyPart::Text("made".to_owned()), image],
        ..Reply::text("made")
    })
}
