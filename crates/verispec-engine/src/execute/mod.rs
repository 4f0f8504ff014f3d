//! Drives jobs to their end: a dispatcher that steps them, workers that make the calls,
//! messages between the two.
//!
//! Jobs are pure, so everything is decided from the replies: a run that was killed, a run that is
//! resumed and a replay without calls ([`read_all`]) step the same functions.

mod asking;
mod bound;
mod budget;
mod deadline;
mod dispatcher;
mod lane;
mod limiter;
mod live;
mod replay;
mod retry;
mod run;
mod setup;
mod shelf;
mod stop;
mod summary;
mod worker;

pub use bound::worst_case;
pub use budget::{Budget, Costs};
pub use lane::Lane;
pub(crate) use live::Live;
pub use replay::{map_steps, read_all};
pub use retry::{Jitter, RetryPolicy};
pub use run::{Executed, execute, execute_keeping};
pub use setup::{ExecuteOptions, Setup};
pub use stop::{Stop, StopLevel};
pub use summary::{StopReason, Summary};
