//! `study human`

use verispec_studies::human::{
    Ablation, Averaged, Calibrated, CategoryErrors, CategoryLevel, CorrectedGrades, Correlations,
    Labelled, Levels, MissingCells, RaterCeiling,
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
    /// Each run: name, agreement of each category's scores.
    pub categories: Vec<(String, Vec<CategoryLevel>)>,
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
        if track.categories.iter().any(|(_, c)| c.len() > 1) {
            out += &heading("By category of specifications, pooled", style);
            out += &categories(track, style);
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

fn categories(track: &HumanTrack, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("run", Kind::Label)
        .column("category", Kind::Label)
        .column("rho", Kind::Number)
        .column("tau-b", Kind::Number)
        .column("n", Kind::Number);
    for (run, levels) in &track.categories {
        for (i, level) in levels.iter().enumerate() {
            let name = if i == 0 { run.as_str() } else { "" };
            grid.row([
                Field::from(clean_line(name)),
                category_name(&level.category),
                number(level.pooled.rho.value, 3),
                number(level.pooled.tau.value, 3),
                Field::from(level.pooled.n.to_string()),
            ]);
        }
    }
    grid.render(style)
}

fn category_name(name: &str) -> Field {
    if name.is_empty() {
        Field::new("(none)", Tone::Faint)
    } else {
        Field::from(clean_line(name))
    }
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
        if study.by_category.len() > 1 {
            out += &heading("By category, on the labels", style);
            out += &errors(&study.by_category, style);
        }
        if let Some(found) = &study.calibration {
            out += &heading("P(yes) of the judge against people", style);
            out += &calibration(found, style);
        }
        out += &remarks(&lines(study), style);
    }
    let footer = "labels: weighted by inclusion; PPI++: all verdicts put right by the labels, \
                  the judge's weight tuned; error rates: Rogan and Gladen, kept in 0-100";
    out + &format!("\n{}\n", style.paint(footer, Tone::Faint))
}

/// A judge's mean grades of each run, put right by people's grades of some answers.
#[must_use]
pub fn render_grades(runs: &[(String, Vec<CorrectedGrades>)], style: Style) -> String {
    let mut out = String::new();
    for (run, rows) in runs {
        out += &heading(&format!("{run}: mean grade of answers, percent"), style);
        let mut grid = Grid::new();
        grid.column("model", Kind::Label)
            .column("judge", Kind::Number)
            .column("people", Kind::Number)
            .column("PPI++", Kind::Number)
            .column("apart", Kind::Number)
            .column("graded by people", Kind::Number);
        for row in rows {
            let name = row.model.as_deref().map_or("all".into(), clean_line);
            grid.row([
                Field::from(name),
                number(Some(row.judge), 2),
                estimate(&row.labels, 2),
                estimate(&row.ppi, 2),
                number(row.distance.map(|d| 100.0 * d), 2),
                Field::from(format!("{} of {}", row.labelled, row.judged)),
            ]);
        }
        out += &grid.render(style);
    }
    let footer = "people: weighted by inclusion; PPI++: all grades put right by people's, the \
                  judge's weight tuned; apart: mean distance of judge and people";
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

fn errors(rows: &[CategoryErrors], style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("category", Kind::Label)
        .column("judge", Kind::Number)
        .column("people", Kind::Number)
        .column("differ", Kind::Number)
        .column("labelled", Kind::Number);
    for row in rows {
        grid.row([
            category_name(&row.category),
            number(Some(100.0 * row.judge), 2),
            number(Some(100.0 * row.people), 2),
            Field::from(format!("{:.1} %", 100.0 * row.rate)),
            Field::from(row.labelled.to_string()),
        ]);
    }
    grid.render(style)
}

fn calibration(found: &Calibrated, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("P(yes)", Kind::Number)
        .column("people", Kind::Number)
        .column("labelled", Kind::Number);
    for bin in &found.bins {
        grid.row([
            number(Some(bin.forecast), 3),
            number(Some(bin.outcome), 3),
            Field::from(bin.n.to_string()),
        ]);
    }
    let text = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |v| format!("{v:.4}"));
    let interval = found
        .brier
        .interval
        .map_or_else(String::new, |i| format!(" [{:.4}, {:.4}]", i.low, i.high));
    let lines = [format!(
        "Brier {}{interval}, of people's share alone {}; ECE {} over ten bins, largest gap {}; {} \
         labels, {} without a P(yes)",
        text(found.brier.value),
        text(found.brier_of_constant),
        text(found.ece.value),
        text(found.largest),
        found.labelled,
        found.without,
    )];
    grid.render(style) + &remarks(&lines, style)
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

#[cfg(test)]
mod tests {
    use verispec_model::YesNo;
    use verispec_studies::compare::Options;
    use verispec_studies::human::sample::Verdict;
    use verispec_studies::human::{HumanVerdict, corrected};

    use super::*;

    #[test]
    fn labels_show_categories_and_calibration() {
        let verdict = |i: usize| Verdict {
            model: "m".into(),
            track: "t".into(),
            dimension: "d".into(),
            instance: format!("i{i}"),
            spec: 1,
            question: "Is it?".into(),
            category: ["colour", "count"][i % 2].into(),
            expected: YesNo::Yes,
            verdict: YesNo::Yes,
            p_yes: (i != 3).then_some(0.8),
        };
        let verdicts: Vec<Verdict> = (0..4).map(verdict).collect();
        let label = |index: usize| HumanVerdict {
            index,
            answer: if index == 1 { YesNo::No } else { YesNo::Yes },
            inclusion: 1.0,
        };
        let labels: Vec<HumanVerdict> = (0..4).map(label).collect();
        let study = corrected(&verdicts, &labels, Options::default());
        let shown = render_labelled(&[("r".to_owned(), study)], Style::plain());
        // Two of three are yes: (2 * 0.04 + 0.64) / 3, and |2/3 - 0.8|.
        for part in [
            "colour    100.00  100.00   0.0 %         2",
            "count     100.00   50.00  50.0 %         2",
            "Brier 0.2400",
            "of people's share alone 0.2222",
            "ECE 0.1333 over ten bins",
            "3 labels, 1 without a P(yes)",
        ] {
            assert!(shown.contains(part), "{part}\n{shown}");
        }
    }
}
