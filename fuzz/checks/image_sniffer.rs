//! Bytes that call themselves an image: sniffed, probed, decoded and encoded by each profile.

use std::path::Path;

use bytes::Bytes;
use verispec_media::{Limits, Profile, encode, probe_bytes, rgb_as_pillow, sniff};

/// Small, so that decoding what a header promises stays quick.
const LIMITS: Limits = Limits {
    max_pixels: 1 << 16,
    max_file_bytes: 1 << 20,
};

/// Panics where the code breaks what `docs/fuzzing.md` says it holds.
pub(crate) fn check(data: &[u8]) {
    let format = sniff(data);
    let probed = probe_bytes(data, &LIMITS);
    if let Ok(info) = &probed {
        assert_eq!(Some(info.format), format);
        assert!(info.width > 0 && info.height > 0 && info.frames > 0);
        assert!(LIMITS.allows(info.width, info.height));
        assert!((1..=8).contains(&info.orientation));
    }
    let (path, bytes) = (Path::new("x.png"), Bytes::copy_from_slice(data));
    if let Ok(sent) = encode(Profile::Original, path, bytes, &LIMITS) {
        assert!(probed.is_ok(), "what is sent was probed whole");
        assert!(
            probe_bytes(&sent.bytes, &Limits::default()).is_ok(),
            "what is sent can be read"
        );
    }
    if let Ok(pixels) = rgb_as_pillow(data, &LIMITS) {
        assert!(LIMITS.allows(pixels.width(), pixels.height()));
    }
}
