//! `verispec models …`

use anyhow::Context as _;

use crate::args::{Cli, ModelsCommand};
use crate::exit::Exit;
use crate::{connect, output};

pub(super) fn run(cli: &Cli, command: &ModelsCommand) -> anyhow::Result<Exit> {
    match command {
        ModelsCommand::Install { from, into } => {
            let into = into.clone().or_else(verispec_vision::default_weights_dir);
            let into = into.context("no data folder for this user; give --into DIR")?;
            let report = verispec_vision::install_weights(from, &into)?;
            if cli.json {
                let file = |f: &verispec_vision::InstalledFile| serde_json::json!({"path": f.path, "bytes": f.bytes, "sha256": f.sha256});
                let files: Vec<_> = report.files.iter().map(file).collect();
                output::json(&serde_json::json!({
                    "format": 1, "kind": "models-install", "folder": into, "files": files,
                }));
            } else {
                output::result(&report.to_string());
            }
        }
        ModelsCommand::Status => {
            let (dir, there) = (verispec_vision::default_weights_dir(), connect::weights());
            if cli.json {
                output::json(&serde_json::json!({
                    "format": 1, "kind": "models-status", "folder": dir, "installed": there.is_some(),
                    "embedder": embedder_dir().is_some(),
                }));
            } else {
                let dir = dir.map_or("no data folder".into(), |d| d.display().to_string());
                let state = if there.is_some() {
                    format!("installed ({dir})")
                } else {
                    format!(
                        "not installed ({dir}); to install them:\n  \
                         pip download --no-deps rapidocr==3.10.0\n  \
                         verispec models install --from rapidocr-3.10.0-py3-none-any.whl"
                    )
                };
                output::result(&format!("OCR weights of the builtin judge: {state}"));
                let embedder = match embedder_dir() {
                    Some(dir) => format!("installed ({})", dir.display()),
                    None => "not installed; see docs/specifications.md".to_owned(),
                };
                output::result(&format!("embedding model of specs merge: {embedder}"));
            }
        }
    }
    Ok(Exit::Ok)
}

/// Folder of the embedding model, if it is installed.
fn embedder_dir() -> Option<std::path::PathBuf> {
    verispec_vision::default_weights_dir().filter(|d| verispec_vision::embedder_installed(d))
}
