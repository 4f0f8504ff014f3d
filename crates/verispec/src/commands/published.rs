//! `verispec published …`

use anyhow::Context as _;
use verispec_report::studies::{render_audit, render_published};
use verispec_studies::published::audit;
use verispec_suites::published::{Publication, all, dsg, realunify, specv, xtc};

use crate::args::{Cli, Paper, PublishedCommand};
use crate::exit::Exit;
use crate::output;

pub(super) fn run(cli: &Cli, command: &PublishedCommand) -> anyhow::Result<Exit> {
    match command {
        PublishedCommand::Audit => {
            let checks = audit();
            if cli.json {
                document("published-audit", "checks", &checks)?;
            } else {
                output::table(&render_audit(&checks, output::style()));
            }
        }
        PublishedCommand::Show { paper } => {
            let publications = publications(*paper);
            if cli.json {
                document("published", "publications", &publications)?;
            } else {
                output::table(&render_published(&publications, output::style()));
            }
        }
    }
    Ok(Exit::Ok)
}

fn publications(paper: Option<Paper>) -> Vec<Publication> {
    match paper {
        None => all(),
        Some(Paper::Specv) => specv(),
        Some(Paper::Realunify) => vec![realunify().clone()],
        Some(Paper::Xtc) => vec![xtc().clone()],
        Some(Paper::Dsg) => vec![dsg()],
    }
}

fn document(kind: &str, name: &str, value: &impl serde::Serialize) -> anyhow::Result<()> {
    let value = serde_json::to_value(value).context("cannot write the document")?;
    output::json(&serde_json::json!({"format": 1, "kind": kind, name: value}));
    Ok(())
}
