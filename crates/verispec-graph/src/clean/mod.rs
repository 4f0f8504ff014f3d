//! From raw relation scores to verified relations. The questions to the verifier are the caller's;
//! here is which triples to ask, how strictly, how to read a reply, and what follows from it.

mod candidates;
mod exclusive;
mod verify;

pub use candidates::{Candidate, Candidates, CleanError, Thresholds, candidates};
pub use exclusive::{EXCLUSIVE, is_exclusive};
pub use verify::{CleanReport, Strictness, Verdict, Verification, apply, read_verdict};

#[cfg(test)]
mod tests;
