//! Outputs as files, in the layout that the suite's readers look for.

mod write;
mod xtc;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::blobs::Blobs;
use crate::job::GenerateJob;
use crate::made::{Made, MadePart, State};
use crate::plan::Layout;
use crate::status::{self, Before};
use write::{Content, Files};

/// A tree that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// A file cannot be read or written.
    #[error("cannot write {path}: {source}", path = path.display())]
    Io {
        /// File.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file is there that generate did not make.
    #[error(
        "{path} is there already and is no output of this run; choose another --out",
        path = path.display()
    )]
    Foreign {
        /// File.
        path: PathBuf,
    },
    /// A name in the suite's data leads out of the tree.
    #[error("{name:?} cannot be a file of the tree: {why}")]
    Name {
        /// Path as made from the data.
        name: String,
        /// Why not.
        why: String,
    },
}

impl TreeError {
    fn io(path: &Path) -> impl Fn(std::io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io {
            path: path.clone(),
            source,
        }
    }
}

/// A folder of outputs.
///
/// With one replicate the outputs lie in the folder itself; with several, each replicate has a
/// whole tree of its own, `replicate-<k>/`, so that each can be judged like any folder of outputs.
pub struct Tree {
    root: PathBuf,
    model: String,
    replicates: u32,
    blobs: Arc<dyn Blobs>,
}

impl Tree {
    /// A tree at `root`, which is made when something is written.
    #[must_use]
    pub fn new(root: &Path, model: &str, replicates: u32, blobs: Arc<dyn Blobs>) -> Self {
        Self {
            root: root.to_owned(),
            model: model.to_owned(),
            replicates,
            blobs,
        }
    }

    /// Folder of a replicate's outputs.
    #[must_use]
    pub fn folder(&self, replicate: u32) -> PathBuf {
        match self.replicates {
            0 | 1 => self.root.clone(),
            _ => self.root.join(format!("replicate-{replicate}")),
        }
    }

    /// Writes what a job made, and its status. Files that say the same already are left alone, so
    /// writing twice changes nothing. Files that an earlier status of this model names are replaced,
    /// and removed where they are no longer what the model made; all others stay as they are. Where
    /// a call is pending, what was made from the same request stays.
    ///
    /// # Errors
    /// [`TreeError`]; what was written before stays.
    pub fn write(&self, job: &GenerateJob, made: &Made) -> Result<(), TreeError> {
        let before = self.before(job)?;
        let folder = self.folder(job.replicate);
        let files = Files::new(&folder).owning(&before.files);
        let mut written = vec![];
        if job.task.stages.len() > 1
            && let (Some(layout), Some(stage)) = (&job.task.middle, made.stages.first())
        {
            self.put(&files, layout, &stage.parts, &mut written)?;
        }
        let last = match made.state {
            State::Generated => made.stages.last().map(|stage| &stage.parts[..]),
            State::Failed(..) => Some(&[][..]),
            State::Pending(..) | State::Data(_) => None,
        };
        if let Some(parts) = last {
            self.put(&files, &job.task.output, parts, &mut written)?;
        }
        // A true middle step may be one that was made here.
        let given = job.task.middle.as_ref().filter(|_| job.task.oracle);
        let holds = before.holds_for(made);
        for name in &before.files {
            if written.contains(name) {
                continue;
            }
            if holds || given.is_some_and(|layout| layout.has(name)) {
                written.push(name.clone());
            } else {
                files.remove(name)?;
            }
        }
        let kept: Vec<&String> = before.requests().filter(|_| holds).collect();
        let document = status::document(job, made, &self.model, (&written, &kept));
        let text = format!("{document:#}\n");
        let status_path = status::path(job, self.replicates);
        Files::new(&self.root).replace(&status_path, &Content::Text(&text))
    }

