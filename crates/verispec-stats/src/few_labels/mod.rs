//! A judge's many answers corrected by few labels of people.

mod ppi;
mod rogan_gladen;
mod sampled;

pub use ppi::{Lambda, Ppi, ppi_mean};
pub use rogan_gladen::{Calibrator, RoganGladen, rogan_gladen, rogan_gladen_smoothed};
pub use sampled::{Label, sampled_mean};
