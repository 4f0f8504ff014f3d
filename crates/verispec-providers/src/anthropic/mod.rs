//! `anthropic`: the Messages API, version 2023-06-01. The endpoint is the base address without
//! `/v1`.

mod batch;
mod decode;
mod encode;
mod vision;

pub(crate) use batch::AnthropicBatch;

use verispec_model::{ApiError, Params, Reply, Request, Structured};

use crate::Dialect;
use crate::message::{EncodeError, EncodedImage, Message, RawResponse};

pub use encode::ANTHROPIC_MAX_TOKENS;

/// Name of the dialect.
const NAME: &str = "anthropic";

/// Anthropic's Messages API.
#[derive(Debug, Clone, Copy)]
pub struct Anthropic;

impl Dialect for Anthropic {
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
        encode::check_structured(structured)
    }

    fn image_tokens(&self, _model: &str, _params: &Params, width: u32, height: u32) -> u64 {
        vision::tokens(width, height)
    }
}
