//! Templates and data to bytes to files.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use sha2::{Digest as _, Sha256};

use super::data::{Chunks, Pack, Tasks, Verdicts, Words, safe_json};
use super::images::{FOLDER, ImageMode, Images, embedded_len};
use super::page::{Page, index, page};
use crate::error::ReportError;
use crate::input::ReportInput;
use crate::number::{bytes, count, plural};

const STYLE: &str = concat!(
    include_str!("templates/style/base.css"),
    include_str!("templates/style/sections.css"),
    include_str!("templates/style/instances.css"),
);
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("templates/script/dom.js"),
    include_str!("templates/script/data.js"),
    include_str!("templates/script/filter.js"),
    include_str!("templates/script/list.js"),
    include_str!("templates/script/detail.js"),
    include_str!("templates/script/page.js"),
    "})();\n",
);
const TEMPLATES: [(&str, &str); 3] = [
    ("index.html", include_str!("templates/index.html")),
    ("judge.html", include_str!("templates/judge.html")),
    ("macros.html", include_str!("templates/macros.html")),
];

/// Folder of data files beside the page.
const DATA: &str = "report.data";

/// Largest single page, bytes.
pub const SINGLE_LIMIT: usize = 20_000_000;

/// Longest sides of thumbnails in a single page that are tried, pixels.
const SIDES: [u32; 3] = [512, 320, 192];
/// Images by which the size of all is judged.
const SAMPLE: usize = 48;

/// How a report is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HtmlOptions {
    /// Folder that is kept or moved as a whole: images inside are linked by relative addresses
    /// when the page is inside as well. Thumbnails of all others are copied beside the page.
    pub root: Option<PathBuf>,
    /// Longest side of a copied thumbnail, pixels.
    pub thumbnail: u32,
    /// Largest single page, bytes.
    pub single_limit: usize,
}

impl Default for HtmlOptions {
    fn default() -> Self {
        Self {
            root: None,
            thumbnail: 768,
            single_limit: SINGLE_LIMIT,
        }
    }
}

/// Writes `index.html` and `report.data/` into a folder. Returns the files written, the page
/// first; thumbnails are not listed.
///
/// The folder is made if need be. The page is complete or absent: it is written last, beside its
/// place, and moved there. Data files of an earlier, larger report are removed; other files in the
/// folder are left alone.
///
/// # Errors
/// A file cannot be written.
pub fn write_report(
    input: &ReportInput<'_>,
    folder: &Path,
    options: &HtmlOptions,
) -> Result<Vec<PathBuf>, ReportError> {
    let data = folder.join(DATA);
    fs::create_dir_all(&data).map_err(io("cannot make folder", &data))?;
    let tasks = Tasks::of(input);
    let mode = ImageMode::Link {
        root: options.root.as_ref().and_then(|r| fs::canonicalize(r).ok()),
        copies: (data.join(FOLDER), format!("{DATA}/{FOLDER}")),
    };
    let mut images = Images::new(folder, mode, options.thumbnail);
    let mut files = vec![];
    let mut save = |name: &str, json: &str| {
        let path = data.join(format!("{name}.js"));
        files.push(path.clone());
        replace(&path, Pack::script(name, json).body.as_bytes())
    };
    let mut chunks = Chunks::new(&tasks, input.outputs, &mut images, Words::All);
    let mut number = 0;
    while let Some(json) = chunks.next()? {
        save(&chunk_name(number), &json)?;
        number += 1;
    }
    let chunk_of = std::mem::take(&mut chunks.chunk_of);
    save("tasks", &safe_json(&tasks.json(&chunk_of))?)?;
    save("verdicts", &safe_json(&Verdicts::of(&tasks).json(&tasks))?)?;
    remove_older(&data, number)?;
    let view = page(input, &tasks, safe_json(&index(input, &tasks, false))?);
    let path = folder.join("index.html");
    replace(&path, render(&view)?.as_bytes())?;
    files.insert(0, path);
    Ok(files)
}

/// Writes the whole report as one file of less than [`HtmlOptions::single_limit`] bytes. Images
/// are thumbnails as long as there is room; what is left out is said on the page.
///
/// # Errors
/// The file cannot be written; verdicts and texts alone are larger than the limit.
pub fn write_single(
    input: &ReportInput<'_>,
    file: &Path,
    options: &HtmlOptions,
) -> Result<PathBuf, ReportError> {
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder).map_err(io("cannot make folder", folder))?;
    let tasks = Tasks::of(input);
    let mut view = page(input, &tasks, safe_json(&index(input, &tasks, true))?);
    let frame = render(&view)?.len();
    let fixed = vec![Pack::deflated(
        "verdicts",
        &safe_json(&Verdicts::of(&tasks).json(&tasks))?,
    )?];
    let limit = options.single_limit;
    let mut smallest = 0;
    for words in [Words::All, Words::Unmet, Words::None] {
        let mut images = Images::new(folder, ImageMode::Omit, 1);
        let bare = pack(input, &tasks, &mut images, words)?;
        // Room for the lines that say what was left out.
        let size = frame + 1000 + length(&fixed) + length(&bare);
        smallest = size;
        if size >= limit {
            continue;
        }
        let (packs, omitted) =
            illustrate(input, &tasks, words, folder, (bare, images), limit - size)?;
        view.omissions = omissions(words, omitted, limit);
        view.packs = fixed.into_iter().chain(packs).collect();
        replace(file, render(&view)?.as_bytes())?;
        return Ok(file.to_owned());
    }
    Err(ReportError::TooLarge {
        size: bytes(smallest as u64),
        limit: bytes(limit as u64),
    })
}

