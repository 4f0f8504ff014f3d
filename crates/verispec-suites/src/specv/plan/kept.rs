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
    /// How many there are of each kind.
    Counters(Box<Counters>),
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
            _ => Self::Counters(Box::new(counters)),
        }
    }

    fn counters(&self) -> Counters {
        match self {
            Self::Judged { specs, met } => judged(*specs, *met),
            Self::Counters(counters) => (**counters).clone(),
            Self::Readings(readings) => Counters::of(&InstanceState::Generated(readings.clone())),
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
            Kept::Readings(readings)
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
            Kept::Readings(readings) => readings,
            Kept::Judged { .. } | Kept::Counters(_) => vec![],
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
