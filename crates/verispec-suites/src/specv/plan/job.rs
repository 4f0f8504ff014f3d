//! One output put to a judge, as small as a run of a hundred thousand needs it.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use verispec_judge::protocol::{
    Case, ChunkedJob, HolisticJob, IndependentJob, Material, OutputPiece, Statements, WholeJob,
};
use verispec_model::{Hash, ImagePart, ImageRole, Instance, Job, Replies, SpecResult, Step};

use super::references::shown;
use super::{Protocol, job_id};
use crate::realunify::{self, published::PolledJob};
use crate::specv::outputs::{OutputPart, PackedOutput, hashed_images};
use crate::specv::published::{PublishedJob, Templates};
use crate::specv::voters::Voter;

/// One instance of one model as a job of the plan's protocol. The protocol's own job is made anew
/// in each step, from what cannot be made again.
#[derive(Debug, Clone)]
pub struct SpecvJob {
    about: Arc<About>,
    /// Place among the plan's models.
    model: u32,
    /// Place among the plan's voters.
    voter: u32,
    /// With the content hashes of its images; jobs about one output share it.
    output: PackedOutput,
}

/// What all jobs of a plan have in common.
#[derive(Debug)]
pub(super) struct How {
    pub(super) protocol: Protocol,
    /// Models by name.
    pub(super) models: Vec<String>,
    /// Who gives an opinion on each output: judge by judge, repeat by repeat.
    pub(super) voters: Vec<Voter>,
}

/// What all jobs about one instance have in common.
#[derive(Debug)]
pub(super) struct About {
    pub(super) how: Arc<How>,
    pub(super) instance: Arc<Instance>,
    /// Reference images as the default protocols show them.
    pub(super) references: Arc<[ImagePart]>,
    /// What is said of the specifications, one by one.
    pub(super) statements: Arc<Statements>,
    /// Content hashes of the references that the released request shows.
    pub(super) hashes: Vec<(PathBuf, Hash)>,
}

impl SpecvJob {
    pub(super) fn new(about: Arc<About>, (model, voter): (u32, u32), output: PackedOutput) -> Self {
        Self {
            about,
            model,
            voter,
            output,
        }
    }

    fn voter(&self) -> &Voter {
        &self.about.how.voters[self.voter as usize]
    }

    fn case(&self) -> Case {
        let voter = self.voter();
        let piece = |(part, hash)| match part {
            OutputPart::Text(text) => Some(OutputPiece::Text(text)),
            OutputPart::Image(path) => {
                Some(OutputPiece::Image(shown(path, hash?, ImageRole::Output)))
            }
        };
        let pieces = self.output.hashed_parts().into_iter().filter_map(piece);
        Case {
            id: self.id().into_owned(),
            material: Material {
                references: self.about.references.clone(),
                output: pieces.collect(),
            },
            instance: self.about.instance.clone(),
            judge: voter.judge.clone(),
            repeat: voter.repeat,
        }
    }

    fn published(&self, templates: &Arc<Templates>, encoder: &Arc<str>) -> PublishedJob {
        let parts = self.output.hashed_parts();
        let own = hashed_images(&parts).map(|(path, hash)| (path.to_owned(), hash));
        let hashes = own.chain(self.about.hashes.iter().cloned()).collect();
        let parts = parts.into_iter().map(|(part, _)| part).collect();
        let (voter, instance) = (self.voter(), self.about.instance.clone());
        let (id, judge) = (self.id().into_owned(), voter.judge.clone());
        PublishedJob::seen(id, templates, judge, instance, (parts, hashes))
            .repetition(voter.repeat)
            .encoded_by(encoder.clone())
    }

    fn polled(&self, data: &realunify::Loaded) -> PolledJob {
        let parts = self.output.hashed_parts();
        let image = hashed_images(&parts).next();
        let image = image.map(|(path, source)| shown(path.into(), source, ImageRole::Output));
        let (voter, instance) = (self.voter(), self.about.instance.clone());
        let item = data.item_of(&instance);
        let (item, image) = item.zip(image).expect("planned with an item and an image");
        PolledJob::new(self.id(), item, instance, image, voter.judge.clone())
            .repetition(voter.repeat)
    }
}

impl Job for SpecvJob {
    type Readings = Vec<SpecResult>;

    fn id(&self) -> Cow<'_, str> {
        let instance = &self.about.instance;
        let model = &self.about.how.models[self.model as usize];
        let base = job_id(&instance.track, &instance.id, model);
        self.voter().job(&base).into()
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        match &self.about.how.protocol {
            Protocol::Whole { reask, read } => {
                WholeJob::new(self.case(), *reask, *read).step(replies)
            }
            Protocol::Chunked { size, reask, read } => {
                ChunkedJob::new(self.case(), *size, *reask, *read).step(replies)
            }
            Protocol::Holistic => HolisticJob::new(self.case()).step(replies),
            Protocol::Independent => {
                let statements = self.about.statements.clone();
                IndependentJob::sharing(self.case(), statements).step(replies)
            }
            Protocol::Polled { data } => self.polled(data).step(replies),
            Protocol::Published { templates, encoder } => {
                self.published(templates, encoder).step(replies)
            }
        }
    }
}
