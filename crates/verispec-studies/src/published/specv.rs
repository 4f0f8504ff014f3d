//! SpecV's boards. The single findings come from [`verispec_suites::specv::boards::audit`]; here
//! they are put together row by row, with what follows from them.

use verispec_suites::specv::boards::{
    self, BoardRow, BoardTable, Finding, audit, main_board, tables, track_table,
};

use super::{Check, Figure, Outcome, figure};

const PAPER: &str = "SpecV";

/// The seven checks of single rows and cells, the check of all other rows, and a note.
pub(super) fn checks() -> Vec<Check> {
    let findings = audit();
    vec![
        average(
            &findings,
            "Image Editing",
            "Nano Banana",
            "Editing, average of Nano Banana",
        ),
        average(
            &findings,
            "Text-to-Image",
            "GLM-Image",
            "T2I, average of GLM-Image",
        ),
        average(
            &findings,
            "Thinking with Images",
            "Nano Banana",
            "Thinking, average of Nano Banana",
        ),
        main(&findings),
        of_kind(
            "equal averages with different ranks",
            &findings,
            Outcome::Note,
            |f| matches!(f, Finding::Tie { .. }),
        ),
        incomplete(&findings),
        of_kind(
            "equal cells in rows of Understanding",
            &findings,
            Outcome::Note,
            |f| matches!(f, Finding::SharedCells { table, .. } if table == "Multimodal Understanding"),
        ),
        other_averages(&findings),
        without_rows(&findings),
    ]
}

fn check(title: &'static str, outcome: Outcome, checked: usize) -> Check {
    Check {
        paper: PAPER,
        title,
        outcome,
        findings: vec![],
        figures: vec![],
        checked,
    }
}

/// A stated average that is not the mean of its columns; and, where the row has another row's
/// cells, what these cells would have to sum to.
fn average(findings: &[Finding], table: &str, model: &str, title: &'static str) -> Check {
    let mut check = check(title, Outcome::Consistent, 1);
    for finding in findings {
        match finding {
            Finding::Average {
                table: t,
                model: m,
                stated,
                mean,
            } if t == table && m == model => {
                check.outcome = Outcome::Inconsistent;
                check.findings.push(finding.to_string());
                check.figures.push(figure("stated", *stated));
                check.figures.push(figure("mean of columns", *mean));
                check.figures.push(figure("off by", (stated - mean).abs()));
            }
            Finding::SharedCells {
                table: t,
                models,
                columns,
            } if t == table && models.iter().any(|m| m == model) => {
                check.findings.push(finding.to_string());
                if let Some((sum, margin)) = needed(table, model, columns) {
                    let text = format!(
                        "for the stated average these {} cells of {model} must sum to {sum:.2} \
                         ± {margin:.2}",
                        columns.len()
                    );
                    check.findings.push(text);
                    check.figures.push(figure("needed sum", sum));
                    check.figures.push(figure("needed sum, margin", margin));
                }
            }
            _ => {}
        }
    }
    check
}

/// What some cells of a row have to sum to for its stated average, and by how much rounding of
/// that average moves the sum.
fn needed(table: &str, model: &str, columns: &[String]) -> Option<(f64, f64)> {
    let table = tables().iter().find(|t| t.name == table)?;
    let row = table.row(model)?;
    let others: f64 = table
        .columns
        .iter()
        .zip(row.cells())
        .filter(|(name, _)| !columns.contains(name))
        .map(|(_, value)| value)
        .sum();
    let n = row.cells().len() as f64;
    Some((row.average()? * n - others, 0.005 * n))
}

