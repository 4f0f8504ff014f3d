//! A review set: items in order, with their images.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use verispec_media::HashCache;

use super::ReviewError;
use super::images::{Image, Images};
use super::item::{Item, ItemRow, OutputRow, Shown};

/// Items in the order in which they are reviewed.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewSet {
    name: String,
    items: Vec<Item>,
    places: HashMap<String, usize>,
    images: Vec<Image>,
}

impl ReviewSet {
    /// Reads a set: JSON Lines, an [`ItemRow`] each. Images are relative to its folder and may not
    /// leave it; those whose hash is not known yet are read.
    ///
    /// # Errors
    /// [`ReviewError::Io`]; [`ReviewError::Line`] with the first fault.
    pub fn read(path: &Path, hashes: &HashCache) -> Result<Self, ReviewError> {
        let text = fs::read_to_string(path).map_err(ReviewError::io("read", path))?;
        let line = |line, fault| ReviewError::Line {
            path: path.to_owned(),
            line,
            fault,
        };
        let lines = text.trim_start_matches('\u{FEFF}').lines().zip(1..);
        let mut rows = vec![];
        for (text, number) in lines.filter(|(l, _)| !l.trim().is_empty()) {
            let row: ItemRow =
                serde_json::from_str(text).map_err(|e| line(number, e.to_string()))?;
            rows.push((number, row));
        }
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let images = Images::new(Some(folder), hashes);
        Self::build(&name, rows, images, |number, _, fault| line(number, fault))
    }

    /// A set made in memory; images are wherever its maker says.
    ///
    /// # Errors
    /// [`ReviewError::Item`]; [`ReviewError::Empty`].
    pub fn new(name: &str, rows: Vec<ItemRow>, hashes: &HashCache) -> Result<Self, ReviewError> {
        let rows = rows.into_iter().map(|r| (0, r)).collect();
        let images = Images::new(None, hashes);
        Self::build(name, rows, images, |_, id, fault| ReviewError::Item {
            id: id.to_owned(),
            fault,
        })
    }

    fn build(
        name: &str,
        rows: Vec<(usize, ItemRow)>,
        mut images: Images<'_>,
        wrong: impl Fn(usize, &str, String) -> ReviewError,
    ) -> Result<Self, ReviewError> {
        if rows.is_empty() {
            return Err(ReviewError::Empty);
        }
        let mut places = HashMap::new();
        let mut items = vec![];
        for (line, row) in rows {
            let id = row.id.clone();
            if let Some(fault) = row.fault() {
                return Err(wrong(line, &id, fault));
            }
            if places.insert(id.clone(), items.len()).is_some() {
                return Err(wrong(line, &id, format!("id {id:?} stands here twice")));
            }
            let item = item(row, &mut images).map_err(|fault| wrong(line, &id, fault))?;
            items.push(item);
        }
        Ok(Self {
            name: name.to_owned(),
            items,
            places,
            images: images.list,
        })
    }

    /// Its name, for people.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All items.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// An item by its name.
    #[must_use]
    pub fn item(&self, id: &str) -> Option<&Item> {
        self.items.get(self.place(id)?)
    }

    /// Place of an item, from 0.
    #[must_use]
    pub fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// Images that may be shown.
    pub(crate) fn images(&self) -> &[Image] {
        &self.images
    }
}

fn item(row: ItemRow, images: &mut Images<'_>) -> Result<Item, String> {
    let mut references = vec![];
    for path in &row.references {
        references.push(images.add(path)?);
    }
    let mut output = vec![];
    for piece in &row.output {
        match piece {
            OutputRow { image: Some(p), .. } => output.push(Shown::Image(images.add(p)?)),
            OutputRow { text: Some(t), .. } => output.push(Shown::Text(t.clone())),
            OutputRow { .. } => {}
        }
    }
    let version = version(&row, &references, &output, &images.list);
    Ok(Item {
        row,
        version,
        references,
        output,
    })
}

/// Hash of what a person sees and decides about. Sources, ratings and remarks may be added
/// without making a decision stale; a changed image may not.
fn version(row: &ItemRow, references: &[usize], output: &[Shown], images: &[Image]) -> String {
    let hash = |i: &usize| images[*i].hash.clone();
    let references: Vec<String> = references.iter().map(hash).collect();
    let output: Vec<[String; 2]> = output
        .iter()
        .map(|piece| match piece {
            Shown::Text(text) => ["text".to_owned(), text.clone()],
            Shown::Image(i) => ["image".to_owned(), hash(i)],
        })
        .collect();
    let seen = serde_json::json!([
        row.kind,
        row.prompt,
        references,
        output,
        row.question,
        row.expected,
        row.gold,
        row.answer,
        row.scale
    ]);
    blake3::hash(seen.to_string().as_bytes()).to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests;
