//! What is kept of a set: everything that went into it.

use serde::{Deserialize, Serialize};
use verispec_model::{Hash, JudgeIdentity, Unjudged, YesNo};

use super::points::Points;
use super::review::ReviewAction;
use crate::lint::{About, LintOptions, Severity, lint_text, rule};
use crate::merge::Veto;
use crate::ser::{Proposed, Task, Taxonomy};

/// Label of a candidate inside its instance, from 1.
pub type CandidateId = u32;

/// Version of the manifest's form.
pub const SET_FORMAT: u32 = 1;

/// A model that takes part, by its name in the configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Name.
    pub name: String,
    /// Who it is.
    pub judge: JudgeIdentity,
}

/// Who merges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum MergeBy {
    /// A model, with typed keys first and proposals as hints.
    Model(Member),
    /// Typed keys and proposals that no veto holds against; no call.
    Local,
}

/// How ratings are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FilterVariant {
    /// Every rater rates every item.
    #[default]
    Full,
    /// Items that every generator proposed are kept unrated.
    Disputed,
    /// Raters are asked one after the other, and no more once the mean cannot reach the bound.
    EarlyStop,
}

/// How items are filtered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilterSettings {
    /// Raters in order.
    pub raters: Vec<Member>,
    /// Least mean that is kept, inclusive.
    pub tau: Points,
    /// How ratings are asked for.
    pub variant: FilterVariant,
}

/// How a set is made. It stands in the manifest and is all that a resumption needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Suite: `specv` or `custom`.
    pub suite: String,
    /// Its data on this machine.
    pub data: std::path::PathBuf,
    /// What of it takes part.
    pub filters: verispec_model::Filters,
    /// Generators in order.
    pub generators: Vec<Member>,
    /// Seed of the order in which raters see items.
    pub seed: u64,
    /// Taxonomies by track, where they are not the built-in ones.
    pub taxonomies: std::collections::BTreeMap<String, Taxonomy>,
    /// Who merges; `None` before that stage.
    pub merge: Option<MergeBy>,
    /// Who proposes pairs, with version and bound.
    pub proposer: Option<String>,
    /// How items are filtered; `None` before that stage.
    pub filter: Option<FilterSettings>,
}

impl Settings {
    /// The taxonomy of a track.
    #[must_use]
    pub fn taxonomy(&self, track: &str) -> Taxonomy {
        let own = self.taxonomies.get(track).cloned();
        own.unwrap_or_else(|| Taxonomy::of_track(track))
    }
}

/// Hash of a prompt template by protocol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptHash {
    /// Protocol with version.
    pub protocol: String,
    /// Hash of the template.
    pub template: Hash,
}

/// Where a model stands with a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum GeneratorState {
    /// Not asked, or not answered yet.
    Pending,
    /// Gave candidates.
    Done {
        /// Request that got them.
        request: Hash,
    },
    /// Gave nothing usable after all attempts.
    Failed {
        /// Why.
        why: Unjudged,
        /// What was wrong with the last reply.
        fault: String,
        /// The request that was asked last; older manifests do not say.
        #[serde(default)]
        request: Option<Hash>,
    },
}

impl GeneratorState {
    /// Whether it gave what it was asked for.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        matches!(self, Self::Done { .. })
    }
}

/// A specification as one model proposed it; never changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// Label inside the instance.
    pub id: CandidateId,
    /// Position of its generator.
    pub generator: usize,
    /// Position in the generator's list, from 1.
    pub position: usize,
    /// The question.
    pub question: String,
    /// Category as written.
    pub category: String,
    /// Subcategory as written.
    pub subcategory: String,
    /// The answer that meets it.
    pub expected: YesNo,
    /// Codes of rules that found something.
    #[serde(default)]
    pub lint: Vec<String>,
}

