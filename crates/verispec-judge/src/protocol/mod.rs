//! How an instance is put to a judge.
//!
//! | protocol | calls per instance | what the judge sees |
//! |---|---|---|
//! | [`WholeJob`] (`whole@1`) | one, more if it lacks ids | all specifications as a numbered list |
//! | [`ChunkedJob`] (`chunked:N@1`) | one per N specifications | N specifications as a list |
//! | [`IndependentJob`] (`independent@1`) | one per specification | one specification |
//! | [`HolisticJob`] (`holistic@1`) | one | none; it grades the whole from 0 to 10 |
//!
//! All show the images first and the statements last, so that a provider's prefix cache covers
//! everything but the statements. None shows an expected answer, a rating or a category:
//! [`prompt`] is built from ids and question texts alone.

mod chunked;
mod holistic;
mod independent;
mod material;
mod prompt;
mod settle;
mod soft;
mod whole;

#[cfg(test)]
mod tests;

pub use chunked::ChunkedJob;
pub use holistic::{HOLISTIC_RANGE, HolisticJob};
pub use independent::{IndependentJob, Statements};
pub use material::{Material, OutputPiece, fence};
pub use settle::{Asked, follow, settle, settle_longer, unusable};
pub use whole::WholeJob;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use verispec_model::{Instance, JudgeIdentity};

/// Name with version of the protocol that asks all specifications in one call.
pub const WHOLE: &str = "whole@1";
/// Name with version of the protocol that asks each specification in a call of its own.
pub const INDEPENDENT: &str = "independent@1";
/// Name with version of the protocol that asks for one grade of the whole output.
pub const HOLISTIC: &str = "holistic@1";

/// How ids that a well-formed reply lacks are asked again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reask {
    /// Once more with the same list, so that every verdict was given in the same company.
    #[default]
    List,
    /// Each missing one alone.
    Single,
    /// Not at all.
    Off,
}

/// One instance of one model, ready to be put to a judge.
#[derive(Debug, Clone)]
pub struct Case {
    /// Name of the job inside the run, for instance `t2i/comp_hard_001/bagel`.
    pub id: String,
    /// The task with its specifications.
    pub instance: Arc<Instance>,
    /// Reference images and the model's output.
    pub material: Material,
    /// Who judges.
    pub judge: Arc<JudgeIdentity>,
    /// Which repetition this is, from 0.
    pub repeat: u32,
}
