//! Why a statistic has no value.

use serde::Serialize;

/// Why a statistic has no value for the data given. Serialised with the reason as `reason`, so
/// that a file can hold it in the place of a number; it never holds 0 or NaN instead.
///
/// Reasons of two kinds share the type because the caller treats them alike (show the reason, no
/// number): the data do not determine the value ([`Undefined::Constant`],
/// [`Undefined::TooFew`] ...), or the call was wrong ([`Undefined::is_misuse`]).
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Undefined {
    /// Two inputs that belong together have different lengths.
    #[error("inputs differ in length: {left} and {right}")]
    Lengths {
        /// Length of the first input.
        left: usize,
        /// Length of the second input.
        right: usize,
    },
    /// An input holds NaN or an infinity.
    #[error("input {input}, position {position} (from 0): not a finite number")]
    NotFinite {
        /// Name of the argument.
        input: &'static str,
        /// Position from 0.
        position: usize,
    },
    /// A parameter or value is outside its range.
    #[error("{input}: {found} is outside {range}")]
    OutOfRange {
        /// Name of the argument.
        input: &'static str,
        /// The value found.
        found: f64,
        /// The allowed range, in words.
        range: &'static str,
    },
    /// Fewer observations than the statistic needs.
    #[error("{what}: {found} found, at least {need} needed")]
    TooFew {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many are needed.
        need: usize,
    },
    /// An input has one value only, so that it orders or separates nothing.
    #[error("{input} is constant")]
    Constant {
        /// Name of the argument.
        input: &'static str,
    },
    /// Ties were found where the method allows none.
    #[error("the exact distribution needs data without ties")]
    Ties,
    /// A perfect correlation: the test statistic is infinite, its p-value has no meaning.
    #[error("the correlation is perfect, so that the t approximation has no p-value")]
    Perfect,
    /// Agreement by chance is already complete, so that agreement beyond it cannot be measured.
    #[error("agreement expected by chance is complete: all ratings fall in one category")]
    NoChanceDisagreement,
    /// No pair of objects can be compared.
    #[error("no pair can be compared")]
    NoPairs,
    /// The comparisons do not link all players: some abilities are infinite or unrelated.
    #[error(
        "players fall into {components} groups that wins do not link both ways: \
         their abilities are not determined"
    )]
    NotLinked {
        /// Number of connected groups.
        components: usize,
    },
    /// Sensitivity and specificity together do not beat a coin.
    #[error("sensitivity + specificity = {sum}, not above 1: the judge cannot be corrected")]
    Uninformative {
        /// Their sum.
        sum: f64,
    },
    /// A quantity on the way has no value.
    #[error("no value for {what}")]
    Degenerate {
        /// Which quantity, and why.
        what: &'static str,
    },
    /// An iteration did not settle.
    #[error("{what} did not converge in {iterations} steps")]
    NoConvergence {
        /// Which computation.
        what: &'static str,
        /// Steps taken.
        iterations: usize,
    },
    /// A cluster lies in more than one stratum, so that it cannot be drawn as a whole within one.
    #[error("cluster {cluster} lies in stratum {first} and in stratum {second}")]
    ClusterSpansStrata {
        /// Label of the cluster.
        cluster: u32,
        /// One stratum.
        first: u32,
        /// Another stratum.
        second: u32,
    },
}

impl Undefined {
    /// Whether the call was at fault rather than the data: lengths that differ, values that are
    /// not finite or out of range.
    #[must_use]
    pub fn is_misuse(&self) -> bool {
        matches!(
            self,
            Self::Lengths { .. } | Self::NotFinite { .. } | Self::OutOfRange { .. }
        )
    }
}

/// A statistic, or the reason why it has no value.
pub type Defined<T> = Result<T, Undefined>;

/// Checks that both slices have the same length.
pub(crate) fn same_length(left: usize, right: usize) -> Defined<()> {
    if left == right {
        Ok(())
    } else {
        Err(Undefined::Lengths { left, right })
    }
}

/// Checks that every value is finite.
pub(crate) fn finite(input: &'static str, values: &[f64]) -> Defined<()> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(position) => Err(Undefined::NotFinite { input, position }),
    }
}

/// Checks that there are at least `need` observations.
pub(crate) fn at_least(what: &'static str, found: usize, need: usize) -> Defined<()> {
    if found >= need {
        Ok(())
    } else {
        Err(Undefined::TooFew { what, found, need })
    }
}

/// Checks that a level lies strictly between 0 and 1.
pub(crate) fn open_unit(input: &'static str, found: f64) -> Defined<()> {
    if found > 0.0 && found < 1.0 {
        Ok(())
    } else {
        Err(Undefined::OutOfRange {
            input,
            found,
            range: "(0, 1)",
        })
    }
}

/// Checks that a share lies in 0..=1.
pub(crate) fn closed_unit(input: &'static str, found: f64) -> Defined<()> {
    if (0.0..=1.0).contains(&found) {
        Ok(())
    } else {
        Err(Undefined::OutOfRange {
            input,
            found,
            range: "[0, 1]",
        })
    }
}

/// Checks two samples of a correlation: same length, finite, at least `need` pairs.
pub(crate) fn paired(x: &[f64], y: &[f64], need: usize) -> Defined<()> {
    same_length(x.len(), y.len())?;
    finite("x", x)?;
    finite("y", y)?;
    at_least("observations", x.len(), need)
}
