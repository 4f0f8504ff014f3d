//! From outputs to jobs, and from what the jobs read back to results.

use std::borrow::Cow;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use verispec_judge::protocol::{ChunkedJob, HOLISTIC_RANGE, Reask};
use verispec_judge::reader::ReadOptions;
use verispec_model::{
    Ballot, DimensionResults, Filters, Instance, InstanceResult, InstanceState, JudgeIdentity,
    Measure, ModelResults, Results, Rule, SpecResult, Specification, Suite, Track, TrackResults,
    Warning, reduce,
};

use super::outputs::{ModelOutputs, OutputPart};
use super::published::{HashFile, Templates};
use super::voters::{self, Voter};
use crate::realunify;

mod files;
mod job;
mod kept;
mod maker;
mod references;

use files::{Looked, Wanted, files, wanted_outputs};
use job::How;
pub use job::SpecvJob;
pub use kept::Kept;
use maker::Maker;

/// Profile of every image in the default protocols.
const PROFILE: &str = "original@1";
/// Outputs whose images are read ahead together.
const AHEAD: usize = 1024;

/// How instances are put to the judge.
#[derive(Debug, Clone)]
pub enum Protocol {
    /// All specifications in one call.
    Whole {
        /// What happens to ids that a reply lacks.
        reask: Reask,
        /// How replies are read.
        read: ReadOptions,
    },
    /// At most so many specifications in one call.
    Chunked {
        /// Largest number of specifications in a call.
        size: NonZeroUsize,
        /// What happens to ids that a reply lacks.
        reask: Reask,
        /// How replies are read.
        read: ReadOptions,
    },
    /// Each specification in a call of its own.
    Independent,
    /// One grade for the whole output, without specifications.
    Holistic,
    /// RealUnify's poll, which stops at the first miss.
    Polled {
        /// Items behind the instances.
        data: Arc<realunify::Loaded>,
    },
    /// The released templates, part order and media rules.
    Published {
        /// The checkout's templates.
        templates: Arc<Templates>,
        /// JPEG encoder that the run's images go or went through.
        encoder: Arc<str>,
    },
}

impl Protocol {
    /// Name with version.
    #[must_use]
    pub fn name(&self) -> Cow<'static, str> {
        match self {
            Self::Whole { .. } => verispec_judge::protocol::WHOLE.into(),
            Self::Chunked { size, .. } => ChunkedJob::protocol(*size).into(),
            Self::Independent => verispec_judge::protocol::INDEPENDENT.into(),
            Self::Holistic => verispec_judge::protocol::HOLISTIC.into(),
            Self::Polled { .. } => realunify::published::PROTOCOL.into(),
            Self::Published { .. } => super::published::PROTOCOL.into(),
        }
    }

    /// What its readings say.
    #[must_use]
    pub const fn measure(&self) -> Measure {
        match self {
            Self::Holistic => Measure::Holistic,
            _ => Measure::Specifications,
        }
    }

    /// Readings that an instance gets from one opinion.
    fn readings(&self, instance: &Instance) -> usize {
        match self.measure() {
            Measure::Holistic => 1,
            Measure::Specifications => instance.specifications.len(),
        }
    }
}

/// What is judged, by whom and how.
pub struct PlanInput<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// What is left out on purpose.
    pub filters: &'a Filters,
    /// Who judges.
    pub judge: Arc<JudgeIdentity>,
    /// Judges of a panel by name, each asked everything in place of `judge`; empty for one judge.
    pub members: &'a [(Arc<str>, Arc<JudgeIdentity>)],
    /// How often each judge is asked, at least 1.
    pub repeats: u32,
    /// How.
    pub protocol: Protocol,
    /// Content hash of a file.
    pub hash: &'a HashFile<'a>,
    /// Takes the images of some outputs before their hashes are asked for one by one: whoever has
    /// many reads them ahead on all cores.
    pub ahead: &'a dyn Fn(&[PathBuf]),
}

/// The state of an output that needs no judge; `None` where one has to be asked.
pub type Settled<'a> = dyn Fn(&Instance, &[OutputPart]) -> Option<InstanceState> + 'a;

/// Jobs, and a place for every instance that counts, judged or not.
#[derive(Debug)]
pub struct Plan {
    /// Jobs in suite order: track, dimension, instance, model, so that what shares reference
    /// images is asked together.
    pub jobs: Vec<SpecvJob>,
    /// Number of jobs, whoever has them.
    asked: usize,
    places: Vec<Place>,
    suite: String,
    all_tracks: Vec<String>,
    partial: bool,
    warnings: Vec<Warning>,
    measure: Measure,
    how: Arc<How>,
}

