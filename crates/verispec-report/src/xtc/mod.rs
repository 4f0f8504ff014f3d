//! XTC-Bench: tables, and a page with both graphs beside the pictures.

mod charts;
mod graph;
mod page;
mod published;
mod tables;

pub use page::{FactLine, GraphView, ImageCase, NodeMark, PageInput, write_page};
pub use tables::{render_datasets, render_recall, render_tables};
