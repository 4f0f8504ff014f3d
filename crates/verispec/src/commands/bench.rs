//! `verispec bench …`

use std::path::{Path, PathBuf};

use verispec_vision::{Builtin, easy_vqa, photos};

use crate::args::{BenchCommand, Cli};
use crate::exit::Exit;
use crate::{connect, output};

pub(super) fn run(cli: &Cli, command: &BenchCommand) -> anyhow::Result<Exit> {
    let builtin = Builtin::new(connect::weights().as_deref())?;
    let report = match command {
        BenchCommand::EasyVqa { from } => easy_vqa::evaluate(from, &builtin)?,
        BenchCommand::Photos { from } => {
            let from: Vec<&Path> = from.iter().map(PathBuf::as_path).collect();
            photos::evaluate(&from, &builtin)?
        }
    };
    if cli.json {
        let body = serde_json::to_value(&report)?;
        output::json(&serde_json::json!({"format": 1, "kind": "bench", "report": body}));
    } else {
        output::result(&report.to_string());
    }
    Ok(Exit::Ok)
}
