//! The checkout's own judge prompts. They are read at run time and never part of this project:
//! the release has no licence.

use std::path::{Path, PathBuf};

use verispec_model::Hash;

use super::python::universal_newlines;
use super::track::PublishedTrack;

/// What t2i's template says in place of its image, which is sent as a part of its own.
const IMAGE_IN_TEXT: &str = "[见图片]";

/// A template that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// The file is not there, or not UTF-8.
    #[error(
        "judge template of track {track}: cannot read {}: {source}; \
         protocol specv-published needs the eval/ folder of a SpecV checkout", path.display()
    )]
    Read {
        /// Track name.
        track: &'static str,
        /// The template's file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A placeholder does not occur.
    #[error(
        "judge template of track {track}: placeholder {placeholder} is absent from {}; \
         restore the file from the release", path.display()
    )]
    Absent {
        /// Track name.
        track: &'static str,
        /// The template's file.
        path: PathBuf,
        /// The placeholder.
        placeholder: &'static str,
    },
    /// A template that is cut at its placeholders holds them in another order.
    #[error(
        "judge template of track {track}: placeholder {placeholder} comes before {after} in {}, \
         it has to follow; restore the file from the release", path.display()
    )]
    Order {
        /// Track name.
        track: &'static str,
        /// The template's file.
        path: PathBuf,
        /// The placeholder that comes too early.
        placeholder: &'static str,
        /// The one that it has to follow.
        after: &'static str,
    },
}

/// The template of one track, checked to hold its placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    track: PublishedTrack,
    text: String,
}

impl Template {
    /// Reads `eval/TRACK/eval_prompt.txt` below `root`, untrimmed, line ends as LF.
    ///
    /// # Errors
    /// When the file cannot be read, lacks a placeholder, or has them in an order in which it
    /// cannot be cut.
    pub fn load(root: &Path, track: PublishedTrack) -> Result<Self, TemplateError> {
        let path = root.join("eval").join(track.name()).join("eval_prompt.txt");
        match std::fs::read_to_string(&path) {
            Ok(text) => Self::parse(track, path, &text),
            Err(source) => Err(TemplateError::Read {
                track: track.name(),
                path,
                source,
            }),
        }
    }

    fn parse(track: PublishedTrack, path: PathBuf, text: &str) -> Result<Self, TemplateError> {
        let text = universal_newlines(text);
        let slots = track.placeholders();
        if let Some(&placeholder) = slots.iter().find(|p| !text.contains(**p)) {
            return Err(TemplateError::Absent {
                track: track.name(),
                path,
                placeholder,
            });
        }
        if let (true, Err(i)) = (track.cuts_template(), cut(&text, slots)) {
            let (track, placeholder, after) = (track.name(), slots[i], slots[i - 1]);
            return Err(TemplateError::Order {
                track,
                path,
                placeholder,
                after,
            });
        }
        Ok(Self {
            track,
            text: text.into_owned(),
        })
    }

    /// Track that it belongs to.
    #[must_use]
    pub const fn track(&self) -> PublishedTrack {
        self.track
    }

    /// Hash of its text, line ends as LF.
    #[must_use]
    pub fn hash(&self) -> Hash {
        Hash::of(self.text.as_bytes())
    }

    /// The text with prompt and checklist in place, as the three tracks with one text send it.
    ///
    /// As released, each placeholder is replaced everywhere and one after the other, so a prompt
    /// that holds the checklist's placeholder has it replaced too.
    pub(super) fn fill(&self, prompt: &str, checklist: &str) -> String {
        let slots = self.track.placeholders();
        let mut text = self.text.clone();
        for image_slot in &slots[2..] {
            text = text.replace(image_slot, IMAGE_IN_TEXT);
        }
        text.replace(slots[0], prompt).replace(slots[1], checklist)
    }

    /// The pieces around the placeholders of a template that is cut.
    pub(super) fn pieces(&self) -> [&str; 4] {
        cut(&self.text, self.track.placeholders()).expect("order was checked at load")
    }
}

/// The text before, between and after the first occurrences of three placeholders; the index of
/// the one that does not follow its predecessor otherwise.
fn cut<'a>(text: &'a str, slots: &[&str]) -> Result<[&'a str; 4], usize> {
    let mut pieces = [""; 4];
    let mut rest = text;
    for (i, slot) in slots.iter().enumerate() {
        (pieces[i], rest) = rest.split_once(slot).ok_or(i)?;
    }
    pieces[slots.len()] = rest;
    Ok(pieces)
}

/// The templates of all tracks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Templates(Vec<Template>);

impl Templates {
    /// Reads the six templates of a SpecV checkout.
    ///
    /// # Errors
    /// As [`Template::load`], for the first track that fails.
    pub fn load(root: &Path) -> Result<Self, TemplateError> {
        let load = |track| Template::load(root, track);
        Ok(Self(
            PublishedTrack::ALL
                .into_iter()
                .map(load)
                .collect::<Result<_, _>>()?,
        ))
    }

    /// The template of the track with this name, or `None` for a track that SpecV does not have.
    #[must_use]
    pub fn get(&self, track: &str) -> Option<&Template> {
        self.0.iter().find(|t| t.track.name() == track)
    }
}
