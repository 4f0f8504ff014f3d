//! `study dsg --tifa`

use verispec_studies::dsg::MetricStudy;
use verispec_studies::human::{Averaged, Correlations};

use super::heading;
use crate::number::DASH;
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// Metrics of TIFA's own study against people, at four levels.
#[must_use]
pub fn render_metrics(study: &MetricStudy, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("metric", Kind::Label)
        .column("pooled (n)", Kind::Number)
        .column("per prompt (defined)", Kind::Number)
        .column("within model", Kind::Number)
        .column("model", Kind::Number);
    for row in &study.metrics {
        let levels = &row.levels;
        grid.row([
            Field::from(clean_line(&row.metric)),
            counted(&levels.pooled),
            averaged(&levels.per_prompt, true),
            averaged(&levels.within_model, false),
            pair(levels.model.rho.value, levels.model.tau.value, None),
        ]);
    }
    let blank = || Field::from("");
    grid.row([
        Field::new("ceiling: first rating, second", Tone::Faint),
        counted(&study.ratings),
        blank(),
        blank(),
        blank(),
    ]);
    let title = "TIFA's own study: rho and tau-b of metrics with the mean of two ratings";
    let footer = format!(
        "{} images; scores as released, TIFA's among them under five judges: no question is read \
         here, so no answer key is needed",
        study.images
    );
    heading(title, style)
        + &grid.render(style)
        + &format!("\n{}\n", style.paint(&footer, Tone::Faint))
}

fn counted(c: &Correlations) -> Field {
    pair(c.rho.value, c.tau.value, Some(c.n))
}

fn averaged(a: &Averaged, with_defined: bool) -> Field {
    pair(a.rho, a.tau, with_defined.then_some(a.defined))
}

fn pair(rho: Option<f64>, tau: Option<f64>, n: Option<usize>) -> Field {
    let Some((rho, tau)) = rho.zip(tau) else {
        return Field::new(DASH, Tone::Faint);
    };
    let n = n.map_or_else(String::new, |n| format!(" ({n})"));
    Field::from(format!("{rho:.3} {tau:.3}{n}"))
}
