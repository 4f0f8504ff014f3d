//! Exit codes, public and documented in `docs/exit-codes.md`.

use std::process::ExitCode;

use verispec_engine::execute::StopReason;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything asked for is settled.
    Ok = 0,
    /// Something failed.
    Error = 1,
    /// Arguments or configuration are wrong; nothing was done.
    Usage = 2,
    /// Something is pending, or coverage is under `--min-coverage`.
    Incomplete = 3,
    /// A gate failed: a condition that the command set on going on.
    Gate = 4,
    /// Stopped by `--max-cost`; what was recorded stays.
    Budget = 5,
    /// Interrupted by the user; what was recorded stays.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl Exit {
    /// How a command ends whose calls were stopped.
    pub(crate) const fn of_stop(reason: &StopReason) -> Self {
        match reason {
            StopReason::Interrupted => Self::Interrupted,
            StopReason::LongWait(_) => Self::Incomplete,
            StopReason::Budget { .. } => Self::Budget,
            _ => Self::Error,
        }
    }
}

/// An error that is the caller's to mend: arguments, configuration, environment.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(pub(crate) String);

/// A usage error as `anyhow` carries it.
pub(crate) fn usage(message: impl Into<String>) -> anyhow::Error {
    UsageError(message.into()).into()
}

/// A command that ended early in a way that has a code of its own.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct Stopped {
    exit: Exit,
    message: String,
}

/// An early end as `anyhow` carries it.
pub(crate) fn stopped(exit: Exit, message: impl Into<String>) -> anyhow::Error {
    let message = message.into();
    Stopped { exit, message }.into()
}

/// Prints an error with its causes and says which code it means.
pub(crate) fn report(error: &anyhow::Error) -> Exit {
    crate::output::error(error);
    if let Some(stopped) = error.downcast_ref::<Stopped>() {
        stopped.exit
    } else if error.downcast_ref::<UsageError>().is_some() {
        Exit::Usage
    } else {
        Exit::Error
    }
}
