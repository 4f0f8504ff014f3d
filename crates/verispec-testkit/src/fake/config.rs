//! What a fake judge is told to do.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::answer::Answers;
use super::fault::Faults;
use super::find::{Finder, find_questions};

/// Settings of a fake judge. The default answers at once, everything with Yes, without faults.
#[derive(Clone)]
pub struct FakeConfig {
    /// What it answers.
    pub answers: Answers,
    /// Makes what prompts ask for, like a model under test, instead of answering questions: an
    /// image where one is asked for, else a text.
    pub makes: bool,
    /// How it finds the questions in a prompt.
    pub find: Finder,
    /// How long it takes before it answers.
    pub latency: Latency,
    /// What goes wrong.
    pub faults: Faults,
    /// The key it wants; any other key, or none, is answered with 401.
    pub api_key: Option<String>,
    /// Port on 127.0.0.1, 0 for any free one.
    pub port: u16,
    /// Worker threads, at least 1.
    pub threads: usize,
    /// File to which one JSON line is appended per completed request.
    pub log_file: Option<PathBuf>,
}

impl Default for FakeConfig {
    fn default() -> Self {
        Self {
            answers: Answers::AllYes,
            makes: false,
            find: Arc::new(find_questions),
            latency: Latency::None,
            faults: Faults::default(),
            api_key: None,
            port: 0,
            threads: 1,
            log_file: None,
        }
    }
}

/// How long an answer takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Latency {
    /// At once.
    #[default]
    None,
    /// Always this long.
    Fixed(Duration),
    /// Uniform between the two, by the seed of the faults, the body and the attempt.
    Uniform(Duration, Duration),
}

impl Latency {
    /// The wait for a draw from [0, 1).
    pub(super) fn wait(self, draw: f64) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::Fixed(wait) => wait,
            Self::Uniform(from, to) => from + to.saturating_sub(from).mul_f64(draw),
        }
    }
}

/// A prompt as it arrived, whatever the dialect.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// Dialect it arrived in.
    pub dialect: &'static str,
    /// Model asked for.
    pub model: String,
    /// All text parts in order, joined by line ends.
    pub text: String,
    /// All images in order.
    pub images: Vec<SentImage>,
    /// JSON schema of the reply, if one was sent.
    pub schema: Option<Value>,
    /// The rest of the body, without the parts.
    pub rest: Value,
}

/// An image as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentImage {
    /// Media type.
    pub mime: String,
    /// Bytes as base64.
    pub base64: String,
}
