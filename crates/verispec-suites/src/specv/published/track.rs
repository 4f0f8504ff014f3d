//! The six tracks, as far as the released judge scripts differ.

/// A track that the released scripts judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PublishedTrack {
    /// Text to image.
    T2i,
    /// Editing of one image.
    Edit,
    /// One image out of several references.
    Many2one,
    /// Text and images in turn.
    Interleave,
    /// Reasoning with images drawn on the way.
    ThinkWithImg,
    /// Text answers about images.
    Understanding,
}

impl PublishedTrack {
    /// All tracks.
    pub const ALL: [Self; 6] = [
        Self::T2i,
        Self::Edit,
        Self::Many2one,
        Self::Interleave,
        Self::ThinkWithImg,
        Self::Understanding,
    ];

    /// The track of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.name() == name)
    }

    /// Name of its folders.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::T2i => "t2i",
            Self::Edit => "edit",
            Self::Many2one => "many2one",
            Self::Interleave => "interleave",
            Self::ThinkWithImg => "think_with_img",
            Self::Understanding => "understanding",
        }
    }

    /// Media profile of every image of the track.
    #[must_use]
    pub const fn profile(self) -> &'static str {
        match self {
            Self::T2i => "specv-raw@1",
            Self::Edit => "specv-edit@1",
            _ => "specv-jpeg@1",
        }
    }

    /// Whether a JPEG encoder may have a hand in what is sent. In `edit` only files above 4 MiB
    /// are encoded again, which is common for outputs of current models, so it counts.
    #[must_use]
    pub const fn re_encodes(self) -> bool {
        !matches!(self, Self::T2i)
    }

    /// Whether the template is cut at its placeholders rather than filled by replacement.
    pub(super) const fn cuts_template(self) -> bool {
        matches!(
            self,
            Self::Interleave | Self::ThinkWithImg | Self::Understanding
        )
    }

    /// Placeholders of the track's template, in the order in which the template holds them.
    #[must_use]
    pub const fn placeholders(self) -> &'static [&'static str] {
        match self {
            Self::T2i => &[
                "{insert_prompt_here}",
                "{insert_checklist_here}",
                "{insert_image_here}",
            ],
            Self::Edit => &["{{EDITING_PROMPT}}", "{{CHECKLIST}}"],
            Self::Many2one => &["{{PROMPT}}", "{{CHECKLIST}}"],
            Self::Interleave => &["{original_prompt}", "{checklist}", "{interleaved_output}"],
            Self::ThinkWithImg => &[
                "{{INSERT_QUESTION_HERE}}",
                "{{INSERT_MODEL_OUTPUT_HERE}}",
                "{{INSERT_CHECKLIST_JSON_HERE}}",
            ],
            Self::Understanding => &["{original_question}", "{model_response}", "{checklist}"],
        }
    }
}
