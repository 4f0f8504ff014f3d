//! Three-valued truth: what was measured, what was not, and what cannot be told.

/// A measured truth value. `Maybe` never turns into an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tri {
    /// Measured to be false.
    No,
    /// Too close to a boundary to tell.
    Maybe,
    /// Measured to be true.
    Yes,
}

impl Tri {
    /// `Yes` where `core` holds, `Maybe` where only `outer` does.
    pub(crate) const fn of(core: bool, outer: bool) -> Self {
        match (core, outer) {
            (true, _) => Self::Yes,
            (false, true) => Self::Maybe,
            (false, false) => Self::No,
        }
    }

    /// Kleene conjunction.
    pub(crate) fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// Kleene negation.
    pub(crate) const fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Maybe => Self::Maybe,
            Self::Yes => Self::No,
        }
    }

    /// Negated if `flip`.
    pub(crate) const fn flip_if(self, flip: bool) -> Self {
        if flip { self.not() } else { self }
    }
}

/// Claims that all have to hold, with the least confidence in one that decides: the first that is
/// surely false, else all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct All {
    /// Whether they hold.
    pub(crate) truth: Tri,
    /// Of those that decide, the least that was measured.
    pub(crate) confidence: Option<f32>,
}

impl All {
    /// No claim, which holds.
    pub(crate) const fn new() -> Self {
        Self {
            truth: Tri::Yes,
            confidence: None,
        }
    }

    /// One claim more.
    pub(crate) fn add(&mut self, truth: Tri, confidence: Option<f32>) {
        if truth < self.truth {
            self.confidence = None;
        }
        if truth <= self.truth {
            self.confidence = match (self.confidence, confidence) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        self.truth = self.truth.and(truth);
    }
}

impl From<bool> for Tri {
    fn from(value: bool) -> Self {
        if value { Self::Yes } else { Self::No }
    }
}
