//! Which verdicts should people check? A stratified random sample with known inclusion
//! probabilities.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use verispec_model::{InstanceState, Results, YesNo};
use verispec_stats::random::Stream;

use crate::matrix::first_opinion;

/// A verdict that may be labelled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Model under test.
    pub model: String,
    /// Track.
    pub track: String,
    /// Dimension.
    pub dimension: String,
    /// Instance.
    pub instance: String,
    /// Label of the specification.
    pub spec: u32,
    /// The statement.
    pub question: String,
    /// Category; may be empty.
    pub category: String,
    /// Answer that counts as met.
    pub expected: YesNo,
    /// What the judge said.
    pub verdict: YesNo,
    /// How likely a yes was, 0-1, where the judge's server tells.
    pub p_yes: Option<f64>,
}

impl Verdict {
    /// Verdict against expectation.
    #[must_use]
    pub fn met(&self) -> bool {
        self.verdict == self.expected
    }

    /// What names it inside a run.
    #[must_use]
    pub fn key(&self) -> (&str, &str, &str, u32) {
        (&self.model, &self.track, &self.instance, self.spec)
    }
}

/// By what a sample is stratified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stratum {
    /// Model under test.
    Model,
    /// Track.
    Track,
    /// Dimension.
    Dimension,
    /// Category of the specification.
    Category,
    /// What the judge said.
    Verdict,
    /// Expected answer.
    Expected,
}

impl Stratum {
    fn of(self, v: &Verdict) -> String {
        match self {
            Self::Model => v.model.clone(),
            Self::Track => v.track.clone(),
            Self::Dimension => v.dimension.clone(),
            Self::Category => v.category.clone(),
            Self::Verdict => v.verdict.to_string(),
            Self::Expected => v.expected.to_string(),
        }
    }
}

/// Something that was drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// Its place in the list it was drawn from.
    pub index: usize,
    /// Its stratum, values joined by `/`.
    pub stratum: String,
    /// The probability with which it was drawn, in (0, 1].
    pub inclusion: f64,
}

/// All verdicts of results; of several opinions the first.
#[must_use]
pub fn verdicts(results: &Results) -> Vec<Verdict> {
    let mut all = vec![];
    for model in &results.models {
        for track in &model.tracks {
            for dimension in &track.dimensions {
                for instance in &dimension.instances {
                    let InstanceState::Generated(specs) = &instance.state else {
                        continue;
                    };
                    all.extend(first_opinion(specs).iter().filter_map(|s| {
                        Some(Verdict {
                            model: model.model.clone(),
                            track: track.track.clone(),
                            dimension: dimension.name.clone(),
                            instance: instance.id.clone(),
                            spec: s.spec.id,
                            question: s.spec.question.clone(),
                            category: s.spec.category.clone(),
                            expected: s.spec.expected,
                            verdict: s.verdict()?,
                            p_yes: s.provenance.soft.map(|soft| soft.p_yes),
                        })
                    }));
                }
            }
        }
    }
    all
}

/// Draws `n` verdicts, spread evenly over the strata, without replacement. A stratum smaller than
/// its part is taken whole and the rest goes to the others; the inclusion probability is the
/// stratum's draws over its size. In the order of the list; all of it when `n` is larger.
#[must_use]
pub fn sample(verdicts: &[Verdict], strata: &[Stratum], n: usize, seed: u64) -> Vec<Drawn> {
    let name = |verdict: &Verdict| {
        let name: Vec<String> = strata.iter().map(|s| s.of(verdict)).collect();
        name.join("/")
    };
    draw(verdicts.iter().map(name), n, seed)
}

