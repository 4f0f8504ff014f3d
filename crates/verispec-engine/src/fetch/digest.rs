//! Checksums as hubs give them.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use sha1::Sha1;
use sha2::{Digest as _, Sha256};

/// What a file's content has to hash to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Digest {
    /// SHA-256 of the content, as lower-case hexadecimal: files in large-file storage.
    Sha256(String),
    /// Git blob id, SHA-1 of `blob <length>\0` and the content, as lower-case hexadecimal.
    GitBlob(String),
}

impl Digest {
    /// SHA-256 from a listing, with or without its `sha256:`.
    pub(super) fn sha256(text: &str) -> Option<Self> {
        let text = text.strip_prefix("sha256:").unwrap_or(text);
        hex(text, 64).map(Self::Sha256)
    }

    /// Git blob id from a listing.
    pub(super) fn git_blob(text: &str) -> Option<Self> {
        hex(text, 40).map(Self::GitBlob)
    }

    /// `sha256:…` or `git-blob:…`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Sha256(hex) => format!("sha256:{hex}"),
            Self::GitBlob(hex) => format!("git-blob:{hex}"),
        }
    }

    /// Whether a file's content is the one meant. Reads the whole file.
    ///
    /// # Errors
    /// Of reading.
    pub fn matches(&self, path: &Path) -> io::Result<bool> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(match self {
            Self::Sha256(hex) => *hex == hash(file, Sha256::new())?,
            Self::GitBlob(hex) => {
                let mut state = Sha1::new();
                state.update(format!("blob {length}\0"));
                *hex == hash(file, state)?
            }
        })
    }
}

fn hash<D: sha2::Digest>(mut file: File, mut state: D) -> io::Result<String> {
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            n => state.update(&buffer[..n]),
        }
    }
    Ok(state.finalize().iter().fold(String::new(), |mut text, b| {
        let _ = write!(text, "{b:02x}");
        text
    }))
}

fn hex(text: &str, length: usize) -> Option<String> {
    let good = text.len() == length && text.bytes().all(|b| b.is_ascii_hexdigit());
    good.then(|| text.to_ascii_lowercase())
}
