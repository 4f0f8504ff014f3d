//! Answers of both sides to a fact, with what went wrong as a status of its own.

mod generation;
mod grade;
mod understanding;

pub use generation::{AnswerCleaning, Ends, GenAnswer, NodeMap, look_up};
pub use grade::{GradeError, read_grade};
pub use understanding::UndAnswer;

#[cfg(test)]
mod tests;
