//! Who gives an opinion on each instance: judges of a panel, repeats of each.

use std::sync::Arc;

use verispec_model::{InstanceState, JudgeIdentity};

use super::plan::PlanInput;

/// One judge in one repetition.
#[derive(Debug, Clone)]
pub(super) struct Voter {
    /// Name inside a panel.
    pub(super) name: Option<Arc<str>>,
    pub(super) judge: Arc<JudgeIdentity>,
    /// Repetition, from 0.
    pub(super) repeat: u32,
}

impl Voter {
    /// All voters of a plan, at least one: judge by judge, repeat by repeat.
    pub(super) fn all(input: &PlanInput<'_>) -> Vec<Self> {
        let members = input.members.iter();
        let mut judges: Vec<(Option<Arc<str>>, Arc<JudgeIdentity>)> = members
            .map(|(name, judge)| (Some(name.clone()), judge.clone()))
            .collect();
        if judges.is_empty() {
            judges.push((None, input.judge.clone()));
        }
        let repeats = |(name, judge): (Option<Arc<str>>, Arc<JudgeIdentity>)| {
            (0..input.repeats.max(1)).map(move |repeat| Self {
                name: name.clone(),
                judge: judge.clone(),
                repeat,
            })
        };
        judges.into_iter().flat_map(repeats).collect()
    }

    /// Name of this voter's job: the plain one, with what tells it apart from the others.
    pub(super) fn job(&self, base: &str) -> String {
        let name = self.name.as_deref().map(|n| format!("@{n}"));
        let repeat = (self.repeat > 0).then(|| format!("#{}", self.repeat + 1));
        let (name, repeat) = (name.unwrap_or_default(), repeat.unwrap_or_default());
        format!("{base}{name}{repeat}")
    }
}

/// A state that counts as often as opinions stand side by side.
pub(super) fn times(state: &InstanceState, opinions: usize) -> InstanceState {
    match state {
        InstanceState::OutputFailed(why, k) => InstanceState::OutputFailed(*why, k * opinions),
        InstanceState::Unjudgeable(why, k) => InstanceState::Unjudgeable(why.clone(), k * opinions),
        InstanceState::Generated(_) => state.clone(),
    }
}
