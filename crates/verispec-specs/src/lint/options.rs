//! What rules need to know of a benchmark.

/// Groups of specifications that scoring weighs: each needs at least one member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightGroups {
    /// Track that it is about.
    pub track: String,
    /// Whether the subcategory names the group, rather than the category.
    pub by_subcategory: bool,
    /// How the names of the groups begin, the one that holds final answers first.
    pub prefixes: Vec<String>,
}

/// Bounds and facts of a benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct LintOptions {
    /// Most words of a specification.
    pub max_words: usize,
    /// Least rating that a filter keeps, 0-10.
    pub tau: f64,
    /// Weighted groups, by track.
    pub groups: Vec<WeightGroups>,
    /// Tracks whose output is one image, with how many images beyond the inputs a specification
    /// may name by number: in editing, the edited image is the second one.
    pub single_output: Vec<(String, usize)>,
}

impl Default for LintOptions {
    /// 40 words, bound 8, nothing known of tracks.
    fn default() -> Self {
        Self {
            max_words: 40,
            tau: 8.0,
            groups: vec![],
            single_output: vec![],
        }
    }
}

impl LintOptions {
    /// With the tracks of SpecV-Bench. The groups are those that its scoring weighs.
    #[must_use]
    pub fn specv() -> Self {
        let group = |track: &str, by_subcategory, prefixes: &[&str]| WeightGroups {
            track: track.to_owned(),
            by_subcategory,
            prefixes: prefixes.iter().map(|p| (*p).to_owned()).collect(),
        };
        let think = [
            "Final Answer",
            "Reasoning Quality",
            "Image Quality",
            "Image-Text Alignment",
        ];
        Self {
            groups: vec![
                group("understanding", false, &["Final Answer Correctness"]),
                group("think_with_img", true, &think),
            ],
            single_output: vec![
                ("t2i".to_owned(), 1),
                ("edit".to_owned(), 1),
                ("many2one".to_owned(), 0),
            ],
            ..Self::default()
        }
    }

    /// Images beyond the inputs that a specification of this track may name; `None` if any.
    pub(super) fn nameable_beyond(&self, track: &str) -> Option<usize> {
        let known = self.single_output.iter().find(|(t, _)| t == track);
        known.map(|(_, extra)| *extra)
    }
}
