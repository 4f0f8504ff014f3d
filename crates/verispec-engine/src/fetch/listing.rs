//! The files of a repository at one commit.

use std::collections::HashSet;

use reqwest::Url;
use serde::Deserialize;

use super::digest::Digest;
use super::error::FetchError;
use super::hub::{Hub, RepoKind};

/// Pages that are followed; far more than any repository has.
const MOST_PAGES: usize = 10_000;

/// A file of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Path in the repository, with `/`.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Checksum; `None` where the hub gives none, then the size alone is checked.
    pub digest: Option<Digest>,
}

/// All files of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Kind of the repository.
    pub kind: RepoKind,
    /// `owner/name`.
    pub repo: String,
    /// Commit that the revision stood for. Files are taken from it, so that a push in the middle
    /// changes nothing.
    pub commit: String,
    /// Files in the hub's order.
    pub entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Revision {
    sha: String,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "type")]
    kind: String,
    path: String,
    #[serde(default)]
    size: u64,
    oid: Option<String>,
    lfs: Option<Lfs>,
}

#[derive(Deserialize)]
struct Lfs {
    oid: Option<String>,
    size: Option<u64>,
}

impl Hub {
    /// Lists a repository at a revision (branch, tag or commit).
    ///
    /// # Errors
    /// No access, no such repository or revision, an unreachable hub, or an answer that is no
    /// listing.
    pub async fn list(
        &self,
        kind: RepoKind,
        repo: &str,
        revision: &str,
    ) -> Result<Listing, FetchError> {
        super::hub::check_repo(repo)?;
        let broken = |reason: String| FetchError::Listing {
            repo: repo.to_owned(),
            reason,
        };
        let url = self.address(&["api", kind.plural()], repo, &["revision", revision], &[])?;
        let (text, _) = self.text(url, repo, revision).await?;
        let Revision { sha: commit } =
            serde_json::from_str(&text).map_err(|e| broken(format!("no commit: {e}")))?;
        let tree = self.address(
            &["api", kind.plural()],
            repo,
            &["tree", &commit],
            &[("recursive", "true")],
        )?;
        let (mut next, mut seen, mut entries) = (Some(tree), HashSet::new(), vec![]);
        while let Some(url) = next {
            if seen.len() >= MOST_PAGES || !seen.insert(url.to_string()) {
                return Err(broken("its pages never end".to_owned()));
            }
            let (text, link) = self.text(url.clone(), repo, revision).await?;
            let items: Vec<Item> =
                serde_json::from_str(&text).map_err(|e| broken(e.to_string()))?;
            entries.extend(items.into_iter().filter(|i| i.kind == "file").map(entry));
            next = link
                .and_then(|link| next_page(&link))
                .map(|n| self.page(&url, &n))
                .transpose()
                .map_err(broken)?;
        }
        Ok(Listing {
            kind,
            repo: repo.to_owned(),
            commit,
            entries,
        })
    }

    /// The next page, which has to be the hub's.
    fn page(&self, current: &Url, next: &str) -> Result<Url, String> {
        let url = current
            .join(next)
            .map_err(|e| format!("address of its next page: {e}"))?;
        match self.owns(&url) {
            true => Ok(url),
            false => Err("its next page is on another host".to_owned()),
        }
    }
}

fn entry(item: Item) -> Entry {
    let (size, digest) = match &item.lfs {
        Some(lfs) => (
            lfs.size.unwrap_or(item.size),
            lfs.oid.as_deref().and_then(Digest::sha256),
        ),
        None => (item.size, item.oid.as_deref().and_then(Digest::git_blob)),
    };
    Entry {
        path: item.path,
        size,
        digest,
    }
}

/// The address marked `rel="next"` in a `Link` header (RFC 8288).
fn next_page(link: &str) -> Option<String> {
    link.split(',').find_map(|part| {
        let (address, params) = part.trim().strip_prefix('<')?.split_once('>')?;
        let next = params.split(';').map(str::trim).any(|p| {
            p.strip_prefix("rel=")
                .is_some_and(|v| v.trim_matches('"') == "next")
        });
        next.then(|| address.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_found_among_links() {
        for (link, expected) in [
            (
                "<https://h/a?cursor=x>; rel=\"next\"",
                Some("https://h/a?cursor=x"),
            ),
            (
                "</a>; rel=\"prev\", </b>; title=\"x\"; rel=next",
                Some("/b"),
            ),
            ("</a>; rel=\"prev\"", None),
            ("nonsense", None),
            ("", None),
        ] {
            assert_eq!(next_page(link).as_deref(), expected, "{link}");
        }
    }

    #[test]
    fn large_files_have_the_size_and_checksum_of_their_content() {
        let sha = "ab".repeat(32);
        let text = format!(
            r#"{{"type":"file","path":"a.png","size":130,"oid":"{}","lfs":{{"oid":"{sha}","size":9,"pointerSize":130}}}}"#,
            "0".repeat(40)
        );
        let large = entry(serde_json::from_str(&text).unwrap());
        assert_eq!((large.size, large.digest), (9, Some(Digest::Sha256(sha))));
        let odd = r#"{"type":"file","path":"a","size":1,"oid":"xyz"}"#;
        assert_eq!(entry(serde_json::from_str(odd).unwrap()).digest, None);
    }
}
