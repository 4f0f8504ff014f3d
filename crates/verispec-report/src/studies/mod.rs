//! Tables of studies in the terminal. The numbers come from `verispec-studies`.

mod compare;
mod drift;
mod dsg;
mod family;
mod gate;
mod human;
mod items;
mod leak;
mod metrics;
mod policies;
mod published;
mod realunify;
mod stability;
mod wins;

pub use compare::render_compare;
pub use drift::render_drift;
pub use dsg::render_dsg;
pub use family::render_family;
pub use gate::{gate_line, render_gate};
pub use human::{HumanTrack, render_grades, render_human, render_labelled};
pub use items::render_items;
pub use leak::render_leak;
pub use metrics::render_metrics;
pub use policies::{NotApplicable, RankingEffects, render_policies};
pub use published::{render_audit, render_published};
pub use realunify::{realunify_csv, realunify_latex, realunify_markdown, render_realunify};
pub use stability::{PublishedStability, render_stability};
pub use wins::render_wins;

use verispec_studies::Estimate;

use crate::number::DASH;
use crate::style::{Style, Tone};
use crate::tables::grid::Field;
use crate::text::clean_line;

/// A number of a study with so many decimals; a dash where it is undefined.
pub(crate) fn number(value: Option<f64>, decimals: usize) -> Field {
    value.map_or_else(
        || Field::new(DASH, Tone::Faint),
        |v| Field::from(fixed(v, decimals)),
    )
}

/// A number with so many decimals; what rounds to zero has no sign.
fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|c| matches!(c, '0' | '.')) => zero.to_owned(),
        _ => text,
    }
}

/// `0.91 [0.84, 0.96]`, without brackets where there is no interval.
fn estimate(estimate: &Estimate, decimals: usize) -> Field {
    let Some(value) = estimate.value else {
        return Field::new(DASH, Tone::Faint);
    };
    Field::from(match estimate.interval {
        Some(i) => format!(
            "{} [{}, {}]",
            fixed(value, decimals),
            fixed(i.low, decimals),
            fixed(i.high, decimals)
        ),
        None => fixed(value, decimals),
    })
}

/// A p-value as papers write it.
pub(crate) fn p_text(p: Option<f64>) -> String {
    match p {
        None => DASH.to_owned(),
        Some(p) if p < 0.001 => "<0.001".to_owned(),
        Some(p) => format!("{p:.3}"),
    }
}

/// As [`p_text`], in a table.
pub(crate) fn p_value(p: Option<f64>) -> Field {
    Field::from(p_text(p))
}

/// Heading of a part.
pub(crate) fn heading(text: &str, style: Style) -> String {
    format!("\n{}\n", style.paint(&clean_line(text), Tone::Strong))
}

/// Remarks below a table.
pub(crate) fn remarks(lines: &[String], style: Style) -> String {
    let line = |l: &String| format!("{} {}\n", style.paint("!", Tone::Odd), clean_line(l));
    let lines: String = lines.iter().map(line).collect();
    if lines.is_empty() {
        lines
    } else {
        format!("\n{lines}")
    }
}

#[cfg(test)]
mod tests {
    use super::fixed;

    #[test]
    fn what_rounds_to_zero_has_no_sign() {
        assert_eq!(fixed(-0.04, 1), "0.0");
        assert_eq!(fixed(-0.06, 1), "-0.1");
        assert_eq!(fixed(-0.0, 3), "0.000");
        assert_eq!(fixed(-10.0, 0), "-10");
    }
}
