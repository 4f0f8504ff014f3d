//! The parts of a request, in the order and wording of the released scripts.

use std::path::Path;
use std::sync::Arc;

use verispec_media::Profile;
use verispec_model::{Hash, ImagePart, ImageRole, Instance, Part};

use super::error::PublishedError;
use super::python::{strip, universal_newlines};
use super::question::{Piece, split};
use super::response::OutputPart;
use super::template::{Template, Templates};
use super::track::PublishedTrack;

/// Gives the content hash of an image file, or says why it cannot.
pub type HashFile<'a> = dyn Fn(&Path) -> Result<Hash, String> + 'a;

/// The parts that the released script of the instance's track sends, untouched by any dialect.
///
/// The checklist is its file's text, trimmed, **with the expected answers**: this protocol
/// reveals the answer key, as the release does. All references that the script wants are hashed
/// before the output is looked at, also those that it never sends: a task that is broken for
/// everybody is no model's failure.
///
/// # Errors
/// A data failure for a reference that `hash` refuses, a track without its reference or an
/// `[IMAGEn]` beyond the references; an output failure for an output that is not of the track's
/// shape or holds an image that `hash` refuses.
pub fn parts(
    templates: &Templates,
    instance: &Instance,
    output: &[OutputPart],
    hash: &HashFile<'_>,
) -> Result<Vec<Part>, PublishedError> {
    let template = templates.get(&instance.track).ok_or_else(|| {
        PublishedError::task(format!("the release has no track {:?}", instance.track))
    })?;
    let source = universal_newlines(&instance.source_text);
    let put = Put {
        template,
        instance,
        checklist: strip(&source),
        hash,
    };
    let references = put.references()?;
    match template.track() {
        PublishedTrack::T2i => put.t2i(output),
        PublishedTrack::Edit => put.edit(references, output),
        PublishedTrack::Many2one => put.many2one(references, output),
        PublishedTrack::Interleave => put.interleave(&references, output),
        PublishedTrack::ThinkWithImg => put.think_with_img(&references, output),
        PublishedTrack::Understanding => put.understanding(&references, output),
    }
}

/// What all tracks need.
struct Put<'a> {
    template: &'a Template,
    instance: &'a Instance,
    checklist: &'a str,
    hash: &'a HashFile<'a>,
}

