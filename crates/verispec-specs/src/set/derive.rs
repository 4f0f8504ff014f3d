//! Sets out of a manifest, without a call.

use verispec_model::{KeyBuilder, YesNo};

use super::record::{
    Candidate, Decision, GeneratorState, Group, InstanceRecord, Rated, SetManifest,
};
use super::review::{Act, Wording};

/// Which set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// After filter and review.
    Complete,
    /// After merging, without the filter's decision. Groups on hold wait here too; review is not
    /// heeded.
    WithoutFiltering,
    /// Candidates of one generator alone, by position: repetitions by typed key removed, not
    /// merged, not filtered, not reviewed.
    Only(usize),
}

/// A specification of a set, before it gets its label.
#[derive(Debug, Clone, PartialEq)]
pub struct FinalSpec {
    /// Wording.
    pub wording: Wording,
    /// Mean of all ratings with two decimals, where it was rated.
    pub score: Option<f64>,
}

/// Why an instance has no specifications in a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotYet {
    /// A generator has not answered or failed.
    #[error("a generator has not given its candidates")]
    Generate,
    /// It is not merged.
    #[error("its candidates are not merged")]
    Merge,
    /// It is not filtered.
    #[error("a rating is missing and no reviewer has decided")]
    Filter,
}

impl SetManifest {
    /// The sets that can be told apart in an ablation, by name: one a generator, without
    /// filtering, complete.
    #[must_use]
    pub fn sets(&self) -> Vec<(String, Which)> {
        let only = self.settings.generators.iter().enumerate();
        let mut sets: Vec<(String, Which)> = only
            .map(|(i, m)| (format!("only-{}", m.name), Which::Only(i)))
            .collect();
        sets.push(("without-filtering".to_owned(), Which::WithoutFiltering));
        sets.push(("complete".to_owned(), Which::Complete));
        sets
    }

    /// Content version of a set: a hash over place, question, category and expected answer of all
    /// its specifications. Instances that are not ready are no part of it.
    #[must_use]
    pub fn version(&self, which: &Which) -> String {
        let mut key = KeyBuilder::new("verispec/specs-version");
        for record in &self.instances {
            let Ok(specs) = record.specs(which) else {
                continue;
            };
            key.field("instance", record.place().as_bytes());
            for spec in specs {
                key.field("question", spec.wording.question.as_bytes());
                key.field("category", spec.wording.category.as_bytes());
                key.field("subcategory", spec.wording.subcategory.as_bytes());
                key.field("expected", spec.wording.expected.as_str().as_bytes());
            }
        }
        key.finish().short()
    }
}

impl InstanceRecord {
    /// Track, dimension and id, with slashes.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}/{}/{}", self.track, self.dimension, self.id)
    }

    /// The specifications of this instance in a set, in order of groups or candidates.
    ///
    /// # Errors
    /// The stage that it waits for.
    pub fn specs(&self, which: &Which) -> Result<Vec<FinalSpec>, NotYet> {
        match which {
            Which::Only(generator) => self.only(*generator),
            Which::WithoutFiltering => {
                let groups = self.merged().ok_or(NotYet::Merge)?;
                let free = groups.iter().filter(|g| g.holds.is_empty());
                Ok(free.map(|g| spec_of(g, None)).collect())
            }
            Which::Complete => self.complete(),
        }
    }

    fn only(&self, generator: usize) -> Result<Vec<FinalSpec>, NotYet> {
        if !self
            .generators
            .get(generator)
            .is_some_and(GeneratorState::is_done)
        {
            return Err(NotYet::Generate);
        }
        let own: Vec<&Candidate> = self
            .candidates
            .iter()
            .filter(|c| c.generator == generator && !c.is_blocked())
            .collect();
        Ok(units(&own).into_iter().map(|unit| plain(unit[0])).collect())
    }

    fn complete(&self) -> Result<Vec<FinalSpec>, NotYet> {
        let groups = self.merged().ok_or(NotYet::Merge)?;
        let rated = self.rated.as_ref().ok_or(NotYet::Filter)?;
        let mut specs = vec![];
        for group in groups {
            let rating = rated.iter().find(|r| r.group == group.id);
            let review = self.review.iter().rev().find(|a| a.group == group.id);
            let said = |wording: &Wording| FinalSpec {
                wording: wording.clone(),
                score: None,
            };
            match review.map(|a| &a.act) {
                Some(Act::Reject) => {}
                Some(Act::Accept) => specs.push(spec_of(group, rating)),
                Some(Act::Edit(wording)) => specs.push(said(wording)),
                Some(Act::Split(wordings)) => specs.extend(wordings.iter().map(said)),
                None if !group.holds.is_empty() => {}
                None => match rating.map(|r| &r.decision) {
                    Some(Decision::Kept | Decision::Agreed) => specs.push(spec_of(group, rating)),
                    Some(Decision::Dropped | Decision::Hopeless) => {}
                    Some(Decision::Unrated { .. } | Decision::Pending) | None => {
                        return Err(NotYet::Filter);
                    }
                },
            }
        }
        Ok(specs)
    }
}

/// Candidates with equal typed keys and expected answers together, in order.
pub(crate) fn units<'a>(candidates: &[&'a Candidate]) -> Vec<Vec<&'a Candidate>> {
    let mut units: Vec<(String, YesNo, Vec<&Candidate>)> = vec![];
    for candidate in candidates {
        let key = crate::phrase::Phrase::of(&candidate.question).key();
        let known = units
            .iter_mut()
            .find(|(k, e, _)| *k == key && *e == candidate.expected);
        match known {
            Some((.., members)) => members.push(candidate),
            None => units.push((key, candidate.expected, vec![candidate])),
        }
    }
    units.into_iter().map(|(.., members)| members).collect()
}

fn plain(candidate: &Candidate) -> FinalSpec {
    FinalSpec {
        wording: Wording {
            question: candidate.question.clone(),
            category: candidate.category.clone(),
            subcategory: candidate.subcategory.clone(),
            expected: candidate.expected,
        },
        score: None,
    }
}

fn spec_of(group: &Group, rated: Option<&Rated>) -> FinalSpec {
    FinalSpec {
        wording: Wording {
            question: group.question.clone(),
            category: group.category.clone(),
            subcategory: group.subcategory.clone(),
            expected: group.expected,
        },
        score: rated.and_then(Rated::score),
    }
}

impl Rated {
    /// Sum of all numbers in hundredths, and how many there are.
    #[must_use]
    pub fn sum(&self) -> (u32, u32) {
        let each = |r: &super::record::Rating| [r.relevance, r.clarity, r.verifiability];
        let all = self.ratings.iter().flat_map(each);
        let sum = all.map(super::points::Points::hundredths).sum();
        (sum, 3 * u32::try_from(self.ratings.len()).unwrap_or(0))
    }

    /// Mean of all numbers, rounded half up to two decimals; `None` without a rating.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let (sum, n) = self.sum();
        (n > 0).then(|| f64::from((2 * sum + n) / (2 * n)) / 100.0)
    }
}
