//! For tests and benchmarks only: a fake judge with all dialects and faults, a real small judge
//! on this machine, and where tests find data.

pub mod data;
pub mod fake;
mod hub;
mod local_vlm;

pub use fake::{Answers, FakeConfig, FakeJudge, Fault, Faults, Latency};
pub use hub::{COMMIT, FakeHub, HubConfig, HubFault, HubFile, HubRequest};
pub use local_vlm::LocalVlm;
