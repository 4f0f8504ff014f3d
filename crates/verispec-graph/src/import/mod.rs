//! Reading of every file shape of the release: text or JSON in, types out. No file is opened here.
//!
//! Tolerant where the release is inconsistent (numbers as text, one value or a list, array or
//! object, fields that come and go), strict where a guess would change a number. Errors name file
//! and field.

mod annotations;
mod answers;
mod attributes;
mod field;
mod graphs;
mod lines;
mod matched;
mod prompts;
mod questions;
mod scored;

pub use annotations::{annotations, raw_relations, segmentation_lines};
pub use answers::{
    ChunkAnswer, ChunkQuestion, VqaRecord, chunk_answers, chunk_questions, merge_chunks,
    merged_answers,
};
pub use attributes::{attribute_lines, attribute_list};
pub use field::ImportError;
pub use graphs::{
    RawEdge, RawGraph, cleaned_graph, cleaned_lines, merged_edges, merged_graph, merged_segments,
    raw_graph,
};
pub use lines::Lines;
pub use matched::{MatchedImage, PairedScenes, matched_graphs, matching_graphs};
pub use prompts::{PromptRecord, prompts};
pub use questions::{ImportedQuestion, questions};
pub use scored::{JudgeSummary, ScoredRecord, generation_answers, judge_summary, scored_lines};

#[cfg(test)]
mod tests;
