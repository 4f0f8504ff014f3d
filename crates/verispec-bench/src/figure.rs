//! Figures: what was measured, beside what, and whether that is enough.

use std::path::Path;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::machine::Machine;

/// Everything that one or several commands measured.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) machine: Machine,
    /// Commands as typed.
    pub(crate) commands: Vec<String>,
    /// What the data was and what was left out, in sentences.
    pub(crate) notes: Vec<String>,
    pub(crate) figures: Vec<Figure>,
}

/// One measured number: the median of its samples.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Figure {
    /// Group, row and column of the page.
    pub(crate) group: String,
    pub(crate) row: String,
    pub(crate) measure: String,
    pub(crate) unit: String,
    pub(crate) value: f64,
    /// Least and greatest sample.
    pub(crate) range: (f64, f64),
    pub(crate) samples: usize,
    /// What it is compared with, in the same unit.
    pub(crate) beside: Option<Beside>,
    /// A bound, if there is one.
    pub(crate) target: Option<Target>,
    /// Load average of the machine when the measurement began.
    pub(crate) load: f64,
}

/// Something else measured in the same run, or an ideal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Beside {
    pub(crate) what: String,
    pub(crate) value: f64,
}

/// A bound and whether it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Target {
    pub(crate) bound: String,
    pub(crate) met: bool,
}

/// On which side of a bound a number should be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bound {
    /// The figure itself, at most.
    AtMost(f64),
    /// Figure over what it is compared with, at most.
    RatioAtMost(f64),
    /// Figure over what it is compared with, at least.
    RatioAtLeast(f64),
}

impl Figure {
    /// The median of some samples.
    ///
    /// # Panics
    /// Without a sample: a figure that was not measured must not exist.
    pub(crate) fn new(row: &str, measure: &str, unit: &str, samples: &[f64], load: f64) -> Self {
        assert!(!samples.is_empty(), "{row}, {measure}: nothing measured");
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        Self {
            group: String::new(),
            row: row.to_owned(),
            measure: measure.to_owned(),
            unit: unit.to_owned(),
            value: sorted[sorted.len() / 2],
            range: (sorted[0], sorted[sorted.len() - 1]),
            samples: sorted.len(),
            beside: None,
            target: None,
            load,
        }
    }

    pub(crate) fn beside(mut self, what: &str, samples: &[f64]) -> Self {
        let value = median(samples);
        let what = what.to_owned();
        self.beside = value.map(|value| Beside { what, value });
        self
    }

    /// Figure over what it is compared with.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let other = self.beside.as_ref()?.value;
        (other > 0.0).then(|| self.value / other)
    }

    /// Sets the bound; without the other number a bound on the ratio cannot be told, and is not.
    pub(crate) fn bound(mut self, bound: Bound) -> Self {
        let told = match bound {
            Bound::AtMost(most) => Some((format!("≤ {}", short(most)), self.value <= most)),
            Bound::RatioAtMost(most) => self
                .ratio()
                .map(|r| (format!("ratio ≤ {most:.2}"), r <= most)),
            Bound::RatioAtLeast(least) => self
                .ratio()
                .map(|r| (format!("ratio ≥ {least:.2}"), r >= least)),
        };
        self.target = told.map(|(bound, met)| Target { bound, met });
        self
    }

    pub(crate) fn in_group(mut self, group: &str) -> Self {
        self.group = group.to_owned();
        self
    }
}

/// The middle sample; `None` without any.
pub(crate) fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

/// A number with three digits that count.
pub(crate) fn short(value: f64) -> String {
    let digits = match value.abs() {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 0.1 || v == 0.0 => 2,
        _ => 4,
    };
    format!("{value:.digits$}")
}

impl Report {
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    }

    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        std::fs::write(path, text + "\n").with_context(|| path.display().to_string())
    }

    /// Several reports of one machine; where a figure was measured again, the later one counts.
    pub(crate) fn join(reports: Vec<Self>) -> anyhow::Result<Self> {
        let mut reports = reports.into_iter();
        let mut all = reports.next().context("no report")?;
        for more in reports {
            anyhow::ensure!(
                all.machine.is_same(&more.machine),
                "figures of two machines: {} and {}",
                all.machine.processor,
                more.machine.processor
            );
            all.commands.extend(more.commands);
            for note in more.notes {
                if !all.notes.contains(&note) {
                    all.notes.push(note);
                }
            }
            for figure in more.figures {
                let key = |f: &Figure| (f.group.clone(), f.row.clone(), f.measure.clone());
                match all.figures.iter_mut().find(|f| key(f) == key(&figure)) {
                    Some(old) => *old = figure,
                    None => all.figures.push(figure),
                }
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_the_median_and_a_bound_needs_its_other_number() {
        let figure = Figure::new("r", "m", "s", &[3.0, 1.0, 2.0], 0.0);
        assert!((figure.value - 2.0).abs() < 1e-9);
        assert_eq!(figure.range, (1.0, 3.0));
        assert!(
            figure
                .clone()
                .bound(Bound::RatioAtMost(1.0))
                .target
                .is_none()
        );
        let compared = figure.beside("x", &[4.0]);
        assert!(compared.clone().bound(Bound::RatioAtMost(0.5)).met());
        assert!(!compared.clone().bound(Bound::RatioAtLeast(0.6)).met());
        assert!(compared.bound(Bound::AtMost(2.0)).met());
    }

    impl Figure {
        fn met(&self) -> bool {
            self.target.as_ref().unwrap().met
        }
    }
}
