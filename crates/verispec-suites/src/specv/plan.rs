//! From outputs to jobs, and from what the jobs read back to results.

use std::borrow::Cow;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::Arc;

use verispec_judge::protocol::{
    Case, ChunkedJob, HOLISTIC_RANGE, HolisticJob, IndependentJob, Material, Reask, Statements,
    WholeJob,
};
use verispec_judge::reader::ReadOptions;
use verispec_model::{
    Ballot, DataFailure, DimensionResults, Filters, ImagePart, ImageRole, Instance, InstanceResult,
    InstanceState, Job, JudgeIdentity, Measure, ModelResults, OutputFailure, Replies, Results,
    Rule, SpecResult, Specification, Step, Suite, TrackResults, Warning, reduce,
};

use super::outputs::{ModelOutputs, OutputPart, OutputProblem};
use super::published::{HashFile, PublishedJob, Templates};
use super::voters::{self, Voter};
use crate::realunify::{self, published::PolledJob};

mod files;
mod kept;
mod references;

use files::{Wanted, wanted_outputs};
pub use kept::Kept;
use references::{References, pieces};

/// Profile of every image in the default protocols.
const PROFILE: &str = "original@1";

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

/// One instance of one model as a job of the protocol.
#[derive(Debug, Clone)]
pub enum SpecvJob {
    /// Protocol `whole`.
    Whole(WholeJob),
    /// Protocol `chunked:N`.
    Chunked(ChunkedJob),
    /// Protocol `holistic`.
    Holistic(HolisticJob),
    /// Protocol `independent`.
    Independent(IndependentJob),
    /// Protocol `realunify-published`.
    Polled(PolledJob),
    /// Protocol `specv-published`.
    Published(PublishedJob),
}

impl Job for SpecvJob {
    type Readings = Vec<SpecResult>;

    fn id(&self) -> &str {
        match self {
            Self::Whole(job) => job.id(),
            Self::Chunked(job) => job.id(),
            Self::Holistic(job) => job.id(),
            Self::Independent(job) => job.id(),
            Self::Polled(job) => job.id(),
            Self::Published(job) => job.id(),
        }
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        match self {
            Self::Whole(job) => job.step(replies),
            Self::Chunked(job) => job.step(replies),
            Self::Holistic(job) => job.step(replies),
            Self::Independent(job) => job.step(replies),
            Self::Polled(job) => job.step(replies),
            Self::Published(job) => job.step(replies),
        }
    }
}

/// What is judged, by whom and how.
pub struct PlanInput<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// Outputs of each model.
    pub outputs: &'a [ModelOutputs],
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
    models: Vec<String>,
    partial: bool,
    warnings: Vec<Warning>,
    measure: Measure,
    /// Who gives an opinion on each instance: judge by judge, repeat by repeat.
    voters: Vec<Voter>,
}

/// One for each output of a run: kept small.
#[derive(Debug)]
struct Place {
    model: usize,
    instance: Arc<Instance>,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Index of the first voter's job; the others' follow.
    Jobs(usize),
    Settled(Box<InstanceState>),
}

impl State {
    fn settled(state: InstanceState) -> Self {
        Self::Settled(Box::new(state))
    }
}

impl Plan {
    /// Makes a job of every instance that can be judged.
    #[must_use]
    pub fn build(input: &PlanInput<'_>) -> Self {
        Self::build_with(input, &|_, _| None)
    }

    /// As [`build`](Self::build), without a job where `settled` knows the state: answers to a
    /// multiple choice need no judge.
    #[must_use]
    pub fn build_with(input: &PlanInput<'_>, settled: &Settled<'_>) -> Self {
        let mut plan = Self {
            jobs: vec![],
            asked: 0,
            places: vec![],
            suite: input.suite.name.clone(),
            all_tracks: input.suite.tracks.iter().map(|t| t.name.clone()).collect(),
            models: input.outputs.iter().map(|m| m.model.clone()).collect(),
            partial: input.filters.is_partial(),
            warnings: vec![],
            measure: input.protocol.measure(),
            voters: Voter::all(input),
        };
        let most = wanted_outputs(input.suite, input.filters, input.outputs).count();
        plan.jobs.reserve_exact(most * plan.voters.len());
        plan.places.reserve_exact(most);
        let mut references = References::default();
        for Wanted {
            instance,
            model,
            name,
            output,
        } in wanted_outputs(input.suite, input.filters, input.outputs)
        {
            let known = output.and_then(|o| settled(instance, o.as_ref().ok()?));
            let state = match known {
                Some(state) => State::settled(state),
                None => plan.add(input, &mut references, (instance, name), output),
            };
            plan.places.push(Place {
                model,
                instance: instance.clone(),
                state,
            });
        }
        plan.asked = plan.jobs.len();
        plan
    }

