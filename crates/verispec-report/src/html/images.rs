//! Images on a page: linked by default, embedded when they are small and it is asked for.

use std::fs;
use std::path::{Component, Path, PathBuf};

use base64::Engine as _;
use serde::Serialize;
use verispec_media::sniff;

use super::names::encode;
use crate::text;

/// An image as a page shows it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ImageView {
    /// Address for the page; `None` when the file is not on disk or is no image.
    pub url: Option<String>,
    /// File name, for people.
    pub name: String,
    /// Why there is no picture.
    pub problem: Option<&'static str>,
}

/// Decides how images are shown and keeps count of embedded bytes.
#[derive(Debug)]
pub(crate) struct Images {
    /// Folder of the page, without symbolic links.
    folder: PathBuf,
    /// Embed files up to this size, bytes; `None` to link all.
    inline: Option<u64>,
    /// Bytes that may still be embedded on this page.
    left: u64,
}

impl Images {
    /// Images of a page in `folder`, which exists.
    pub(crate) fn new(folder: &Path, inline: Option<u64>, budget: u64) -> Self {
        Self {
            folder: fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()),
            inline,
            left: budget,
        }
    }

    /// The view of one file.
    pub(crate) fn view(&mut self, path: &Path) -> ImageView {
        let name = path
            .file_name()
            .map_or_else(|| text::path(path), |n| text::path(Path::new(n)));
        let Ok(real) = fs::canonicalize(path) else {
            return ImageView {
                url: None,
                name,
                problem: Some("not on disk"),
            };
        };
        ImageView {
            url: Some(self.embed(&real).unwrap_or_else(|| self.link(&real))),
            name,
            problem: None,
        }
    }

    /// A data address, if the file is an image that fits.
    fn embed(&mut self, path: &Path) -> Option<String> {
        let limit = self.inline?.min(self.left);
        if fs::metadata(path).ok()?.len() > limit {
            return None;
        }
        let bytes = fs::read(path).ok()?;
        let mime = sniff(&bytes)?.mime()?;
        self.left = self.left.saturating_sub(bytes.len() as u64);
        let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
        Some(format!("data:{mime};base64,{data}"))
    }

    /// An address relative to the page's folder; a `file:` address when there is no way there.
    fn link(&self, path: &Path) -> String {
        let parts = relative(path, &self.folder);
        parts.map_or_else(
            || format!("file:///{}", encode_path(path)),
            |parts| {
                let parts: Vec<String> = parts.iter().map(|p| encode(p)).collect();
                parts.join("/")
            },
        )
    }
}

fn encode_path(path: &Path) -> String {
    let parts: Vec<String> = path
        .components()
        .filter(|c| !matches!(c, Component::RootDir))
        .map(|c| encode(&c.as_os_str().to_string_lossy()))
        .collect();
    parts.join("/")
}

/// Parts of the way from a folder to a file, both absolute and without symbolic links.
fn relative(path: &Path, folder: &Path) -> Option<Vec<String>> {
    let to: Vec<Component> = path.components().collect();
    let from: Vec<Component> = folder.components().collect();
    let shared = to.iter().zip(&from).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return None;
    }
    let ups = from[shared..].iter().map(|_| Some("..".to_owned()));
    let downs = to[shared..]
        .iter()
        .map(|c| c.as_os_str().to_str().map(str::to_owned));
    ups.chain(downs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn addresses_are_relative_and_encoded() {
        let images = Images {
            folder: "/runs/r 1/report".into(),
            inline: None,
            left: 0,
        };
        assert_eq!(
            images.link(Path::new("/runs/out/a b#1.png")),
            "../../out/a%20b%231.png"
        );
        assert_eq!(
            images.link(Path::new("/runs/r 1/report/x:y.png")),
            "x%3Ay.png"
        );
    }

    #[test]
    fn embedding_keeps_to_its_budget_and_to_images() {
        let folder = tempfile::tempdir().unwrap();
        let png = b"\x89PNG\r\n\x1a\n-not-a-whole-picture-";
        let (image, page) = (folder.path().join("a.png"), folder.path().join("b.png"));
        fs::write(&image, png).unwrap();
        fs::write(&page, "<html></html>").unwrap();
        let budget = png.len() as u64 + 1;
        let mut images = Images::new(folder.path(), Some(100), budget);
        let url = |v: ImageView| v.url.unwrap();
        assert!(url(images.view(&image)).starts_with("data:image/png;base64,"));
        assert_eq!(url(images.view(&image)), "a.png", "the budget is used up");
        let mut images = Images::new(folder.path(), Some(100), 1000);
        assert_eq!(url(images.view(&page)), "b.png", "no image is not embedded");
        let gone = images.view(&folder.path().join("c.png"));
        assert_eq!((gone.url, gone.problem), (None, Some("not on disk")));
    }
}
