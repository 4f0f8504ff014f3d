//! Statistics of verispec. Pure: numbers in, numbers or a reason out; no I/O, no clock, no judge.
//!
//! Every function says its formula, source, units and range. What the data do not determine is
//! [`Undefined`] with a reason, never 0 and never NaN. Random numbers come by counting
//! ([`random`]), so that a result does not depend on the number of threads.

pub mod agreement;
pub mod bootstrap;
pub mod calibration;
pub mod few_labels;
pub mod hypothesis;
pub mod interval;
pub mod paired_comparison;
pub mod random;
pub mod rank;
pub mod rank_sets;
pub mod special;
mod undefined;
pub mod variance;

pub use undefined::{Defined, Undefined};
