//! Labels, predicates and supercategories: what a scene graph may say.

mod cleaning;
mod labels;
mod supercategories;

pub use cleaning::{clean_label, clean_predicate};
pub use labels::{LABELS, PREDICATES, THINGS, category_id, label};
pub use supercategories::{SUPERCATEGORIES, Supercategory, supercategory};

#[cfg(test)]
mod tests;
