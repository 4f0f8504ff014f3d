//! Verdicts and outputs of a run, as a page shows them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use verispec_report::OutputPart;
use verispec_server::{ItemRow, Kind, OutputRow, ScaleRow};
use verispec_studies::human::sample::{Verdict, verdicts};

use super::super::report::output_parts;
use crate::args::{Cli, ReviewArgs};
use crate::exit::usage;
use crate::output;
use crate::reduce::ReduceArgs;
use crate::run::{Read, Run};

/// A row of a sample, as `study human sample` writes it. Further columns are for others.
#[derive(Debug, Clone, Deserialize)]
struct Sampled {
    model: String,
    track: String,
    instance: String,
    spec: u32,
    stratum: Option<String>,
    inclusion: f64,
}

/// Name, items and folder of a run.
pub(super) fn of_run(
    cli: &Cli,
    args: &ReviewArgs,
) -> anyhow::Result<(String, Vec<ItemRow>, PathBuf)> {
    let read = Run::open(&cli.runs, &args.what)?
        .reduced(&ReduceArgs::default())?
        .read(None, false)?;
    if read.loaded().is_none() {
        return Err(usage(format!(
            "the data of run {:?} is not at hand, so a person would see no prompt",
            args.what
        )));
    }
    let all = verdicts(&read.results);
    let drawn = match &args.sample {
        Some(path) => drawn(path, &all)?,
        None => all.iter().map(|v| (v, None)).collect(),
    };
    if drawn.is_empty() {
        return Err(usage(format!("run {:?} has no verdict", args.what)));
    }
    let rows = match args.likert {
        Some(high) => ratings(&read, &drawn, high),
        None => drawn
            .iter()
            .map(|(v, s)| verdict(&read, v, s.as_ref()))
            .collect(),
    };
    let without = rows.iter().filter(|r| r.output.is_empty()).count();
    if without > 0 {
        output::note(&format!(
            "{without} of {} items have no output at hand; a run of `verispec judge` knows where \
             outputs are, an import does not",
            rows.len()
        ));
    }
    Ok((read.run.manifest.run.clone(), rows, read.run.dir.clone()))
}

/// The verdicts that a sample names.
fn drawn<'a>(
    path: &Path,
    all: &'a [Verdict],
) -> anyhow::Result<Vec<(&'a Verdict, Option<Sampled>)>> {
    let mut found = vec![];
    for (line, row) in rows(path)? {
        let at = |what: String| usage(format!("{}, line {line}: {what}", path.display()));
        if !(row.inclusion > 0.0 && row.inclusion <= 1.0) {
            let p = row.inclusion;
            return Err(at(format!("inclusion {p} is no probability above 0")));
        }
        let key = (
            row.model.as_str(),
            row.track.as_str(),
            row.instance.as_str(),
            row.spec,
        );
        let verdict = all.iter().find(|v| v.key() == key);
        let verdict = verdict.ok_or_else(|| {
            at(format!(
                "the run has no verdict on specification {} of {}/{} by model {}; is the sample \
                 of this run?",
                row.spec, row.track, row.instance, row.model
            ))
        })?;
        found.push((verdict, Some(row)));
    }
    Ok(found)
}

/// Rows of a sample with their lines: CSV by its name, else JSON Lines.
fn rows(path: &Path) -> anyhow::Result<Vec<(u64, Sampled)>> {
    let at = |line: u64, e: String| usage(format!("{}, line {line}: {e}", path.display()));
    let text = std::fs::read_to_string(path)
        .map_err(|e| usage(format!("cannot read {}: {e}", path.display())))?;
    if path.extension().is_some_and(|e| e == "csv") {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows = reader.deserialize::<Sampled>().zip(2..);
        return rows
            .map(|(row, line)| Ok((line, row.map_err(|e| at(line, e.to_string()))?)))
            .collect();
    }
    let lines = text.lines().zip(1..).filter(|(l, _)| !l.trim().is_empty());
    lines
        .map(|(text, line)| {
            let row = serde_json::from_str(text).map_err(|e| at(line, e.to_string()))?;
            Ok((line, row))
        })
        .collect()
}

/// An output's own part of an item: prompt, references, what the model made.
fn of_output(read: &Read, kind: Kind, id: &str, v: &Verdict, question: &str) -> ItemRow {
    let mut row = ItemRow::new(kind, id, &v.track, &v.instance, question);
    let suite = read.loaded().map(|l| &l.suite);
    if let Some(instance) = suite.and_then(|s| s.instance(&v.track, &v.instance)) {
        row.prompt.clone_from(&instance.prompt);
        row.references.clone_from(&instance.references);
    }
    row.dimension = Some(v.dimension.clone());
    row.model = Some(v.model.clone());
    row.output = output_parts(read, &v.model, &v.track, &v.instance)
        .into_iter()
        .map(|part| match part {
            OutputPart::Text(text) => OutputRow {
                text: Some(text),
                image: None,
            },
            OutputPart::Image(path) => OutputRow {
                text: None,
                image: Some(path),
            },
        })
        .collect();
    row
}

fn verdict(read: &Read, v: &Verdict, sampled: Option<&Sampled>) -> ItemRow {
    let id = format!("{}/{}/{}/{}", v.model, v.track, v.instance, v.spec);
    let mut row = of_output(read, Kind::Verdict, &id, v, &v.question);
    row.spec = Some(v.spec);
    row.expected = Some(v.expected);
    row.verdict = Some(v.verdict);
    row.category = Some(v.category.clone()).filter(|c| !c.is_empty());
    row.stratum = sampled.and_then(|s| s.stratum.clone());
    row.inclusion = sampled.map(|s| s.inclusion);
    row
}

/// Each output once, in the order of the verdicts.
fn ratings(read: &Read, drawn: &[(&Verdict, Option<Sampled>)], high: u8) -> Vec<ItemRow> {
    let mut seen = HashSet::new();
    let mut rows = vec![];
    for (v, _) in drawn {
        if !seen.insert((&v.model, &v.track, &v.instance)) {
            continue;
        }
        let id = format!("{}/{}/{}", v.model, v.track, v.instance);
        let question = "How well does the output do what the prompt asks?";
        let mut row = of_output(read, Kind::Rating, &id, v, question);
        row.scale = Some(ScaleRow {
            low: 1,
            high,
            low_label: "not at all".to_owned(),
            high_label: "fully".to_owned(),
        });
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn samples_are_read_as_they_are_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let csv = folder.path().join("s.csv");
        let head =
            "model,track,dimension,instance,spec,question,human,verdict,expected,stratum,inclusion";
        std::fs::write(
            &csv,
            format!("{head}\nm,t2i,d,1,2,\"a, b\",,Yes,No,t2i/Yes,0.5\n"),
        )
        .unwrap();
        let found = rows(&csv).unwrap();
        assert_eq!(
            (found[0].0, found[0].1.spec, found[0].1.inclusion),
            (2, 2, 0.5)
        );
        let jsonl = folder.path().join("s.jsonl");
        std::fs::write(&jsonl, "\n{\"model\": \"m\"}\n").unwrap();
        let error = rows(&jsonl).unwrap_err().to_string();
        assert!(
            error.contains("line 2") && error.contains("track"),
            "{error}"
        );
    }
}
