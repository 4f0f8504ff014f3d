//! Images on their way to a judge: what they are, how they are treated, and that nothing hostile
//! or broken gets through unnoticed.
//!
//! ```text
//! file ── HashCache ──> source hash ─┐
//!                                    ├─> request key (no pixel is touched)
//! profile name ──────────────────────┘
//! ImagePart ── MediaCache ──> Encoded { mime, bytes } ── Base64Chunks ──> wire
//! ```
//!
//! * [`sniff`] tells a format by its first bytes, never by its name.
//! * [`probe`] reads the header, checks sizes before anything is decoded, and finds truncation.
//! * A [`Profile`] is a named, versioned treatment; its id is part of every request key.
//! * [`MediaCache`] makes each (source, profile) once per run within a bound of memory.
//! * [`safe_join`] keeps paths found in data inside their folder.

mod base64;
mod cache;
mod error;
mod format;
mod hash_cache;
mod jpeg;
mod ladder;
mod limits;
mod marked;
mod original;
mod pixels;
mod probe;
mod profile;
mod published;
mod resize;
mod safe_path;
mod spill;
mod thumbnail;

pub use base64::{Base64Chunks, base64_len};
pub use cache::{CacheStats, MediaCache, MediaCacheOptions};
pub use error::{MediaError, MediaErrorKind};
pub use format::{Format, Mime, mime_by_extension, sniff};
pub use hash_cache::HashCache;
pub use jpeg::{ENCODER, encode_jpeg};
pub use limits::Limits;
pub use marked::{CutOut, PixelBox, View};
pub use original::PNG_ENCODER;
pub use pixels::verify;
pub use probe::{ImageInfo, probe, probe_bytes};
pub use profile::{Encoded, Profile, encode};
pub use published::rgb_as_pillow;
pub use resize::resize_lanczos;
pub use safe_path::safe_join;
pub use thumbnail::thumbnail;