/// Tasks and instances, compressed.
fn pack(
    input: &ReportInput<'_>,
    tasks: &Tasks<'_>,
    images: &mut Images,
    words: Words,
) -> Result<Vec<Pack>, ReportError> {
    let mut chunks = Chunks::new(tasks, input.outputs, images, words);
    let mut packs = vec![];
    while let Some(json) = chunks.next()? {
        packs.push(Pack::deflated(&chunk_name(packs.len()), &json)?);
    }
    let json = safe_json(&tasks.json(&chunks.chunk_of))?;
    packs.push(Pack::deflated("tasks", &json)?);
    Ok(packs)
}

/// Puts in as many images as there is room for. Returns the packs, and how many images of how many
/// were left out.
fn illustrate(
    input: &ReportInput<'_>,
    tasks: &Tasks<'_>,
    words: Words,
    folder: &Path,
    (bare, seen): (Vec<Pack>, Images),
    room: usize,
) -> Result<(Vec<Pack>, (usize, usize)), ReportError> {
    let all = seen.found;
    if all == 0 {
        return Ok((bare, (0, 0)));
    }
    let sample = seen.sample(SAMPLE);
    let fits = |side: &&u32| {
        let sizes = sample.iter().filter_map(|p| {
            let small = verispec_media::thumbnail(p, **side, &verispec_media::Limits::default());
            small.ok().map(|s| embedded_len(s.len()))
        });
        let sizes: Vec<usize> = sizes.collect();
        sizes.iter().sum::<usize>() * all / sizes.len().max(1) <= room
    };
    let Some(side) = SIDES.iter().find(fits) else {
        return Ok((bare, (all, all)));
    };
    let mut images = Images::new(folder, ImageMode::Embed { room }, *side);
    let packs = pack(input, tasks, &mut images, words)?;
    Ok((packs, (images.omitted, all)))
}

fn omissions(words: Words, (omitted, all): (usize, usize), limit: usize) -> Vec<String> {
    let limit = format!("a single page stays below {} MB", limit / 1_000_000);
    let mut lines = vec![];
    match words {
        Words::All => {}
        Words::Unmet => lines.push(format!(
            "Judges' words on specifications that are met are left out: {limit}."
        )),
        Words::None => lines.push(format!("Judges' words are left out: {limit}.")),
    }
    if omitted > 0 {
        lines.push(format!(
            "{} of {} left out: {limit}. A report written as a folder shows them.",
            count(omitted),
            plural(all, "image is", "images are")
        ));
    }
    lines
}

fn length(packs: &[Pack]) -> usize {
    // The tag around a block is shorter than this.
    packs.iter().map(|p| p.body.len() + 100).sum()
}

fn chunk_name(number: usize) -> String {
    format!("instances-{:03}", number + 1)
}

/// Removes chunks of an earlier report that had more of them.
fn remove_older(data: &Path, from: usize) -> Result<(), ReportError> {
    for number in from.. {
        let path = data.join(format!("{}.js", chunk_name(number)));
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => break,
            Err(source) => return Err(io("cannot remove", &path)(source)),
        }
    }
    Ok(())
}

fn engine() -> Result<Environment<'static>, ReportError> {
    let mut engine = Environment::new();
    engine.set_undefined_behavior(UndefinedBehavior::Strict);
    engine.set_auto_escape_callback(|_| AutoEscape::Html);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()
        .map_err(failed("syntax"))?;
    engine.set_syntax(syntax);
    for (name, source) in TEMPLATES {
        engine.add_template(name, source).map_err(failed(name))?;
    }
    // Our own files, beside pictures and safe JSON the only text that is not escaped.
    engine.add_global("style", Value::from_safe_string(STYLE.to_owned()));
    engine.add_global("script", Value::from_safe_string(SCRIPT.to_owned()));
    Ok(engine)
}

fn render(view: &Page) -> Result<String, ReportError> {
    let mut engine = engine()?;
    engine.add_global("policy", Value::from(policy(view.packs.is_empty())));
    engine
        .get_template("index.html")
        .and_then(|t| t.render(Value::from(Serde(view))))
        .map_err(failed("index.html"))
}

fn failed(page: &str) -> impl Fn(minijinja::Error) -> ReportError {
    let page = page.to_owned();
    move |source| ReportError::Template {
        page: page.clone(),
        source,
    }
}

/// Content security policy: nothing but our own style and script, data files beside the page where
/// there are some, and images.
fn policy(files: bool) -> String {
    let files = if files { " 'self' file:" } else { "" };
    format!(
        "default-src 'none'; img-src 'self' file: data:; style-src 'sha256-{}'; \
         script-src 'sha256-{}'{files}; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(SCRIPT)
    )
}

/// SHA-256 of a text as content security policies name it.
pub(crate) fn digest(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    base64::engine::general_purpose::STANDARD.encode(digest)
}

/// Writes a file whole or not at all.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<(), ReportError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let draft = path.with_file_name(format!(".{name}.draft"));
    fs::write(&draft, content).map_err(io("cannot write", &draft))?;
    fs::rename(&draft, path).map_err(io("cannot write", path))
}

pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> ReportError {
    let path = path.to_owned();
    move |source| ReportError::Io {
        action,
        path,
        source,
    }
}