impl Put<'_> {
    fn t2i(&self, output: &[OutputPart]) -> Result<Vec<Part>, PublishedError> {
        Ok(vec![self.only_image(output)?, text(self.filled())])
    }

    fn edit(
        &self,
        references: Vec<Part>,
        output: &[OutputPart],
    ) -> Result<Vec<Part>, PublishedError> {
        let mut parts = vec![text("[Original Image]:")];
        parts.extend(references);
        parts.push(text("\n[Edited Image]:"));
        parts.push(self.only_image(output)?);
        parts.push(text(format!("\n{}", self.filled())));
        Ok(parts)
    }

    fn many2one(
        &self,
        references: Vec<Part>,
        output: &[OutputPart],
    ) -> Result<Vec<Part>, PublishedError> {
        let mut parts = Vec::new();
        for (i, reference) in references.into_iter().enumerate() {
            let line = if i == 0 { "" } else { "\n" };
            parts.push(text(format!("{line}[Reference Image {}]:", i + 1)));
            parts.push(reference);
        }
        parts.push(text("\n[Generated Image]:"));
        parts.push(self.only_image(output)?);
        parts.push(text(format!("\n{}", self.filled())));
        Ok(parts)
    }

    /// Checklist before the output.
    fn interleave(
        &self,
        references: &[Part],
        output: &[OutputPart],
    ) -> Result<Vec<Part>, PublishedError> {
        let [head, before, after, tail] = self.template.pieces();
        let mut parts = vec![text(head)];
        parts.extend(self.question(references)?);
        parts.push(text([before, self.checklist, after].concat()));
        parts.extend(self.output(output)?);
        parts.push(text(tail));
        Ok(parts)
    }

    /// Checklist after the output.
    fn think_with_img(
        &self,
        references: &[Part],
        output: &[OutputPart],
    ) -> Result<Vec<Part>, PublishedError> {
        let [head, between, before, tail] = self.template.pieces();
        let mut parts = vec![text(head)];
        parts.extend(self.question(references)?);
        parts.push(text(between));
        parts.extend(self.output(output)?);
        parts.push(text([before, self.checklist, tail].concat()));
        Ok(parts)
    }

    fn understanding(
        &self,
        references: &[Part],
        output: &[OutputPart],
    ) -> Result<Vec<Part>, PublishedError> {
        let [OutputPart::Text(response)] = output else {
            return Err(PublishedError::unreadable(
                "expected one text as the output",
            ));
        };
        let [head, before, between, tail] = self.template.pieces();
        let mut parts = vec![text(head)];
        parts.extend(self.question(references)?);
        parts.push(text(
            [before, &**response, between, self.checklist, tail].concat(),
        ));
        Ok(parts)
    }

    fn filled(&self) -> String {
        self.template.fill(&self.instance.prompt, self.checklist)
    }

    /// The references that the track's script wants: none, the first, or all.
    fn references(&self) -> Result<Vec<Part>, PublishedError> {
        let all = &self.instance.references;
        let wanted = match self.template.track() {
            PublishedTrack::T2i => &[],
            PublishedTrack::Edit => all.get(..1).unwrap_or_default(),
            _ => all.as_slice(),
        };
        let track = self.template.track();
        let needs_one = matches!(track, PublishedTrack::Edit | PublishedTrack::Many2one);
        if needs_one && wanted.is_empty() {
            let name = track.name();
            return Err(PublishedError::task(format!(
                "a task of {name} without a reference"
            )));
        }
        let image = |path: &std::path::PathBuf| {
            self.image(path.as_path().into(), ImageRole::Reference)
                .map_err(PublishedError::reference)
        };
        wanted.iter().map(image).collect()
    }

    /// The question with its images in place. Without images the placeholders stay in the text;
    /// images that no placeholder names are not sent.
    fn question(&self, references: &[Part]) -> Result<Vec<Part>, PublishedError> {
        let prompt = self.instance.prompt.as_str();
        if references.is_empty() || prompt.is_empty() {
            return Ok(vec![text(prompt)]);
        }
        let part = |piece| match piece {
            Piece::Text(piece) => Ok(text(piece)),
            Piece::Image(n) => usize::try_from(n)
                .ok()
                .and_then(|n| references.get(n.checked_sub(1)?))
                .cloned()
                .ok_or_else(|| {
                    let of = references.len();
                    PublishedError::task(format!("the prompt shows [IMAGE{n}] of {of} images"))
                }),
        };
        split(prompt).into_iter().map(part).collect()
    }

    fn output(&self, output: &[OutputPart]) -> Result<Vec<Part>, PublishedError> {
        let part = |part: &OutputPart| match part {
            OutputPart::Text(piece) => Ok(text(&**piece)),
            OutputPart::Image(path) => self.output_image(path),
        };
        output.iter().map(part).collect()
    }

    fn only_image(&self, output: &[OutputPart]) -> Result<Part, PublishedError> {
        match output {
            [OutputPart::Image(path)] => self.output_image(path),
            _ => Err(PublishedError::unreadable(
                "expected one image as the output",
            )),
        }
    }

    fn output_image(&self, path: &Arc<Path>) -> Result<Part, PublishedError> {
        self.image(path.clone(), ImageRole::Output)
            .map_err(PublishedError::unreadable)
    }

    fn image(&self, path: Arc<Path>, role: ImageRole) -> Result<Part, String> {
        let source = (self.hash)(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        // Completed by the file's MIME type where the release takes that from the name.
        let profile = Profile::parse(self.template.track().profile(), &path)
            .map_err(|e| e.to_string())?
            .to_string();
        Ok(Part::Image(ImagePart {
            path,
            source,
            profile: profile.into(),
            role,
        }))
    }
}

fn text(text: impl Into<String>) -> Part {
    Part::Text(text.into())
}