/// One for each output of a run: kept small.
#[derive(Debug)]
struct Place {
    model: u32,
    instance: Arc<Instance>,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Place of the first voter's job; the others' follow.
    Jobs(u32),
    Settled(Box<InstanceState>),
}

impl State {
    fn settled(state: InstanceState) -> Self {
        Self::Settled(Box::new(state))
    }
}

impl Plan {
    /// Makes a job of every instance that can be judged.
    ///
    /// Where `settled` knows the state there is no job: answers to a multiple choice need no judge.
    /// Outputs that are given away are let go of one by one, so that they and the plan need not
    /// fit into memory together.
    #[must_use]
    pub fn build(
        input: &PlanInput<'_>,
        mut outputs: Cow<'_, [ModelOutputs]>,
        settled: &Settled<'_>,
    ) -> Self {
        let voters = Voter::all(input);
        let mut plan = Self {
            jobs: vec![],
            asked: 0,
            places: vec![],
            suite: input.suite.name.clone(),
            all_tracks: input.suite.tracks.iter().map(|t| t.name.clone()).collect(),
            partial: input.filters.is_partial(),
            warnings: vec![],
            measure: input.protocol.measure(),
            how: Arc::new(How {
                protocol: input.protocol.clone(),
                models: outputs.iter().map(|m| m.model.clone()).collect(),
                voters,
            }),
        };
        let all = wanted_tracks(input.suite, input.filters);
        let most = all.flat_map(|track| wanted_outputs(input, track, &outputs));
        let most = most.count();
        plan.jobs.reserve_exact(most * plan.how.voters.len());
        plan.places.reserve_exact(most);
        for track in wanted_tracks(input.suite, input.filters) {
            plan.add_track(input, track, &mut outputs, settled);
            // What nobody asked about.
            if let Cow::Owned(all) = &mut outputs {
                for model in all {
                    model.tracks.remove(&track.name);
                }
            }
        }
        plan.asked = plan.jobs.len();
        plan
    }

    fn add_track(
        &mut self,
        input: &PlanInput<'_>,
        track: &Track,
        outputs: &mut Cow<'_, [ModelOutputs]>,
        settled: &Settled<'_>,
    ) {
        let mut maker = Maker::new(input, self.how.clone());
        let mut seen = HashSet::new();
        let all: Vec<Wanted<'_>> = wanted_outputs(input, track, outputs).collect();
        for some in all.chunks(AHEAD) {
            let looked = some.iter().map(|one| Looked::new(outputs, *one, settled));
            let looked: Vec<Looked<'_>> = looked.collect();
            (input.ahead)(&files(&looked, &mut seen));
            for one in looked {
                self.add(&mut maker, one);
            }
        }
    }

    fn add(&mut self, maker: &mut Maker<'_, '_>, mut one: Looked<'_>) {
        let wanted = one.wanted;
        let state = match one.settled.take() {
            Some(state) => State::settled(state),
            None => match maker.jobs(one) {
                Ok(jobs) => {
                    let first = u32::try_from(self.jobs.len());
                    self.jobs.extend(jobs);
                    State::Jobs(first.expect("no plan has four billion jobs"))
                }
                Err(state) => State::settled(state),
            },
        };
        self.places.push(Place {
            model: wanted.model,
            instance: wanted.instance.clone(),
            state,
        });
    }

    /// Whether the state of some instance is known without a judge.
    #[must_use]
    pub fn is_settled_in_part(&self) -> bool {
        let settled = |p: &Place| matches!(p.state, State::Settled(_));
        self.places.iter().any(settled)
    }

    /// Takes back that an instance is settled without a judge where one was asked before: an
    /// output or reference that has gone since is nobody's failure. Its specifications are
    /// pending until it is back.
    ///
    /// `asked` holds the ids of the jobs that have asked.
    pub fn reopen(&mut self, asked: &HashSet<String>) {
        for place in &mut self.places {
            let model = &self.how.models[place.model as usize];
            let State::Settled(state) = &mut place.state else {
                continue;
            };
            let instance = &place.instance;
            let base = job_id(&instance.track, &instance.id, model);
            if !self
                .how
                .voters
                .iter()
                .any(|v| asked.contains(&v.job(&base)))
            {
                continue;
            }
            let specs = match self.measure {
                Measure::Holistic => vec![Arc::new(Specification::holistic(HOLISTIC_RANGE))],
                Measure::Specifications => instance.specifications.clone(),
            };
            let specs = specs.into_iter().map(SpecResult::pending);
            **state = InstanceState::Generated(specs.collect());
            self.warnings.push(Warning {
                kind: "gone".to_owned(),
                place: base,
                message: "was judged, but its output or a reference cannot be read any more: \
                          pending until the files are back; a run without it needs a new name"
                    .to_owned(),
            });
        }
    }

