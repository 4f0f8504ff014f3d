//! A prompt with its images as parts.

use std::path::{Path, PathBuf};

use super::HashFile;
use crate::chain::Input;

/// A piece of a prompt: a text, or the number of an image from 1.
#[derive(Debug, PartialEq, Eq)]
enum Piece<'a> {
    Text(&'a str),
    Image(usize),
}

/// Cuts a prompt at `[IMAGEn]`.
fn cut(prompt: &str) -> Vec<Piece<'_>> {
    let mut pieces = vec![];
    let mut rest = prompt;
    let mut text = prompt;
    while let Some(at) = rest.find("[IMAGE") {
        let after = &rest[at + "[IMAGE".len()..];
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = after[..digits].parse();
        match (number, after[digits..].strip_prefix(']')) {
            (Ok(number), Some(behind)) => {
                let from = prompt.len() - text.len();
                let to = prompt.len() - rest.len() + at;
                if to > from {
                    pieces.push(Piece::Text(&prompt[from..to]));
                }
                pieces.push(Piece::Image(number));
                (rest, text) = (behind, behind);
            }
            _ => rest = after,
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    pieces
}

/// The prompt with each image where it names it; images that it does not name stand before it, in
/// order.
///
/// # Errors
/// An image that cannot be read, or a number without an image.
pub(super) fn with_images(
    prompt: &str,
    references: &[PathBuf],
    hash: HashFile<'_>,
) -> Result<Vec<Input>, String> {
    // Without references a placeholder is text like any other.
    let pieces = match references {
        [] => vec![Piece::Text(prompt)],
        _ => cut(prompt),
    };
    let named: Vec<usize> = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Image(n) => Some(*n),
            Piece::Text(_) => None,
        })
        .collect();
    let unnamed = (1..=references.len()).filter(|n| !named.contains(n));
    let before: Vec<Piece<'_>> = unnamed.map(Piece::Image).collect();
    before
        .into_iter()
        .chain(pieces)
        .map(|piece| match piece {
            Piece::Text(text) => Ok(Input::Text(text.to_owned())),
            Piece::Image(n) => {
                let path = n.checked_sub(1).and_then(|n| references.get(n));
                let count = references.len();
                let path = path.ok_or_else(|| {
                    format!("the prompt shows [IMAGE{n}], and there are {count} images")
                })?;
                image(path, hash)
            }
        })
        .collect()
}

/// An image file as input.
pub(super) fn image(path: &Path, hash: HashFile<'_>) -> Result<Input, String> {
    Ok(Input::Image {
        hash: hash(path)?,
        path: path.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use verispec_model::Hash;

    use super::*;

    fn shown(prompt: &str, images: usize) -> Result<String, String> {
        let references: Vec<PathBuf> = (1..=images)
            .map(|n| PathBuf::from(format!("{n}")))
            .collect();
        let inputs = with_images(prompt, &references, &|p| {
            Ok(Hash::of(p.as_os_str().as_encoded_bytes()))
        })?;
        let show = |input: &Input| match input {
            Input::Text(text) => format!("{text:?}"),
            Input::Image { path, .. } => format!("<{}>", path.display()),
            Input::Made(n) => format!("made {n}"),
        };
        Ok(inputs.iter().map(show).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn images_stand_where_a_prompt_names_them_else_before_it() {
        assert_eq!(
            shown("a [IMAGE1] b [IMAGE2]", 2).unwrap(),
            r#""a " <1> " b " <2>"#
        );
        assert_eq!(shown("make it red", 2).unwrap(), r#"<1> <2> "make it red""#);
        assert_eq!(shown("x [IMAGE2]", 2).unwrap(), r#"<1> "x " <2>"#);
        assert_eq!(shown("[IMAGE1][IMAGE1]", 1).unwrap(), "<1> <1>");
        assert_eq!(
            shown("[IMAGE 1] [image1] [IMAGE] x", 0).unwrap(),
            r#""[IMAGE 1] [image1] [IMAGE] x""#
        );
        assert_eq!(
            shown("a [IMAGE b [IMAGE1] c", 1).unwrap(),
            r#""a [IMAGE b " <1> " c""#
        );
        assert_eq!(shown("[IMAGE1]", 0).unwrap(), r#""[IMAGE1]""#);
        assert!(shown("[IMAGE3]", 2).unwrap_err().contains("[IMAGE3]"));
        assert!(shown("[IMAGE0]", 2).is_err());
    }
}
