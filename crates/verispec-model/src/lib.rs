//! The words of verispec as types. Pure: no I/O, no async, no clock.
//!
//! ```text
//! suite > track > dimension > instance > specification      what is measured
//! request > reply > reading > verdict                       how a judge answers
//! results > scores                                          what comes out
//! ```
//!
//! Every later crate speaks in these types. Two rules hold throughout:
//! a failure is a value of its own ([`Unjudged`], [`OutputFailure`], [`DataFailure`]) and never
//! turns into an answer, and identity ([`request_key`]) is computed without rendering a body.

mod file_name;
mod hash;
mod job;
mod key;
mod manifest;
pub mod parallel;
mod reading;
mod record;
mod reduce;
mod reply;
mod request;
mod results;
pub mod score;
mod shard;
mod suite;
mod vote;

pub use file_name::{file_name, same_file, text_of};
pub use hash::Hash;
pub use job::{Job, Replies, Settled, Step};
pub use key::{KEY_SCHEMA, KeyBuilder, KeyPrefix, request_key};
pub use manifest::{Filters, MANIFEST_FORMAT, Manifest, ModelEntry, RunSource};
pub use reading::{Answer, ReadStage, Reading, Unjudged, YesNo};
pub use record::SpecRecord;
pub use reduce::{Rule, reduce};
pub use reply::{
    ApiError, ApiErrorKind, Finish, MAX_LOGPROB_POSITIONS, MAX_TOP_LOGPROBS, Reply, ReplyPart,
    TokenLogprob, TopLogprob, Usage,
};
pub use request::{
    ImagePart, ImageRole, JudgeIdentity, LENGTH_PARAMS, Params, Part, Question, REQUEST_PARAMS,
    Request, Structured,
};
pub use results::{
    DataFailure, DimensionResults, InstanceResult, InstanceState, ModelResults, Origin,
    OutputFailure, Provenance, Results, SpecResult, TrackResults,
};
pub use shard::{ParseShardError, Shard};
pub use suite::{Dimension, Instance, SpecId, SpecRules, Specification, Suite, Track, Warning};
pub use vote::{Ballot, Measure, Panel, PanelMember, Reduce, RepeatReduce, SoftVerdict, Vote};
