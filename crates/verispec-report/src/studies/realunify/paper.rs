//! The main table of `study realunify` for papers and machines.

use serde::Serialize;
use verispec_model::score::Ratio;
use verispec_studies::realunify::{Accuracy, Denominator, RealUnifyStudy};

use super::COLUMNS;
use crate::error::ReportError;
use crate::paper::Form;

/// Published rows stand below our own, named so.
fn body(study: &RealUnifyStudy) -> Vec<(String, Vec<String>)> {
    let ours = study
        .models
        .iter()
        .map(|m| (m.model.clone(), m.main.cells.to_vec()));
    let main = study
        .published
        .iter()
        .filter(|t| t.columns.len() == COLUMNS.len());
    let theirs = main.flat_map(|t| &t.rows).map(|row| {
        let cells = row.values.iter().map(|v| match v {
            Some(v) => format!("{v:.1}"),
            None => "-".to_owned(),
        });
        (format!("{} (published)", row.model), cells.collect())
    });
    ours.chain(theirs).collect()
}

fn note(study: &RealUnifyStudy) -> &'static str {
    match study.denominator {
        Denominator::Actual => {
            "Accuracy in percent over items with an outcome, halves up to one decimal; - not run."
        }
        Denominator::Fixed100 => {
            "Accuracy in percent, 100 items a task as released (fixed100), halves up to one \
             decimal; - not run."
        }
    }
}

/// The main table in Markdown.
#[must_use]
pub fn realunify_markdown(study: &RealUnifyStudy) -> String {
    let sentences = study.models.iter().flat_map(|model| {
        let sentences = model.axes.iter().flat_map(|a| &a.readout.sentences);
        sentences.map(|s| format!("{}: {s}", model.model))
    });
    let notes: Vec<String> = sentences.chain([note(study).to_owned()]).collect();
    table(study, Form::Markdown, &notes)
}

/// The main table in LaTeX, for the `booktabs` package.
#[must_use]
pub fn realunify_latex(study: &RealUnifyStudy) -> String {
    table(study, Form::Latex, &[note(study).to_owned()])
}

fn table(study: &RealUnifyStudy, form: Form, notes: &[String]) -> String {
    let head: Vec<&str> = std::iter::once("model").chain(COLUMNS).collect();
    let dash = |cell: String| match (form, cell.as_str()) {
        (Form::Latex, "-") => "--".to_owned(),
        _ => cell,
    };
    let row = |(model, cells): (String, Vec<String>)| {
        let cells = cells.into_iter().map(dash);
        std::iter::once(form.text(&model)).chain(cells).collect()
    };
    let rows: Vec<Vec<String>> = body(study).into_iter().map(row).collect();
    form.table(&head, &rows, notes)
}

#[derive(Serialize)]
struct Line<'a> {
    model: &'a str,
    axis: String,
    run: &'a str,
    task: &'a str,
    subtask: &'a str,
    accuracy: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    mean: Option<f64>,
    correct: usize,
    of: usize,
    items: usize,
    failed: usize,
    undecidable: usize,
    unjudged: usize,
    unjudgeable: usize,
    pending: usize,
    denominator: &'static str,
}

/// One row a number: each task, subtask and axis of each run. Shares are 0-1 and unrounded.
///
/// # Errors
/// A line cannot be written.
pub fn realunify_csv(study: &RealUnifyStudy) -> Result<String, ReportError> {
    let mut writer = ::csv::Writer::from_writer(vec![]);
    let denominator = match study.denominator {
        Denominator::Actual => "actual",
        Denominator::Fixed100 => "fixed100",
    };
    for model in &study.models {
        for axis in &model.axes {
            for run in &axis.runs {
                let name = axis.axis.to_string();
                let mut add = |task: &str, subtask: &str, accuracy: &Accuracy| {
                    let place = (name.clone(), run.run.as_str(), task, subtask);
                    writer.serialize(line(&model.model, place, accuracy, denominator))
                };
                for task in &run.score.tasks {
                    add(&task.task, "", &task.accuracy)?;
                    for (subtask, accuracy) in &task.subtasks {
                        add(&task.task, subtask, accuracy)?;
                    }
                }
                add("", "", &run.score.axis)?;
            }
        }
    }
    crate::csv::text(writer)
}

fn line<'a>(
    model: &'a str,
    (axis, run, task, subtask): (String, &'a str, &'a str, &'a str),
    a: &Accuracy,
    denominator: &'static str,
) -> Line<'a> {
    let share = |r: &Option<Ratio>| r.as_ref().map(Ratio::to_f64);
    Line {
        model,
        axis,
        run,
        task,
        subtask,
        accuracy: share(&a.value),
        low: share(&a.low),
        high: share(&a.high),
        mean: share(&a.mean),
        correct: a.tally.correct,
        of: a.of,
        items: a.tally.items,
        failed: a.tally.failed,
        undecidable: a.tally.undecidable,
        unjudged: a.tally.unjudged,
        unjudgeable: a.tally.unjudgeable,
        pending: a.tally.pending,
        denominator,
    }
}
