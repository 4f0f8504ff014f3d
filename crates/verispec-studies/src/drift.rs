//! Has the "same" judge changed? Two runs over the same outputs.
//!
//! Scores: differences per model and track, sign-flip test on instances, Holm over all of them.
//! Verdicts: flips per specification and category, with intervals from a bootstrap over instances:
//! specifications of one instance are judged together and are not independent, so McNemar's test
//! does not apply to them. Beside the flips stands the judge's own noise, from repeats of one run.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_model::{InstanceState, Results, SpecResult, YesNo};
use verispec_stats::Undefined;
use verispec_stats::bootstrap::Plan;
use verispec_stats::hypothesis::{cluster_sums, holm, sign_flip};

use crate::compare::Options;
use crate::draws;
use crate::estimate::Estimate;
use crate::matrix::{Matrix, TrackMatrix};

/// The study's result: the second level minus the first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drift {
    /// Score differences by track and model.
    pub models: Vec<ModelDrift>,
    /// Flips over all specifications, then by category.
    pub flips: Vec<Flips>,
    /// Instances with the most flips, most first.
    pub items: Vec<ItemDrift>,
    /// Specifications that only one of the two has, for instance because the suite changed.
    pub unpaired: usize,
}

/// One model's difference in one track.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelDrift {
    /// Track.
    pub track: String,
    /// Model.
    pub model: String,
    /// Mean over dimensions of mean instance differences, percent points.
    pub difference: Estimate,
    /// Sign-flip p.
    pub p: Option<f64>,
    /// The same after Holm's correction over all tracks and models.
    pub p_holm: Option<f64>,
    /// Instances with a score on both sides.
    pub n: usize,
}

/// Verdicts that changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flips {
    /// Category of the specifications; `None` for all.
    pub category: Option<String>,
    /// Specifications with a verdict on both sides.
    pub paired: usize,
    /// From yes to no.
    pub yes_to_no: usize,
    /// From no to yes.
    pub no_to_yes: usize,
    /// Share that changed, 0-1, interval by instance.
    pub rate: Estimate,
}

/// An instance whose verdicts changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ItemDrift {
    /// Track.
    pub track: String,
    /// Instance.
    pub id: String,
    /// Changed verdicts, over all models.
    pub flips: usize,
    /// Paired verdicts.
    pub paired: usize,
}

/// Instances listed.
const ITEMS: usize = 20;

/// Makes the study from the first two levels of a matrix.
#[must_use]
pub fn drift(matrix: &Matrix, options: Options) -> Drift {
    let mut models: Vec<ModelDrift> = matrix
        .tracks
        .iter()
        .flat_map(|t| (0..t.models.len()).map(move |m| model(t, m, options)))
        .collect();
    let tested: Vec<f64> = models.iter().filter_map(|m| m.p).collect();
    let adjusted = holm(&tested).unwrap_or_default();
    for (row, p) in models.iter_mut().filter(|m| m.p.is_some()).zip(adjusted) {
        row.p_holm = Some(p);
    }
    let counted = Counted::of(matrix);
    let plan = draws::plan(&matrix.tracks).ok();
    let all = counted.flips(None, plan.as_ref(), options);
    let categories = counted.by_category.keys();
    let each = categories.map(|c| counted.flips(Some(c), plan.as_ref(), options));
    Drift {
        models,
        flips: std::iter::once(all).chain(each).collect(),
        items: counted.items(matrix),
        unpaired: counted.unpaired,
    }
}

