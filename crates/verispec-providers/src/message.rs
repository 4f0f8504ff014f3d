//! What goes over the wire, before and after.

use bytes::Bytes;

/// An image as it is sent: bytes and their media type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedImage {
    /// Media type, for instance `image/jpeg`.
    pub mime: String,
    /// Encoded bytes, not yet base64.
    pub bytes: Bytes,
}

/// A piece of a body. Image bytes are shared and turned into base64 only while sending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// Bytes as they are.
    Raw(Bytes),
    /// Bytes to be sent as standard base64 with padding.
    Base64(Bytes),
}

impl Segment {
    /// Length on the wire, in bytes.
    #[must_use]
    pub const fn wire_len(&self) -> usize {
        match self {
            Self::Raw(b) => b.len(),
            Self::Base64(b) => b.len().div_ceil(3) * 4,
        }
    }
}

/// Where the key goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// A header of its own, for instance `x-goog-api-key`.
    Header(&'static str),
}

/// A request ready to send, except for address and key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Appended to the endpoint's address, with its leading slash; empty when the address is
    /// used verbatim.
    pub path: String,
    /// Headers besides authorisation and length.
    pub headers: Vec<(&'static str, String)>,
    /// Where the key goes.
    pub auth: Auth,
    /// Body, in order.
    pub body: Vec<Segment>,
}

impl Message {
    /// Length of the body on the wire, in bytes.
    #[must_use]
    pub fn body_len(&self) -> usize {
        self.body.iter().map(Segment::wire_len).sum()
    }

    /// The whole body in one piece, for tests, hashes and batch files.
    #[must_use]
    pub fn body_bytes(&self) -> Vec<u8> {
        use base64::Engine as _;
        let mut out = Vec::with_capacity(self.body_len());
        for segment in &self.body {
            match segment {
                Segment::Raw(b) => out.extend_from_slice(b),
                Segment::Base64(b) => {
                    let text = base64::engine::general_purpose::STANDARD.encode(b);
                    out.extend_from_slice(text.as_bytes());
                }
            }
        }
        out
    }
}

/// A whole response as received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawResponse<'a> {
    /// HTTP status.
    pub status: u16,
    /// `Content-Type`, if any.
    pub content_type: Option<&'a str>,
    /// Body, decompressed.
    pub body: &'a [u8],
}

/// A request that this dialect cannot express.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A parameter the dialect does not know.
    #[error("dialect {dialect} has no parameter {name:?}; fields of one server go into extra_body")]
    UnknownParameter {
        /// Dialect name.
        dialect: &'static str,
        /// Parameter as set.
        name: String,
    },
    /// A parameter with a value of the wrong type.
    #[error("parameter {name:?} of dialect {dialect}: expected {expected}, got {got}")]
    BadParameter {
        /// Dialect name.
        dialect: &'static str,
        /// Parameter as set.
        name: &'static str,
        /// What its value may be.
        expected: &'static str,
        /// The value, as JSON.
        got: String,
    },
    /// `extra_body` sets a field that is already in the body.
    #[error("extra_body sets {field:?}, which the request already holds; remove one of the two")]
    FieldTwice {
        /// Path of the field, for instance `generationConfig.temperature`.
        field: String,
    },
    /// The number of encoded images differs from the number of image parts.
    #[error("request has {parts} image parts, {images} encoded images were given")]
    ImageCount {
        /// Image parts in the request.
        parts: usize,
        /// Encoded images given.
        images: usize,
    },
}
