//! Pure codecs of judge dialects: a [`Request`] becomes a [`Message`], bytes become a
//! [`Reply`]. No sockets, no retries, no cache, no keys, no clock.
//!
//! ```text
//! Request + EncodedImage ──encode──> Message (path, headers, body segments)
//! RawResponse ──decode──> Reply | ApiError
//! ```
//!
//! Adding a dialect is one folder with a type that implements [`Dialect`] and one line in
//! [`ALL`], in [`MAKERS`] if it only makes images, or in [`EMBEDDERS`].

mod anthropic;
mod batch;
mod body;
pub mod command;
mod embeddings;
mod errors;
mod estimate;
mod gemini;
mod json;
mod logprobs;
mod made;
mod message;
mod openai;
mod openai_images;
mod params;
pub mod price;
mod retry;
mod sse;

pub use anthropic::{ANTHROPIC_MAX_TOKENS, Anthropic};
pub use batch::{
    BATCH_FORMATS, BatchFormat, BatchOutcome, BatchReadError, BatchResult, Frame, ID_BYTES,
    batch_format, custom_id, parse_custom_id,
};
pub use embeddings::{EMBEDDINGS, OpenAiEmbeddings};
pub use errors::kind_of_status;
pub use estimate::estimate_tokens;
pub use gemini::{Gemini, GeminiDashscope};
pub use made::{FileReference, take_out};
pub use message::{Auth, EncodeError, EncodedImage, Message, RawResponse, Segment};
pub use openai::OpenAi;
pub use openai_images::OpenAiImages;
pub use retry::retry_after;
pub use sse::EventReader;

use verispec_model::{ApiError, Params, Reply, Request, Structured};

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
    /// A refusal is a reply with [`verispec_model::Finish::Refused`], also where the provider
    /// puts it into an HTTP 400. An empty text is a reply too: judging it is not the codec's part.
    ///
    /// # Errors
    /// The provider's error, also one that arrives inside a successful stream; kind `Malformed`
    /// for an answer that is not the dialect, such as an empty body.
    fn decode(&self, response: &RawResponse<'_>) -> Result<Reply, ApiError>;

    /// Whether this dialect takes these parameters, asked before a run starts.
    ///
    /// # Errors
    /// As [`Dialect::encode`].
    fn check_params(&self, params: &Params) -> Result<(), EncodeError>;

    /// Whether this dialect can enforce the shape of replies in this way, asked before a run
    /// starts.
    ///
    /// # Errors
    /// Names the modes it has.
    fn check_structured(&self, _structured: Structured) -> Result<(), EncodeError> {
        Ok(())
    }

    /// Estimated prompt tokens of one image of `width` x `height` pixels, by the rule that the
    /// provider publishes for `model`.
    fn image_tokens(&self, model: &str, params: &Params, width: u32, height: u32) -> u64;
}

/// All dialects of judges, in the order in which they are listed to people.
pub static ALL: &[&dyn Dialect] = &[&OpenAi, &Gemini, &GeminiDashscope, &Anthropic];

/// Dialects that give no text: models under test speak them, judges cannot.
pub static MAKERS: &[&dyn Dialect] = &[&OpenAiImages];

/// Dialects that give vectors of texts: judges cannot speak them either.
pub static EMBEDDERS: &[&dyn Dialect] = &[&OpenAiEmbeddings];

/// The dialect of this name, of a judge, a model under test or an embedding endpoint.
#[must_use]
pub fn dialect(name: &str) -> Option<&'static dyn Dialect> {
    let mut all = ALL.iter().chain(MAKERS).chain(EMBEDDERS).copied();
    all.find(|d| d.name() == name)
}

/// Names of all dialects of judges.
#[must_use]
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|d| d.name()).collect()
}
