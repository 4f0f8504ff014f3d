//! `study dsg`

use verispec_studies::dsg::{Computed, DsgRow, DsgStudy};
use verispec_studies::human::{Averaged, Correlations, Levels};

use super::{estimate, heading, number, remarks};
use crate::number::DASH;
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// The study of DSG's released files, part by part.
#[must_use]
pub fn render_dsg(study: &DsgStudy, style: Style) -> String {
    let parts = [
        heading(
            "Correlation with people: Spearman's rho and Kendall's tau-b",
            style,
        ),
        rows(study, style),
        heading(
            "Levels: tau-b with people on DSG's questions, with dependencies",
            style,
        ),
        levels(study, style),
        heading(
            "People against people: each rater against the mean of the others",
            style,
        ),
        ceiling(study, style),
        heading("Judges against each other, DSG's questions", style),
        agreement(study, style),
        heading("Judges against people, over models", style),
        validity(study, style),
        heading(
            "Answers that say neither yes nor no: counted as no, or left out",
            style,
        ),
        unjudged(study, style),
        heading("Question sets on common outputs, no dependencies", style),
        ablation(study, style),
        heading("Faults of the data", style),
        faults(study, style),
    ];
    parts.concat() + &remarks(&warnings(study), style) + &footer(study, style)
}

fn label(text: &str) -> Field {
    Field::from(clean_line(text))
}

/// `0.463 0.380`.
fn both(c: &Correlations) -> Field {
    match (c.rho.value, c.tau.value) {
        (Some(rho), Some(tau)) => Field::from(format!("{rho:.3} {tau:.3}")),
        _ => Field::new(DASH, Tone::Faint),
    }
}

/// As [`both`], with the number of outputs.
fn counted(c: &Correlations) -> Field {
    match (c.rho.value, c.tau.value) {
        (Some(rho), Some(tau)) => Field::from(format!("{rho:.3} {tau:.3} ({})", c.n)),
        _ => Field::new(DASH, Tone::Faint),
    }
}

fn rows(study: &DsgStudy, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("questions", Kind::Label)
        .column("dependencies", Kind::Label)
        .column("judge", Kind::Label)
        .column("stated", Kind::Number)
        .column("published (n)", Kind::Number)
        .column("", Kind::Label)
        .column("default rule", Kind::Number)
        .column("transitive", Kind::Number)
        .column("default (n)", Kind::Number);
    for row in &study.rows {
        grid.row(row_fields(row));
    }
    grid.render(style)
}

fn row_fields(row: &DsgRow) -> Vec<Field> {
    let stated = match (row.published_rho, row.published_tau) {
        (Some(rho), Some(tau)) => Field::from(format!("{rho:.3} {tau:.3}")),
        _ => Field::new(DASH, Tone::Faint),
    };
    let gate = if row.dependencies { "yes" } else { "no" };
    let mut fields = vec![
        label(&row.questions),
        Field::from(gate),
        label(&row.judge),
        stated,
    ];
    match &row.computed {
        Computed::Yes(v) => {
            let same = match v.reproduced {
                Some(true) => Field::new("equal", Tone::Good),
                Some(false) => Field::new("differs", Tone::Bad),
                None => Field::from(""),
            };
            let transitive = v.transitive.as_ref();
            fields.extend([
                counted(&v.published),
                same,
                both(&v.default_rule),
                transitive.map_or_else(|| Field::new(DASH, Tone::Faint), both),
                counted(&v.default),
            ]);
        }
        Computed::NotComputable { reason } => {
            let dash = || Field::new(DASH, Tone::Faint);
            let why = format!("not computable: {}", clean_line(reason));
            fields.extend([Field::new(why, Tone::Odd), dash(), dash(), dash(), dash()]);
        }
    }
    fields
}

/// `0.369 (118 of 159; 41 constant)`.
fn averaged(a: &Averaged) -> Field {
    let groups = a.defined + a.judge_constant + a.people_constant + a.too_few;
    let Some(tau) = a.tau else {
        return Field::new(DASH, Tone::Faint);
    };
    let constant = if a.judge_constant > 0 {
        format!("; {} constant", a.judge_constant)
    } else {
        String::new()
    };
    Field::from(format!("{tau:.3} ({} of {groups}{constant})", a.defined))
}

fn levels(study: &DsgStudy, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("judge", Kind::Label)
        .column("pooled (n)", Kind::Number)
        .column("per prompt (defined)", Kind::Number)
        .column("within model (defined)", Kind::Number)
        .column("model (n)", Kind::Number);
    let tau = |c: &Correlations| {
        let value = c.tau.value;
        value.map_or_else(
            || Field::new(DASH, Tone::Faint),
            |tau| Field::from(format!("{tau:.3} ({})", c.n)),
        )
    };
    for judge in &study.judges {
        let Levels {
            pooled,
            per_prompt,
            within_model,
            model,
        } = &judge.with_dependencies;
        grid.row([
            label(&judge.judge),
            tau(pooled),
            averaged(per_prompt),
            averaged(within_model),
            tau(model),
        ]);
    }
    grid.render(style)
}