    /// What is odd about the plan.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Results from what each job read, in job order; where several opinions were asked for, each
    /// counts.
    ///
    /// # Panics
    /// When `readings` does not hold one entry per job.
    #[must_use]
    pub fn results(&self, readings: Vec<Vec<SpecResult>>) -> Results {
        let panel = self.how.voters.iter().any(|v| v.name.is_some());
        self.reduced(readings, &Rule::every_opinion(panel))
    }

    /// As [`results`](Self::results), with several opinions reduced by a rule.
    ///
    /// # Panics
    /// When `readings` does not hold one entry per job.
    #[must_use]
    pub fn reduced(&self, mut readings: Vec<Vec<SpecResult>>, rule: &Rule) -> Results {
        assert_eq!(readings.len(), self.asked, "one entry per job");
        let repeats = self
            .how
            .voters
            .iter()
            .filter(|v| v.name == self.how.voters[0].name)
            .count();
        let opinions = rule.opinions(self.how.voters.len() / repeats, repeats);
        let mut models: Vec<ModelResults> = self
            .how
            .models
            .iter()
            .map(|m| ModelResults {
                model: m.clone(),
                tracks: vec![],
            })
            .collect();
        for place in &self.places {
            let state = match &place.state {
                State::Jobs(first) => {
                    let ballots = self.how.voters.iter().zip(&mut readings[*first as usize..]);
                    let ballots = ballots.map(|(voter, specs)| Ballot {
                        judge: voter.name.clone(),
                        repeat: voter.repeat,
                        specs: std::mem::take(specs),
                    });
                    InstanceState::Generated(reduce(ballots.collect(), rule))
                }
                State::Settled(state) => voters::times(state, opinions),
            };
            let tracks = &mut models[place.model as usize].tracks;
            let dimension = dimension_of(tracks, place, self.partial);
            dimension.instances.push(InstanceResult {
                id: place.instance.id.clone(),
                state,
            });
        }
        models.sort_by(|a, b| a.model.cmp(&b.model));
        Results {
            suite: self.suite.clone(),
            all_tracks: self.all_tracks.clone(),
            models,
            measure: self.measure,
            warnings: self.warnings.clone(),
        }
    }
}

/// Name of a job inside its run.
fn job_id(track: &str, id: &str, model: &str) -> String {
    format!("{track}/{id}/{model}")
}

/// Instances that filters leave, in suite order; `--limit` takes the first of each dimension.
pub(super) fn wanted<'a>(
    suite: &'a Suite,
    filters: &'a Filters,
) -> impl Iterator<Item = &'a Arc<Instance>> {
    wanted_tracks(suite, filters).flat_map(|track| wanted_of(track, filters))
}

/// Tracks that filters leave, in suite order.
fn wanted_tracks<'a>(suite: &'a Suite, filters: &'a Filters) -> impl Iterator<Item = &'a Track> {
    suite.tracks.iter().filter(|t| filters.wants_track(&t.name))
}

/// Instances of one of them.
fn wanted_of<'a>(
    track: &'a Track,
    filters: &'a Filters,
) -> impl Iterator<Item = &'a Arc<Instance>> {
    let dimensions = track.dimensions.iter();
    dimensions
        .filter(|d| filters.wants_dimension(&d.name))
        .flat_map(|d| {
            let kept = d.instances.iter().filter(|i| filters.wants_id(&i.id));
            kept.take(filters.limit.unwrap_or(usize::MAX))
        })
}

/// Places come in suite order, so the last track and dimension are the ones to look at.
fn dimension_of<'a>(
    tracks: &'a mut Vec<TrackResults>,
    place: &Place,
    partial: bool,
) -> &'a mut DimensionResults {
    let instance = &place.instance;
    if tracks.last().is_none_or(|t| t.track != instance.track) {
        let track = instance.track.clone();
        tracks.push(TrackResults {
            track,
            dimensions: vec![],
            partial,
        });
    }
    let last = tracks.len() - 1;
    let dimensions = &mut tracks[last].dimensions;
    if dimensions
        .last()
        .is_none_or(|d| d.name != instance.dimension)
    {
        let name = instance.dimension.clone();
        dimensions.push(DimensionResults {
            name,
            instances: vec![],
            folder_present: true,
        });
    }
    let last = dimensions.len() - 1;
    &mut dimensions[last]
}
