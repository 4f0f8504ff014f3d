//! Tables for terminals.

mod categories;
mod check;
pub(crate) mod grid;
mod inspect;
mod rank;
mod run;
mod scores;
mod show;
mod warnings;

pub use categories::render_categories;
pub use check::render_check;
pub use inspect::render_inspect;
pub(crate) use rank::place;
pub use rank::{render_rank, render_ranks};
pub use run::{render_generation, render_run};
pub use scores::{ScoreOptions, render_scores};
pub use show::render_show;
pub(crate) use warnings::by_kind;
pub use warnings::render_warnings;
