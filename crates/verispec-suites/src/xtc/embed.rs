//! Vectors of texts from an embeddings endpoint, asked for like anything else: recorded, resumed,
//! limited.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use verispec_graph::matching::{EmbedError, Embedder};
use verispec_model::{Hash, Job, JudgeIdentity, Part, Replies, Request, Step, Unjudged};

use super::ask::{Outcome, settle};

/// Protocol of requests for vectors: each part is a text, the reply is a list of lists.
pub const PROTOCOL: &str = "embed@1";

/// Texts of one request: few enough for every server.
pub const BATCH: usize = 64;

/// Texts of one request.
#[derive(Debug, Clone)]
pub struct EmbedJob {
    /// Name of the job inside the run.
    pub id: String,
    /// The texts, up to [`BATCH`].
    pub texts: Vec<String>,
    /// The embedding model.
    pub model: Arc<JudgeIdentity>,
}

/// What became of the texts.
#[derive(Debug, Clone, PartialEq)]
pub enum Embedded {
    /// No settled reply yet.
    Pending,
    /// One vector a text, in order.
    Vectors(Vec<Vec<f32>>),
    /// None.
    Failed(Unjudged),
}

impl EmbedJob {
    /// Jobs for the texts of one scene, in the order of their bytes. Every scene has jobs of its
    /// own: what is asked of one does not move when another joins it. Scenes whose texts are equal
    /// share their requests.
    #[must_use]
    pub fn of_scene(
        scene: &str,
        texts: &BTreeSet<String>,
        model: &Arc<JudgeIdentity>,
    ) -> Vec<Self> {
        let texts: Vec<&String> = texts.iter().collect();
        let numbered = texts.chunks(BATCH).enumerate();
        let job = |(number, chunk): (usize, &[&String])| Self {
            id: format!("embed/{scene}/{number}"),
            texts: chunk.iter().map(|t| (*t).clone()).collect(),
            model: model.clone(),
        };
        numbered.map(job).collect()
    }
}

impl Job for EmbedJob {
    type Readings = Embedded;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Embedded> {
        let request = Request {
            protocol: PROTOCOL.to_owned(),
            template: Hash::of(PROTOCOL.as_bytes()),
            judge: self.model.clone(),
            parts: self.texts.iter().cloned().map(Part::Text).collect(),
            questions: vec![],
            schema: None,
            repeat: 0,
            parent: None,
            derivation: None,
        };
        let (ask, readings) = match settle(request, replies) {
            Outcome::Pending(request) => (vec![request], Embedded::Pending),
            Outcome::Failed(why) => (vec![], Embedded::Failed(why)),
            Outcome::Said(text) => (vec![], self.read(&text)),
        };
        Step { ask, readings }
    }
}

impl EmbedJob {
    fn read(&self, reply: &str) -> Embedded {
        match serde_json::from_str::<Vec<Vec<f32>>>(reply) {
            Ok(vectors) if vectors.len() == self.texts.len() => Embedded::Vectors(vectors),
            _ => Embedded::Failed(Unjudged::Unparsed),
        }
    }
}

/// Why a text has no vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// It is still to be asked for.
    Pending,
    /// It was asked for, and there is none.
    Failed(Unjudged),
}

/// Vectors that are known, as an [`Embedder`]. All are of one model, so that those of several
/// requests are comparable.
#[derive(Debug, Clone, Default)]
pub struct Known {
    id: String,
    vectors: HashMap<String, Vec<f32>>,
    gaps: HashMap<String, Gap>,
}

impl Known {
    /// From jobs and what they read.
    #[must_use]
    pub fn new(jobs: &[EmbedJob], read: Vec<Embedded>, model: &JudgeIdentity) -> Self {
        let mut all = Self {
            id: format!("{}:{}", model.provider, model.model),
            ..Self::default()
        };
        for (job, read) in jobs.iter().zip(read) {
            let texts = job.texts.iter().cloned();
            match read {
                Embedded::Vectors(vectors) => all.vectors.extend(texts.zip(vectors)),
                Embedded::Pending => all.gaps.extend(texts.map(|t| (t, Gap::Pending))),
                Embedded::Failed(why) => all.gaps.extend(texts.map(|t| (t, Gap::Failed(why)))),
            }
        }
        all
    }

    /// From vectors that were made without asking anybody.
    #[must_use]
    pub fn made(id: String, vectors: impl IntoIterator<Item = (String, Vec<f32>)>) -> Self {
        Self {
            id,
            vectors: vectors.into_iter().collect(),
            gaps: HashMap::new(),
        }
    }

    /// Why not all of these texts have vectors: what will never come before what is still to come.
    #[must_use]
    pub fn gap<'t>(&self, texts: impl IntoIterator<Item = &'t String>) -> Option<Gap> {
        let missing = texts.into_iter().filter(|t| !self.vectors.contains_key(*t));
        let gaps = missing.map(|t| self.gaps.get(t).copied().unwrap_or(Gap::Pending));
        gaps.reduce(|a, b| if a == Gap::Pending { b } else { a })
    }

    fn failed(&self, message: &str) -> EmbedError {
        EmbedError::Failed {
            embedder: self.id.clone(),
            message: message.to_owned(),
        }
    }
}

impl Embedder for Known {
    fn id(&self) -> String {
        self.id.clone()
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let one = |text: &String| {
            let known = self.vectors.get(text).cloned();
            known.ok_or_else(|| self.failed(&format!("{text:?} was not asked for")))
        };
        texts.iter().map(one).collect()
    }
}
