//! Images on a page: linked where the page can reach them, else thumbnails, copied beside the page
//! or embedded.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use base64::Engine as _;
use serde::Serialize;
use verispec_media::{Limits, thumbnail};
use verispec_model::Hash;

use super::names::encode;
use crate::error::ReportError;
use crate::text;

/// Folder of copied thumbnails, below the folder of data files.
pub(crate) const FOLDER: &str = "images";

/// Why an image that is there has no picture in a single page.
const LEFT_OUT: &str = "left out for size";

/// An image as a page shows it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ImageView {
    /// Address for the page; `None` when there is no picture to show.
    pub url: Option<String>,
    /// File name, for people.
    pub name: String,
    /// Why there is no picture, or that it is a smaller one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<&'static str>,
}

/// What is done with an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ImageMode {
    /// Linked by a relative address where image and page lie in this folder, else a thumbnail is
    /// copied. `None` copies all.
    Link {
        /// Folder that is kept or moved as a whole, without symbolic links.
        root: Option<PathBuf>,
        /// Folder that thumbnails are copied to, and its address for the page.
        copies: (PathBuf, String),
    },
    /// Thumbnails in the page itself, as long as there is room.
    Embed {
        /// Bytes that may still be used, as base64.
        room: usize,
    },
    /// Left out.
    Omit,
}

/// Shows images and keeps count of what was left out.
#[derive(Debug)]
pub(crate) struct Images {
    /// Folder of the page, without symbolic links.
    folder: PathBuf,
    mode: ImageMode,
    /// Longest side of a thumbnail, pixels.
    side: u32,
    known: HashMap<PathBuf, ImageView>,
    /// Images that are there.
    pub found: usize,
    /// Images that are there and were left out for want of room.
    pub omitted: usize,
}

impl Images {
    /// Images of a page in `folder`, which exists.
    pub(crate) fn new(folder: &Path, mode: ImageMode, side: u32) -> Self {
        Self {
            folder: fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()),
            mode,
            side,
            known: HashMap::new(),
            found: 0,
            omitted: 0,
        }
    }

    /// The view of one file.
    pub(crate) fn view(&mut self, path: &Path) -> Result<ImageView, ReportError> {
        // In a single page every mention takes room of its own.
        let linked = matches!(self.mode, ImageMode::Link { .. });
        if let Some(known) = self.known.get(path).filter(|_| linked) {
            return Ok(known.clone());
        }
        let view = self.look(path)?;
        self.known.insert(path.to_owned(), view.clone());
        Ok(view)
    }

    /// Some of the images seen, evenly spread over their names.
    pub(crate) fn sample(&self, most: usize) -> Vec<PathBuf> {
        let left_out = |v: &&(&PathBuf, &ImageView)| v.1.problem == Some(LEFT_OUT);
        let mut paths: Vec<(&PathBuf, &ImageView)> = self.known.iter().collect();
        paths.sort_by(|a, b| a.0.cmp(b.0));
        let paths: Vec<&PathBuf> = paths.iter().filter(left_out).map(|(p, _)| *p).collect();
        let step = paths.len().div_ceil(most.max(1)).max(1);
        paths.into_iter().step_by(step).cloned().collect()
    }

    fn look(&mut self, path: &Path) -> Result<ImageView, ReportError> {
        let name = path
            .file_name()
            .map_or_else(|| text::path(path), |n| text::path(Path::new(n)));
        let view = |url, problem| ImageView { url, name, problem };
        let Ok(real) = fs::canonicalize(path) else {
            return Ok(view(None, Some("not on disk")));
        };
        self.found += 1;
        let (root, copies) = match &self.mode {
            ImageMode::Omit => {
                self.omitted += 1;
                return Ok(view(None, Some(LEFT_OUT)));
            }
            ImageMode::Embed { room } => {
                let room = *room;
                return Ok(self.embed(&real, room, view));
            }
            ImageMode::Link { root, copies } => (root.clone(), copies.clone()),
        };
        let near = root.is_some_and(|r| real.starts_with(&r) && self.folder.starts_with(&r));
        if let (true, Some(link)) = (near, self.link(&real)) {
            return Ok(view(Some(link), None));
        }
        let Ok(small) = thumbnail(&real, self.side, &Limits::default()) else {
            return Ok(view(None, Some("cannot be decoded")));
        };
        let file = format!("{}.jpg", &Hash::of(&small).to_string()[..24]);
        save(&copies.0, &file, &small)?;
        let url = format!("{}/{file}", copies.1);
        Ok(view(Some(url), Some("thumbnail")))
    }

    /// A thumbnail as a data address, if there is room.
    fn embed(
        &mut self,
        path: &Path,
        room: usize,
        view: impl FnOnce(Option<String>, Option<&'static str>) -> ImageView,
    ) -> ImageView {
        let Ok(small) = thumbnail(path, self.side, &Limits::default()) else {
            return view(None, Some("cannot be decoded"));
        };
        let used = embedded_len(small.len());
        if used > room {
            self.omitted += 1;
            return view(None, Some(LEFT_OUT));
        }
        self.mode = ImageMode::Embed { room: room - used };
        let data = base64::engine::general_purpose::STANDARD.encode(&small);
        let url = format!("data:image/jpeg;base64,{data}");
        view(Some(url), Some("thumbnail"))
    }

    /// An address relative to the page's folder.
    fn link(&self, path: &Path) -> Option<String> {
        let parts: Vec<String> = relative(path, &self.folder)?
            .iter()
            .map(|p| encode(p))
            .collect();
        Some(parts.join("/"))
    }
}

