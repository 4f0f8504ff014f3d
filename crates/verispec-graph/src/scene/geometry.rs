//! Boxes.

use serde::Serialize;

/// An axis-parallel box in pixels with *inclusive* maxima: `x1 <= x <= x2`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bbox {
    /// Left.
    pub x1: f64,
    /// Top.
    pub y1: f64,
    /// Right, inclusive.
    pub x2: f64,
    /// Bottom, inclusive.
    pub y2: f64,
}

impl Bbox {
    /// The box of these corners.
    #[must_use]
    pub const fn new(x1: f64, y1: f64, x2: f64, y2: f64) -> Self {
        Self { x1, y1, x2, y2 }
    }

    /// The smallest box that holds both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
            x2: self.x2.max(other.x2),
            y2: self.y2.max(other.y2),
        }
    }

    /// Grown by `padding` pixels on every side.
    #[must_use]
    pub fn padded(self, padding: f64) -> Self {
        Self {
            x1: self.x1 - padding,
            y1: self.y1 - padding,
            x2: self.x2 + padding,
            y2: self.y2 + padding,
        }
    }

    /// Whether both share an area; boxes whose edges only touch do not.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.x1 < other.x2 && other.x1 < self.x2 && self.y1 < other.y2 && other.y1 < self.y2
    }

    /// Width in pixels; the maxima count.
    #[must_use]
    pub fn width(self) -> f64 {
        self.x2 - self.x1 + 1.0
    }

    /// Height in pixels; the maxima count.
    #[must_use]
    pub fn height(self) -> f64 {
        self.y2 - self.y1 + 1.0
    }
}
