//! What can go wrong on the way from a hub to a folder.

use std::io;
use std::path::{Path, PathBuf};

/// A failure that ends the whole command. What was downloaded stays and is continued next time.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The hub's address cannot be used.
    #[error(
        "address of the hub {endpoint:?}: {reason}; set HF_ENDPOINT to one like https://hub.example"
    )]
    Endpoint {
        /// As given, without user, password and query.
        endpoint: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The token cannot stand in a header.
    #[error("HF_TOKEN holds characters that no header can carry")]
    Token,
    /// The token would be readable on the way.
    #[error("HF_TOKEN is not sent to {0}, which is not encrypted; use https or unset the token")]
    InsecureToken(String),
    /// The repository's name is not `owner/name`.
    #[error("repository {0:?}: expected OWNER/NAME")]
    Repo(String),
    /// The HTTP client could not be made.
    #[error("HTTP client: {0}")]
    Client(String),
    /// The hub wants to know who asks, or does not let this one in.
    #[error("{repo}: the hub answers {status}{}; {}", said(message), access_advice(*had_token, *gated))]
    NoAccess {
        /// Repository.
        repo: String,
        /// HTTP status, 401 or 403.
        status: u16,
        /// Whether a token was sent.
        had_token: bool,
        /// Whether the hub says that the repository's terms have to be accepted first.
        gated: bool,
        /// The hub's own words; may be empty.
        message: String,
    },
    /// No such repository or revision.
    #[error(
        "{repo}: no such repository or revision {revision:?}{}; check --repo-id and --revision",
        said(message)
    )]
    NotFound {
        /// Repository.
        repo: String,
        /// Revision as asked for.
        revision: String,
        /// The hub's own words; may be empty.
        message: String,
    },
    /// The hub cannot be reached or answers with errors, also after repetitions.
    #[error("{what}: {reason}")]
    Hub {
        /// What was asked for.
        what: String,
        /// What came.
        reason: String,
    },
    /// The hub's listing is not one.
    #[error("listing of {repo}: {reason}")]
    Listing {
        /// Repository.
        repo: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The repository holds a path that leaves the folder. Nothing was downloaded.
    #[error("{repo} lists {path:?}, which would be written outside the folder: {reason}")]
    UnsafePath {
        /// Repository.
        repo: String,
        /// Path as listed.
        path: String,
        /// Why it is refused.
        reason: String,
    },
    /// No room for a file.
    #[error("{}: the disk is full; make room, then the same command continues", path.display())]
    DiskFull {
        /// File.
        path: PathBuf,
    },
    /// The folder cannot be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// Another fetch works in this folder.
    #[error("another fetch is at work in {}; wait for it or choose another folder", .0.display())]
    Busy(PathBuf),
}

impl FetchError {
    /// An error of the file system at `path`; a full disk is told apart.
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            _ => Self::Io { path, source },
        }
    }
}

/// A file that was not had; the others were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFailure {
    /// Path in the repository.
    pub path: String,
    /// Why.
    pub reason: String,
    /// Whether the same command may succeed later.
    pub transient: bool,
}

fn said(message: &str) -> String {
    match message {
        "" => String::new(),
        message => format!(" ({message})"),
    }
}

fn access_advice(had_token: bool, gated: bool) -> &'static str {
    match (had_token, gated) {
        (false, true) => {
            "accept the repository's terms on its page, then set HF_TOKEN to a token of that account"
        }
        (true, true) => "the account of HF_TOKEN has to accept the repository's terms on its page",
        (false, false) => {
            "the repository does not exist, is private or is gated: check its name, or set HF_TOKEN"
        }
        (true, false) => {
            "HF_TOKEN is wrong or has no access to this repository (or it does not exist)"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c02_a_full_disk_is_told_apart_and_says_how_to_go_on() {
        let full = |kind| FetchError::io(Path::new("x.png"), io::Error::from(kind));
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
            let error = full(kind);
            assert!(matches!(error, FetchError::DiskFull { .. }), "{error}");
            assert!(error.to_string().contains("the same command continues"));
        }
        let other = full(io::ErrorKind::PermissionDenied);
        assert!(matches!(other, FetchError::Io { .. }), "{other}");
    }
}
