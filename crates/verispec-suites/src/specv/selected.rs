//! What filters leave of a suite.

use std::sync::Arc;

use verispec_model::{Filters, Instance, Suite};

/// Instances that filters leave, in suite order, as a plan takes them: of each dimension the first
/// `limit` of those that the other filters want.
pub fn selected<'a>(
    suite: &'a Suite,
    filters: &'a Filters,
) -> impl Iterator<Item = &'a Arc<Instance>> {
    super::plan::wanted(suite, filters)
}
