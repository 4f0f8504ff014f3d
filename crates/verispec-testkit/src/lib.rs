//! For tests and benchmarks only: a fake judge with all dialects and faults, and where tests
//! find data.

pub mod data;
pub mod fake;

pub use fake::{Answers, FakeConfig, FakeJudge, Fault, Faults, Latency};
