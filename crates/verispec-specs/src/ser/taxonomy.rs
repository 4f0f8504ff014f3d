//! Categories that a track's specifications are sorted into.

use serde::{Deserialize, Serialize};

/// Categories of a track.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Taxonomy {
    /// Names of categories; a closed list.
    pub categories: Vec<String>,
    /// Names of subcategories, where those are a closed list too.
    #[serde(default)]
    pub subcategories: Vec<String>,
}

/// Track, categories, subcategories. The names of SpecV's tracks are those its scoring and
/// reports use; `many2one` has no closed list in the release, so this one is ours.
const KNOWN: [(&str, &[&str], &[&str]); 6] = [
    (
        "t2i",
        &[
            "Composition",
            "Text Rendering",
            "Style",
            "Structure",
            "World Knowledge",
            "Reasoning",
            "General",
        ],
        &[],
    ),
    (
        "edit",
        &[
            "Edit Execution",
            "Preservation",
            "General Quality",
            "Reasoning & Knowledge",
        ],
        &[],
    ),
    (
        "many2one",
        &[
            "Subject Fidelity",
            "Blending Quality",
            "Interaction & Context",
            "Instruction Following",
            "Style Consistency",
            "General Quality",
        ],
        &[],
    ),
    (
        "interleave",
        &[
            "Single Modality Content & Quality",
            "Task Completion & Track Specifics",
            "Cross-Modal Alignment",
            "Interleaved Structure Quality",
        ],
        &[],
    ),
    (
        "think_with_img",
        &[
            "Process Level",
            "Alignment Level",
            "Final Answer Correctness",
        ],
        &[
            "Reasoning Quality",
            "Image Quality - Semantic Correctness",
            "Image Quality - Visual Fidelity",
            "Image Quality - Cross-step Consistency",
            "Image-Text Alignment",
            "Final Answer",
        ],
    ),
    (
        "understanding",
        &["Final Answer Correctness", "Process-Level Evaluation"],
        &[
            "Visual Faithfulness",
            "Reasoning Quality",
            "Hallucination-free",
            "Completeness",
            "N/A",
        ],
    ),
];

impl Taxonomy {
    /// The taxonomy of a track of SpecV's name, else one for outputs of any kind.
    #[must_use]
    pub fn of_track(track: &str) -> Self {
        let own = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
        match KNOWN.iter().find(|(name, ..)| *name == track) {
            Some((_, categories, subcategories)) => Self {
                categories: own(categories),
                subcategories: own(subcategories),
            },
            None => Self {
                categories: own(&[
                    "Content",
                    "Count",
                    "Attribute",
                    "Text",
                    "Layout",
                    "Style",
                    "Reasoning",
                    "Quality",
                ]),
                subcategories: vec![],
            },
        }
    }
}
