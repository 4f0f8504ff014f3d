//! XTC-Bench on six rendered scenes of known truth: two models that are programs, an extractor and
//! a judge that are programs too.

mod audit;
mod describe;
mod failures;
mod kill;
mod program;
mod released;
mod run;
mod scenes;
mod server;

pub(crate) use program::workplace;