fn model(track: &TrackMatrix, model: usize, options: Options) -> ModelDrift {
    let rows = track.row(0, model).iter().zip(track.row(1, model));
    let values: Vec<(usize, Option<f64>)> = track
        .units
        .iter()
        .zip(rows)
        .map(|(u, (a, b))| (u.dimension, a.score.zip(b.score).map(|(a, b)| b - a)))
        .collect();
    let plan = draws::plan(std::slice::from_ref(track)).ok();
    let groups = track.dimensions.len();
    let sample = plan.and_then(|p| draws::score(&p, groups, &values, options.draws, options.seed));
    let both = track.units.iter().zip(&values);
    let both = both.filter_map(|(u, (_, v))| Some((u.cluster, (*v)?)));
    let (clusters, each): (Vec<u32>, Vec<f64>) = both.unzip();
    let sums = cluster_sums(&each, &clusters).ok();
    let test = sums.and_then(|s| sign_flip(&s, options.draws as u64, options.seed).ok());
    ModelDrift {
        track: track.name.clone(),
        model: track.models[model].clone(),
        difference: Estimate::sampled_or(sample.as_ref(), options.level, NOTHING_IN_COMMON),
        p: test.map(|t| t.p),
        p_holm: None,
        n: each.len(),
    }
}

const NOTHING_IN_COMMON: Undefined = Undefined::TooFew {
    what: "instances with a score on both sides",
    found: 0,
    need: 1,
};

/// Flips of one unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Count {
    yes_to_no: usize,
    no_to_yes: usize,
    paired: usize,
}

impl Count {
    fn add(&mut self, first: YesNo, second: YesNo) {
        self.paired += 1;
        match (first, second) {
            (YesNo::Yes, YesNo::No) => self.yes_to_no += 1,
            (YesNo::No, YesNo::Yes) => self.no_to_yes += 1,
            _ => {}
        }
    }

    fn flips(self) -> usize {
        self.yes_to_no + self.no_to_yes
    }
}

/// Flips by unit (of all tracks in order), in all and by category.
struct Counted {
    all: Vec<Count>,
    by_category: BTreeMap<String, Vec<Count>>,
    unpaired: usize,
}

impl Counted {
    fn of(matrix: &Matrix) -> Self {
        let units: usize = matrix.tracks.iter().map(|t| t.units.len()).sum();
        let mut counted = Self {
            all: vec![Count::default(); units],
            by_category: BTreeMap::new(),
            unpaired: 0,
        };
        let mut start = 0;
        for track in &matrix.tracks {
            for model in 0..track.models.len() {
                let rows = track.row(0, model).iter().zip(track.row(1, model));
                for (unit, (first, second)) in rows.enumerate() {
                    counted.unit(matrix, start + unit, &first.marks, &second.marks);
                }
            }
            start += track.units.len();
        }
        counted
    }

    fn unit(
        &mut self,
        matrix: &Matrix,
        unit: usize,
        first: &[crate::matrix::Mark],
        second: &[crate::matrix::Mark],
    ) {
        // An output that one side lacks is a failure of the run, not of the suite.
        if first.is_empty() || second.is_empty() {
            return;
        }
        let mut found = 0;
        for mark in first {
            let twin = second.iter().find(|m| m.content == mark.content);
            found += usize::from(twin.is_some());
            let verdicts = mark.verdict.zip(twin.and_then(|m| m.verdict));
            let Some((a, b)) = verdicts else { continue };
            self.all[unit].add(a, b);
            let category = matrix.specs.get(&mark.content).map(|s| s.category.as_str());
            let units = self.all.len();
            let of = self.by_category.entry(category.unwrap_or("").to_owned());
            of.or_insert_with(|| vec![Count::default(); units])[unit].add(a, b);
        }
        self.unpaired += first.len() + second.len() - 2 * found;
    }

    fn flips(&self, category: Option<&String>, plan: Option<&Plan>, options: Options) -> Flips {
        let counts = category
            .and_then(|c| self.by_category.get(c))
            .unwrap_or(&self.all);
        let parts: Vec<(f64, f64)> = counts
            .iter()
            .map(|c| (c.flips() as f64, c.paired as f64))
            .collect();
        let sample = plan.and_then(|p| draws::ratio(p, &parts, options.draws, options.seed));
        Flips {
            category: category.cloned(),
            paired: counts.iter().map(|c| c.paired).sum(),
            yes_to_no: counts.iter().map(|c| c.yes_to_no).sum(),
            no_to_yes: counts.iter().map(|c| c.no_to_yes).sum(),
            rate: Estimate::sampled_or(sample.as_ref(), options.level, NOTHING_IN_COMMON),
        }
    }

