//! Why an instance is not put to the judge. One instance fails, the run goes on.

use verispec_model::{DataFailure, InstanceState, OutputFailure};

/// An instance that the released scripts give up, or that would have stopped them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublishedError {
    /// The model under test gave nothing usable.
    #[error("output is {failure}: {message}")]
    Output {
        /// How it counts.
        failure: OutputFailure,
        /// File, field and what is wrong, in one line.
        message: String,
    },
    /// The task cannot be put to any judge.
    #[error("{}", data_message(.0))]
    Data(DataFailure),
}

impl PublishedError {
    pub(super) fn unreadable(message: impl Into<String>) -> Self {
        Self::Output {
            failure: OutputFailure::Unreadable,
            message: message.into(),
        }
    }

    pub(super) fn empty(message: impl Into<String>) -> Self {
        Self::Output {
            failure: OutputFailure::Empty,
            message: message.into(),
        }
    }

    pub(super) fn reference(message: impl Into<String>) -> Self {
        Self::Data(DataFailure::Reference(message.into()))
    }

    pub(super) fn task(message: impl Into<String>) -> Self {
        Self::Data(DataFailure::Task(message.into()))
    }

    /// Says where in the output it happened.
    pub(super) fn at(self, place: &str) -> Self {
        match self {
            Self::Output { failure, message } => Self::Output {
                failure,
                message: format!("{place}: {message}"),
            },
            data @ Self::Data(_) => data,
        }
    }

    /// The state that an instance with `specs` specifications is in because of this.
    #[must_use]
    pub fn into_state(self, specs: usize) -> InstanceState {
        match self {
            Self::Output { failure, .. } => InstanceState::OutputFailed(failure, specs),
            Self::Data(failure) => InstanceState::Unjudgeable(failure, specs),
        }
    }
}

fn data_message(failure: &DataFailure) -> String {
    match failure {
        DataFailure::Reference(message) => format!("reference image: {message}"),
        DataFailure::Task(message) => format!("broken task: {message}"),
        other => format!("{other:?}"),
    }
}