    fn add(
        &mut self,
        input: &PlanInput<'_>,
        references: &mut References,
        (instance, model): (&Arc<Instance>, &str),
        output: Option<&Result<Vec<OutputPart>, OutputProblem>>,
    ) -> State {
        let k = input.protocol.readings(instance);
        // First of all, so that what nobody can judge is no zero of the models without an output.
        if let Some(why) = references.failure(instance) {
            let failure = DataFailure::Reference(why);
            return State::settled(InstanceState::Unjudgeable(failure, k));
        }
        let parts = match output {
            Some(Ok(parts)) => parts,
            other => {
                let problem = other.and_then(|o| o.as_ref().err());
                let failure = problem.map_or(OutputFailure::Missing, |p| p.failure);
                return State::settled(InstanceState::OutputFailed(failure, k));
            }
        };
        let base = job_id(&instance.track, &instance.id, model);
        let first = self.jobs.len();
        for voter in self.voters.clone() {
            let case = (instance, parts.as_slice(), k);
            match job(input, references, case, &voter, voter.job(&base)) {
                Ok(job) => self.jobs.push(job),
                Err(state) => {
                    self.jobs.truncate(first);
                    return State::settled(state);
                }
            }
        }
        State::Jobs(first)
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
            let model = &self.models[place.model];
            let State::Settled(state) = &mut place.state else {
                continue;
            };
            let instance = &place.instance;
            let base = job_id(&instance.track, &instance.id, model);
            if !self.voters.iter().any(|v| asked.contains(&v.job(&base))) {
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
        let panel = self.voters.iter().any(|v| v.name.is_some());
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
            .voters
            .iter()
            .filter(|v| v.name == self.voters[0].name)
            .count();
        let opinions = rule.opinions(self.voters.len() / repeats, repeats);
        let mut models: Vec<ModelResults> = self
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
                    let ballots = self.voters.iter().zip(&mut readings[*first..]);
                    let ballots = ballots.map(|(voter, specs)| Ballot {
                        judge: voter.name.clone(),
                        repeat: voter.repeat,
                        specs: std::mem::take(specs),
                    });
                    InstanceState::Generated(reduce(ballots.collect(), rule))
                }
                State::Settled(state) => voters::times(state, opinions),
            };
            let tracks = &mut models[place.model].tracks;
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

/// One voter's job, or why nobody can be asked.
fn job(
    input: &PlanInput<'_>,
    references: &mut References,
    (instance, parts, k): (&Arc<Instance>, &[OutputPart], usize),
    voter: &Voter,
    id: String,
) -> Result<SpecvJob, InstanceState> {
    let (instance, judge) = (instance.clone(), voter.judge.clone());
    if let Protocol::Published { templates, encoder } = &input.protocol {
        let job = PublishedJob::new(id, templates, judge, instance, parts, input.hash)
            .map_err(|e| e.into_state(k))?;
        let job = job.repetition(voter.repeat).encoded_by(encoder.clone());
        return Ok(SpecvJob::Published(job));
    }
    if let Protocol::Polled { data } = &input.protocol {
        return polled(data, (instance, parts), judge, id, input.hash)
            .map(|job| SpecvJob::Polled(job.repetition(voter.repeat)))
            .ok_or(InstanceState::OutputFailed(OutputFailure::Unreadable, k));
    }
    let (references, statements) = references.shared(&instance, input.hash, k)?;
    let case = Case {
        id,
        material: Material {
            references,
            output: pieces(parts, input.hash, k)?,
        },
        instance,
        judge,
        repeat: voter.repeat,
    };
    Ok(own_job(&input.protocol, case, statements))
}

/// The poll of an image; `None` for any other output, or one that cannot be read.
fn polled(
    data: &realunify::Loaded,
    (instance, parts): (Arc<Instance>, &[OutputPart]),
    judge: Arc<JudgeIdentity>,
    id: String,
    hash: &HashFile<'_>,
) -> Option<PolledJob> {
    let [OutputPart::Image(path)] = parts else {
        return None;
    };
    let image = ImagePart {
        path: path.clone(),
        source: hash(path).ok()?,
        profile: PROFILE.into(),
        role: ImageRole::Output,
    };
    let item = data.item_of(&instance)?;
    Some(PolledJob::new(id, item, instance, image, judge))
}

fn own_job(protocol: &Protocol, case: Case, statements: Arc<Statements>) -> SpecvJob {
    match protocol {
        Protocol::Whole { reask, read } => SpecvJob::Whole(WholeJob::new(case, *reask, *read)),
        Protocol::Chunked { size, reask, read } => {
            SpecvJob::Chunked(ChunkedJob::new(case, *size, *reask, *read))
        }
        Protocol::Holistic => SpecvJob::Holistic(HolisticJob::new(case)),
        Protocol::Independent | Protocol::Polled { .. } | Protocol::Published { .. } => {
            SpecvJob::Independent(IndependentJob::sharing(case, statements))
        }
    }
}

/// Instances that filters leave, in suite order; `--limit` takes the first of each dimension.
pub(super) fn wanted<'a>(
    suite: &'a Suite,
    filters: &'a Filters,
) -> impl Iterator<Item = &'a Arc<Instance>> {
    let tracks = suite.tracks.iter().filter(|t| filters.wants_track(&t.name));
    let dimensions = tracks.flat_map(|t| &t.dimensions);
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
