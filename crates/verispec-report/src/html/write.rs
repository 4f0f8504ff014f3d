//! Templates to bytes to files.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::images::Images;
use super::pages::{chapters, index, list, part};
use crate::error::ReportError;
use crate::input::ReportInput;

const STYLE: &str = include_str!("templates/style.css");
const SCRIPT: &str = include_str!("templates/script.js");
const TEMPLATES: [(&str, &str); 4] = [
    ("base.html", include_str!("templates/base.html")),
    ("macros.html", include_str!("templates/macros.html")),
    ("index.html", include_str!("templates/index.html")),
    ("part.html", include_str!("templates/part.html")),
];

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HtmlOptions {
    /// Embed images into the page, so that it can be sent as one file: those up to
    /// [`inline_image`](Self::inline_image) bytes until [`inline_page`](Self::inline_page) bytes
    /// of a page are used; larger ones are linked.
    pub inline: bool,
    /// Largest image that is embedded, bytes.
    pub inline_image: u64,
    /// Most image bytes embedded in one page.
    pub inline_page: u64,
    /// Most instances (times models) on the first page; with more, each model and track has a
    /// page of its own.
    pub page_instances: usize,
}

impl Default for HtmlOptions {
    fn default() -> Self {
        Self {
            inline: false,
            inline_image: 512 * 1024,
            inline_page: 20 * 1024 * 1024,
            page_instances: 300,
        }
    }
}

/// Writes `index.html` into a folder, and one page a model and track when there are many
/// instances. Returns the files written, the first page first.
///
/// The folder is made if need be. Each file is complete or absent: it is written beside its
/// place and moved there. Other files in the folder are left alone.
///
/// # Errors
/// A file cannot be written.
pub fn write_report(
    input: &ReportInput<'_>,
    folder: &Path,
    options: &HtmlOptions,
) -> Result<Vec<PathBuf>, ReportError> {
    fs::create_dir_all(folder).map_err(|source| ReportError::Io {
        action: "cannot make folder",
        path: folder.to_owned(),
        source,
    })?;
    let engine = engine()?;
    let inline = options.inline.then_some(options.inline_image);
    let images = || Images::new(folder, inline, options.inline_page);
    let chapters = chapters(&input.instances);
    let split = input.instances.len() > options.page_instances;
    let all = (!split).then(|| {
        let views: Vec<_> = input.instances.iter().collect();
        list(&views, &mut images())
    });
    let first = index(input, &chapters, all);
    let mut written = vec![page(&engine, "index.html", &first, folder, "index.html")?];
    if split {
        for chapter in &chapters {
            let view = part(input, chapter, &chapters, &mut images());
            written.push(page(&engine, "part.html", &view, folder, &chapter.file)?);
        }
    }
    Ok(written)
}

fn engine() -> Result<Environment<'static>, ReportError> {
    let mut engine = Environment::new();
    engine.set_undefined_behavior(UndefinedBehavior::Strict);
    engine.set_auto_escape_callback(|_| AutoEscape::Html);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()
        .map_err(|source| ReportError::Template {
            page: "syntax".to_owned(),
            source,
        })?;
    engine.set_syntax(syntax);
    for (name, source) in TEMPLATES {
        engine
            .add_template(name, source)
            .map_err(|source| ReportError::Template {
                page: name.to_owned(),
                source,
            })?;
    }
    // Our own files, the only text that is not escaped.
    engine.add_global("style", Value::from_safe_string(STYLE.to_owned()));
    engine.add_global("script", Value::from_safe_string(SCRIPT.to_owned()));
    engine.add_global("policy", Value::from(policy()));
    Ok(engine)
}

/// Content security policy: nothing but our own style and script, and images.
fn policy() -> String {
    let hash = |text: &str| {
        let digest = Sha256::digest(text.as_bytes());
        base64::engine::general_purpose::STANDARD.encode(digest)
    };
    format!(
        "default-src 'none'; img-src 'self' file: data:; style-src 'sha256-{}'; \
         script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

fn page<T: Serialize>(
    engine: &Environment<'_>,
    template: &str,
    view: &T,
    folder: &Path,
    file: &str,
) -> Result<PathBuf, ReportError> {
    let html = engine
        .get_template(template)
        .and_then(|t| t.render(Value::from(Serde(view))))
        .map_err(|source| ReportError::Template {
            page: file.to_owned(),
            source,
        })?;
    let path = folder.join(file);
    let draft = folder.join(format!(".{file}.draft"));
    let io = |action, path: &Path| {
        let path = path.to_owned();
        move |source| ReportError::Io {
            action,
            path,
            source,
        }
    };
    fs::write(&draft, html).map_err(io("cannot write", &draft))?;
    fs::rename(&draft, &path).map_err(io("cannot write", &path))?;
    Ok(path)
}
