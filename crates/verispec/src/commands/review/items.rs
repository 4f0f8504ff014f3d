//! Verdicts and outputs of a run, as a page shows them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use verispec_report::OutputPart;
use verispec_server::{ItemRow, Kind, OutputRow, ScaleRow};
use verispec_studies::human::sample::{Verdict, verdicts};

use super::super::report::output_parts;
use crate::args::{Cli, ReviewArgs};
use crate::exit::usage;
use crate::human_file::{self, Drawn};
use crate::output;
use crate::reduce::ReduceArgs;
use crate::run::{Read, Run};

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
fn drawn<'a>(path: &Path, all: &'a [Verdict]) -> anyhow::Result<Vec<(&'a Verdict, Option<Drawn>)>> {
    let rows = human_file::sampled(path)?;
    let places = human_file::places(&rows, all, path)?;
    let verdicts = places.into_iter().map(|place| &all[place]);
    Ok(verdicts.zip(rows.into_iter().map(Some)).collect())
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

fn verdict(read: &Read, v: &Verdict, sampled: Option<&Drawn>) -> ItemRow {
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
fn ratings(read: &Read, drawn: &[(&Verdict, Option<Drawn>)], high: u8) -> Vec<ItemRow> {
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
