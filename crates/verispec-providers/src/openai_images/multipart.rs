//! `multipart/form-data` (RFC 7578) as segments: image bytes are shared, not copied.

use bytes::Bytes;
use serde_json::{Map, Value};
use verispec_model::KeyBuilder;

use crate::message::{EncodedImage, Segment};

/// A form of fields and images.
pub(super) struct Multipart<'a> {
    fields: &'a Map<String, Value>,
    images: &'a [EncodedImage],
    boundary: String,
}

impl<'a> Multipart<'a> {
    pub(super) fn new(fields: &'a Map<String, Value>, images: &'a [EncodedImage]) -> Self {
        Self {
            fields,
            images,
            boundary: boundary(fields, images),
        }
    }

    pub(super) fn content_type(&self) -> String {
        format!("multipart/form-data; boundary={}", self.boundary)
    }

    pub(super) fn body(&self) -> Vec<Segment> {
        let mut body = vec![];
        let mut text = String::new();
        for (name, value) in self.fields {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            text += &format!(
                "--{}\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{value}\r\n",
                self.boundary,
                quoted(name)
            );
        }
        // One image goes by the name that every server knows, several by OpenAI's.
        let name = if self.images.len() == 1 {
            "image"
        } else {
            "image[]"
        };
        for (n, image) in self.images.iter().enumerate() {
            let extension = image.mime.rsplit('/').next().unwrap_or("bin");
            text += &format!(
                "--{}\r\nContent-Disposition: form-data; name=\"{name}\"; \
                 filename=\"image-{}.{extension}\"\r\nContent-Type: {}\r\n\r\n",
                self.boundary,
                n + 1,
                image.mime
            );
            body.push(Segment::Raw(Bytes::from(std::mem::take(&mut text))));
            body.push(Segment::Raw(image.bytes.clone()));
            text += "\r\n";
        }
        text += &format!("--{}--\r\n", self.boundary);
        body.push(Segment::Raw(Bytes::from(text)));
        body
    }
}

/// The same for the same form, so that a request has one body; 128 bits of a hash of the content
/// cannot be met inside it by chance.
fn boundary(fields: &Map<String, Value>, images: &[EncodedImage]) -> String {
    let mut key = KeyBuilder::new("verispec/multipart");
    for (name, value) in fields {
        key.field("name", name.as_bytes());
        key.field("value", value.to_string().as_bytes());
    }
    for image in images {
        key.field("image", &image.bytes);
    }
    format!("verispec-{}", &key.finish().to_string()[..32])
}

/// Names of fields come from a user's `extra_body`.
fn quoted(name: &str) -> String {
    name.replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}