/// Bytes that a thumbnail takes in a single page: it is base64 inside a compressed block that is
/// base64 itself; compression takes back no more than the first of the two.
pub(crate) const fn embedded_len(bytes: usize) -> usize {
    bytes * 7 / 5 + 100
}

fn save(folder: &Path, file: &str, bytes: &[u8]) -> Result<(), ReportError> {
    let io = |action, path: &Path| {
        let path = path.to_owned();
        move |source| ReportError::Io {
            action,
            path,
            source,
        }
    };
    let path = folder.join(file);
    // Named by content: what is there is the same.
    if path.is_file() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(io("cannot make folder", folder))?;
    fs::write(&path, bytes).map_err(io("cannot write", &path))
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

    fn link(root: Option<&Path>, copies: &Path) -> ImageMode {
        ImageMode::Link {
            root: root.map(|r| r.canonicalize().unwrap()),
            copies: (copies.to_owned(), "data/images".into()),
        }
    }

    fn picture(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        image::RgbImage::from_pixel(600, 300, image::Rgb([9, 80, 200]))
            .save(path)
            .unwrap();
    }

    #[test]
    fn images_in_the_same_tree_are_linked_and_others_copied_small() {
        let folder = tempfile::tempdir().unwrap();
        let (tree, page) = (folder.path().join("tree"), folder.path().join("tree/r 1"));
        fs::create_dir_all(&page).unwrap();
        let (inside, outside) = (tree.join("out/a b#1.png"), folder.path().join("x.png"));
        picture(&inside);
        picture(&outside);
        let copies = page.join("data/images");
        let mut images = Images::new(&page, link(Some(&tree), &copies), 128);
        let url = |v: ImageView| v.url.unwrap();
        assert_eq!(url(images.view(&inside).unwrap()), "../out/a%20b%231.png");
        let copied = images.view(&outside).unwrap();
        assert_eq!(copied.problem, Some("thumbnail"));
        let file = page.join(copied.url.unwrap());
        let small = image::open(file).unwrap();
        assert_eq!((small.width(), small.height()), (128, 64));
        let mut all = Images::new(&page, link(None, &copies), 128);
        assert!(url(all.view(&inside).unwrap()).starts_with("data/images/"));
        let gone = all.view(&tree.join("c.png")).unwrap();
        assert_eq!((gone.url, gone.problem), (None, Some("not on disk")));
    }

    #[test]
    fn embedding_keeps_to_its_room_and_to_images() {
        let folder = tempfile::tempdir().unwrap();
        let (image, text) = (folder.path().join("a.png"), folder.path().join("b.png"));
        picture(&image);
        fs::write(&text, "<html></html>").unwrap();
        let with = |room| Images::new(folder.path(), ImageMode::Embed { room }, 64);
        let mut images = with(10_000);
        let url = images.view(&image).unwrap().url.unwrap();
        assert!(url.starts_with("data:image/jpeg;base64,"));
        let broken = images.view(&text).unwrap();
        assert_eq!(
            (broken.url, broken.problem),
            (None, Some("cannot be decoded"))
        );
        let mut full = with(10);
        assert_eq!(full.view(&image).unwrap().url, None);
        assert_eq!((full.found, full.omitted), (1, 1));
    }
}
