//! Files of a data hub: listed, chosen, downloaded, checked.
//!
//! ```text
//! Hub::list ──> Listing (commit, entries) ──Selection──> chosen ──fetch──> files below a folder
//! ```
//!
//! Speaks the public HTTP interface of the Hugging Face hub: `/api/{datasets,models}/ID/revision`
//! and `/tree` with pages by `Link`, `/resolve` with redirects. The rest of this crate never
//! follows a redirect; here it has to, so the token goes to the hub's own origin and nowhere else.
//!
//! A file takes its place by a rename, after its size and checksum (SHA-256 of a large file, the
//! git blob id of a small one) were found right; until then it lies in [`WORK_DIR`], where a later
//! call continues it. A file that is already there is left as it is: the right one is skipped,
//! another one is reported and kept unless [`FetchOptions::replace`] is set.

mod digest;
mod download;
mod error;
mod hub;
mod listing;
mod run;
mod select;
mod store;

pub use digest::Digest;
pub use error::{FetchError, FileFailure};
pub use hub::{DEFAULT_ENDPOINT, Hub, RepoKind};
pub use listing::{Entry, Listing};
pub use run::{FetchEvent, FetchOptions, Fetched, fetch};
pub use select::Selection;
pub use store::WORK_DIR;
