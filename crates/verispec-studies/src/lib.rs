//! Studies: what several sets of results say about judges, models and specifications.
//!
//! Everything works on results that are there already, judged or imported, without a call. A
//! study says what it compared, on how many instances, and what it left out.

pub mod compare;
mod draws;
pub mod drift;
pub mod dsg;
pub mod estimate;
pub mod family;
pub mod human;
pub mod intervals;
pub mod items;
pub mod leak;
pub mod matrix;
pub mod missingness;
pub mod policies;
pub mod published;
pub mod realunify;
pub mod stability;
#[cfg(test)]
mod testing;
pub mod wins;

pub use estimate::Estimate;
