//! One page of a report that works offline, from `file://` too.
//!
//! ```text
//! ReportInput ─┬─ page, scores, failures ─> templates/index.html   tables and charts, no script needed
//!              └─ data ─> report.data/*.js                         instances, loaded when looked at
//! ```
//!
//! Every text from data, models and judges goes through the template engine's escaping, the SVG
//! writer's, or `textContent`; only this crate's own style sheet and script are inserted as they
//! are, and a content security policy allows those, the data files and nothing else to run. Equal
//! input gives equal bytes.

mod charts;
mod data;
mod failures;
pub(crate) mod images;
mod names;
mod page;
mod plots;
mod scores;
pub(crate) mod svg;
pub(crate) mod write;

pub use write::{HtmlOptions, SINGLE_LIMIT, write_report, write_single};
