//! Pure codecs of judge dialects: a [`Request`] becomes a [`Message`], bytes become a
//! [`Reply`]. No sockets, no retries, no cache, no keys.
//!
//! Adding a dialect is one folder with a type that implements [`Dialect`] and one line in
//! [`dialect`].

mod message;

pub use message::{Auth, EncodeError, EncodedImage, Message, RawResponse, Segment};

use verispec_model::{ApiError, Reply, Request};

/// One way of talking to a judge over HTTP.
pub trait Dialect: Send + Sync {
    /// Name in configuration and in judge identities, for instance `openai`.
    fn name(&self) -> &'static str;

    /// Renders a request. `images` holds one entry per image part, in order.
    ///
    /// # Errors
    /// When the request cannot be said in this dialect, for instance an unknown parameter.
    fn encode(&self, request: &Request, images: &[EncodedImage]) -> Result<Message, EncodeError>;

    /// Reads a whole response: plain JSON or a recorded event stream.
    ///
    /// # Errors
    /// The provider's error, also one that arrives inside a successful stream.
    fn decode(&self, response: &RawResponse<'_>) -> Result<Reply, ApiError>;
}
