//! A checkout with templates of our own wording, for tests that need no released file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use verispec_model::{Hash, Instance, Part, Specification, YesNo};
use verispec_suites::specv::published::{
    OutputPart, PublishedError, PublishedTrack, Templates, parts,
};

/// Checklist file of [`instance`]; `answer key` stands for its expected answers.
pub(crate) const CHECKLIST: &str = "\n[{\"id\": 1, \"expected_answer\": \"Yes\"}]\n\n";

/// Text of a template: our words around the placeholders of the track.
pub(crate) fn template_text(track: PublishedTrack) -> String {
    let mut text = format!(" judge {}:\n", track.name());
    for (i, slot) in track.placeholders().iter().enumerate() {
        text += &format!("<{i}>{slot}</{i}>\n");
    }
    text
}

/// A folder that holds the six templates.
pub(crate) fn checkout() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for track in PublishedTrack::ALL {
        write_template(dir.path(), track, &template_text(track));
    }
    dir
}

pub(crate) fn write_template(root: &Path, track: PublishedTrack, text: &str) {
    let folder = root.join("eval").join(track.name());
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("eval_prompt.txt"), text).unwrap();
}

pub(crate) fn templates() -> Templates {
    Templates::load(checkout().path()).unwrap()
}

/// An instance with `references` images named `1.png`, `2.png`, …
pub(crate) fn instance(track: &str, prompt: &str, references: usize) -> Instance {
    Instance {
        track: track.to_owned(),
        dimension: "d".to_owned(),
        id: "x_001".to_owned(),
        prompt: prompt.to_owned(),
        references: (1..=references)
            .map(|i| PathBuf::from(format!("{i}.png")))
            .collect(),
        specifications: (1..=2).map(|id| Arc::new(specification(id))).collect(),
        source_text: Arc::from(CHECKLIST),
    }
}

fn specification(id: u32) -> Specification {
    Specification {
        id,
        question: format!("is it so ({id})?"),
        category: String::new(),
        subcategory: String::new(),
        expected: YesNo::Yes,
        rating: None,
        rules: verispec_model::SpecRules::default(),
        record: Default::default(),
    }
}

/// Hash of the path's text: no file is needed.
pub(crate) fn by_name(path: &Path) -> Result<Hash, String> {
    Ok(Hash::of(path.as_os_str().as_encoded_bytes()))
}

pub(crate) fn image(name: &str) -> Vec<OutputPart> {
    vec![OutputPart::Image(PathBuf::from(name).into())]
}

pub(crate) fn said(text: &str) -> Vec<OutputPart> {
    vec![OutputPart::Text(text.into())]
}

/// Parts as lines: texts as they are, images as `<NAME>`.
pub(crate) fn shown(parts: &[Part]) -> Vec<String> {
    let show = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Image(image) => format!("<{}>", image.path.display()),
    };
    parts.iter().map(show).collect()
}

/// Parts of an instance with the templates of [`checkout`], as lines.
pub(crate) fn lines(
    instance: &Instance,
    output: &[OutputPart],
) -> Result<Vec<String>, PublishedError> {
    parts(&templates(), instance, output, &by_name).map(|parts| shown(&parts))
}
