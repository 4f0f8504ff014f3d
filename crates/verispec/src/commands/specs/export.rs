//! `verispec specs export`

mod suite;

use std::path::Path;

use anyhow::Context as _;
use serde_json::json;
use verispec_model::file_name;
use verispec_specs::set::{SetManifest, Which, checklist};

use super::set::{SET_FILE, read, unchanged};
use crate::args::{Cli, FormArg, SpecsExportArgs};
use crate::exit::{Exit, usage};
use crate::output;

pub(super) fn run(cli: &Cli, args: &SpecsExportArgs) -> anyhow::Result<Exit> {
    let dir = cli.runs.join(file_name(&args.set));
    if !dir.join(SET_FILE).is_file() {
        return Err(usage(format!(
            "no set {:?} in {}",
            args.set,
            cli.runs.display()
        )));
    }
    let manifest = read(&dir)?;
    let sets = manifest.sets();
    let names: Vec<String> = sets.iter().map(|(name, _)| name.clone()).collect();
    let all = args.which == "all";
    let wanted: Vec<(String, Which)> = sets
        .into_iter()
        .filter(|(name, _)| all || *name == args.which)
        .collect();
    if wanted.is_empty() {
        return Err(usage(format!(
            "--which: no set {:?}; sets: all, {}",
            args.which,
            names.join(", ")
        )));
    }
    let suite = match args.form {
        FormArg::Checklists => None,
        FormArg::Suite => Some(unchanged(&manifest, &dir)?),
    };
    let (mut documents, mut missing) = (vec![], 0);
    for (name, which) in &wanted {
        let folder = if all {
            args.out.join(file_name(name))
        } else {
            args.out.clone()
        };
        let (written, not_yet) = match &suite {
            None => write_set(&manifest, which, &folder)?,
            Some(tasks) => suite::write(&manifest, which, &folder, tasks)?,
        };
        let version = manifest.version(which);
        missing += not_yet.len();
        for line in &not_yet {
            output::note(&format!("{name}: {line}"));
        }
        if !cli.json {
            output::result(&format!(
                "{name}: specifications of {written} instances in {}, version {version}",
                folder.display()
            ));
        }
        documents.push(json!({
            "set": name, "folder": folder, "version": version, "checklists": written,
            "not_ready": not_yet,
        }));
    }
    if cli.json {
        output::json(&json!({
            "format": 1, "kind": "specs-export", "set": manifest.name, "sets": documents,
        }));
    }
    Ok(if missing == 0 {
        Exit::Ok
    } else {
        Exit::Incomplete
    })
}

/// Writes every instance that is ready; how many, and which are not and why.
fn write_set(
    manifest: &SetManifest,
    which: &Which,
    folder: &Path,
) -> anyhow::Result<(usize, Vec<String>)> {
    let (mut written, mut not_yet) = (0, vec![]);
    for record in &manifest.instances {
        let text = match checklist(record, which) {
            Ok(text) => text,
            Err(why) => {
                not_yet.push(format!("{} is not written: {why}", record.place()));
                continue;
            }
        };
        let dir = folder
            .join("eval_checklist")
            .join(file_name(&record.track))
            .join(file_name(&record.dimension));
        let path = dir.join(format!("{}.json", file_name(&record.id)));
        std::fs::create_dir_all(&dir)
            .and_then(|()| std::fs::write(&path, text))
            .with_context(|| format!("cannot write {}", path.display()))?;
        written += 1;
    }
    Ok((written, not_yet))
}
