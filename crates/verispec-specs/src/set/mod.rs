//! A set of specifications with everything that went into it, and the sets that follow from it.
//!
//! The manifest is derived from the ledger's replies and the reviewers' actions alone, and every
//! set is derived from the manifest alone.

mod advance;
mod derive;
mod export;
mod points;
mod record;
mod review;

pub(crate) use derive::units;
pub use derive::{FinalSpec, NotYet, Which};
pub use export::checklist;
pub use points::Points;
pub use record::{
    Candidate, CandidateId, Decision, FilterSettings, FilterVariant, GeneratorState, Group, Hold,
    InstanceRecord, Member, MergeBy, PromptHash, Rated, Rating, SET_FORMAT, SetManifest, Settings,
    Version,
};
pub use review::{Act, ReviewAction, Wording};

#[cfg(test)]
mod tests;
