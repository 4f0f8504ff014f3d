//! `verispec import …`

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use verispec_model::{RunSource, Suite};
use verispec_report::render_warnings;
use verispec_suites::foreign::Format;
use verispec_suites::specv::import::{
    ImportError, Imported, VerdictOptions, import_tree, import_verdicts, write_imported,
};
use verispec_suites::{realunify, specv};

use super::{import_dsg, import_foreign, import_realunify};
use crate::args::{Cli, ForeignArgs, ImportCommand};
use crate::config::Config;
use crate::data::Loaded;
use crate::exit::{Exit, usage};
use crate::output;
use crate::run::{MANIFEST_FILE, describe_import, read_manifest, write_manifest};
use crate::target::absolute;

/// Unmatched rows that are listed; all are counted.
const SHOWN: usize = 20;

pub(super) fn run(cli: &Cli, command: &ImportCommand) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    match command {
        ImportCommand::SpecvResults {
            dir,
            track,
            run,
            data,
        } => {
            let loaded = data.as_deref().map(specv::load).transpose()?;
            let imported = import_tree(dir, track.as_deref())?;
            if imported.is_empty() {
                return Err(usage(format!(
                    "{}: no result files; expected <model>/<dimension>/<id>.json in it: a checkout, \
                     its eval folder, or the folder eval/<track>/results with all models",
                    dir.display()
                )));
            }
            let source = RunSource::SpecvResults {
                path: absolute(dir)?,
            };
            let name = run.clone().unwrap_or_else(|| name_of(dir, "specv-results"));
            let data = loaded.as_ref().map(|l| (&l.suite, l.suite.root.as_path()));
            store(cli, &imported, data, source, &name)
        }
        ImportCommand::Dsg {
            dir,
            judge,
            split,
            reader,
            run,
        } => {
            let (judge, imported) =
                import_dsg::read(dir, judge.as_deref(), split.as_deref(), *reader)?;
            let source = RunSource::Verdicts {
                path: absolute(dir)?,
            };
            let name = run.clone().unwrap_or_else(|| format!("dsg-{judge}"));
            store(cli, &imported, None, source, &name)
        }
        ImportCommand::RealunifyScored {
            path,
            data,
            split,
            run,
        } => {
            let root = config.data("realunify", data.as_deref())?;
            let loaded = realunify::load(&root)?;
            let imported = import_realunify::read(&loaded, path, split.as_deref())?;
            let source = RunSource::RealunifyScored {
                path: absolute(path)?,
            };
            let name = run
                .clone()
                .unwrap_or_else(|| name_of(path, "realunify-scored"));
            store(cli, &imported, Some((&loaded.suite, &root)), source, &name)
        }
        ImportCommand::LmmsEval(args) => foreign(cli, Format::LmmsEval, args),
        ImportCommand::VlmEvalKit(args) => foreign(cli, Format::VlmEvalKit, args),
        ImportCommand::UEval(args) => foreign(cli, Format::UEval, args),
        ImportCommand::Wise(args) => foreign(cli, Format::Wise, args),
        ImportCommand::OneIg(args) => foreign(cli, Format::OneIg, args),
        ImportCommand::Tifa(args) => foreign(cli, Format::Tifa, args),
        ImportCommand::InspectAi(args) => foreign(cli, Format::InspectAi, args),
        ImportCommand::Verdicts {
            file,
            suite,
            data,
            judge,
            run,
        } => {
            let root = config.data(suite.as_str(), data.as_deref())?;
            let loaded = Loaded::load(*suite, &root)?;
            let options = VerdictOptions {
                judge: judge.as_deref(),
            };
            let read = import_verdicts(file, &loaded.suite, options).map_err(|e| match e {
                wrong @ (ImportError::Extension { .. }
                | ImportError::SeveralJudges { .. }
                | ImportError::UnknownJudge { .. }) => usage(wrong.to_string()),
                other => other.into(),
            })?;
            tell_rows(&read);
            if read.matched == 0 {
                anyhow::bail!(
                    "{}: no row belongs to this suite; nothing is imported",
                    file.display()
                );
            }
            let source = RunSource::Verdicts {
                path: absolute(file)?,
            };
            let name = run.clone().unwrap_or_else(|| name_of(file, "verdicts"));
            let exit = store(
                cli,
                &read.imported,
                Some((&loaded.suite, &loaded.data)),
                source,
                &name,
            )?;
            Ok(if read.unmatched.is_empty() {
                exit
            } else {
                Exit::Incomplete
            })
        }
    }
}

