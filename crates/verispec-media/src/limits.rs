//! Bounds that are checked before anything is read whole or decoded.

/// What is refused outright.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most pixels (width times height) of an image that is decoded. The default is the bound at
    /// which Pillow raises its decompression-bomb error, 2 x 89,478,485.
    pub max_pixels: u64,
    /// Largest file that is read, in bytes.
    pub max_file_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_pixels: 178_956_970,
            max_file_bytes: 256 * 1024 * 1024,
        }
    }
}

impl Limits {
    /// Whether an image of this size may be decoded.
    #[must_use]
    pub const fn allows(&self, width: u32, height: u32) -> bool {
        width as u64 * height as u64 <= self.max_pixels
    }
}
