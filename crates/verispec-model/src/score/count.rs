//! Counters that every table shows, in specifications.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::Serialize;

use crate::reading::{Answer, Reading, Unjudged};
use crate::results::{InstanceState, OutputFailure, SpecResult};

/// What became of each expected specification.
///
/// `expected = generated + output_failed` and
/// `generated = judged + unjudged + unjudgeable + pending + not_asked`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Specifications of all instances that count.
    pub expected: usize,
    /// Those whose instance has an output, or whose instance nobody can judge.
    pub generated: usize,
    /// Those lost because the model under test failed.
    pub output_failed: usize,
    /// Those with a verdict.
    pub judged: usize,
    /// Of the judged ones, those that meet the expectation.
    pub met: usize,
    /// Of the judged ones, those that are grades of whole instances, neither met nor unmet.
    #[serde(skip_serializing_if = "is_zero")]
    pub graded: usize,
    /// Those that the judge failed on.
    pub unjudged: usize,
    /// Those that nobody can judge because the data failed.
    pub unjudgeable: usize,
    /// Those still without a settled reply.
    pub pending: usize,
    /// Those that were not asked, because an earlier one had decided their instance already.
    #[serde(skip_serializing_if = "is_zero")]
    pub not_asked: usize,
    /// Judge failures by reason.
    pub unjudged_by: BTreeMap<String, usize>,
    /// Instances by kind of output failure.
    pub failed_instances: BTreeMap<String, usize>,
    /// Instances that count.
    pub instances: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_zero(n: &usize) -> bool {
    *n == 0
}

impl Counters {
    /// Counts one instance.
    #[must_use]
    pub fn of(state: &InstanceState) -> Self {
        let k = state.spec_count();
        let mut c = Self {
            expected: k,
            instances: 1,
            ..Self::default()
        };
        match state {
            InstanceState::Generated(specs) => {
                c.generated = k;
                specs.iter().for_each(|s| c.add_spec(s));
            }
            InstanceState::OutputFailed(why, _) => c.add_failure(*why, k),
            InstanceState::Unjudgeable(..) => {
                c.generated = k;
                c.unjudgeable = k;
            }
        }
        c
    }

    fn add_spec(&mut self, spec: &SpecResult) {
        match (&spec.reading, spec.met()) {
            (None, _) => self.pending += 1,
            (Some(_), Some(met)) => {
                self.judged += 1;
                self.met += usize::from(met);
            }
            (Some(Reading::Unjudged(Unjudged::NotAsked)), None) => self.not_asked += 1,
            (Some(Reading::Unjudged(why)), None) => self.add_unjudged(*why),
            (Some(Reading::Answer(Answer::Grade { .. })), None) => {
                self.judged += 1;
                self.graded += 1;
            }
            // An answer of another kind says nothing about a yes/no statement.
            (Some(Reading::Answer(_)), None) => self.add_unjudged(Unjudged::Unparsed),
        }
    }

    fn add_unjudged(&mut self, why: Unjudged) {
        self.unjudged += 1;
        *self.unjudged_by.entry(why.as_str().to_owned()).or_default() += 1;
    }

    fn add_failure(&mut self, why: OutputFailure, k: usize) {
        self.output_failed += k;
        *self.failed_instances.entry(why.to_string()).or_default() += 1;
    }

    /// Those with a verdict that does not meet the expectation.
    #[must_use]
    pub const fn unmet(&self) -> usize {
        self.judged - self.met - self.graded
    }

    /// Counts the specifications of one opinion.
    pub(super) fn of_specs(specs: &[SpecResult]) -> Self {
        let mut c = Self::default();
        specs.iter().for_each(|s| c.add_spec(s));
        c
    }

    /// Share of generated, judgeable specifications with a verdict, 0-1, without those that did not
    /// have to be asked; `None` when there are none.
    #[must_use]
    pub fn coverage(&self) -> Option<f64> {
        let judgeable = self.generated - self.unjudgeable - self.not_asked;
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        (judgeable > 0).then(|| self.judged as f64 / judgeable as f64)
    }
}

impl AddAssign<&Self> for Counters {
    fn add_assign(&mut self, o: &Self) {
        self.expected += o.expected;
        self.generated += o.generated;
        self.output_failed += o.output_failed;
        self.judged += o.judged;
        self.met += o.met;
        self.graded += o.graded;
        self.unjudged += o.unjudged;
        self.unjudgeable += o.unjudgeable;
        self.pending += o.pending;
        self.not_asked += o.not_asked;
        self.instances += o.instances;
        for (k, v) in &o.unjudged_by {
            *self.unjudged_by.entry(k.clone()).or_default() += v;
        }
        for (k, v) in &o.failed_instances {
            *self.failed_instances.entry(k.clone()).or_default() += v;
        }
    }
}