/// Files of another tool; totals that differ are no success.
fn foreign(cli: &Cli, format: Format, args: &ForeignArgs) -> anyhow::Result<Exit> {
    let read = import_foreign::read(format, args)?;
    let first = args.file.first().map_or(Path::new(""), PathBuf::as_path);
    let source = RunSource::Verdicts {
        path: absolute(first)?,
    };
    let name = args.run.clone();
    let name = name.unwrap_or_else(|| name_of(first, format.suite()));
    let exit = store(cli, &read.imported, None, source, &name)?;
    Ok(if import_foreign::agrees(&read) {
        exit
    } else {
        Exit::Incomplete
    })
}

fn tell_rows(read: &specv::import::ImportedVerdicts) {
    output::note(&format!(
        "rows: {} matched, {} not",
        read.matched,
        read.unmatched.len()
    ));
    for row in read.unmatched.iter().take(SHOWN) {
        let near = row
            .nearest
            .as_ref()
            .map(|n| format!("; nearest: {n}"))
            .unwrap_or_default();
        output::note(&format!("  line {}: {}{near}", row.row, row.why));
    }
    if read.unmatched.len() > SHOWN {
        output::note(&format!("  … and {} more", read.unmatched.len() - SHOWN));
    }
    for (line, earlier) in read.duplicates.iter().take(SHOWN) {
        output::note(&format!(
            "  line {line} gives again what line {earlier} gave"
        ));
    }
}

fn name_of(path: &Path, fallback: &str) -> String {
    let stem = path.canonicalize().ok();
    let stem = stem
        .as_deref()
        .and_then(Path::file_stem)
        .map(|s| s.to_string_lossy().into_owned());
    stem.unwrap_or_else(|| fallback.to_owned())
}

fn store(
    cli: &Cli,
    imported: &Imported,
    data: Option<(&Suite, &Path)>,
    source: RunSource,
    name: &str,
) -> anyhow::Result<Exit> {
    let run = verispec_model::file_name(name);
    let dir = cli.runs.join(&run);
    check_free(&dir, &source)?;
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    write_imported(&dir, imported)?;
    let manifest = describe_import(imported, data, source, run.clone());
    write_manifest(&dir, &manifest)?;
    tell(cli, imported, &run, &dir);
    Ok(if imported.broken().next().is_some() {
        Exit::Incomplete
    } else {
        Exit::Ok
    })
}

/// An import may be repeated; anything else of that name is left alone.
fn check_free(dir: &Path, source: &RunSource) -> anyhow::Result<()> {
    if dir.join(MANIFEST_FILE).is_file() && read_manifest(dir)?.source != *source {
        return Err(usage(format!(
            "{} holds another run; choose another --run name",
            dir.display()
        )));
    }
    Ok(())
}

fn tell(cli: &Cli, imported: &Imported, run: &str, dir: &PathBuf) {
    let broken: Vec<&str> = imported.broken().collect();
    if cli.json {
        output::json(&serde_json::json!({
            "format": 1,
            "kind": "import",
            "run": run,
            "folder": dir,
            "models": imported.models(),
            "files": imported.files(),
            "broken": broken,
            "warnings": imported.warnings,
        }));
        return;
    }
    if imported.warnings.len() > SHOWN {
        let style = output::style();
        let text = render_warnings(&imported.warnings, cli.verbose > 0, style);
        output::rendered_note(&text);
    } else {
        for warning in &imported.warnings {
            output::note(&format!("warning: {warning}"));
        }
    }
    for file in &broken {
        output::note(&format!("broken: {file}"));
    }
    output::result(&format!(
        "imported as {run:?}: models {}, results {}, broken files {}\nnext: verispec score {run}",
        imported.models().len(),
        imported.files(),
        broken.len()
    ));
}