    fn items(&self, matrix: &Matrix) -> Vec<ItemDrift> {
        let units = matrix
            .tracks
            .iter()
            .flat_map(|t| t.units.iter().map(move |u| (t, u)));
        let mut items: Vec<ItemDrift> = units
            .zip(&self.all)
            .filter(|(_, c)| c.flips() > 0)
            .map(|((track, unit), count)| ItemDrift {
                track: track.name.clone(),
                id: unit.id.clone(),
                flips: count.flips(),
                paired: count.paired,
            })
            .collect();
        items.sort_by(|a, b| b.flips.cmp(&a.flips).then_with(|| a.id.cmp(&b.id)));
        items.truncate(ITEMS);
        items
    }
}

/// How often a judge contradicts itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SelfNoise {
    /// Pairs of repeats with a verdict each.
    pub pairs: usize,
    /// Share of those that differ, 0-1, interval by instance.
    pub rate: Estimate,
}

/// Disagreement between the repeats of one run; `None` without repeats.
#[must_use]
pub fn self_noise(results: &Results, options: Options) -> Option<SelfNoise> {
    let mut parts: BTreeMap<(&str, &str), (f64, f64)> = BTreeMap::new();
    for track in results.models.iter().flat_map(|m| &m.tracks) {
        for instance in track.dimensions.iter().flat_map(|d| &d.instances) {
            let InstanceState::Generated(specs) = &instance.state else {
                continue;
            };
            let (differ, pairs) = contradictions(specs);
            let key = (track.track.as_str(), instance.id.as_str());
            let part = parts.entry(key).or_default();
            part.0 += differ as f64;
            part.1 += pairs as f64;
        }
    }
    let parts: Vec<(f64, f64)> = parts.into_values().collect();
    rate(&parts, options)
}

/// Verdicts that differ, and all pairs, by instance: the share over all with its interval over
/// instances. `None` without a pair.
#[must_use]
pub fn disagreement(parts: &[(usize, usize)], options: Options) -> Option<SelfNoise> {
    let parts: Vec<(f64, f64)> = parts.iter().map(|p| (p.0 as f64, p.1 as f64)).collect();
    rate(&parts, options)
}

fn rate(parts: &[(f64, f64)], options: Options) -> Option<SelfNoise> {
    let pairs = parts.iter().map(|p| p.1).sum::<f64>() as usize;
    if pairs == 0 {
        return None;
    }
    let plan = Plan::simple(parts.len()).ok()?;
    let sample = draws::ratio(&plan, parts, options.draws, options.seed)?;
    Some(SelfNoise {
        pairs,
        rate: Estimate::sampled(&sample, options.level),
    })
}