fn ceiling(study: &DsgStudy, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("rater", Kind::Label)
        .column("rho", Kind::Number)
        .column("tau-b", Kind::Number)
        .column("n", Kind::Number);
    for one in &study.ceiling {
        grid.row([
            label(&one.rater),
            estimate(&one.correlations.rho, 3),
            estimate(&one.correlations.tau, 3),
            Field::from(one.correlations.n.to_string()),
        ]);
    }
    grid.render(style)
}

fn agreement(study: &DsgStudy, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("judges", Kind::Label)
        .column("verdicts", Kind::Number)
        .column("same", Kind::Number)
        .column("kappa", Kind::Number)
        .column("AC1", Kind::Number)
        .column("tau-b over models", Kind::Number);
    for pair in &study.agreement {
        let over_models = study
            .validity
            .pairs
            .iter()
            .find(|p| p.judges == pair.judges);
        grid.row([
            label(&pair.judges.join(" – ")),
            Field::from(pair.agreed.n.to_string()),
            estimate(&pair.agreed.observed, 4),
            estimate(&pair.agreed.kappa, 4),
            estimate(&pair.agreed.ac1, 4),
            number(over_models.and_then(|p| p.tau.value), 1),
        ]);
    }
    grid.render(style)
}

fn validity(study: &DsgStudy, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("", Kind::Label)
        .column("tau-b", Kind::Number)
        .column("yes %", Kind::Number)
        .column("spread", Kind::Number);
    for model in study.human_means.keys() {
        grid.column(clean_line(model), Kind::Number);
    }
    for (judge, summary) in study.validity.judges.iter().zip(&study.judges) {
        let mut fields = vec![
            label(&judge.judge),
            number(judge.tau.value, 1),
            number(judge.yes_rate.map(|r| 100.0 * r), 1),
            number(judge.spread, 2),
        ];
        let means = study.human_means.keys();
        fields.extend(means.map(|m| number(summary.means.get(m).copied(), 2)));
        grid.row(fields);
    }
    let mut people = vec![Field::from("people"), "".into(), "".into(), "".into()];
    people.extend(study.human_means.values().map(|m| number(Some(*m), 4)));
    grid.row(people);
    grid.render(style)
}

fn unjudged(study: &DsgStudy, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("questions", Kind::Label)
        .column("judge", Kind::Label)
        .column("unusable", Kind::Number)
        .column("as no, all (n)", Kind::Number)
        .column("as no, common (n)", Kind::Number)
        .column("left out, common (n)", Kind::Number)
        .column("outputs without a verdict", Kind::Text);
    for one in &study.unjudged {
        let missing: Vec<String> = one
            .missing
            .iter()
            .map(|m| format!("{} {}", clean_line(&m.model), m.missing))
            .collect();
        grid.row([
            label(&one.questions),
            label(&one.judge),
            Field::from(format!("{} of {}", one.unjudged, one.answers)),
            counted(&one.effect.first_own),
            counted(&one.effect.first),
            counted(&one.effect.second),
            Field::from(missing.join(", ")),
        ]);
    }
    grid.render(style)
}

fn ablation(study: &DsgStudy, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("judge", Kind::Label)
        .column("set", Kind::Label)
        .column("rho", Kind::Number)
        .column("tau-b", Kind::Number);
    for judge in &study.ablation {
        let Some(found) = &judge.ablation else {
            grid.row([label(&judge.judge), DASH.into(), DASH.into(), DASH.into()]);
            continue;
        };
        for set in &found.sets {
            grid.row([
                label(&judge.judge),
                label(&set.set),
                estimate(&set.rho, 3),
                estimate(&set.tau, 3),
            ]);
        }
        for difference in &found.differences {
            let name = format!("{} − {}", difference.set, difference.minus);
            grid.row([
                label(&judge.judge),
                label(&name),
                estimate(&difference.rho, 3),
                estimate(&difference.tau, 3),
            ]);
        }
    }
    grid.render(style)
}

fn faults(study: &DsgStudy, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("fault", Kind::Label)
        .column("times", Kind::Number);
    for (kind, times) in &study.faults {
        grid.row([label(kind), Field::from(times.to_string())]);
    }
    grid.render(style)
}

fn warnings(study: &DsgStudy) -> Vec<String> {
    let mut warnings: Vec<String> = study.validity.warning.iter().cloned().collect();
    for one in study
        .unjudged
        .iter()
        .filter(|u| u.effect.second.n < u.effect.first_own.n)
    {
        warnings.push(format!(
            "{} on {}: leaving unusable answers out drops {} of {} outputs; compare the columns on \
             common outputs, and call neither number the right one",
            one.judge,
            one.questions,
            one.effect.first_own.n - one.effect.second.n,
            one.effect.first_own.n
        ));
    }
    warnings
}

fn footer(study: &DsgStudy, style: Style) -> String {
    let text = format!(
        "{} rated outputs. stated: {}. published: exactly \"yes\" is yes, an output without \
         answers scores 0, one unreadable dependency drops all of its item's. default rule: it \
         drops its own row's alone. transitive: over any number of steps. default: answers that \
         say neither yes nor no are unjudged, outputs without a verdict are left out. Intervals: \
         95 % over prompts unless --level says otherwise.",
        study.rated,
        clean_line(&study.source)
    );
    format!("\n{}\n", style.paint(&text, Tone::Faint))
}
