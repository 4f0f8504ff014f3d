//! Anyone's own suite: one JSON Lines file (docs/custom-suites.md).
//!
//! ```text
//! suite.jsonl ─ validate ─> problems with file, line and hint; warnings
//!             └ load ─────> Loaded { suite, choices, warnings }
//! ```
//!
//! Outputs may be images or texts: nothing here is bound to images. Unknown fields are errors, since
//! a misspelt `critical` would else go unseen; what is only for people goes into `metadata`.

mod choice;
mod error;
mod header;
mod instance;
mod load;
mod outputs;
mod patch;
mod revision;
mod specification;

pub use choice::{Choice, choice_state};
pub use error::{ChangeError, CustomError};
pub use header::FORMAT;
pub use instance::{DEFAULT_DIMENSION, DEFAULT_TRACK, INSTANCE_FIELDS, PART_FIELDS};
pub use load::{FILE, Loaded, Validation, load, validate};
pub use outputs::{discover, index_model};
pub use patch::patch;
pub use specification::SPECIFICATION_FIELDS;

/// A commented suite that shows everything there is, as `suite new` writes it.
pub const EXAMPLE: &str = include_str!("example.jsonl");
