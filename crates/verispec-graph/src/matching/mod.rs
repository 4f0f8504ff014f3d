//! Which object of the generated image stands for which object of the original.

mod edges;
mod embedding;
mod graph;
mod nodes;
mod similarity;

pub use edges::{EdgeCounts, EdgePair};
pub use embedding::{BagOfWords, EmbedError, Embedder, EmbeddingTable};
pub use graph::{
    MatchError, MatchPolicy, Matched, NodePair, match_scenes, node_similarities, texts,
};
pub use nodes::LabelSimilarities;
pub use similarity::{attribute_similarity, attribute_text, edge_text};

#[cfg(test)]
mod tests;
