//! How much of the ground truth the generated images show at all.

use serde::Serialize;

/// What became of the generated image of a ground-truth image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum ImageOutcome {
    /// Matched; some or none of the nodes have a counterpart.
    Matched {
        /// Ground-truth nodes with a counterpart.
        nodes: usize,
    },
    /// No image was generated. Its nodes are missing.
    NotGenerated,
    /// The file that was generated is no image. Its nodes are missing.
    Unreadable,
    /// No object was found in the generated image. Its nodes are missing.
    Empty,
    /// The matching failed: nothing is known of its nodes.
    Failed,
}

/// A ground-truth image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ImageCoverage {
    /// Nodes of its graph.
    pub gt_nodes: usize,
    /// What became of it.
    pub outcome: ImageOutcome,
}

/// Coverage of a data set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Ground-truth images.
    pub images: usize,
    /// Of these: matched with a generated image.
    pub matched_images: usize,
    /// Of these: never generated.
    pub not_generated: usize,
    /// Of these: generated as a file that is no image.
    pub unreadable: usize,
    /// Of these: generated without any object.
    pub empty: usize,
    /// Of these: matching failed.
    pub failed: usize,
    /// Nodes of all images but the failed ones.
    pub gt_nodes: usize,
    /// Of these: with a counterpart.
    pub matched_nodes: usize,
    /// Nodes of the failed images, of which nothing is known.
    pub unknown_nodes: usize,
}

impl Coverage {
    /// Counts images. All ground-truth images must be given, generated or not.
    #[must_use]
    pub fn new(images: &[ImageCoverage]) -> Self {
        let mut all = Self::default();
        for image in images {
            all.images += 1;
            match image.outcome {
                ImageOutcome::Matched { nodes } => {
                    all.matched_images += 1;
                    all.matched_nodes += nodes;
                }
                ImageOutcome::NotGenerated => all.not_generated += 1,
                ImageOutcome::Unreadable => all.unreadable += 1,
                ImageOutcome::Empty => all.empty += 1,
                ImageOutcome::Failed => {
                    all.failed += 1;
                    all.unknown_nodes += image.gt_nodes;
                    continue;
                }
            }
            all.gt_nodes += image.gt_nodes;
        }
        all
    }

    /// Matched nodes over all nodes, also of images that were never generated, 0..=1; `None`
    /// without a node. (The released scripts count images that exist on both sides only.)
    #[must_use]
    pub fn match_ratio(&self) -> Option<f64> {
        (self.gt_nodes > 0).then(|| self.matched_nodes as f64 / self.gt_nodes as f64)
    }

    /// The ratio if no, and if every, node of the failed images were matched; `None` without a node.
    #[must_use]
    pub fn match_bounds(&self) -> Option<(f64, f64)> {
        let total = self.gt_nodes + self.unknown_nodes;
        let share = |part: usize| part as f64 / total as f64;
        (total > 0).then(|| {
            (
                share(self.matched_nodes),
                share(self.matched_nodes + self.unknown_nodes),
            )
        })
    }
}