/// As [`sample`], of anything: `strata` names the stratum of each member of the list.
#[must_use]
pub fn draw(strata: impl IntoIterator<Item = String>, n: usize, seed: u64) -> Vec<Drawn> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (i, name) in strata.into_iter().enumerate() {
        groups.entry(name).or_default().push(i);
    }
    let sizes: Vec<usize> = groups.values().map(Vec::len).collect();
    let parts = allocate(&sizes, n);
    let mut drawn = vec![];
    for (number, ((stratum, mut members), part)) in (0_u64..).zip(groups.into_iter().zip(parts)) {
        let size = members.len();
        let mut stream = Stream::new(seed, number);
        for i in 0..part {
            let left = u32::try_from(size - i).unwrap_or(u32::MAX);
            members.swap(i, i + stream.below(left) as usize);
        }
        drawn.extend(members[..part].iter().map(|index| Drawn {
            index: *index,
            stratum: stratum.clone(),
            inclusion: part as f64 / size as f64,
        }));
    }
    drawn.sort_by_key(|d| d.index);
    drawn
}

/// Even parts of `n`, none larger than its stratum; what is over goes one by one to the largest.
fn allocate(sizes: &[usize], n: usize) -> Vec<usize> {
    let n = n.min(sizes.iter().sum());
    let mut parts = vec![0; sizes.len()];
    let mut left = n;
    loop {
        let open: Vec<usize> = (0..sizes.len()).filter(|i| parts[*i] < sizes[*i]).collect();
        if left == 0 || open.is_empty() {
            return parts;
        }
        let each = left / open.len();
        if each == 0 {
            let mut open = open;
            open.sort_by_key(|i| (std::cmp::Reverse(sizes[*i]), *i));
            open.into_iter().take(left).for_each(|i| parts[i] += 1);
            return parts;
        }
        for i in open {
            let more = each.min(sizes[i] - parts[i]);
            parts[i] += more;
            left -= more;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn verdict(i: usize) -> Verdict {
        Verdict {
            model: format!("m{}", i % 3),
            track: "t".into(),
            dimension: "d".into(),
            instance: format!("i{}", i / 3),
            spec: 1,
            question: "Is it?".into(),
            category: String::new(),
            expected: YesNo::Yes,
            verdict: if i.is_multiple_of(10) {
                YesNo::No
            } else {
                YesNo::Yes
            },
            p_yes: None,
        }
    }

    #[test]
    fn rare_verdicts_get_their_part() {
        let all: Vec<Verdict> = (0..300).map(verdict).collect();
        let drawn = sample(&all, &[Stratum::Verdict], 40, 1);
        let no: Vec<&Drawn> = drawn.iter().filter(|d| d.stratum == "No").collect();
        assert_eq!((drawn.len(), no.len()), (40, 20));
        assert!((no[0].inclusion - 20.0 / 30.0).abs() < 1e-12);
        assert_eq!(drawn, sample(&all, &[Stratum::Verdict], 40, 1));
        assert_ne!(drawn, sample(&all, &[Stratum::Verdict], 40, 2));
    }

    #[test]
    fn small_strata_are_taken_whole() {
        assert_eq!(allocate(&[3, 100, 100], 60), [3, 29, 28]);
        assert_eq!(allocate(&[3, 2], 60), [3, 2]);
        assert_eq!(allocate(&[5, 5, 5], 2), [1, 1, 0]);
        assert_eq!(allocate(&[], 2), [] as [usize; 0]);
    }

    /// The Horvitz-Thompson total of 1 is the number of verdicts.
    #[test]
    fn weights_add_up() {
        let all: Vec<Verdict> = (0..97).map(verdict).collect();
        let strata = [Stratum::Model, Stratum::Verdict];
        let drawn = sample(&all, &strata, 31, 9);
        let total: f64 = drawn.iter().map(|d| 1.0 / d.inclusion).sum();
        assert!((total - 97.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn parts_fill_up(sizes in prop::collection::vec(0usize..40, 0..8), n in 0usize..150) {
            let parts = allocate(&sizes, n);
            prop_assert!(parts.iter().zip(&sizes).all(|(p, s)| p <= s));
            prop_assert_eq!(parts.iter().sum::<usize>(), n.min(sizes.iter().sum()));
        }
    }
}
