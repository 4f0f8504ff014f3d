//! Fake judge with all dialects and faults, for tests and benchmarks.
