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

impl From<bool> for Tri {
    fn from(value: bool) -> Self {
        if value { Self::Yes } else { Self::No }
    }
}
