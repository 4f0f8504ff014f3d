//! XTC-Bench on six rendered scenes of known truth: two models that are programs, an extractor and
//! a judge that are programs too.

mod kill;
mod program;
mod released;
mod run;
mod scenes;

pub(crate) use program::workplace;
