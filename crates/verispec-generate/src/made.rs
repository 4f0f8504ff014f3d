//! What came of a task.

use std::fmt;

use serde::Serialize;
use verispec_model::{Finish, Hash, Reply, ReplyPart, Unjudged};

use crate::blobs::{BlobFault, Blobs};
use crate::chain::Wants;

/// Most characters of a model's words that are kept to explain a failure.
const WORDS: usize = 300;

/// One piece of what was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MadePart {
    /// Text.
    Text(String),
    /// An image in the blob folder.
    Image {
        /// Hash of its bytes.
        hash: Hash,
        /// Media type by content.
        mime: String,
        /// Size in bytes.
        bytes: u64,
    },
}

/// How a model failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The model or its provider declined.
    Refused,
    /// Nothing was made.
    Empty,
    /// An image was asked for, and only text came.
    NoImage,
    /// An image that cannot be decoded.
    Undecodable,
}

impl FailureKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Refused, Self::Empty, Self::NoImage, Self::Undecodable];

    /// Kebab-case name, as in files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Empty => "empty",
            Self::NoImage => "no-image",
            Self::Undecodable => "undecodable",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A failure of the model under test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// How.
    pub kind: FailureKind,
    /// In its own words, or what is wrong with the file.
    pub message: String,
}

/// What one stage made.
#[derive(Debug, Clone, PartialEq)]
pub struct StageMade {
    /// Name of the stage.
    pub name: &'static str,
    /// Model asked, as sent.
    pub model: String,
    /// Key of the request.
    pub request: Hash,
    /// Seed that was sent.
    pub seed: Option<u64>,
    /// Model that the server says it served.
    pub served_model: Option<String>,
    /// Why it ended.
    pub finish: Finish,
    /// Texts and images in order; empty where the stage failed.
    pub parts: Vec<MadePart>,
}

/// Where a task stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// The output is there.
    Generated,
    /// The model failed, in the stage of this name.
    Failed(&'static str, Failure),
    /// A call is still to be made, or failed for now with this reason, in the stage of this name.
    Pending(&'static str, Option<Unjudged>),
    /// The suite's own data is not whole: nobody can be asked.
    Data(String),
}

/// What is known about a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// Where it stands.
    pub state: State,
    /// Stages that were answered, in order.
    pub stages: Vec<StageMade>,
    /// Key of the request at which the chain stopped, if it did: what the model failed at, or what
    /// is still to be answered. It can be asked again on demand.
    pub stopped_at: Option<Hash>,
    /// Why a file that the model made cannot be read on this machine; such a task is pending until
    /// the file is back or the model is asked again.
    pub lost: Option<String>,
}

/// Why a reply gives no parts.
pub(crate) enum Unread {
    /// The model failed.
    Failed(Failure),
    /// A file of it cannot be read here, which is not the model's fault.
    Lost(String),
}

/// What a reply holds, or how the model failed.
pub(crate) fn read(
    reply: &Reply,
    wants: Wants,
    blobs: &dyn Blobs,
) -> Result<Vec<MadePart>, Unread> {
    let failed = |kind, message: &str| {
        let message = message.chars().take(WORDS).collect();
        Err(Unread::Failed(Failure { kind, message }))
    };
    if reply.finish == Finish::Refused {
        let said = Some(reply.text.trim()).filter(|t| !t.is_empty());
        let why = said
            .or(reply.finish_raw.as_deref())
            .unwrap_or("no reason given");
        return failed(FailureKind::Refused, why);
    }
    if reply.text.trim().is_empty() && !reply.has_image() {
        let why = match reply.finish {
            Finish::Length => "the length limit was reached before anything was said",
            _ => reply
                .finish_raw
                .as_deref()
                .unwrap_or("an answer without text and image"),
        };
        return failed(FailureKind::Empty, why);
    }
    let parts = match wants {
        Wants::Text if reply.text.trim().is_empty() => {
            return failed(FailureKind::Empty, "an image and no text");
        }
        Wants::Text => vec![MadePart::Text(reply.text.clone())],
        Wants::Image => match reply.parts.iter().find_map(image) {
            Some(image) => vec![image],
            None => return failed(FailureKind::NoImage, reply.text.trim()),
        },
        Wants::Mixed | Wants::Any => all(reply),
    };
    for part in &parts {
        let MadePart::Image { hash, .. } = part else {
            continue;
        };
        match blobs.check(hash) {
            Ok(()) => {}
            Err(BlobFault::Undecodable(why)) => return failed(FailureKind::Undecodable, &why),
            Err(BlobFault::Lost(why)) => return Err(Unread::Lost(why)),
        }
    }
    Ok(parts)
}

fn image(part: &ReplyPart) -> Option<MadePart> {
    match part {
        ReplyPart::Text(_) => None,
        ReplyPart::Image { hash, mime, bytes } => Some(MadePart::Image {
            hash: *hash,
            mime: mime.clone(),
            bytes: *bytes,
        }),
    }
}

fn all(reply: &Reply) -> Vec<MadePart> {
    if reply.parts.is_empty() {
        return vec![MadePart::Text(reply.text.clone())];
    }
    let parts = reply.parts.iter().map(|part| match part {
        ReplyPart::Text(text) => Some(MadePart::Text(text.clone())),
        other => image(other),
    });
    parts.flatten().collect()
}
