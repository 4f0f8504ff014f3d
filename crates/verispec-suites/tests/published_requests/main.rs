//! Protocol `specv-published`: captured requests, edge cases of the parts, the job.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod checkout;
mod edge_cases;
mod fixture;
mod job;
mod outputs;
