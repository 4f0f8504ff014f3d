//! A checkout with outputs, laid out as a user would have it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::json;

use crate::photo::{self, Kind};
use crate::source::{Instance, Source, TRACKS};

/// Different pictures; all further files differ by their text chunk alone.
const PICTURES: u64 = 24;

/// How large the images are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// Photo-like, 1024x1024.
    Photo,
    /// 8x8.
    Tiny,
}

/// Files to take images from. Each is a file of its own with a hash of its own.
#[derive(Debug)]
pub(crate) struct Pool {
    dir: PathBuf,
    pictures: Vec<Vec<u8>>,
    size: Size,
}

impl Pool {
    /// A pool in a folder, which may hold some files already.
    pub(crate) fn open(work: &Path, size: Size) -> anyhow::Result<Self> {
        let name = match size {
            Size::Photo => "pool-photo",
            Size::Tiny => "pool-tiny",
        };
        let dir = work.join(name);
        fs::create_dir_all(&dir)?;
        let pictures = match size {
            Size::Photo => (0..PICTURES)
                .map(|seed| photo::draw(Kind::Photo, seed))
                .collect::<anyhow::Result<_>>()?,
            Size::Tiny => vec![photo::tiny()?],
        };
        Ok(Self {
            dir,
            pictures,
            size,
        })
    }

    /// Puts a file of this name at a path. Equal names are equal files; a large one is stored
    /// once and linked.
    fn put(&self, name: &str, number: usize, path: &Path) -> anyhow::Result<()> {
        let picture = &self.pictures[number % self.pictures.len()];
        if self.size == Size::Tiny {
            return Ok(fs::write(path, photo::with_text(picture, name)?)?);
        }
        let stored = self.dir.join(format!("{name}.png"));
        if !stored.is_file() {
            let draft = self.dir.join("draft");
            fs::write(&draft, photo::with_text(picture, name)?)?;
            fs::rename(&draft, &stored)?;
        }
        fs::hard_link(&stored, path).with_context(|| path.display().to_string())
    }
}

/// Images that an output of a track holds.
pub(crate) const fn images_per_output(track: &str) -> usize {
    match track.as_bytes() {
        b"understanding" => 0,
        b"interleave" => 3,
        b"think_with_img" => 2,
        _ => 1,
    }
}

/// Makes a checkout in `root` with `items` outputs of each given track, filled model by model.
/// The text of all tracks is there, as it always is.
///
/// Names of models are `m000`, `m001` and so on.
pub(crate) fn lay_out(
    root: &Path,
    source: &Source,
    tracks: &[&str],
    items: usize,
    pool: &Pool,
) -> anyhow::Result<()> {
    for track in TRACKS {
        copy_text(&source.root, root, track)?;
    }
    for track in tracks {
        let instances = source.instances(track);
        inputs(root, track, instances, pool)?;
        for item in 0..items {
            let model = format!("m{:03}", item / instances.len());
            let instance = &instances[item % instances.len()];
            let dir = root.join("model_outputs").join(track).join(model);
            if item.is_multiple_of(instances.len()) {
                fs::create_dir_all(&dir)?;
            }
            output(&dir, track, &instance.id, item, pool)?;
        }
    }
    Ok(())
}

/// Models that so many items of a track make.
pub(crate) fn models(source: &Source, track: &str, items: usize) -> Vec<String> {
    let per_model = source.instances(track).len();
    (0..items.div_ceil(per_model))
        .map(|m| format!("m{m:03}"))
        .collect()
}

/// Tasks, checklists, templates and, where the source has it, SpecV's code. Copied: the code
/// follows links to where it really is and would work there.
fn copy_text(from: &Path, to: &Path, track: &str) -> anyhow::Result<()> {
    for part in ["eval_data", "eval_checklist", "eval"] {
        copy_files(&from.join(part).join(track), &to.join(part).join(track))?;
    }
    Ok(())
}

fn copy_files(from: &Path, to: &Path) -> anyhow::Result<()> {
    const TEXT: [&str; 4] = ["json", "jsonl", "txt", "py"];
    fs::create_dir_all(to)?;
    for path in crate::source::sorted(from)? {
        let Some(name) = path.file_name() else {
            continue;
        };
        if path.is_dir() {
            // Images of a full checkout are replaced by ours.
            if !name.to_string_lossy().contains("images") && name != "results" {
                copy_files(&path, &to.join(name))?;
            }
        } else if path
            .extension()
            .is_some_and(|e| TEXT.iter().any(|t| e == *t))
        {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

fn inputs(root: &Path, track: &str, instances: &[Instance], pool: &Pool) -> anyhow::Result<()> {
    let base = root.join("eval_data").join(track);
    for (number, input) in instances.iter().flat_map(|i| &i.inputs).enumerate() {
        let path = base.join(input);
        if path.is_file() {
            continue;
        }
        fs::create_dir_all(path.parent().context("an image has a folder")?)?;
        pool.put(&format!("input-{track}-{number}"), number, &path)?;
    }
    Ok(())
}

fn output(dir: &Path, track: &str, id: &str, item: usize, pool: &Pool) -> anyhow::Result<()> {
    let images = images_per_output(track);
    // Tracks are judged apart from one another, so they can share large files.
    let of = if pool.size == Size::Tiny { track } else { "" };
    let name = |k: usize| format!("output{of}-{:05}", item * images + k);
    match track {
        "understanding" => {
            let answer = format!("The chart shows it in line {item}. ").repeat(40);
            let text = json!({ "response": answer }).to_string();
            fs::write(dir.join(format!("{id}.json")), text)?;
        }
        "interleave" | "think_with_img" => {
            let dir = dir.join(id);
            fs::create_dir_all(&dir)?;
            let mut content = vec![];
            for k in 0..images {
                let file = format!("step_{k}.png");
                content
                    .push(json!({"type": "text", "text": "Then comes the next part. ".repeat(8)}));
                content.push(json!({"type": "image", "image": file}));
                pool.put(&name(k), item * images + k, &dir.join(file))?;
            }
            fs::write(
                dir.join("response.json"),
                json!({ "content": content }).to_string(),
            )?;
        }
        _ => pool.put(&name(0), item, &dir.join(format!("{id}.png")))?,
    }
    Ok(())
}
