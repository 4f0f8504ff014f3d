//! Takes files out of responses before these are recorded.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use verispec_media::{Format, Mime, sniff};
use verispec_model::{ApiErrorKind, Reply, Request};
use verispec_providers::command::{COMMAND, take_files};
use verispec_providers::{FileReference, take_out};

use super::{Attempted, BoxFuture, Failure, Transport};
use crate::ledger::{LedgerError, Raw, decode, store_blob};

/// Largest file that a program may hand over, in bytes.
const LARGEST: u64 = 64 << 20;

/// Folder, inside a run directory, that programs may write their files into.
pub const INCOMING_DIR: &str = "incoming";

/// A transport for models that make files: what a response holds as base64, or names as a file, is
/// stored in the run's blob folder and stands in the response as a reference. The file is on the
/// disk before the response is recorded.
pub struct KeepFiles {
    inner: Arc<dyn Transport>,
    run_dir: PathBuf,
}

impl KeepFiles {
    /// Keeps the files of `inner`'s responses in a run directory.
    #[must_use]
    pub fn new(inner: Arc<dyn Transport>, run_dir: &Path) -> Self {
        Self {
            inner,
            // Programs name absolute paths, which are told from one another by their start.
            run_dir: std::path::absolute(run_dir).unwrap_or_else(|_| run_dir.to_owned()),
        }
    }

    async fn attempt(&self, request: &Request) -> Attempted {
        let mut attempted = self.inner.send(request).await;
        let Some(raw) = attempted
            .raw
            .take_if(|raw| may_hold_files(raw, &attempted.result))
        else {
            return attempted;
        };
        let (dir, body) = (self.run_dir.clone(), raw.body.clone());
        let is_program = &*raw.dialect == COMMAND;
        let kept = tokio::task::spawn_blocking(move || match is_program {
            true => from_program(&dir, &body),
            false => take_out(&body, &mut |bytes| store(&dir, &bytes)).map_err(Refused::Disk),
        });
        let kept = kept
            .await
            .unwrap_or_else(|e| Err(Refused::Crash(e.to_string())));
        match kept {
            Ok(None) => attempted.raw = Some(raw),
            Ok(Some(body)) => {
                let raw = Raw {
                    body: Bytes::from(body),
                    ..raw
                };
                let decoded = decode(&raw.dialect, &raw.response());
                attempted.result = decoded.map_err(|error| Failure::Api {
                    error,
                    retry_after: None,
                });
                attempted.raw = Some(raw);
            }
            Err(refused) => {
                attempted.result = Err(refused.failure());
                attempted.raw = Some(raw).filter(|_| matches!(refused, Refused::File(_)));
            }
        }
        attempted
    }
}

impl Transport for KeepFiles {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Attempted> {
        Box::pin(self.attempt(request))
    }
}

/// Whether a response is one to look into. The line of a program that names files is refused where
/// none are expected, and looked at again here.
fn may_hold_files(raw: &Raw, read: &Result<Reply, Failure>) -> bool {
    match read {
        Ok(_) => true,
        Err(Failure::Api { error, .. }) => {
            &*raw.dialect == COMMAND && error.kind == ApiErrorKind::BadRequest
        }
        Err(_) => false,
    }
}

/// Why a file was not taken over.
#[derive(Debug)]
enum Refused {
    /// The run's own folder cannot be written: no request can be kept.
    Disk(LedgerError),
    /// The file that a program named is no use.
    File(String),
    /// A fault of ours.
    Crash(String),
}

impl Refused {
    fn failure(&self) -> Failure {
        match self {
            Self::Disk(error) => Failure::Config(error.to_string()),
            Self::File(message) => Failure::api(ApiErrorKind::Malformed, 0, message.clone()),
            Self::Crash(message) => Failure::Unsendable(message.clone()),
        }
    }
}

fn store(run_dir: &Path, bytes: &[u8]) -> Result<FileReference, LedgerError> {
    let mime = sniff(bytes).and_then(Format::mime);
    let row = store_blob(
        run_dir,
        bytes,
        mime.map_or("application/octet-stream", Mime::as_str),
    )?;
    Ok(FileReference {
        hash: row.hash,
        mime: row.mime,
        bytes: row.bytes,
    })
}

/// Files in the folder that the program was given are moved, all others are copied.
fn from_program(run_dir: &Path, line: &[u8]) -> Result<Option<Vec<u8>>, Refused> {
    // Without links and `..`: only what really lies there is the program's to give away.
    let incoming = run_dir.join(INCOMING_DIR).canonicalize().ok();
    let mut moved = vec![];
    let kept = take_files(line, &mut |path| {
        let path = Path::new(path);
        let fail = |why: String| {
            let shown = path.display();
            Refused::File(format!(
                "the reply names a file that cannot be used: {shown}: {why}"
            ))
        };
        let metadata = std::fs::metadata(path).map_err(|e| fail(e.to_string()))?;
        if !metadata.is_file() || metadata.len() > LARGEST {
            return Err(fail(format!("no file of at most {LARGEST} bytes")));
        }
        let bytes = std::fs::read(path).map_err(|e| fail(e.to_string()))?;
        let real = path.canonicalize().map_err(|e| fail(e.to_string()))?;
        if incoming.as_ref().is_some_and(|dir| real.starts_with(dir)) {
            moved.push(real);
        }
        store(run_dir, &bytes).map_err(Refused::Disk)
    })?;
    for path in moved {
        // What is left behind costs room and nothing else.
        let _ = std::fs::remove_file(path);
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_in_the_programs_folder_is_moved() {
        let dir = tempfile::tempdir().unwrap();
        let run = dir.path().join("run");
        let incoming = run.join(INCOMING_DIR);
        std::fs::create_dir_all(&incoming).unwrap();
        let line =
            |path: &Path| serde_json::json!({"id": "1", "parts": [{"image": path}]}).to_string();
        let own = dir.path().join("photo.png");
        for (named, stays) in [
            (incoming.join("made.png"), false),
            (incoming.join("../../photo.png"), true),
            (own.clone(), true),
        ] {
            std::fs::write(&named, "bytes").unwrap();
            assert!(
                from_program(&run, line(&named).as_bytes())
                    .unwrap()
                    .is_some()
            );
            assert_eq!(named.is_file(), stays, "{}", named.display());
        }
        // Through a link to the run's folder, as where /tmp is one.
        #[cfg(unix)]
        {
            let link = dir.path().join("link");
            std::os::unix::fs::symlink(&run, &link).unwrap();
            let named = incoming.join("made.png");
            std::fs::write(&named, "bytes").unwrap();
            from_program(&link, line(&named).as_bytes()).unwrap();
            assert!(!named.is_file());
        }
    }
}
