//! Charts: pictures of numbers that were made elsewhere.

mod axis;
mod curves;
mod dots;
mod heat;
mod scatter;

pub(crate) use curves::curves;
pub(crate) use dots::{Dot, DotRow, dots};
pub(crate) use heat::heat;
pub(crate) use scatter::scatter;

/// Names of models by position: where a model stands decides its colour and shape.
pub(crate) type Models<'a> = &'a [&'a str];

/// Position of a model.
pub(crate) fn position(models: Models<'_>, model: &str) -> usize {
    models
        .iter()
        .position(|m| *m == model)
        .unwrap_or(models.len())
}
