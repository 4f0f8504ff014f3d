//! The stages that ask models, as jobs: so they are priced, limited, recorded and resumed like
//! any judging.
//!
//! ```text
//! task ─ GenerateJob ─> candidates ─ MergeJob ─> groups ─ RateJob ─> ratings, decisions
//!        L writers                  one model            all raters
//! ```
//!
//! All are pure: a step recomputes everything from the replies. No stage ever shows an output of a
//! model under test.

mod ask;
mod generate;
mod merge;
mod prompt;
mod rate;
mod reply;
mod task;
mod taxonomy;

#[cfg(test)]
mod tests;

pub use ask::{Failures, worst_course};
pub use generate::{GenerateJob, Generated, Proposed};
pub use merge::{MergeJob, Merged};
pub use prompt::{Stage, reply_tokens};
pub use rate::{RateJob, RatePlan, RatedGroups};
pub use task::Task;
pub use taxonomy::Taxonomy;
