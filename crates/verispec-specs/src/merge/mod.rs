//! Which specifications say the same.
//!
//! ```text
//! questions ─ propose (words or embedding) ─> pairs ─ vetoes ─> groups
//!           └ typed key ─────────────────────────────────────┘
//! ```
//!
//! Embeddings cannot tell "left of" from "right of" or 3 from 4, so they only propose; what
//! decides is [`vetoes`], on the parts of [`Phrase`](crate::phrase::Phrase).

mod local;
mod propose;
mod veto;

pub use local::{LocalMerge, merge_local};
pub use propose::{Embed, EmbedError, MIN_COSINE, MIN_OVERLAP, Proposal, Proposer, propose};
pub use veto::{Veto, contradicts, differ_in, vetoes};
