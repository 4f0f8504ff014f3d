//! A task as a job: a pure function of the replies so far.

use std::borrow::Cow;
use std::sync::Arc;

use verispec_model::{
    Hash, ImagePart, ImageRole, Job, JudgeIdentity, KeyBuilder, Part, Replies, Request, Settled,
    Step, request_key,
};

use crate::blobs::Blobs;
use crate::chain::{Input, Stage};
use crate::made::{Made, MadePart, StageMade, State, Unread, read};
use crate::plan::Task;
use crate::system::{SeedRule, System};

/// Treatment of images that a model under test is shown: what it would get from anybody.
const PROFILE: &str = "original@1";

/// What stands in the place of a template's hash: the prompts are the suite's own. The task's place
/// is in it, because two tasks that happen to say the same are two outputs, not one.
const TEMPLATE: &str = "verispec/generate@1";

/// One replicate of a task.
pub struct GenerateJob {
    id: String,
    /// The task.
    pub task: Arc<Task>,
    /// Which replicate it is, from 0.
    pub replicate: u32,
    /// Seed that its requests carry.
    pub seed: Option<u64>,
    template: Hash,
    /// Who is asked in each stage.
    identities: Vec<Arc<JudgeIdentity>>,
    blobs: Arc<dyn Blobs>,
}

impl GenerateJob {
    /// The job of a replicate. `model` is the system's name; `of` is the number of replicates.
    #[must_use]
    pub fn new(
        task: Arc<Task>,
        (model, system): (&str, &System),
        (replicate, of): (u32, u32),
        rule: SeedRule,
        blobs: Arc<dyn Blobs>,
    ) -> Self {
        let seed = rule.seed(task.seed, replicate);
        let identity = |stage: &Stage| system.identity(stage.role, stage.wants, seed);
        let place = &task.place;
        let mut id = format!("{}/{}/{model}", place.track, place.id);
        if of > 1 {
            id.push_str(&format!("/{replicate}"));
        }
        Self {
            id,
            replicate,
            seed,
            template: template(&task),
            identities: task.stages.iter().map(identity).collect(),
            blobs,
            task,
        }
    }

    /// Everyone who is asked, in order of stages.
    pub fn identities(&self) -> impl Iterator<Item = &Arc<JudgeIdentity>> {
        self.identities.iter()
    }

    /// The request of a stage, once what it builds on was made.
    fn request(&self, place: usize, done: &[StageMade]) -> Request {
        let stage = &self.task.stages[place];
        let parts = stage.inputs.iter();
        Request {
            protocol: format!("generate-{}@1", stage.wants.as_str()),
            template: self.template,
            judge: self.identities[place].clone(),
            parts: parts.flat_map(|input| self.parts(input, done)).collect(),
            questions: vec![],
            schema: None,
            repeat: self.replicate,
            parent: done.last().map(|before| before.request),
            derivation: (place > 0).then(|| stage.name.to_owned()),
        }
    }

    fn parts(&self, input: &Input, done: &[StageMade]) -> Vec<Part> {
        let image = |path, hash| {
            Part::Image(ImagePart {
                path,
                source: hash,
                profile: PROFILE.into(),
                role: ImageRole::Reference,
            })
        };
        match input {
            Input::Text(text) => vec![Part::Text(text.clone())],
            Input::Image { path, hash } => vec![image(path.as_path().into(), *hash)],
            Input::Made(place) => {
                let made = done.get(*place).map_or(&[][..], |stage| &stage.parts);
                let parts = made.iter().map(|part| match part {
                    MadePart::Text(text) => Part::Text(text.clone()),
                    MadePart::Image { hash, .. } => image(self.blobs.path(hash).into(), *hash),
                });
                parts.collect()
            }
        }
    }
}

fn template(task: &Task) -> Hash {
    let mut key = KeyBuilder::new(TEMPLATE);
    key.field("track", task.place.track.as_bytes());
    key.field("id", task.place.id.as_bytes());
    key.finish()
}

impl Job for GenerateJob {
    type Readings = Made;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Made> {
        let mut stages: Vec<StageMade> = vec![];
        let end = |state, stages, stopped_at| Step {
            ask: vec![],
            readings: Made {
                state,
                stages,
                stopped_at,
                lost: None,
            },
        };
        if let Some(why) = &self.task.data_failure {
            return end(State::Data(why.clone()), stages, None);
        }
        for (place, stage) in self.task.stages.iter().enumerate() {
            let request = self.request(place, &stages);
            let key = request_key(&request);
            let reply = match replies.get(&key) {
                None => {
                    let mut step = end(State::Pending(stage.name, None), stages, Some(key));
                    step.ask.push(request);
                    return step;
                }
                Some(Settled::Failed(why)) => {
                    return end(State::Pending(stage.name, Some(why)), stages, Some(key));
                }
                Some(Settled::Answered(reply)) => reply,
            };
            let read = read(&reply, stage.wants, &*self.blobs);
            let (parts, failure) = match read {
                Ok(parts) => (parts, None),
                Err(Unread::Failed(failure)) => (vec![], Some(failure)),
                Err(Unread::Lost(why)) => {
                    let mut step = end(State::Pending(stage.name, None), stages, Some(key));
                    step.readings.lost = Some(why);
                    return step;
                }
            };
            stages.push(StageMade {
                name: stage.name,
                model: request.judge.model.clone(),
                request: key,
                seed: self.seed,
                served_model: reply.served_model,
                finish: reply.finish,
                parts,
            });
            if let Some(failure) = failure {
                return end(State::Failed(stage.name, failure), stages, Some(key));
            }
        }
        end(State::Generated, stages, None)
    }
}
