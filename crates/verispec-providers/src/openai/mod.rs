//! `openai`: chat completions, as OpenAI defines and many servers follow them (Azure, DashScope,
//! OpenRouter, vLLM, SGLang, llama.cpp, Ollama). The endpoint is the base address that ends in
//! `/v1`.

mod batch;
mod decode;
mod encode;
mod plain;
mod vision;

pub(crate) use batch::OpenAiBatch;

use verispec_model::{ApiError, Params, Reply, Request};

use crate::Dialect;
use crate::message::{EncodeError, EncodedImage, Message, RawResponse};
use crate::params;

/// Name of the dialect.
const NAME: &str = "openai";

/// The OpenAI-compatible dialect.
#[derive(Debug, Clone, Copy)]
pub struct OpenAi;

impl Dialect for OpenAi {
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

    fn image_tokens(&self, model: &str, params: &Params, width: u32, height: u32) -> u64 {
        let low = params::text(params, "media_detail") == Some("low");
        vision::tokens(model, low, width, height)
    }
}
