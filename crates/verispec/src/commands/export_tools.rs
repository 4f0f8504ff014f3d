//! `verispec export --format lm-eval|mlflow|wandb|inspect-ai|junit`

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use verispec_model::score::ScoreTable;
use verispec_model::{Manifest, Measure, Results};
use verispec_report::Context;
use verispec_report::tools::{inspect_log, junit_suite, lm_eval, mlflow, wandb};

use crate::args::{Cli, ExportArgs, ExportFormat, PolicyArgs};
use crate::exit::{Exit, usage};
use crate::run::Run;
use crate::{clock, output, policy};

pub(super) fn run(cli: &Cli, args: &ExportArgs, format: ExportFormat) -> anyhow::Result<Exit> {
    let choices = PolicyArgs::default();
    let (rule, reader) = policy::resolve(&choices, false);
    let read = Run::open(&cli.runs, &args.run)?
        .reduced(&args.reduce)?
        .read(reader, false)?;
    let rule = policy::suited(rule, &choices, false, &read.results)?;
    policy::check_rules(rule, &read.results)?;
    let table = policy::score(&read.results, rule);
    let manifest = &read.run.manifest;
    if format == ExportFormat::Junit && read.results.measure == Measure::Holistic {
        return Err(usage(
            "grades are neither met nor unmet: JUnit cases are made of verdicts; gate --junit \
             works on grades",
        ));
    }
    let prompt = |track: &str, id: &str| {
        let instance = read.loaded()?.suite.instance(track, id)?;
        Some(instance.prompt.clone())
    };
    let files = files((args, format), manifest, (&read.results, &table), &prompt)?;
    for (path, text) in &files {
        write(path, text)?;
    }
    let n = files.len();
    if cli.json {
        let paths: Vec<&PathBuf> = files.iter().map(|(path, _)| path).collect();
        output::json(&serde_json::json!({
            "format": 1,
            "kind": "export",
            "folder": args.out,
            "files": paths,
        }));
    } else {
        output::result(&format!("{n} files in {}", args.out.display()));
    }
    Ok(Exit::Ok)
}

/// Paths and texts of all files.
fn files(
    (args, format): (&ExportArgs, ExportFormat),
    manifest: &Manifest,
    (results, table): (&Results, &ScoreTable),
    prompt: &dyn Fn(&str, &str) -> Option<String>,
) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let context = Context::of(std::slice::from_ref(manifest));
    let moment = clock::milliseconds(&manifest.created)
        .with_context(|| format!("manifest: `created` is no moment: {}", manifest.created))?;
    let mut files = vec![];
    for (scores, model) in table.models.iter().zip(&results.models) {
        let name = verispec_model::file_name(&scores.model);
        let file = |extension: &str| args.out.join(format!("{name}.{extension}"));
        let pretty =
            |value: &serde_json::Value| serde_json::to_string_pretty(value).map(|text| text + "\n");
        match format {
            ExportFormat::Mlflow => {
                let body = mlflow(scores, &context, table.policy, moment);
                files.push((file("mlflow.json"), pretty(&body)?));
            }
            ExportFormat::Wandb => {
                let body = wandb(scores, &context, table.policy);
                files.push((file("wandb.json"), pretty(&body)?));
            }
            ExportFormat::InspectAi => {
                for (track, found) in scores.tracks.iter().zip(&model.tracks) {
                    let log = inspect_log(
                        &scores.model,
                        (track, found),
                        (&context, table.policy),
                        &manifest.created,
                        &|id| prompt(&track.track, id),
                    );
                    // Inspect's tools take moment, task and id from the name.
                    let part = |field: &str| {
                        let text = log["eval"][field].as_str().unwrap_or_default();
                        verispec_model::file_name(&text.replace('_', "-"))
                    };
                    let date = manifest.created.replace(':', "-");
                    let file = format!("{date}_{}_{}.json", part("task"), part("task_id"));
                    files.push((args.out.join(&name).join(file), pretty(&log)?));
                }
            }
            ExportFormat::Junit => {
                let suite = junit_suite(model, &manifest.run);
                files.push((file("junit.xml"), suite.to_xml()));
            }
            ExportFormat::LmEval | ExportFormat::Own => {
                let folder = args.out.join(&name);
                // As the harness names them, for readers that take the date from the name.
                let date = manifest.created.trim_end_matches('Z').replace(':', "-");
                let made = lm_eval(scores, &context, table.policy, moment / 1000);
                let results = folder.join(format!("{date}_results.json"));
                files.push((results, pretty(&made.results)?));
                for (task, lines) in made.samples {
                    files.push((folder.join(format!("{date}_samples_{task}.jsonl")), lines));
                }
            }
        }
    }
    Ok(files)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
