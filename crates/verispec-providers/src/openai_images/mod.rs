//! `openai-images`: the images interface of OpenAI and servers that follow it. A request without an
//! image is a generation (JSON), one with images an edit (multipart). The endpoint is the base
//! address that ends in `/v1`.

mod decode;
mod encode;
mod multipart;

use verispec_model::{ApiError, Params, Reply, Request, Structured};

use crate::Dialect;
use crate::message::{EncodeError, EncodedImage, Message, RawResponse};

/// Name of the dialect.
const NAME: &str = "openai-images";

/// The images interface.
#[derive(Debug, Clone, Copy)]
pub struct OpenAiImages;

impl Dialect for OpenAiImages {
    fn name(&self) -> &'static str {
        NAME
    }

    fn encode(&self, request: &Request, images: &[EncodedImage]) -> Result<Message, EncodeError> {
        encode::encode(request, images)
    }

    fn decode(&self, response: &RawResponse<'_>) -> Result<Reply, ApiError> {
        decode::decode(response)
    }

    fn check_params(&self, params: &Params) -> Result<(), EncodeError> {
        encode::check(params)
    }

    fn check_structured(&self, structured: Structured) -> Result<(), EncodeError> {
        match structured {
            Structured::None => Ok(()),
            other => Err(EncodeError::BadParameter {
                dialect: NAME,
                name: "structured",
                expected: "none: an image has no such shape",
                got: format!("{other:?}"),
            }),
        }
    }

    /// By OpenAI's rule for inputs of its image models: 65 tokens, and 129 for each tile of
    /// 512 x 512 after the shorter side was scaled to 512.
    fn image_tokens(&self, _model: &str, _params: &Params, width: u32, height: u32) -> u64 {
        let (short, long) = (width.min(height).max(1), width.max(height).max(1));
        65 + 129 * u64::from(long.div_ceil(short))
    }
}
