//! Gemini: `gemini` is the public REST interface (the endpoint ends in `/v1beta`), and
//! `gemini-dashscope` the proxy that SpecV was released with: Gemini's own body with `model`,
//! `stream` and `dashscope_extend_params` beside it, a bearer key, and an endpoint that is used
//! verbatim.

mod batch;
mod decode;
mod encode;
mod vision;

pub(crate) use batch::GeminiBatch;

use verispec_model::{ApiError, Params, Reply, Request};

use crate::Dialect;
use crate::message::{EncodeError, EncodedImage, Message, RawResponse};

/// Name of the public dialect.
const NATIVE: &str = "gemini";
/// Name of the proxy dialect.
const PROXY: &str = "gemini-dashscope";

/// Gemini's public REST interface.
#[derive(Debug, Clone, Copy)]
pub struct Gemini;

/// Gemini's body through the DashScope proxy, always streamed.
#[derive(Debug, Clone, Copy)]
pub struct GeminiDashscope;

impl Dialect for Gemini {
    fn name(&self) -> &'static str {
        NATIVE
    }

    fn encode(&self, request: &Request, images: &[EncodedImage]) -> Result<Message, EncodeError> {
        encode::native(request, images)
    }

    fn decode(&self, response: &RawResponse<'_>) -> Result<Reply, ApiError> {
        decode::decode(response)
    }

    fn check_params(&self, params: &Params) -> Result<(), EncodeError> {
        encode::check_native(params)
    }

    fn image_tokens(&self, _model: &str, _params: &Params, width: u32, height: u32) -> u64 {
        vision::tokens(width, height)
    }
}

impl Dialect for GeminiDashscope {
    fn name(&self) -> &'static str {
        PROXY
    }

    fn encode(&self, request: &Request, images: &[EncodedImage]) -> Result<Message, EncodeError> {
        encode::proxy(request, images)
    }

    fn decode(&self, response: &RawResponse<'_>) -> Result<Reply, ApiError> {
        decode::decode(response)
    }

    fn check_params(&self, params: &Params) -> Result<(), EncodeError> {
        encode::check_proxy(params)
    }

    fn image_tokens(&self, _model: &str, _params: &Params, width: u32, height: u32) -> u64 {
        vision::tokens(width, height)
    }
}
