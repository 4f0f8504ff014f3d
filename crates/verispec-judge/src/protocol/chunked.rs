//! A few specifications in each call.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::sync::Arc;

use verispec_model::{Instance, Job, Replies, SpecResult, Step};

use super::whole::WholeJob;
use super::{Case, Reask};
use crate::reader::ReadOptions;

/// Protocol `chunked:N`: as [`WholeJob`], with at most N specifications in a request, in their
/// order. Each chunk is asked again inside itself, as `whole` asks again. An instance with at most
/// N specifications is one chunk.
#[derive(Debug, Clone)]
pub struct ChunkedJob {
    case: Case,
    size: NonZeroUsize,
    reask: Reask,
    read: ReadOptions,
}

impl ChunkedJob {
    /// Prepares the job.
    #[must_use]
    pub const fn new(case: Case, size: NonZeroUsize, reask: Reask, read: ReadOptions) -> Self {
        Self {
            case,
            size,
            reask,
            read,
        }
    }

    /// Name with version, for instance `chunked:5@1`.
    #[must_use]
    pub fn protocol(size: NonZeroUsize) -> String {
        format!("chunked:{size}@1")
    }

    /// N of a name that [`Self::protocol`] gives.
    #[must_use]
    pub fn size_of(protocol: &str) -> Option<NonZeroUsize> {
        let digits = protocol.strip_prefix("chunked:")?.strip_suffix("@1")?;
        let size = digits.parse().ok()?;
        (Self::protocol(size) == protocol).then_some(size)
    }

    /// One list job a chunk, made anew in each step: a plan holds no copies of instances.
    fn chunks(&self) -> impl Iterator<Item = WholeJob> {
        let instance = &self.case.instance;
        let protocol: Cow<'static, str> = Self::protocol(self.size).into();
        let lists = instance.specifications.chunks(self.size.get());
        lists.map(move |specifications| {
            let part = Instance {
                track: instance.track.clone(),
                dimension: instance.dimension.clone(),
                id: instance.id.clone(),
                prompt: instance.prompt.clone(),
                references: vec![],
                specifications: specifications.to_vec(),
                source_text: instance.source_text.clone(),
            };
            let case = Case {
                instance: Arc::new(part),
                ..self.case.clone()
            };
            WholeJob::named(case, self.reask, self.read, protocol.clone())
        })
    }
}

impl Job for ChunkedJob {
    type Readings = Vec<SpecResult>;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.case.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        let mut all = Step {
            ask: vec![],
            readings: vec![],
        };
        for chunk in self.chunks() {
            let step = chunk.step(replies);
            all.ask.extend(step.ask);
            all.readings.extend(step.readings);
        }
        all
    }
}
