//! Where image bytes come from.

use bytes::Bytes;
use verispec_media::MediaCache;
use verispec_model::{ImagePart, Part, Request};
use verispec_providers::EncodedImage;

/// An image ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceImage {
    /// Media type.
    pub mime: String,
    /// Bytes, not yet base64.
    pub bytes: Bytes,
    /// Encoder, if the bytes are not those of the file.
    pub encoder: Option<String>,
}

/// Gives the bytes of an image part. May block.
pub trait ImageSource: Send + Sync {
    /// The image as its profile wants it sent.
    ///
    /// # Errors
    /// What is wrong with the file, with its path, in one line.
    fn load(&self, part: &ImagePart) -> Result<SourceImage, String>;
}

impl ImageSource for MediaCache {
    fn load(&self, part: &ImagePart) -> Result<SourceImage, String> {
        let image = self.get(part).map_err(|e| e.to_string())?;
        Ok(SourceImage {
            mime: image.mime.clone(),
            bytes: image.bytes.clone(),
            encoder: image.encoder.map(str::to_owned),
        })
    }
}

/// Images of a request in order, and the encoders they went through.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) images: Vec<EncodedImage>,
    pub(crate) encoder: Option<String>,
}

impl Loaded {
    /// Bytes of all images.
    pub(crate) fn size(&self) -> usize {
        self.images.iter().map(|i| i.bytes.len()).sum()
    }
}

/// Loads every image part of a request. Blocks.
pub(crate) fn load_all(source: &dyn ImageSource, request: &Request) -> Result<Loaded, String> {
    let mut loaded = Loaded::default();
    let mut encoders: Vec<String> = vec![];
    for part in &request.parts {
        let Part::Image(image) = part else { continue };
        let SourceImage {
            mime,
            bytes,
            encoder,
        } = source.load(image)?;
        loaded.images.push(EncodedImage { mime, bytes });
        encoders.extend(encoder.filter(|e| !encoders.contains(e)));
    }
    loaded.encoder = (!encoders.is_empty()).then(|| encoders.join(", "));
    Ok(loaded)
}
