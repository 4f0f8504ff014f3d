//! A local page on which trained people review specifications and give verdicts.
//!
//! What is reviewed is a [`ReviewSet`]; what was done to it is a [`Journal`] of [`Event`]s, one
//! line each, on disk before anybody is told that it is saved. The [`State`] is a pure fold over
//! the events, so a crash, a reload or a second tab loses nothing. [`serve`] shows it on the
//! loopback interface alone. See `docs/review.md`.

mod http;
mod review;

pub use http::{Options, Person, Served, serve};
pub use review::{
    Action, Coefficients, Decision, Event, FORMAT, Item, ItemRow, Journal, Kind, Made, Outcome,
    OutputRow, Pair, Part, RaterRow, Refusal, Review, ReviewError, ReviewSet, Said, ScaleRow,
    Shown, State, Tally, agreement, export_rows, human_rows, rating_rows, reviewed_rows,
};
