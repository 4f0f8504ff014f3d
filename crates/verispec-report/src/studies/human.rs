//! `study human`

use verispec_studies::human::{
    Ablation, Averaged, Correlations, Labelled, Levels, MissingCells, RaterCeiling,
};

use super::{estimate, heading, number, p_text, remarks};
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// Runs against people's ratings in one track.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct HumanTrack {
    /// Track.
    pub track: String,
    /// Each person against the mean of the others.
    pub ceiling: Vec<RaterCeiling>,
    /// Runs against one another on common outputs, when there are several.
    pub ablation: Option<Ablation>,
    /// Each run: name, levels, outputs without a score.
    pub runs: Vec<(String, Levels, Vec<MissingCells>)>,
}

/// Four levels of agreement for each run and track, the human ceiling, and differences of runs.
#[must_use]
pub fn render_human(tracks: &[HumanTrack], style: Style) -> String {
    let mut out = String::new();
    for track in tracks {
        out += &heading(
            &format!("{}: rho and tau-b with people", track.track),
            style,
        );
        out += &levels(track, style);
        if let Some(ablation) = &track.ablation {
            out += &heading("Differences on common outputs, paired", style);
            out += &differences(ablation, style);
        }
    }
    let footer = "pooled: all outputs; per prompt: inside each prompt over models, then the mean; \
                  within model: inside each model over prompts, then the mean; model: means of \
                  models; ceiling: each person against the mean of the others";
    out + &format!("\n{}\n", style.paint(footer, Tone::Faint))
}

fn pair(rho: Option<f64>, tau: Option<f64>) -> Field {
    match (rho, tau) {
        (Some(rho), Some(tau)) => Field::from(format!("{rho:.3} {tau:.3}")),
        _ => Field::new("–", Tone::Faint),
    }
}

fn correlations(c: &Correlations) -> Field {
    pair(c.rho.value, c.tau.value)
}

fn averaged(a: &Averaged) -> Field {
    pair(a.rho, a.tau)
}

fn levels(track: &HumanTrack, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("run", Kind::Label)
        .column("pooled", Kind::Number)
        .column("n", Kind::Number)
        .column("per prompt", Kind::Number)
        .column("defined", Kind::Number)
        .column("within model", Kind::Number)
        .column("model", Kind::Number)
        .column("models", Kind::Number)
        .column("no score", Kind::Number);
    for (name, levels, missing) in &track.runs {
        let (unscored, all) = missing
            .iter()
            .fold((0, 0), |(m, n), c| (m + c.missing, n + c.rated));
        grid.row([
            Field::from(clean_line(name)),
            correlations(&levels.pooled),
            Field::from(levels.pooled.n.to_string()),
            averaged(&levels.per_prompt),
            Field::from(levels.per_prompt.defined.to_string()),
            averaged(&levels.within_model),
            correlations(&levels.model),
            Field::from(levels.model.n.to_string()),
            Field::from(format!("{unscored} of {all}")),
        ]);
    }
    for row in &track.ceiling {
        let blank = || Field::from("");
        grid.row([
            Field::new(format!("ceiling: {}", clean_line(&row.rater)), Tone::Faint),
            correlations(&row.correlations),
            Field::from(row.correlations.n.to_string()),
            blank(),
            blank(),
            blank(),
            blank(),
            blank(),
            blank(),
        ]);
    }
    grid.render(style)
}

fn differences(ablation: &Ablation, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("difference", Kind::Label)
        .column("rho", Kind::Number)
        .column("tau-b", Kind::Number)
        .column("outputs", Kind::Number);
    for row in &ablation.differences {
        grid.row([
            Field::from(clean_line(&format!("{} − {}", row.set, row.minus))),
            estimate(&row.rho, 3),
            estimate(&row.tau, 3),
            Field::from(ablation.n.to_string()),
        ]);
    }
    grid.render(style)
}

/// Scores corrected by labels, and where the judge errs.
#[must_use]
pub fn render_labelled(runs: &[(String, Labelled)], style: Style) -> String {
    let mut out = String::new();
    for (run, study) in runs {
        out += &heading(&format!("{run}: share met, percent, pooled"), style);
        out += &corrected(study, style);
        out += &remarks(&lines(study), style);
    }
    let footer = "labels: weighted by inclusion; PPI++: all verdicts put right by the labels, \
                  the judge's weight tuned; error rates: Rogan and Gladen, kept in 0-100";
    out + &format!("\n{}\n", style.paint(footer, Tone::Faint))
}

fn corrected(study: &Labelled, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("model", Kind::Label)
        .column("judge", Kind::Number)
        .column("labels", Kind::Number)
        .column("PPI++", Kind::Number)
        .column("by error rates", Kind::Number)
        .column("sens.", Kind::Number)
        .column("spec.", Kind::Number)
        .column("labelled", Kind::Number);
    for row in &study.models {
        let name = row.model.as_deref().map_or("all".into(), clean_line);
        grid.row([
            Field::from(name),
            number(Some(row.judge), 2),
            estimate(&row.labels, 2),
            estimate(&row.ppi, 2),
            estimate(&row.rogan_gladen, 2),
            number(row.sensitivity, 3),
            number(row.specificity, 3),
            Field::from(format!("{} of {}", row.labelled, row.judged)),
        ]);
    }
    grid.render(style)
}

fn lines(study: &Labelled) -> Vec<String> {
    let mut lines: Vec<String> = study
        .by_expected
        .iter()
        .filter_map(|r| {
            let rate = r.rate?;
            Some(format!(
                "expected {}: judge and people differ on {:.1} % ({} labels)",
                r.expected,
                100.0 * rate,
                r.labelled
            ))
        })
        .collect();
    lines.push(match &study.equal_errors {
        Ok(test) => {
            let p = test.p;
            let text = if p < 0.05 {
                "errors differ between models and move the ranking: trust the corrected columns"
            } else {
                "no sign that errors differ between models"
            };
            format!("{text} (p {})", p_text(Some(p)))
        }
        Err(why) => format!("whether errors differ between models cannot be tested: {why}"),
    });
    lines
}
