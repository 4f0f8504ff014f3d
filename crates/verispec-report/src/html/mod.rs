//! A plain page of a run: self-contained HTML with a little script, no server, no framework.
//!
//! Every text from data, models and judges goes through the template engine's escaping; only
//! this crate's own style sheet and script are inserted as they are, and a content security
//! policy allows those two and nothing else to run. Equal input gives equal bytes.

mod card;
mod images;
mod names;
mod pages;
mod summary;
mod write;

pub use write::{HtmlOptions, write_report};
