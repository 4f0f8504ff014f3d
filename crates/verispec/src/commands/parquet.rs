//! `verispec report --format parquet`

use std::path::Path;

use crate::args::Cli;
use crate::exit::Exit;
use crate::side_by_side::Column;

#[cfg(feature = "parquet")]
pub(super) fn run(cli: &Cli, columns: &[Column], dir: &Path) -> anyhow::Result<Exit> {
    use verispec_report::parquet::{ParquetInput, write_parquet};

    let inputs: Vec<ParquetInput<'_>> = columns
        .iter()
        .map(|column| ParquetInput {
            results: &column.results,
            scores: &column.scores,
            context: &column.context,
        })
        .collect();
    let files = write_parquet(&inputs, dir)?;
    if cli.json {
        let document = serde_json::json!({"format": 1, "kind": "report", "files": files});
        crate::output::json(&document);
    } else {
        let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
        crate::output::result(&names.join("\n"));
    }
    Ok(Exit::Ok)
}

#[cfg(not(feature = "parquet"))]
pub(super) fn run(_: &Cli, _: &[Column], _: &Path) -> anyhow::Result<Exit> {
    Err(crate::exit::usage(
        "this build writes no Parquet: take a released binary, or build with `--features parquet`; \
         `--format csv` holds the same numbers",
    ))
}
