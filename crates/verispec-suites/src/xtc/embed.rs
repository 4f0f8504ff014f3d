//! Vectors of texts from an embeddings endpoint, asked for like anything else: recorded, resumed,
//! limited.

use std::collections::HashMap;
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
    /// Jobs for texts in the order of their bytes, each text once.
    #[must_use]
    pub fn all(
        texts: &std::collections::BTreeSet<String>,
        model: &Arc<JudgeIdentity>,
    ) -> Vec<Self> {
        let texts: Vec<&String> = texts.iter().collect();
        let numbered = texts.chunks(BATCH).enumerate();
        let job = |(number, chunk): (usize, &[&String])| Self {
            id: format!("embed/{number}"),
            texts: chunk.iter().map(|t| (*t).clone()).collect(),
            model: model.clone(),
        };
        numbered.map(job).collect()
    }
}

impl Job for EmbedJob {
    type Readings = Embedded;

    fn id(&self) -> &str {
        &self.id
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

/// Vectors that are known, as an [`Embedder`]. All are of one model, so that those of several
/// requests are comparable.
#[derive(Debug, Clone, Default)]
pub struct Known {
    id: String,
    vectors: HashMap<String, Vec<f32>>,
}

impl Known {
    /// From jobs and what they read.
    ///
    /// # Errors
    /// A request has no usable reply, settled or not yet.
    pub fn new(
        jobs: &[EmbedJob],
        read: Vec<Embedded>,
        model: &JudgeIdentity,
    ) -> Result<Self, EmbedError> {
        let id = format!("{}:{}", model.provider, model.model);
        let mut all = Self {
            id,
            vectors: HashMap::new(),
        };
        for (job, read) in jobs.iter().zip(read) {
            let vectors = match read {
                Embedded::Vectors(vectors) => vectors,
                Embedded::Pending => return Err(all.failed("vectors are still to be asked for")),
                Embedded::Failed(why) => return Err(all.failed(&format!("no vectors: {why}"))),
            };
            all.vectors.extend(job.texts.iter().cloned().zip(vectors));
        }
        Ok(all)
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
