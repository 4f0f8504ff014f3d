//! Protocol `specv-published`: the checkout's own judge templates, sent as the released scripts
//! send them, faults included.
//!
//! * One call per instance with the whole checklist, **expected answers in it**. The default
//!   protocols hide the answer key; this one reveals it because the release does.
//! * In `t2i`, `edit` and `many2one` placeholders are replaced one after the other, so a prompt
//!   that holds the checklist's placeholder has it replaced too.
//! * Image parts name the media profiles `specv-raw@1`, `specv-edit@1` and `specv-jpeg@1`, which
//!   treat images as the release does.
//! * Inputs that stop the released scripts fail their own instance here: a list where a text
//!   belongs, a null, a path that leaves the output's folder.
//!
//! ```text
//! Templates::load(checkout) ─┐
//! read_output(track, file) ──┴─> PublishedJob::new ─> one request, up to 3 times ─> readings
//! ```

mod error;
mod job;
mod parts;
mod python;
mod question;
mod response;
mod template;
mod track;

pub use error::PublishedError;
pub use job::{ATTEMPTS, PublishedJob, RETRY};
pub use parts::{HashFile, parts};
pub use response::{OutputPart, read_output};
pub use template::{Template, TemplateError, Templates};
pub use track::PublishedTrack;

use verispec_model::Params;

/// Name and version of the protocol, as in request keys.
pub const PROTOCOL: &str = "specv-published@1";

/// Judge parameters of the release: temperature 0.1 and nothing else.
#[must_use]
pub fn published_params() -> Params {
    Params::from([("temperature".to_owned(), serde_json::json!(0.1))])
}

/// Name of the protocol as tables show it.
///
/// `encoder` is the JPEG encoder of the build ([`verispec_media::ENCODER`]). Only libjpeg-turbo
/// gives the bytes that the release sends; with another one the tracks that encode images again
/// are named after it, without its version: `specv-published+jpeg-encoder`.
#[must_use]
pub fn protocol_name(track: PublishedTrack, encoder: &str) -> String {
    if !track.re_encodes() || encoder.starts_with("turbojpeg") {
        return "specv-published".to_owned();
    }
    let name = encoder.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    format!("specv-published+{}", name.trim_end_matches('-'))
}

/// [`protocol_name`] with the protocol's version, as requests and manifests have it: replies to
/// images of another encoder are not taken for replies to the release's.
#[must_use]
pub fn versioned_name(track: PublishedTrack, encoder: &str) -> String {
    let version = PROTOCOL.trim_start_matches("specv-published");
    protocol_name(track, encoder) + version
}