/// Pairs of repeats of one judge on one specification: those that differ, and all.
fn contradictions(specs: &[SpecResult]) -> (usize, usize) {
    let (mut differ, mut pairs) = (0, 0);
    for (i, one) in specs.iter().enumerate() {
        for other in &specs[i + 1..] {
            let same =
                one.provenance.judge == other.provenance.judge && one.spec.id == other.spec.id;
            if !same || one.provenance.repeat == other.provenance.repeat {
                continue;
            }
            if let Some((a, b)) = one.verdict().zip(other.verdict()) {
                pairs += 1;
                differ += usize::from(a != b);
            }
        }
    }
    (differ, pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Clusters;
    use crate::testing::{Noise, Rows, matrix, results};

    fn run(seed: u64, flip: impl Fn(usize, usize) -> bool) -> Results {
        let mut noise = Noise(seed);
        let rows: Rows = (0..60)
            .map(|i| {
                let verdicts = (0..6)
                    .map(|s| Some((noise.unit() < 0.6) != flip(i, s)))
                    .collect();
                (format!("d{}", i / 30), format!("{i:02}"), verdicts)
            })
            .collect();
        let other = rows.clone();
        results(
            &["t"],
            &[("a", vec![("t", rows)]), ("b", vec![("t", other)])],
        )
    }

    fn study(second: Results) -> Drift {
        let levels = [
            ("old", None, "g", run(5, |_, _| false)),
            ("new", None, "g", second),
        ];
        drift(&matrix(&levels, &Clusters::new()), Options::default())
    }

    #[test]
    fn an_unchanged_judge_has_no_flips() {
        let drift = study(run(5, |_, _| false));
        let all = &drift.flips[0];
        assert_eq!((all.paired, all.yes_to_no, all.no_to_yes), (720, 0, 0));
        assert_eq!(all.rate.value, Some(0.0));
        assert!(drift.items.is_empty());
        for model in &drift.models {
            assert_eq!(model.difference.value, Some(0.0));
            assert_eq!(model.p_holm, Some(1.0));
        }
    }

    #[test]
    fn flips_are_counted_by_category_and_instance() {
        // The second specification (id 2, category even) of every third instance.
        let drift = study(run(5, |i, s| s == 1 && i % 3 == 0));
        let by = |name: Option<&str>| {
            let of = |f: &&Flips| f.category.as_deref() == name;
            drift.flips.iter().find(of).unwrap()
        };
        let flipped = |f: &Flips| f.yes_to_no + f.no_to_yes;
        // 20 instances, two models.
        assert_eq!(flipped(by(None)), 40);
        assert_eq!(flipped(by(Some("even"))), 40);
        assert_eq!(flipped(by(Some("odd"))), 0);
        let rate = &by(None).rate;
        assert!((rate.value.unwrap() - 40.0 / 720.0).abs() < 1e-12);
        assert!(rate.interval.unwrap().contains(40.0 / 720.0));
        assert_eq!(drift.items.len(), 20);
        assert_eq!((drift.items[0].flips, drift.items[0].paired), (2, 12));
    }

    #[test]
    fn a_stricter_judge_moves_scores_significantly() {
        let mut second = run(5, |_, _| false);
        for model in &mut second.models {
            for instance in model.tracks[0]
                .dimensions
                .iter_mut()
                .flat_map(|d| &mut d.instances)
            {
                if let InstanceState::Generated(specs) = &mut instance.state {
                    specs[0].reading = Some(verispec_model::Reading::Answer(
                        verispec_model::Answer::YesNo(YesNo::No),
                    ));
                }
            }
        }
        let drift = study(second);
        for model in &drift.models {
            assert!(model.difference.value.unwrap() < -5.0);
            assert!(model.p_holm.unwrap() < 0.01);
        }
        assert_eq!(drift.flips[0].no_to_yes, 0);
    }

    #[test]
    fn repeats_tell_the_noise() {
        let mut noisy = run(5, |_, _| false);
        assert_eq!(self_noise(&noisy, Options::default()), None);
        let instances = noisy.models[0].tracks[0].dimensions.iter_mut();
        for instance in instances.flat_map(|d| &mut d.instances) {
            if let InstanceState::Generated(specs) = &mut instance.state {
                let mut again = specs.clone();
                again.iter_mut().for_each(|s| s.provenance.repeat = 1);
                again[2].reading = Some(verispec_model::Reading::Answer(
                    verispec_model::Answer::YesNo(match specs[2].verdict().unwrap() {
                        YesNo::Yes => YesNo::No,
                        YesNo::No => YesNo::Yes,
                    }),
                ));
                specs.extend(again);
            }
        }
        let noise = self_noise(&noisy, Options::default()).unwrap();
        assert_eq!(noise.pairs, 360);
        assert!((noise.rate.value.unwrap() - 1.0 / 6.0).abs() < 1e-12);
    }
}
