//! Counters of a plan without its readings.

use verispec_model::score::Counters;
use verispec_model::{InstanceState, SpecResult};

use super::{Plan, State};

/// What is kept of a job's readings, see [`Plan::keep`].
#[derive(Debug)]
pub enum Kept {
    /// All have a verdict, which is what nearly all jobs come to.
    Judged {
        /// Specifications.
        specs: u32,
        /// Those that meet the expectation.
        met: u32,
    },
    /// Anything else.
    Other(Box<Other>),
}

/// What is kept of readings that are not all verdicts, or of those of several voters.
#[derive(Debug)]
pub enum Other {
    /// How many there are of each kind.
    Counters(Counters),
    /// All of them.
    Readings(Vec<SpecResult>),
}

impl Kept {
    fn of(counters: Counters) -> Self {
        let count = |n| u32::try_from(n).ok();
        match (count(counters.judged), count(counters.met)) {
            (Some(specs), Some(met)) if counters == judged(specs, met) => {
                Self::Judged { specs, met }
            }
            _ => Self::Other(Box::new(Other::Counters(counters))),
        }
    }

    fn counters(&self) -> Counters {
        match self {
            Self::Judged { specs, met } => judged(*specs, *met),
            Self::Other(other) => match &**other {
                Other::Counters(counters) => counters.clone(),
                Other::Readings(all) => Counters::of(&InstanceState::Generated(all.clone())),
            },
        }
    }
}

/// Counters of an instance all of whose specifications have a verdict.
fn judged(specs: u32, met: u32) -> Counters {
    let (specs, met) = (specs as usize, met as usize);
    Counters {
        expected: specs,
        generated: specs,
        judged: specs,
        met,
        instances: 1,
        ..Counters::default()
    }
}

impl Plan {
    /// What is kept of a job's readings where only counters are wanted.
    #[must_use]
    pub fn keep(&self, readings: Vec<SpecResult>) -> Kept {
        // Opinions of several are counted together.
        if self.how.voters.len() == 1 {
            Kept::of(Counters::of(&InstanceState::Generated(readings)))
        } else {
            Kept::Other(Box::new(Other::Readings(readings)))
        }
    }

    /// Counters over everything, from what was [kept](Self::keep) of each job, in job order; those
    /// of [`results`](Self::results).
    ///
    /// # Panics
    /// When `kept` does not hold one entry per job.
    #[must_use]
    pub fn counters(&self, kept: Vec<Kept>) -> Counters {
        let readings = |kept| match kept {
            Kept::Judged { .. } => vec![],
            Kept::Other(other) => match *other {
                Other::Readings(readings) => readings,
                Other::Counters(_) => vec![],
            },
        };
        let mut all = Counters::default();
        if self.how.voters.len() > 1 {
            let results = self.results(kept.into_iter().map(readings).collect());
            let tracks = results.models.iter().flat_map(|m| &m.tracks);
            let instances = tracks
                .flat_map(|t| &t.dimensions)
                .flat_map(|d| &d.instances);
            instances.for_each(|i| all += &Counters::of(&i.state));
            return all;
        }
        assert_eq!(kept.len(), self.asked, "one entry per job");
        for place in &self.places {
            match &place.state {
                State::Settled(state) => all += &Counters::of(state),
                State::Jobs(job) => all += &kept[*job as usize].counters(),
            }
        }
        all
    }
}
