//! What is reviewed and what was said about it; no network.

mod agreement;
mod error;
mod event;
mod export;
mod images;
mod item;
mod journal;
mod merged;
mod set;
mod state;

pub use agreement::{Coefficients, Pair, agreement};
pub use error::ReviewError;
pub use event::{Action, Decision, Event, Part, Said};
pub use export::{export_rows, human_rows, rating_rows, reviewed_rows};
pub(crate) use images::{Image, read as read_image};
pub use item::{Item, ItemRow, Kind, OutputRow, RaterRow, ScaleRow, Shown};
pub use journal::{FORMAT, Journal};
pub use merged::{Outcome, Review, Tally};
pub use set::ReviewSet;
pub use state::{Made, Refusal, State};

#[cfg(test)]
mod samples;
