//! What a stage changes in a record: a run that was stopped or has failed takes nothing away.

use super::record::{GeneratorState, Group, InstanceRecord};
use crate::ser::{Generated, Merged, Task};

impl InstanceRecord {
    /// The record of a task after its generators were asked; `known` is the one before.
    ///
    /// What later stages made of the same candidates stays, and so it does while it is open
    /// whether they are the same. Of other candidates, or of another input, it means nothing.
    #[must_use]
    pub fn generated(known: Option<Self>, task: &Task, made: Generated) -> Self {
        let open = !made.is_done();
        let known = known
            .filter(|k| k.input == task.input())
            .filter(|k| k.candidates == made.candidates || (open && k.groups.is_some()));
        match known {
            Some(known) => Self {
                generators: made.generators,
                ..known
            },
            None => Self {
                track: task.track.clone(),
                dimension: task.dimension.clone(),
                id: task.id.clone(),
                input: task.input(),
                generators: made.generators,
                candidates: made.candidates,
                merger: None,
                groups: None,
                rated: None,
                review: vec![],
            },
        }
    }

    /// Takes what the merging model said. Ratings and reviews speak of groups: of others they
    /// mean nothing. Without a usable reply the groups stay, and wait for one.
    pub fn merge(&mut self, made: Merged) {
        self.merger = made.merger;
        if made.groups.is_none() || made.groups == self.groups {
            return;
        }
        self.groups = made.groups;
        self.rated = None;
        self.review.clear();
    }

    /// The groups, unless the merging model is still to make them or has failed.
    #[must_use]
    pub fn merged(&self) -> Option<&[Group]> {
        let done = self.merger.as_ref().is_none_or(GeneratorState::is_done);
        self.groups.as_deref().filter(|_| done)
    }
}
