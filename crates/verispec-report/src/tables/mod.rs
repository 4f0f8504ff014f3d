//! Tables for terminals.

mod check;
pub(crate) mod grid;
mod inspect;
mod rank;
mod run;
mod scores;
mod show;
mod warnings;

pub use check::render_check;
pub use inspect::render_inspect;
pub use rank::render_rank;
pub(crate) use rank::{place, source};
pub use run::render_run;
pub(crate) use scores::reasons;
pub use scores::{ScoreOptions, render_scores};
pub use show::render_show;
pub(crate) use warnings::by_kind;
pub use warnings::render_warnings;