    /// What the job's status file said before. Another model's holds no claim to any file; if it
    /// names one where this job's would be, the tree is another model's.
    fn before(&self, job: &GenerateJob) -> Result<Before, TreeError> {
        let own = Files::new(&self.root);
        let name = status::path(job, self.replicates);
        let Some(text) = own.read(&name)? else {
            return Ok(Before::default());
        };
        let foreign = || {
            Err(TreeError::Foreign {
                path: own.path(&name)?,
            })
        };
        let Some(before) = Before::parse(&text) else {
            return foreign();
        };
        if before.model == self.model {
            return Ok(before);
        }
        let task = &job.task;
        let layouts = || task.middle.iter().chain([&task.output]);
        if before.files.iter().any(|f| layouts().any(|l| l.has(f))) {
            return foreign();
        }
        Ok(Before::default())
    }

    fn put(
        &self,
        files: &Files<'_>,
        layout: &Layout,
        parts: &[MadePart],
        written: &mut Vec<String>,
    ) -> Result<(), TreeError> {
        let mut write = |name: String, content: &Content<'_>| {
            files.write(&name, content)?;
            written.push(name);
            Ok(())
        };
        match layout {
            Layout::Line => Ok(()),
            Layout::Image(stem) => parts.iter().find_map(image).map_or(Ok(()), |(hash, mime)| {
                let source = self.blobs.path(hash);
                write(
                    format!("{stem}.{}", extension(mime)),
                    &Content::File(&source),
                )
            }),
            Layout::Text(name) => match parts.first() {
                Some(MadePart::Text(text)) => write(name.clone(), &Content::Text(text)),
                _ => Ok(()),
            },
            Layout::Response(name) => {
                let response = serde_json::json!({"response": texts(parts)});
                write(name.clone(), &Content::Text(&format!("{response:#}\n")))
            }
            Layout::Interleaved(folder) => self.interleaved(folder, parts, &mut write),
            Layout::Parts(stem) => self.each(stem, parts, &mut write),
        }
    }

    /// The images first: `response.json` names only files that are there.
    fn interleaved(
        &self,
        folder: &str,
        parts: &[MadePart],
        write: &mut dyn FnMut(String, &Content<'_>) -> Result<(), TreeError>,
    ) -> Result<(), TreeError> {
        let (mut content, mut images) = (vec![], 0);
        for part in parts {
            match part {
                MadePart::Text(text) => {
                    content.push(serde_json::json!({"type": "text", "text": text}));
                }
                MadePart::Image { hash, mime, .. } => {
                    images += 1;
                    let name = format!("image_{images}.{}", extension(mime));
                    let source = self.blobs.path(hash);
                    write(format!("{folder}/{name}"), &Content::File(&source))?;
                    content.push(serde_json::json!({"type": "image", "image": name}));
                }
            }
        }
        let response = serde_json::json!({"content": content});
        write(
            format!("{folder}/response.json"),
            &Content::Text(&format!("{response:#}\n")),
        )
    }

    fn each(
        &self,
        stem: &str,
        parts: &[MadePart],
        write: &mut dyn FnMut(String, &Content<'_>) -> Result<(), TreeError>,
    ) -> Result<(), TreeError> {
        let several = parts.len() > 1;
        for (n, part) in parts.iter().enumerate() {
            let stem = match several {
                true => format!("{stem}/{:02}", n + 1),
                false => stem.to_owned(),
            };
            match part {
                MadePart::Text(text) => write(format!("{stem}.txt"), &Content::Text(text))?,
                MadePart::Image { hash, mime, .. } => {
                    let source = self.blobs.path(hash);
                    write(
                        format!("{stem}.{}", extension(mime)),
                        &Content::File(&source),
                    )?;
                }
            }
        }
        Ok(())
    }
}

fn image(part: &MadePart) -> Option<(&verispec_model::Hash, &str)> {
    match part {
        MadePart::Text(_) => None,
        MadePart::Image { hash, mime, .. } => Some((hash, mime)),
    }
}

fn texts(parts: &[MadePart]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        MadePart::Text(text) => Some(text.as_str()),
        MadePart::Image { .. } => None,
    });
    texts.collect()
}

/// Extension of a media type, as the suites' readers know it.
fn extension(mime: &str) -> &str {
    match mime {
        "image/jpeg" => "jpg",
        "image/webp" => "webp",
        "image/gif" => "gif",
        "image/bmp" => "bmp",
        _ => "png",
    }
}
