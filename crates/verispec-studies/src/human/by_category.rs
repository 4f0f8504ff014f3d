//! Agreement with people by the category of specifications.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_model::{InstanceState, Results};

use super::corrected::HumanVerdict;
use super::sample::Verdict;
use super::{Cells, Correlations, Ratings, levels};
use crate::matrix::first_opinion;

/// Labels of one category, weighted by inclusion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CategoryErrors {
    /// Category; empty for specifications without one.
    pub category: String,
    /// Labels.
    pub labelled: usize,
    /// Share met by the judge on them, 0-1.
    pub judge: f64,
    /// Share met by people, 0-1.
    pub people: f64,
    /// Share on which judge and people differ, 0-1.
    pub rate: f64,
}

/// Errors of the judge on each category with a label, sorted by category.
#[must_use]
pub fn category_errors(verdicts: &[Verdict], labels: &[HumanVerdict]) -> Vec<CategoryErrors> {
    let mut sums: BTreeMap<&str, (usize, [f64; 4])> = BTreeMap::new();
    for label in labels {
        let verdict = &verdicts[label.index];
        let (n, sum) = sums.entry(&verdict.category).or_default();
        let weight = 1.0 / label.inclusion;
        let met = label.answer == verdict.expected;
        let add = [true, verdict.met(), met, met != verdict.met()];
        *n += 1;
        for (slot, counts) in sum.iter_mut().zip(add) {
            *slot += if counts { weight } else { 0.0 };
        }
    }
    type Sums<'a> = (&'a str, (usize, [f64; 4]));
    let row = |(category, (labelled, [all, judge, people, wrong])): Sums<'_>| CategoryErrors {
        category: category.to_owned(),
        labelled,
        judge: judge / all,
        people: people / all,
        rate: wrong / all,
    };
    sums.into_iter().map(row).collect()
}

/// Scores of one category's specifications against ratings of the whole outputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CategoryLevel {
    /// Category; empty for specifications without one.
    pub category: String,
    /// Over all outputs that have the category and a rating.
    pub pooled: Correlations,
}

/// How each category's scores in a track go with people's ratings, sorted by category. An output's
/// score on a category is met / judged among its specifications.
#[must_use]
pub fn category_levels(results: &Results, track: &str, ratings: &Ratings) -> Vec<CategoryLevel> {
    let mut categories: BTreeMap<String, Cells> = BTreeMap::new();
    for model in &results.models {
        let entered = model.tracks.iter().filter(|t| t.track == track);
        let dimensions = entered.flat_map(|t| &t.dimensions);
        for instance in dimensions.flat_map(|d| &d.instances) {
            let InstanceState::Generated(specs) = &instance.state else {
                continue;
            };
            let mut met: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
            for spec in first_opinion(specs) {
                if let Some(is_met) = spec.met() {
                    let counts = met.entry(&spec.spec.category).or_default();
                    counts.0 += u32::from(is_met);
                    counts.1 += 1;
                }
            }
            for (category, (yes, all)) in met {
                let score = Some(f64::from(yes) / f64::from(all));
                let cells = categories.entry(category.to_owned()).or_default();
                cells.set(&instance.id, &model.model, score);
            }
        }
    }
    let level = |(category, cells): (String, Cells)| CategoryLevel {
        pooled: levels(&cells, ratings).pooled,
        category,
    };
    categories.into_iter().map(level).collect()
}

#[cfg(test)]
mod tests {
    use verispec_model::YesNo;

    use super::*;
    use crate::testing::{Rows, results};

    #[test]
    fn errors_by_category_are_weighted() {
        let verdict = |category: &str, said: YesNo| Verdict {
            model: "m".into(),
            track: "t".into(),
            dimension: "d".into(),
            instance: "i".into(),
            spec: 1,
            question: "Is it?".into(),
            category: category.into(),
            expected: YesNo::Yes,
            verdict: said,
            p_yes: None,
        };
        let verdicts = [
            verdict("b", YesNo::Yes),
            verdict("a", YesNo::Yes),
            verdict("a", YesNo::No),
        ];
        let label = |index: usize, inclusion: f64| HumanVerdict {
            index,
            answer: YesNo::No,
            inclusion,
        };
        let found = category_errors(&verdicts, &[label(0, 1.0), label(1, 0.5), label(2, 1.0)]);
        let of = |c: &CategoryErrors| (c.category.clone(), c.labelled, c.judge, c.people, c.rate);
        let (third, whole) = (2.0 / 3.0, 1.0);
        assert_eq!(of(&found[0]), ("a".into(), 2, third, 0.0, third));
        assert_eq!(of(&found[1]), ("b".into(), 1, whole, 0.0, whole));
    }

    /// People look at the odd specifications alone.
    #[test]
    fn the_category_that_people_see_goes_with_their_ratings() {
        let mut ratings = Ratings::default();
        let rows: Rows = (0..12)
            .map(|i| {
                let id = format!("{i:02}");
                ratings.set(&id, "m", "x", f64::from(u8::from(i % 3 == 0)) + 3.0);
                let met = vec![Some(i % 3 == 0), Some(i % 2 == 0), Some(i % 3 == 0)];
                ("d".to_owned(), id, met)
            })
            .collect();
        let found = category_levels(&results(&["t"], &[("m", vec![("t", rows)])]), "t", &ratings);
        let of = |name: &str| {
            let category = found.iter().find(|c| c.category == name).unwrap();
            (category.pooled.n, category.pooled.tau.value.unwrap())
        };
        assert_eq!(of("odd"), (12, 1.0));
        assert!(of("even").1.abs() < 0.5);
    }
}
