//! `verispec bench …`

use std::path::{Path, PathBuf};

use verispec_vision::{easy_vqa, objects, photos};

use crate::args::{BenchCommand, Cli};
use crate::exit::Exit;
use crate::{connect, output};

pub(super) fn run(cli: &Cli, command: &BenchCommand) -> anyhow::Result<Exit> {
    let builtin = connect::builtin()?;
    let report = match command {
        BenchCommand::EasyVqa { from } => easy_vqa::evaluate(from, &builtin)?,
        BenchCommand::Photos { from } => photos::evaluate(&paths(from), &builtin)?,
        BenchCommand::Objects { from } => objects::evaluate(&paths(from), &builtin)?,
    };
    if cli.json {
        let body = serde_json::to_value(&report)?;
        output::json(&serde_json::json!({"format": 1, "kind": "bench", "report": body}));
    } else {
        output::result(&report.to_string());
    }
    Ok(Exit::Ok)
}

fn paths(from: &[PathBuf]) -> Vec<&Path> {
    from.iter().map(PathBuf::as_path).collect()
}
