//! As the release does it, faults included: how it reads answers, and how it polls its judge.
//!
//! Behaviour, not code, of commit 0b76a10 (2025-10-10).

mod job;
mod poll;
mod read;

pub use job::{PROTOCOL, PolledJob};
pub use poll::{ATTEMPTS, Attempt, Poll, PollStep};
pub use read::{extract, gives_up, matches, yes_no};