/// The main board: averages over tracks, and its columns against the tracks' own tables.
fn main(findings: &[Finding]) -> Check {
    let mut check = check(
        "main board: averages, and columns against the tracks' tables",
        Outcome::Consistent,
        0,
    );
    let Some(board) = main_board() else {
        return check;
    };
    let mut worst: f64 = 0.0;
    let mut compared = 0;
    for row in &board.rows {
        worst = worst.max(off(row).unwrap_or(0.0));
        let own = |track: &String| track_table(track)?.row(&row.model)?.average();
        compared += board.columns.iter().filter(|t| own(t).is_some()).count();
    }
    check.checked = board.rows.len();
    for finding in findings {
        let wrong = match finding {
            Finding::Average { table, .. } => *table == board.name,
            Finding::TrackColumn { .. } => true,
            _ => false,
        };
        if wrong {
            check.outcome = Outcome::Inconsistent;
            check.findings.push(finding.to_string());
        }
    }
    if check.outcome == Outcome::Consistent {
        check.findings.push(format!(
            "all {} averages are the mean of their tracks within 0.005; all {compared} cells equal \
             the average in the track's own table, so that errors there come back here",
            board.rows.len()
        ));
    }
    check.figures = vec![
        figure("largest |stated - mean|", worst),
        figure("cells compared with a track's table", compared as f64),
    ];
    check
}

/// |stated - mean| of a row.
fn off(row: &BoardRow) -> Option<f64> {
    let cells = row.cells();
    let mean = cells.iter().sum::<f64>() / cells.len() as f64;
    Some((row.average()? - mean).abs())
}

fn of_kind(
    title: &'static str,
    findings: &[Finding],
    outcome: Outcome,
    wanted: impl Fn(&Finding) -> bool,
) -> Check {
    let mut check = check(title, Outcome::Consistent, 0);
    check.findings = findings
        .iter()
        .filter(|f| wanted(f))
        .map(ToString::to_string)
        .collect();
    if !check.findings.is_empty() {
        check.outcome = outcome;
    }
    check.checked = tables().iter().map(|t| t.rows.len()).sum();
    check
}

/// Cells that 40 instances cannot give: instances were left out of the mean.
fn incomplete(findings: &[Finding]) -> Check {
    let title = "cells of Understanding that 40 instances cannot give";
    let is = |f: &Finding| matches!(f, Finding::Incomplete { .. });
    let mut check = of_kind(title, findings, Outcome::Inconsistent, is);
    check.checked =
        track_table("understanding").map_or(0, |t| t.rows.iter().map(|r| r.cells().len()).sum());
    for finding in findings {
        if let Finding::Incomplete {
            model,
            column,
            with_missing_zero,
            ..
        } = finding
        {
            let name = format!("{model}, {column}, missing as 0");
            check.figures.push(figure(name, *with_missing_zero));
        }
    }
    check
}

/// All rows but those with a finding.
fn other_averages(findings: &[Finding]) -> Check {
    let has_finding = |table: &BoardTable, row: &BoardRow| {
        findings.iter().any(|f| {
            matches!(f, Finding::Average { table: t, model, .. } if *t == table.name && *model == row.model)
        })
    };
    let all = tables()
        .iter()
        .flat_map(|t| t.rows.iter().map(move |r| (t, r)));
    let rest: Vec<f64> = all
        .filter(|(t, r)| !has_finding(t, r))
        .filter_map(|(_, r)| off(r))
        .collect();
    let worst = rest.iter().copied().fold(0.0, f64::max);
    let mut check = check("all other averages", Outcome::Consistent, rest.len());
    // Half of a unit of the last digit is rounding; a little more absorbs binary noise.
    if worst > 0.005 + 1e-9 {
        check.outcome = Outcome::Inconsistent;
    }
    check.findings = vec![format!(
        "{} rows: |stated - mean| is at most {worst:.4}",
        rest.len()
    )];
    check.figures = vec![Figure {
        name: "largest |stated - mean|".to_owned(),
        value: worst,
    }];
    check
}

/// A note: folders that no table has a row for, and what the count of models rests on.
fn without_rows(findings: &[Finding]) -> Check {
    let title = "released folders without a row";
    let is = |f: &Finding| matches!(f, Finding::NoRow { .. });
    let mut check = of_kind(title, findings, Outcome::Note, is);
    let groups = &boards::values().groups;
    let count = |name: &str| groups.get(name).map_or(0, Vec::len);
    let (unified, vlm, image) = (count("unified"), count("vlm"), count("image"));
    check.findings.push(format!(
        "the {} models of the boards are {unified} unified, {vlm} VLM and {image} image models",
        unified + vlm + image
    ));
    check.checked = boards::values().models.len();
    check
}
