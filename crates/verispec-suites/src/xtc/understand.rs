//! Answers of a model under test to the questions of an image.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use verispec_graph::answers::UndAnswer;
use verispec_graph::facts::FactKind;
use verispec_model::{Hash, Job, JudgeIdentity, Part, Question, Replies, Request, Step, Unjudged};

use super::ask::{Outcome, settle, unheard};
use super::extract::Picture;

/// Protocol of the questions to a model under test.
const PROTOCOL: &str = "xtc-understand@1";

/// How long an answer should be.
const SHORT: &str = "Answer with at most three words.";
/// How a relation is answered.
const RELATION: &str = "Answer with the relation or relations alone, a few words each.";

/// Which picture a model under test is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnderstandingImage {
    /// The original: does the model know of the scene what it draws of it?
    #[default]
    Original,
    /// The picture it drew, as the released scripts do.
    Generated,
    /// None: what the wording of the questions gives away. An ablation, no score of a model.
    None,
}

/// What became of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UndReading {
    /// No settled reply yet.
    Pending,
    /// An answer, or how the model failed.
    Settled(UndAnswer),
    /// The model was not heard: what it would have said is not known.
    Unheard(Unjudged),
}

/// The questions about one image.
#[derive(Debug, Clone)]
pub struct UnderstandJob {
    /// Name of the job inside the run.
    pub id: String,
    /// Kind and wording of each question.
    pub questions: Vec<(FactKind, String)>,
    /// The picture; `None` asks without one.
    pub picture: Option<Picture>,
    /// The model under test.
    pub model: Arc<JudgeIdentity>,
}

/// A question as it is put to a model: with a word on how to answer.
#[must_use]
pub fn asked(kind: FactKind, question: &str) -> String {
    let how = match kind {
        FactKind::Relation => RELATION,
        FactKind::Object | FactKind::Attribute => SHORT,
    };
    format!("{question} {how}")
}

impl Job for UnderstandJob {
    type Readings = Vec<UndReading>;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        let mut ask: Vec<Request> = vec![];
        let read = |(kind, question): &(FactKind, String)| match settle(
            self.request(*kind, question),
            replies,
        ) {
            Outcome::Pending(request) => {
                if !ask.contains(&request) {
                    ask.push(request);
                }
                UndReading::Pending
            }
            Outcome::Said(text) if text.trim().is_empty() => failed("empty answer"),
            Outcome::Said(text) => UndReading::Settled(UndAnswer::Answered {
                text: text.trim().to_owned(),
            }),
            Outcome::Failed(why) if unheard(why) => UndReading::Unheard(why),
            Outcome::Failed(why) => failed(Unjudged::as_str(why)),
        };
        let readings = self.questions.iter().map(read).collect();
        Step { ask, readings }
    }
}

/// Here the one who is asked is the model under test, so the failure is the model's.
fn failed(message: &str) -> UndReading {
    UndReading::Settled(UndAnswer::ModelError {
        message: message.to_owned(),
    })
}

impl UnderstandJob {
    fn request(&self, kind: FactKind, question: &str) -> Request {
        let text = asked(kind, question);
        let image = self.picture.iter().map(|p| Part::Image(p.whole()));
        Request {
            protocol: PROTOCOL.to_owned(),
            template: Hash::of([SHORT, RELATION].join("\n").as_bytes()),
            judge: self.model.clone(),
            parts: image.chain([Part::Text(text.clone())]).collect(),
            questions: vec![Question { id: 1, text }],
            schema: None,
            repeat: 0,
            parent: None,
            derivation: None,
        }
    }
}
