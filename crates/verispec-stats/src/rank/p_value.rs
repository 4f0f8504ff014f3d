//! p-values that carry how they were made.

use serde::Serialize;

/// How a p-value was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// From the exact distribution under the null hypothesis.
    Exact,
    /// From a normal approximation.
    Normal,
    /// From Student's t distribution.
    StudentT,
}

/// A two-sided p-value in 0..=1 and its method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PValue {
    /// The p-value.
    pub value: f64,
    /// How it was computed.
    pub method: Method,
}