impl Candidate {
    pub(crate) fn new(
        id: usize,
        (generator, position): (usize, usize),
        p: Proposed,
        task: &Task,
    ) -> Self {
        let about = About {
            max_words: LintOptions::default().max_words,
            references: task.references.len(),
            nameable: None,
        };
        let found = lint_text(&p.question, p.expected, &about);
        Self {
            id: CandidateId::try_from(id).unwrap_or(CandidateId::MAX),
            generator,
            position,
            question: p.question,
            category: p.category,
            subcategory: p.subcategory,
            expected: p.expected,
            lint: found.into_iter().map(|(code, _)| code.to_owned()).collect(),
        }
    }

    /// Whether a rule says that it cannot be judged: it is kept, and goes no further.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        let error = |code: &String| rule(code).is_some_and(|r| r.severity == Severity::Error);
        self.lint.iter().any(error)
    }
}

/// Why a group waits for a reviewer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Hold {
    /// No output can meet it and this group.
    Contradicts(u32),
    /// Two of its members differ in something that matters.
    Differs {
        /// In what.
        in_what: Veto,
        /// One member.
        a: CandidateId,
        /// The other; the group's own wording is 0.
        b: CandidateId,
    },
}

/// Candidates that say the same, with one wording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Label inside the instance, from 1 in order of first members.
    pub id: u32,
    /// Its candidates, ascending.
    pub members: Vec<CandidateId>,
    /// Wording.
    pub question: String,
    /// Category.
    pub category: String,
    /// Subcategory.
    pub subcategory: String,
    /// The answer that meets it.
    pub expected: YesNo,
    /// Why it waits for a reviewer; empty if it does not.
    #[serde(default)]
    pub holds: Vec<Hold>,
}

/// One rater's numbers, as given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// Position of the rater.
    pub rater: usize,
    /// Whether the task wants it.
    pub relevance: Points,
    /// Whether all take it to mean the same.
    pub clarity: Points,
    /// Whether the output decides it.
    pub verifiability: Points,
}

/// What the filter says of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Decision {
    /// The mean of all ratings reaches the bound.
    Kept,
    /// It does not.
    Dropped,
    /// Every generator proposed it, so it was not rated (variant `disputed`).
    Agreed,
    /// The mean can no longer reach the bound, so the other raters were not asked (`early-stop`).
    Hopeless,
    /// A rater gave no rating after all attempts; nothing is decided.
    Unrated {
        /// Positions of the raters.
        missing: Vec<usize>,
    },
    /// Raters are still to be asked.
    Pending,
}

/// Ratings of a group, and what follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rated {
    /// Group.
    pub group: u32,
    /// Raw ratings in order of raters.
    pub ratings: Vec<Rating>,
    /// What follows.
    pub decision: Decision,
}

/// What is known of one instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceRecord {
    /// Track.
    pub track: String,
    /// Dimension.
    pub dimension: String,
    /// Id.
    pub id: String,
    /// Hash of prompt and references.
    pub input: Hash,
    /// Where each generator stands.
    pub generators: Vec<GeneratorState>,
    /// All candidates.
    pub candidates: Vec<Candidate>,
    /// Where the merging model stands; `None` before that stage or without a call.
    #[serde(default)]
    pub merger: Option<GeneratorState>,
    /// Groups; `None` before they are made.
    #[serde(default)]
    pub groups: Option<Vec<Group>>,
    /// Ratings by group; `None` before they are made.
    #[serde(default)]
    pub rated: Option<Vec<Rated>>,
    /// What reviewers did, in order.
    #[serde(default)]
    pub review: Vec<ReviewAction>,
}

/// A version of the set that once was the current one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// Content version.
    pub version: String,
    /// When it was written (RFC 3339).
    pub created: String,
    /// Instances whose specifications it has.
    pub instances: usize,
    /// Specifications.
    pub specifications: usize,
}

/// A set with its whole history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetManifest {
    /// [`SET_FORMAT`].
    pub format: u32,
    /// Name.
    pub name: String,
    /// Program version that wrote it.
    pub verispec: String,
    /// How it is made.
    pub settings: Settings,
    /// Prompts that were used.
    pub prompts: Vec<PromptHash>,
    /// Versions in order, the current one last.
    #[serde(default)]
    pub versions: Vec<Version>,
    /// Instances in suite order.
    pub instances: Vec<InstanceRecord>,
}
