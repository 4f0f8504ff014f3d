//! From one output to its jobs, or to why it has none.

use std::path::PathBuf;
use std::sync::Arc;

use verispec_model::{DataFailure, Hash, ImagePart, Instance, InstanceState, OutputFailure};

use super::files::{Looked, Wanted};
use super::job::{About, How};
use super::references::{References, reference_images};
use super::{PlanInput, Protocol, SpecvJob};
use crate::specv::outputs::{OutputPart, images};
use crate::specv::published::{PublishedJob, Templates};

/// Makes the jobs of one track, instance by instance.
pub(super) struct Maker<'a, 'i> {
    input: &'a PlanInput<'i>,
    how: Arc<How>,
    references: References,
    /// The instance that was asked for last, which all its models share.
    about: Option<Arc<About>>,
}

/// Reference images, and the hashes of those that a released request shows.
type Shown = (Arc<[ImagePart]>, Vec<(PathBuf, Hash)>);

impl<'a, 'i> Maker<'a, 'i> {
    pub(super) fn new(input: &'a PlanInput<'i>, how: Arc<How>) -> Self {
        Self {
            input,
            how,
            references: References::default(),
            about: None,
        }
    }

    /// The jobs of all voters, or the state of an output that nobody can be asked about.
    pub(super) fn jobs(&mut self, one: Looked<'_>) -> Result<Vec<SpecvJob>, InstanceState> {
        let Wanted { instance, model } = one.wanted;
        let k = self.input.protocol.readings(instance);
        // First of all, so that what nobody can judge is no zero of the models without an output.
        if let Some(why) = self.references.failure(instance) {
            return Err(InstanceState::Unjudgeable(DataFailure::Reference(why), k));
        }
        let (output, parts) = match one.made {
            Some(Ok(made)) => made,
            made => {
                let problem = made.and_then(Result::err);
                let failure = problem.map_or(OutputFailure::Missing, |p| p.failure);
                return Err(InstanceState::OutputFailed(failure, k));
            }
        };
        let about = self.about(instance, &parts, k)?;
        let unreadable = |_| InstanceState::OutputFailed(OutputFailure::Unreadable, k);
        let hashes = images(&parts).map(self.input.hash);
        let hashes: Vec<Hash> = hashes.collect::<Result<_, _>>().map_err(unreadable)?;
        let voters = 0..u32::try_from(self.how.voters.len()).unwrap_or(u32::MAX);
        let output = output.hashed(&hashes);
        let job = |voter| SpecvJob::new(about.clone(), (model, voter), output.clone());
        Ok(voters.map(job).collect())
    }

    /// What is shown of the instance beside this output.
    fn about(
        &mut self,
        instance: &Arc<Instance>,
        parts: &[OutputPart],
        k: usize,
    ) -> Result<Arc<About>, InstanceState> {
        let shown = match &self.input.protocol {
            Protocol::Published { templates, .. } => {
                Some(self.published(templates, instance, parts, k)?)
            }
            Protocol::Polled { data } => {
                let is_one = matches!(parts, [OutputPart::Image(_)]);
                if !is_one || data.item_of(instance).is_none() {
                    return Err(InstanceState::OutputFailed(OutputFailure::Unreadable, k));
                }
                Some(Shown::default())
            }
            _ => None,
        };
        if let Some(about) = &self.about
            && Arc::ptr_eq(&about.instance, instance)
        {
            return Ok(about.clone());
        }
        let broken = |e| InstanceState::Unjudgeable(DataFailure::Reference(e), k);
        let (references, hashes) = match shown {
            Some(shown) => shown,
            None => (
                reference_images(instance, self.input.hash).map_err(broken)?,
                vec![],
            ),
        };
        let about = Arc::new(About {
            how: self.how.clone(),
            instance: instance.clone(),
            references,
            statements: Arc::default(),
            hashes,
        });
        self.about = Some(about.clone());
        Ok(about)
    }

    /// Puts the released request together once, to see that it can be.
    fn published(
        &self,
        templates: &Arc<Templates>,
        instance: &Arc<Instance>,
        parts: &[OutputPart],
        k: usize,
    ) -> Result<Shown, InstanceState> {
        let judge = self.input.judge.clone();
        let hash = self.input.hash;
        let job = PublishedJob::new("", templates, judge, instance.clone(), parts, hash)
            .map_err(|e| e.into_state(k))?;
        let is_reference = |(path, _): &&(PathBuf, Hash)| instance.references.contains(path);
        let hashes = job.hashes().iter().filter(is_reference).cloned();
        Ok((Arc::default(), hashes.collect()))
    }
}
